#include <math.h>
#include <stdint.h>

double nbody(double *pos, int64_t pos_len, double *vel, int64_t vel_len, double *mass, int64_t n, int64_t steps) {
  double dt = 0.001, energy = 0.0;
  for (int64_t s = 0; s < steps; s++) {
    for (int64_t i = 1; i < n; i++)
      for (int64_t j = 0; j < i; j++) {
        double dx = pos[2 * i] - pos[2 * j];
        double dy = pos[2 * i + 1] - pos[2 * j + 1];
        double d2 = dx * dx + dy * dy + 0.05;
        double mag = dt / (d2 * sqrt(d2));
        vel[2 * i] -= dx * mass[j] * mag;
        vel[2 * i + 1] -= dy * mass[j] * mag;
        vel[2 * j] += dx * mass[i] * mag;
        vel[2 * j + 1] += dy * mass[i] * mag;
      }
    for (int64_t i = 0; i < 2 * n; i++)
      pos[i] += dt * vel[i];
  }
  for (int64_t i = 0; i < n; i++)
    energy += 0.5 * mass[i] * (vel[2 * i] * vel[2 * i] + vel[2 * i + 1] * vel[2 * i + 1]);
  return energy;
}
