#include <stdint.h>

int64_t string_scan(uint8_t *text, int64_t n, int64_t rounds) {
  int64_t words = 0, longest = 0, numbers = 0;
  for (int64_t r = 0; r < rounds; r++) {
    int64_t length = 0, value = 0;
    for (int64_t i = 0; i < n; i++) {
      int64_t c = text[i];
      if (48 <= c && c <= 57) {
        value = value * 10 + (c - 48);
      } else if (c == 32 || c == 10) {
        if (length > 0) {
          words += 1;
          if (length > longest)
            longest = length;
        }
        numbers += value;
        length = 0;
        value = 0;
      } else {
        length += 1;
      }
    }
  }
  return words * 1000 + longest + numbers;
}
