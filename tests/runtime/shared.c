// C and compiled ppy code on one mutex, condition and barrier. Exits 0 when all that was counted is there.

#include "ppy_runtime.h"

#include <stdio.h>

// The native ABI of the functions in shared.ppyir.
int32_t count_locked(int64_t *mutex, int64_t *total, int64_t n, int64_t *none);
int32_t start_counting(int64_t *mutex, int64_t *total, int64_t n, int64_t *handle);
int32_t join_of(int64_t handle, int64_t *status);
int32_t answer(int64_t *mutex, int64_t *condition, int64_t *asked, int64_t *answered, int64_t *none);
int32_t meet(int64_t *slots, int64_t parties, int64_t *cell, int64_t *sum);
int32_t fail(int64_t *none);

enum { N = 20000 };

struct shared {
  int64_t mutex, total, condition, asked, answered, slots[2], cells[2], none[4];
};

static int32_t counter(void *argument) {
  struct shared *s = argument;
  return count_locked(&s->mutex, &s->total, N, &s->none[0]);
}
static int32_t answerer(void *argument) {
  struct shared *s = argument;
  return answer(&s->mutex, &s->condition, &s->asked, &s->answered, &s->none[1]);
}
static int32_t meeter(void *argument) {
  struct shared *s = argument;
  return meet(s->slots, 2, s->cells, &s->none[2]);
}
static int32_t failing(void *argument) { return fail(argument); }

static int failures;
static void expect(const char *what, int64_t got, int64_t wanted) {
  if (got != wanted) {
    fprintf(stderr, "%s: %lld, not %lld\n", what, (long long)got, (long long)wanted);
    failures++;
  }
}

int main(void) {
  static struct shared s;
  int64_t ignored;

  // Threads of C and of ppy under one mutex.
  int64_t ours = ppy_thread_spawn(counter, &s), theirs = 0;
  start_counting(&s.mutex, &s.total, N, &theirs);
  for (int i = 0; i < N; i++) {
    ppy_mutex_lock(&s.mutex);
    s.total++;
    ppy_mutex_unlock(&s.mutex);
  }
  int64_t joined = -7;
  expect("ppy joins C's thread", join_of(ours, &joined), 0);
  expect("its status", joined, 0);
  expect("C joins ppy's thread", ppy_thread_join(theirs), 0);
  expect("the total", s.total, 3 * N);
  expect("the mutex", s.mutex, 0);

  // A question and its answer.
  int64_t h = ppy_thread_spawn(answerer, &s);
  ppy_mutex_lock(&s.mutex);
  s.asked = 21;
  ppy_condition_notify(&s.condition);
  while (s.answered == 0)
    ppy_condition_wait(&s.condition, &s.mutex);
  ppy_mutex_unlock(&s.mutex);
  expect("the answer", s.answered, 42);
  expect("the answerer", ppy_thread_join(h), 0);

  // A meeting.
  h = ppy_thread_spawn(meeter, &s);
  s.cells[1] = 5;
  ppy_barrier_wait(s.slots, 2);
  ppy_barrier_wait(s.slots, 2);
  expect("the sum", s.cells[0], 12);
  expect("the meeter", ppy_thread_join(h), 0);
  expect("the generation", s.slots[1], 2);

  // A guard that fails in a thread.
  expect("the failure", ppy_thread_join(ppy_thread_spawn(failing, &ignored)), PPY_FALLBACK);
  expect("a free mutex", ppy_mutex_try_lock(&s.mutex), true);
  expect("a held mutex", ppy_mutex_try_lock(&s.mutex), false);
  expect("who", ppy_thread_id() != 0, true);
  return failures != 0;
}
