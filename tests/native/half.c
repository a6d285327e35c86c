// Conversions of binary16 that the compiler's library has from GCC 13 on: RISC-V without Zfh calls them.

#include <stdint.h>
#include <string.h>

static _Float16 half(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint16_t sign = bits >> 48 & 0x8000, out;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  uint64_t fraction = bits & ((1ull << 52) - 1);
  if (exponent == 1024) {
    out = 0x7c00 | (fraction ? 0x200 | fraction >> 42 : 0);
  } else if (exponent < -25) {
    out = 0; // Below half of the smallest subnormal.
  } else {
    int below = exponent < -14 ? -14 - exponent : 0, shift = 42 + below;
    uint64_t full = 1ull << 52 | fraction, rest = full & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    uint64_t rounded = (full >> shift) + (rest > tie || (rest == tie && (full >> shift & 1)));
    // A carry out of the fraction belongs to the exponent.
    uint64_t all = below ? rounded : ((uint64_t)(exponent + 14) << 10) + rounded;
    out = all > 0x7c00 ? 0x7c00 : all;
  }
  out |= sign;
  _Float16 result;
  memcpy(&result, &out, sizeof out);
  return result;
}

_Float16 __truncdfhf2(double x) { return half(x); }
_Float16 __truncsfhf2(float x) { return half(x); }

float __extendhfsf2(_Float16 x) {
  uint16_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff, out;
  if (exponent == 0) {
    float tiny = (float)fraction * 0x1p-24f;
    memcpy(&out, &tiny, sizeof out);
  } else {
    out = (exponent == 0x1f ? 0xff : exponent + 112) << 23 | fraction << 13;
  }
  out |= sign;
  float result;
  memcpy(&result, &out, sizeof out);
  return result;
}
