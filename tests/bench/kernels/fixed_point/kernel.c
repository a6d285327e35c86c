#include <stdint.h>

int64_t fixed_point(int64_t n) {
  int64_t one = 65536, x = 19661, mean = 0;
  for (int64_t i = 0; i < n; i++) {
    x = (245760 * ((x * (one - x)) >> 16)) >> 16;
    mean += (x - mean) >> 6;
  }
  return mean * one + x;
}
