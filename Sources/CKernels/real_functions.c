#include "include/real_functions.h"

#include <math.h>

double hk_exp2(double value) { return exp2(value); }
double hk_log2(double value) { return log2(value); }
double hk_log10(double value) { return log10(value); }
double hk_atan(double value) { return atan(value); }
double hk_tan(double value) { return tan(value); }
double hk_pow(double base, double exponent) { return pow(base, exponent); }
