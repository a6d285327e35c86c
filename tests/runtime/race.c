// Two threads of compiled code without a lock: what the thread sanitizer must find.

#include <stdint.h>

int32_t run(int64_t *total, int64_t n, int64_t *none);

int main(void) {
  int64_t total = 0, none;
  return run(&total, 1000, &none);
}
