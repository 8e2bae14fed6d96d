#pragma once

// The real functions of the C library that level units and HealthKit's order of operations need.
double hk_log(double value);
double hk_log10(double value);
double hk_atan(double value);
double hk_tan(double value);
double hk_pow(double base, double exponent);
