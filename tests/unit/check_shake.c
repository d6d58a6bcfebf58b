/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: tests of submissions moved at random. */
#include "lab/sim/shake.h"

#include "predictor/history.h"
#include "unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define SHAKEN 500
#define BY_S   40

TEST(test_shake)
{
	struct lw_sim_job jobs[SHAKEN], again[SHAKEN];
	bool moved[2 * BY_S + 1] = { false };
	uint32_t differ = 0;

	memset(jobs, 0, sizeof(jobs));
	for (uint32_t i = 0; i < SHAKEN; i++) {
		jobs[i].id = i + 1;
		jobs[i].submit_s = 10 * (int64_t)i;
	}
	memcpy(again, jobs, sizeof(jobs));
	lw_shake(jobs, SHAKEN, BY_S, 7);
	for (uint32_t i = 0; i < SHAKEN; i++) {
		int64_t by_s = jobs[i].submit_s - 10 * ((int64_t)jobs[i].id - 1);

		ck_assert_int_ge(jobs[i].submit_s, 0);
		ck_assert_int_le(llabs(by_s), BY_S);
		moved[by_s + BY_S] = true;
		ck_assert(!i || jobs[i - 1].submit_s < jobs[i].submit_s ||
			  (jobs[i - 1].submit_s == jobs[i].submit_s &&
			   jobs[i - 1].id < jobs[i].id));
	}
	/* both ends of the range occur */
	ck_assert(moved[0] && moved[2 * BY_S]);
	lw_shake(again, SHAKEN, BY_S, 7);
	ck_assert_mem_eq(jobs, again, sizeof(jobs));
	lw_shake(again, SHAKEN, BY_S, 8);
	for (uint32_t i = 0; i < SHAKEN; i++)
		differ += jobs[i].submit_s != again[i].submit_s;
	ck_assert_uint_gt(differ, SHAKEN / 2);
}

#define USERS    5
#define SESSIONS 10 /* a user's; each of SHAKEN / USERS / SESSIONS jobs */

/* Where a job stands before it is shaken: sessions are further apart than they move. */
static int64_t quiet_s(uint32_t id)
{
	uint32_t place = (id - 1) / USERS, size = SHAKEN / USERS / SESSIONS;

	return (int64_t)(place / size) * (LW_SESSION_S + 4 * BY_S) + BY_S + place % size;
}

TEST(test_shake_sessions)
{
	int64_t moved_s[USERS][SESSIONS];
	struct lw_sim_job jobs[SHAKEN];
	uint32_t differ = 0, apart = 0;

	memset(jobs, 0, sizeof(jobs));
	for (uint32_t i = 0; i < SHAKEN; i++) {
		jobs[i].id = i + 1;
		jobs[i].user = i % USERS ? i % USERS : LW_HISTORY_NOBODY;
		jobs[i].submit_s = quiet_s(jobs[i].id);
	}
	lw_shake_sessions(jobs, SHAKEN, BY_S, 7);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < SHAKEN; i++) {
			uint32_t number = jobs[i].id - 1, user = number % USERS;
			uint32_t session = number / USERS / (SHAKEN / USERS / SESSIONS);
			int64_t by_s = jobs[i].submit_s - quiet_s(jobs[i].id);

			ck_assert_int_le(llabs(by_s), BY_S);
			ck_assert(!i || jobs[i - 1].submit_s <= jobs[i].submit_s);
			if (!pass)
				moved_s[user][session] = by_s;
			else if (user)
				ck_assert_int_eq(by_s, moved_s[user][session]);
			else
				apart += by_s != moved_s[user][session];
		}
	}
	for (uint32_t session = 1; session < SESSIONS; session++)
		differ += moved_s[1][session] != moved_s[1][session - 1];
	ck_assert_uint_gt(differ, SESSIONS / 2);
	ck_assert_uint_gt(apart, SHAKEN / USERS / 2);
}
