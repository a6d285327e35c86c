#include <stdint.h>

double float_loop(int64_t n) {
  double x = 0.3, total = 0.0;
  for (int64_t i = 0; i < n; i++) {
    x = 3.75 * x * (1.0 - x);
    total += x / (total + 1.0);
  }
  return total;
}
