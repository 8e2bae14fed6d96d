#pragma once

#include "conversion.h"
#include "real_functions.h"
