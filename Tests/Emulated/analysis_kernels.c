// The kernels of analyses on made-up columns: a digest of their bits, which is the same on every
// processor.

#include "bare.h"
#include "local_regression.h"
#include "pair_sums.h"
#include "wave_sums.h"

enum { ROWS = 203, WAVES = 32, TAPS = 45, SPACING = 3 };

static double times[ROWS], values[ROWS], others[ROWS], present[ROWS], robustness[ROWS];
static double weights[TAPS], least_spreads[SPACING], target[ROWS];
static uint64_t count, digest = 0xCBF29CE484222325;

static void add(double value) {
  digest = (digest ^ bits_of(value)) * 0x100000001B3;
  count++;
}

static double part(void) { return (double)(next() >> 11) * 0x1p-53; }

static void make_columns(void) {
  double time = 0;
  for (int i = 0; i < ROWS; i++) {
    times[i] = time;
    time += part() * 4;
    values[i] = part() - 0.5;
    present[i] = next() % 5 != 0;
    others[i] = present[i] * (part() - 0.5);
    robustness[i] = part();
  }
  for (int i = 0; i < TAPS; i++) weights[i] = part();
  for (int i = 0; i < SPACING; i++) least_spreads[i] = part() * 0x1p-10;
}

static void add_waves(hk_instruction_set set, ptrdiff_t rows, ptrdiff_t waves) {
  struct hk_wave_sums sums[WAVES];
  hk_sum_waves(set, times, values, rows, 0.01 + part(), 0x1p-9, waves, sums);
  for (ptrdiff_t i = 0; i < waves; i++) {
    add(sums[i].c), add(sums[i].s), add(sums[i].cc), add(sums[i].cs);
    add(sums[i].yc), add(sums[i].ys);
  }
  struct hk_centred_wave_sums centred;
  hk_sum_centred_wave(set, times, values, rows, part(), part() - 0.5, part() - 0.5, &centred);
  add(centred.cc), add(centred.ss), add(centred.cs), add(centred.yc), add(centred.ys);
}

static void add_pairs(hk_instruction_set set, ptrdiff_t rows) {
  const struct hk_masked left = {others, present}, right = {others + 3, present + 3};
  struct hk_pair_sums sums;
  hk_value_pair_sums(set, left, right, rows - 3, &sums);
  add(sums.count), add(sums.left), add(sums.right);
  add(sums.left_squares), add(sums.right_squares), add(sums.products);
}

static void add_regressions(hk_instruction_set set, ptrdiff_t taps) {
  hk_moving_means(set, values, taps, target, ROWS - taps + 1);
  for (ptrdiff_t i = 0; i < ROWS - taps + 1; i++) add(target[i]);
  for (int degree = 0; degree < 2; degree++)
    add(hk_local_fit(set, weights, robustness, values, taps, (ptrdiff_t)(next() % (uint64_t)taps),
                     degree, least_spreads[0]));
}

uint64_t digest_of_analyses(void) {
  for (int round = 0; round < 40; round++) {
    const hk_instruction_set set = round % 2 ? hk_best_instruction_set() : hk_plain;
    make_columns();
    const ptrdiff_t rows = 1 + (ptrdiff_t)(next() % ROWS);
    add_waves(set, rows, 1 + (ptrdiff_t)(next() % WAVES));
    add_pairs(set, rows < 3 ? 3 : rows);
    add_regressions(set, 2 + (ptrdiff_t)(next() % (TAPS - 2)));
  }
  print("analyses: ");
  print_count(count);
  print(" values\n");
  return digest;
}
