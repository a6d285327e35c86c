/*===- ppy_runtime.h - what C shares with compiled ppy code ----------------===*\
|*                                                                            *|
|* Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* Threads, mutexes, conditions and barriers over the same memory as the
 * concurrency dialect's, so that C and compiled code may wait for each other.
 * Compiled code brings its own and does not need this library.
 *
 * Every object is `int64_t` slots that are 0 before they are used and need no
 * destruction: a mutex and a condition have one, a barrier has two. */

#ifndef PPY_RUNTIME_H
#define PPY_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a compiled function answers. */
enum {
  PPY_OK = 0,
  PPY_FALLBACK = 1,
  PPY_RAISED = -1,
  PPY_BOUNDS = 2,
  PPY_OVERFLOW = 3,
  PPY_POINTER = 4,
  PPY_ALIGNMENT = 5
};

/* Waits until nobody has the mutex, and takes it. */
void ppy_mutex_lock(int64_t *mutex);
/* Takes the mutex if nobody has it. */
bool ppy_mutex_try_lock(int64_t *mutex);
/* Gives the mutex back. */
void ppy_mutex_unlock(int64_t *mutex);

/* Gives the mutex back, waits for a notification, and takes it again. It may
 * wake without cause: ask again in a loop for what is waited for. */
void ppy_condition_wait(int64_t *condition, int64_t *mutex);
/* Wakes every thread that waits on the condition. */
void ppy_condition_notify(int64_t *condition);

/* Waits until as many threads have arrived. `slots` are two. */
void ppy_barrier_wait(int64_t *slots, int64_t parties);

/* Starts a thread that runs the function, and gives its handle. A thread that
 * cannot be started counts as one that failed: joining it gives PPY_FALLBACK. */
int64_t ppy_thread_spawn(int32_t (*function)(void *argument), void *argument);
/* Waits for a thread, of C or compiled code, and gives what its function
 * returned. Once for each handle. */
int64_t ppy_thread_join(int64_t handle);
/* A number that no other running thread has, and that is not 0. */
int64_t ppy_thread_id(void);

#ifdef __cplusplus
}
#endif

#endif /* PPY_RUNTIME_H */
