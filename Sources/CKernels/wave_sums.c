// Sums of cosines and sines of many frequencies at uneven times.

#include "include/wave_sums.h"

#include "lanes.h"

enum {
  // Vectors of points that turn together, in registers.
  TOGETHER = 4,
  GROUP = TOGETHER * LANES,
};

typedef uint64_t words8 __attribute__((vector_size(64)));
// Eight values in memory, at any address of a double.
typedef double values8 __attribute__((vector_size(64), aligned(8), may_alias));
#define FROM(pointer) (*(const values8 *)(pointer))

INLINE double sum_of_lanes(const doubles8 *sum) {
  const doubles4 sum4 = LOW_HALF4(*sum) + HIGH_HALF4(*sum);
  const doubles2 sum2 = LOW_HALF2(sum4) + HIGH_HALF2(sum4);
  return sum2[0] + sum2[1];
}

// Cosine and sine of an angle in periods, 0 or more, to about one unit of the last place.
//
// Whole quarters of a period drop out exactly. The series of cos (π/2)x and sin (π/2)x in the rest x
// of at most ½ have the coefficients (π/2)^k/k!, and the first term left out is below 1e-16.
INLINE void turn(const doubles8 *periods, doubles8 *cosine, doubles8 *sine) {
  const doubles8 zero = {0}, shift = zero + 0x1.8p52;
  const doubles8 quarters = SELECT(doubles8, masks8, *periods < zero + 0x1p49, 4 * *periods, zero);
  // The sum has the number of quarters in its lowest bits.
  const doubles8 shifted = quarters + shift;
  const doubles8 x = quarters - (shifted - shift), z = x * x;
  doubles8 c = zero + 0x1.20c62c2f2d7f5p-34;
  c = c * z - 0x1.b6e24f44b128fp-28;
  c = c * z + 0x1.f9d38a3763cc3p-22;
  c = c * z - 0x1.a6d1f2a204a8cp-16;
  c = c * z + 0x1.e1f506891babbp-11;
  c = c * z - 0x1.55d3c7e3cbffap-6;
  c = c * z + 0x1.03c1f081b5ac4p-2;
  c = c * z - 0x1.3bd3cc9be45dep+0;
  c = c * z + 1;
  doubles8 s = zero - 0x1.6fadb9f155744p-31;
  s = s * z + 0x1.e8f434d018d63p-25;
  s = s * z - 0x1.e3074fde8871fp-19;
  s = s * z + 0x1.50783487ee782p-13;
  s = s * z - 0x1.32d2cce62bd86p-8;
  s = s * z + 0x1.466bc6775aae2p-4;
  s = s * z - 0x1.4abbce625be53p-1;
  s = s * z + 0x1.921fb54442d18p+0;
  s = s * x;
  const words8 quadrant = (words8)shifted;
  const masks8 odd = (quadrant & 1) != 0;
  const doubles8 along = SELECT(doubles8, masks8, odd, s, c);
  const doubles8 across = SELECT(doubles8, masks8, odd, c, s);
  *cosine = (doubles8)((words8)along ^ ((quadrant + 1) & 2) << 62);
  *sine = (doubles8)((words8)across ^ (quadrant & 2) << 62);
}

// The next points of two columns, at most a group, with zeros after the last one.
struct points {
  doubles8 times[TOGETHER], values[TOGETHER];
  // 1 for a point, 0 after the last one.
  doubles8 present[TOGETHER];
};

INLINE void read_points(const double *times, const double *values, ptrdiff_t count,
                        struct points *points) {
  const doubles8 zero = {0};
  if (count >= GROUP) {
    for (int v = 0; v < TOGETHER; v++) {
      points->times[v] = FROM(times + v * LANES);
      points->values[v] = FROM(values + v * LANES);
      points->present[v] = zero + 1;
    }
    return;
  }
  double column[GROUP] = {0};
  memcpy(column, times, sizeof(double) * (size_t)count);
  for (int v = 0; v < TOGETHER; v++) points->times[v] = FROM(column + v * LANES);
  memcpy(column, values, sizeof(double) * (size_t)count);
  for (int v = 0; v < TOGETHER; v++) points->values[v] = FROM(column + v * LANES);
  for (ptrdiff_t i = 0; i < GROUP; i++) column[i] = i < count;
  for (int v = 0; v < TOGETHER; v++) points->present[v] = FROM(column + v * LANES);
}

struct lane_sums {
  doubles8 c, s, cc, cs, yc, ys;
};

INLINE void sum_waves(const double *times, const double *values, ptrdiff_t count,
                      double frequency, double step, ptrdiff_t waves, struct hk_wave_sums *sums) {
  struct lane_sums lanes[HK_MOST_WAVES];
  memset(lanes, 0, sizeof lanes[0] * (size_t)waves);
  for (ptrdiff_t first = 0; first < count; first += GROUP) {
    struct points points;
    read_points(times + first, values + first, count - first, &points);
    doubles8 c[TOGETHER], s[TOGETHER], step_c[TOGETHER], step_s[TOGETHER], y[TOGETHER];
    for (int v = 0; v < TOGETHER; v++) {
      const doubles8 periods = frequency * points.times[v];
      turn(&periods, &c[v], &s[v]);
      c[v] *= points.present[v], s[v] *= points.present[v];
      y[v] = points.values[v];
    }
    if (waves > 1)
      for (int v = 0; v < TOGETHER; v++) {
        const doubles8 periods = step * points.times[v];
        turn(&periods, &step_c[v], &step_s[v]);
      }
    else
      for (int v = 0; v < TOGETHER; v++) step_c[v] = step_s[v] = y[v];
    for (ptrdiff_t wave = 0; wave < waves; wave++) {
      struct lane_sums here = {c[0],        s[0],        c[0] * c[0],
                               c[0] * s[0], y[0] * c[0], y[0] * s[0]};
      for (int v = 1; v < TOGETHER; v++) {
        here.c += c[v], here.s += s[v];
        here.cc += c[v] * c[v], here.cs += c[v] * s[v];
        here.yc += y[v] * c[v], here.ys += y[v] * s[v];
      }
      struct lane_sums *all = &lanes[wave];
      all->c += here.c, all->s += here.s;
      all->cc += here.cc, all->cs += here.cs;
      all->yc += here.yc, all->ys += here.ys;
      for (int v = 0; v < TOGETHER; v++) {
        const doubles8 turned = c[v] * step_c[v] - s[v] * step_s[v];
        s[v] = s[v] * step_c[v] + c[v] * step_s[v];
        c[v] = turned;
      }
    }
  }
  for (ptrdiff_t wave = 0; wave < waves; wave++) {
    const struct lane_sums *all = &lanes[wave];
    sums[wave] = (struct hk_wave_sums){sum_of_lanes(&all->c),  sum_of_lanes(&all->s),
                                       sum_of_lanes(&all->cc), sum_of_lanes(&all->cs),
                                       sum_of_lanes(&all->yc), sum_of_lanes(&all->ys)};
  }
}

INLINE void sum_centred_wave(const double *times, const double *values, ptrdiff_t count,
                             double frequency, double cosine_mean, double sine_mean,
                             struct hk_centred_wave_sums *sums) {
  const doubles8 zero = {0};
  doubles8 cc = zero, ss = zero, cs = zero, yc = zero, ys = zero;
  for (ptrdiff_t first = 0; first < count; first += GROUP) {
    struct points points;
    read_points(times + first, values + first, count - first, &points);
    doubles8 cc_here = zero, ss_here = zero, cs_here = zero, yc_here = zero, ys_here = zero;
    for (int v = 0; v < TOGETHER; v++) {
      const doubles8 periods = frequency * points.times[v], y = points.values[v];
      doubles8 c, s;
      turn(&periods, &c, &s);
      c = (c - cosine_mean) * points.present[v], s = (s - sine_mean) * points.present[v];
      cc_here += c * c, ss_here += s * s, cs_here += c * s;
      yc_here += y * c, ys_here += y * s;
    }
    cc += cc_here, ss += ss_here, cs += cs_here, yc += yc_here, ys += ys_here;
  }
  *sums = (struct hk_centred_wave_sums){sum_of_lanes(&cc), sum_of_lanes(&ss), sum_of_lanes(&cs),
                                        sum_of_lanes(&yc), sum_of_lanes(&ys)};
}

#define DEFINE_KERNELS(NAME, ATTRIBUTES)                                                        \
  ATTRIBUTES static void sum_waves_##NAME(const double *times, const double *values,            \
                                          ptrdiff_t count, double frequency, double step,       \
                                          ptrdiff_t waves, struct hk_wave_sums *sums) {         \
    sum_waves(times, values, count, frequency, step, waves, sums);                              \
  }                                                                                             \
  ATTRIBUTES static void sum_centred_wave_##NAME(                                               \
      const double *times, const double *values, ptrdiff_t count, double frequency,             \
      double cosine_mean, double sine_mean, struct hk_centred_wave_sums *sums) {                \
    sum_centred_wave(times, values, count, frequency, cosine_mean, sine_mean, sums);            \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNELS)

void hk_sum_waves(hk_instruction_set set, const double *times, const double *values,
                  ptrdiff_t count, double frequency, double step, ptrdiff_t waves,
                  struct hk_wave_sums *sums) {
  DISPATCH(set, sum_waves, times, values, count, frequency, step, waves, sums);
}

void hk_sum_centred_wave(hk_instruction_set set, const double *times, const double *values,
                         ptrdiff_t count, double frequency, double cosine_mean, double sine_mean,
                         struct hk_centred_wave_sums *sums) {
  DISPATCH(set, sum_centred_wave, times, values, count, frequency, cosine_mean, sine_mean, sums);
}
