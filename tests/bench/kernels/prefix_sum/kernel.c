#include <stdint.h>

int64_t prefix_sum(int64_t *xs, int64_t n, int64_t *out, int64_t out_len, int64_t rounds) {
  int64_t last = 0;
  for (int64_t r = 0; r < rounds; r++) {
    int64_t total = last & 7;
    for (int64_t i = 0; i < n; i++) {
      total += xs[i];
      out[i] = total;
    }
    last = total;
  }
  return last;
}
