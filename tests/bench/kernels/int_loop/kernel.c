#include <stdint.h>

int64_t int_loop(int64_t n) {
  int64_t total = 0;
  for (int64_t i = 0; i < n; i++) {
    total += (i ^ (total >> 3)) & 4095;
    total -= total >> 7;
  }
  return total;
}
