#include <stdint.h>

int64_t gcd(int64_t n) {
  int64_t total = 0;
  for (int64_t i = 1; i < n; i++)
    for (int64_t j = 1; j < i; j++) {
      int64_t a = i, b = j;
      while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
      }
      total += a;
    }
  return total;
}
