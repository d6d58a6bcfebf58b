/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the probability that a job is still there after some times, in one number. */
#include "predictor/survival.h"

int64_t lw_survival_after_s(unsigned point)
{
	int64_t after_s = LW_SURVIVAL_UNIT_S;

	while (point--)
		after_s *= 3;
	return after_s;
}

/* Up to half way to the next point, from half way to the one before. */
int64_t lw_survival_span(unsigned point)
{
	int64_t until = 2 * lw_survival_after_s(point) / LW_SURVIVAL_UNIT_S;

	return point ? until - until / 3 : until;
}

uint64_t lw_survival_pack(const double chances[LW_SURVIVAL_POINTS])
{
	uint64_t survival = 0;

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++) {
		double chance = chances[point] < 0 ? 0 : chances[point] > 1 ? 1 : chances[point];

		survival |= (uint64_t)(chance * LW_SURVIVAL_ONE + 0.5) << (8 * point);
	}
	return survival ? survival : 1;
}

int64_t lw_survival_sum(uint64_t survival)
{
	int64_t sum = 0;

	for (unsigned point = 0; point < LW_SURVIVAL_POINTS; point++)
		sum += lw_survival_span(point) * lw_survival_at(survival, point);
	return sum;
}
