#pragma once

#include "instruction_set.h"

#include <stddef.h>

// Sums of cosines and sines at uneven times, as periodograms need them. The cosine of a point is
// c = cos 2πft and its sine s = sin 2πft, with its time t of 0 or more and a frequency f of 0 or
// more. From 2^49 periods on, where a double has no phase to speak of, c is 1 and s is 0.
//
// Every sum has one order, so that every instruction set gives the same bits: point i belongs to
// lane i mod 8, and of 32 points a lane adds its four in order and then adds that to its sum; lane i
// then takes lane i + 4, then i + 2, then i + 1.

enum {
  // The most frequencies of one call. A phase is turned from one to the next, so that the last one's
  // cosine and sine are off by at most about 1e-14.
  HK_MOST_WAVES = 32,
};

// Sums over all points, of the values y too.
struct hk_wave_sums {
  double c, s, cc, cs, yc, ys;
};

// The sums at `waves` equally spaced frequencies: frequency, frequency + step and so on.
void hk_sum_waves(hk_instruction_set set, const double *times, const double *values,
                  ptrdiff_t count, double frequency, double step, ptrdiff_t waves,
                  struct hk_wave_sums *sums);

// Sums about means: of c − c̄ and s − s̄.
struct hk_centred_wave_sums {
  double cc, ss, cs, yc, ys;
};

// The sums at one frequency about the means of its cosines and sines. They keep their digits where
// a column hardly varies.
void hk_sum_centred_wave(hk_instruction_set set, const double *times, const double *values,
                         ptrdiff_t count, double frequency, double cosine_mean, double sine_mean,
                         struct hk_centred_wave_sums *sums);
