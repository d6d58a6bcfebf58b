/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: exp and log that give the same bits on every machine. */
#ifndef LW_MEASURE_DETMATH_H
#define LW_MEASURE_DETMATH_H

#include <stdint.h>

/*
 * The C library's exp and log may differ in the last bit from one release to the next,
 * and one bit can turn a rejection of a sampler around: then a seed would not name a
 * workload. These use only + - * / and scaling by powers of two, which IEEE 754 fixes
 * (built with -ffp-contract=off). Within 1e-14 of the true value.
 */
double lw_math_exp(double x);
/* Natural logarithm; X must be positive. */
double lw_math_log(double x);

/* The one place where a model's real number becomes whole seconds or nodes. */
int64_t lw_math_round(double x);

#endif
