#pragma once

#include "conversion.h"
#include "interval_run.h"
#include "real_functions.h"
