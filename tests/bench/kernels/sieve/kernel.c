#include <stdint.h>

int64_t sieve(uint8_t *flags, int64_t n, int64_t rounds) {
  int64_t total = 0;
  for (int64_t r = 0; r < rounds; r++) {
    for (int64_t i = 0; i < n; i++)
      flags[i] = 1;
    for (int64_t i = 2; i < n; i++)
      if (flags[i] == 1) {
        total += 1;
        for (int64_t j = i * i; j < n; j += i)
          flags[j] = 0;
      }
  }
  return total;
}
