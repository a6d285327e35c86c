#include <stdint.h>

int64_t collatz(int64_t limit) {
  int64_t longest = 0;
  for (int64_t start = 1; start < limit; start++) {
    int64_t n = start, steps = 0;
    while (n != 1) {
      if (n % 2 == 0)
        n = n / 2;
      else
        n = 3 * n + 1;
      steps += 1;
    }
    if (steps > longest)
      longest = steps;
  }
  return longest;
}
