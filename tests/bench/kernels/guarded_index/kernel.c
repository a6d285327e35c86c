#include <stdint.h>

int64_t guarded_index(int64_t *keys, int64_t n, int64_t *counts, int64_t counts_len, int64_t rounds) {
  int64_t seen = 0;
  for (int64_t r = 0; r < rounds; r++)
    for (int64_t i = 0; i < n; i++) {
      int64_t slot = keys[i] * 16 + (i & 15);
      counts[slot] += 1;
      seen += counts[keys[i]];
    }
  return seen;
}
