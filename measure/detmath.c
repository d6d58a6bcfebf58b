/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: exp and log that give the same bits on every machine. */
#include "measure/detmath.h"

#include <math.h>

#define LN2 0.69314718055994530942

double lw_math_exp(double x)
{
	int power = (int)(x / LN2 + (x < 0 ? -0.5 : 0.5));
	double r = x - power * LN2, term = 1, sum = 1;

	/* |r| <= 0.35: the 18th term of the Taylor series is below 1e-24 */
	for (int n = 1; n < 18; n++) {
		term *= r / n;
		sum += term;
	}
	return ldexp(sum, power);
}

double lw_math_log(double x)
{
	int power;
	double m = frexp(x, &power), z, z2, term, sum = 0;

	if (m < 0.70710678118654752) {
		m *= 2;
		power--;
	}
	/* ln m = 2 artanh z, |z| <= 0.172: the 12th odd power is below 1e-18 */
	z = (m - 1) / (m + 1);
	z2 = z * z;
	term = z;
	for (int n = 1; n < 25; n += 2) {
		sum += term / n;
		term *= z2;
	}
	return 2 * sum + power * LN2;
}

int64_t lw_math_round(double x)
{
	return (int64_t)(x < 0 ? x - 0.5 : x + 0.5);
}
