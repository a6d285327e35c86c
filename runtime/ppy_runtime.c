/*===- ppy_runtime.c - what C shares with compiled ppy code ----------------===*\
|*                                                                            *|
|* Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.      *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* The protocol is that of dialects/concurrency/sync.mlir, which compiled code
 * gets: both must change together. No function here has state of its own. */

#define _DEFAULT_SOURCE
#include "ppy_runtime.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(int64_t) *slot(int64_t *memory) { return (_Atomic(int64_t) *)memory; }

static void pause_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The first tries spin, then the processor is left to others, then the thread
 * sleeps. */
static void wait_a_little(int64_t tries) {
  if (tries < 100)
    pause_hint();
  else if (tries < 300)
    sched_yield();
  else
    usleep(100);
}

bool ppy_mutex_try_lock(int64_t *mutex) {
  int64_t open = 0;
  return atomic_compare_exchange_strong_explicit(slot(mutex), &open, 1, memory_order_acquire, memory_order_relaxed);
}

void ppy_mutex_lock(int64_t *mutex) {
  for (int64_t tries = 0; !ppy_mutex_try_lock(mutex);)
    do
      wait_a_little(tries++);
    while (atomic_load_explicit(slot(mutex), memory_order_relaxed) != 0);
}

void ppy_mutex_unlock(int64_t *mutex) { atomic_store_explicit(slot(mutex), 0, memory_order_release); }

static void wait_change(int64_t *memory, int64_t seen) {
  for (int64_t tries = 0; atomic_load_explicit(slot(memory), memory_order_acquire) == seen; tries++)
    wait_a_little(tries);
}

void ppy_condition_wait(int64_t *condition, int64_t *mutex) {
  int64_t seen = atomic_load_explicit(slot(condition), memory_order_relaxed);
  ppy_mutex_unlock(mutex);
  wait_change(condition, seen);
  ppy_mutex_lock(mutex);
}

void ppy_condition_notify(int64_t *condition) {
  atomic_fetch_add_explicit(slot(condition), 1, memory_order_release);
}

void ppy_barrier_wait(int64_t *slots, int64_t parties) {
  int64_t seen = atomic_load_explicit(slot(&slots[1]), memory_order_acquire);
  if (atomic_fetch_add_explicit(slot(&slots[0]), 1, memory_order_acq_rel) + 1 < parties) {
    wait_change(&slots[1], seen);
    return;
  }
  atomic_store_explicit(slot(&slots[0]), 0, memory_order_relaxed);
  atomic_fetch_add_explicit(slot(&slots[1]), 1, memory_order_release);
}

/* A thread's record; its address is the handle. Compiled code has its arguments
 * where ours are. */
struct thread {
  pthread_t thread;
  int32_t status;
  int32_t started;
  int32_t (*function)(void *);
  void *argument;
};

static void *begin(void *memory) {
  struct thread *record = memory;
  record->status = record->function(record->argument);
  return NULL;
}

int64_t ppy_thread_spawn(int32_t (*function)(void *argument), void *argument) {
  struct thread *record = malloc(sizeof *record);
  if (!record)
    return 0;
  record->status = PPY_FALLBACK;
  record->function = function;
  record->argument = argument;
  record->started = pthread_create(&record->thread, NULL, begin, record) == 0;
  return (int64_t)record;
}

int64_t ppy_thread_join(int64_t handle) {
  struct thread *record = (struct thread *)handle;
  if (!record)
    return PPY_FALLBACK;
  if (record->started)
    pthread_join(record->thread, NULL);
  int64_t status = record->status;
  free(record);
  return status;
}

int64_t ppy_thread_id(void) { return (int64_t)pthread_self(); }
