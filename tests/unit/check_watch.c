/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/watch: when readings are made; check_sampler has the rest. */
#include "record/watch.h"

#include "unit/unit.h"

/* Of any ten readings in a row some come in each third of the time in which any may. */
TEST(readings_go_round_in_their_second)
{
	for (uint32_t first = 0; first < 3000; first++) {
		unsigned in[3] = { 0 };

		for (uint32_t i = first; i < first + 10; i++) {
			int ms = lw_watch_phase_ms(i);

			ck_assert_int_ge(ms, 0);
			ck_assert_int_lt(ms, 900);
			in[ms / 300]++;
		}
		for (int third = 0; third < 3; third++)
			ck_assert_uint_ge(in[third], 2);
	}
}
