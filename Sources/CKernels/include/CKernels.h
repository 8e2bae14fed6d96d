#pragma once

#include "compensated_results.h"
#include "conversion.h"
#include "instruction_set.h"
#include "interval_curves.h"
#include "interval_search.h"
#include "interval_sums.h"
#include "local_regression.h"
#include "pair_sums.h"
#include "pro_rata.h"
#include "processors.h"
#include "real_functions.h"
#include "wave_sums.h"
