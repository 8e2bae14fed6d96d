#include "include/interval_search.h"

ptrdiff_t hk_last_edge(const double *edges, ptrdiff_t count, double instant, ptrdiff_t hint) {
  ptrdiff_t low = -1, high = count, step = 1;
  if (hint < 0 || edges[hint] <= instant) {
    low = hint;
    while (step < count - low && edges[low + step] <= instant) {
      low += step;
      step *= 2;
    }
    if (step < count - low) high = low + step;
  } else {
    high = hint;
    while (step <= high && edges[high - step] > instant) {
      high -= step;
      step *= 2;
    }
    if (step <= high) low = high - step;
  }
  while (high - low > 1) {
    const ptrdiff_t middle = low + (high - low) / 2;
    if (edges[middle] <= instant) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}
