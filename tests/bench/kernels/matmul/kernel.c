#include <stdint.h>

double matmul(double *a, int64_t a_len, double *b, int64_t b_len, double *out, int64_t out_len, int64_t n,
              int64_t rounds) {
  double trace = 0.0;
  for (int64_t r = 0; r < rounds; r++)
    for (int64_t i = 0; i < n; i++) {
      for (int64_t j = 0; j < n; j++) {
        double s = 0.0;
        for (int64_t k = 0; k < n; k++)
          s += a[i * n + k] * b[k * n + j];
        out[i * n + j] = s;
      }
      trace += out[i * n + i];
    }
  return trace;
}
