#include <stdint.h>

int64_t mandelbrot(int64_t width, int64_t height, int64_t limit) {
  int64_t total = 0;
  for (int64_t py = 0; py < height; py++) {
    double cy = 2.4 * py / height - 1.2;
    for (int64_t px = 0; px < width; px++) {
      double cx = 3.2 * px / width - 2.2;
      double x = 0.0, y = 0.0;
      int64_t n = 0;
      while (n < limit && x * x + y * y <= 4.0) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        n += 1;
      }
      total += n;
    }
  }
  return total;
}
