#include <stdint.h>

int64_t nested_loops(int64_t n) {
  int64_t total = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i; j < n; j++)
      for (int64_t k = j; k < n; k++)
        if (((i ^ j ^ k) & 1) == 0)
          total += i * j - k;
        else
          total -= i + k;
  return total;
}
