/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: how likely a job is still there after a while, in one number. */
#include "predictor/stay.h"

int64_t lw_stay_after_s(unsigned point)
{
	int64_t after_s = LW_STAY_UNIT_S;

	while (point--)
		after_s *= 3;
	return after_s;
}

/* Up to half way to the next point, from half way to the one before. */
int64_t lw_stay_span(unsigned point)
{
	int64_t until = 2 * lw_stay_after_s(point) / LW_STAY_UNIT_S;

	return point ? until - until / 3 : until;
}

uint64_t lw_stay_pack(const double chances[LW_STAY_POINTS])
{
	uint64_t stays = 0;

	for (unsigned point = 0; point < LW_STAY_POINTS; point++) {
		double chance = chances[point] < 0 ? 0 : chances[point] > 1 ? 1 : chances[point];

		stays |= (uint64_t)(chance * LW_STAY_ONE + 0.5) << (8 * point);
	}
	return stays ? stays : 1;
}

int64_t lw_stay_sum(uint64_t stays)
{
	int64_t sum = 0;

	for (unsigned point = 0; point < LW_STAY_POINTS; point++)
		sum += lw_stay_span(point) * lw_stay_at(stays, point);
	return sum;
}
