#include "include/real_functions.h"

#include <math.h>

double hk_log(double value) { return log(value); }
double hk_log10(double value) { return log10(value); }
double hk_atan(double value) { return atan(value); }
double hk_tan(double value) { return tan(value); }
double hk_pow(double base, double exponent) { return pow(base, exponent); }
