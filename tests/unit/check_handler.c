/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tagger/handler: which scripts handle a signal and requeue their job. */
#include "tagger/handler.h"
#include "unit/unit.h"

#include <signal.h>
#include <string.h>

static const struct {
	const char *script;
	bool traps, requeues;
} scripts[] = {
	{ "", false, false },
	{ "trap 'save; scontrol requeue $SLURM_JOB_ID' USR1", true, true },
	{ "#!/bin/bash\n  trap save SIGUSR1 TERM\nsave() {\n\tscontrol  requeue $J; }\n", true,
	  true },
	{ "trap save 10\n", true, false },
	{ "trap save USR2\n", false, false },
	{ "trap save USR11\n", false, false },
	{ "# trap save USR1\n", false, false },
	{ "trap save # USR1\n", false, false },
	{ "srun bash -c 'trap save USR1'\n", false, false },
	{ "echo trap USR1\n", false, false },
	{ "[ $x ] && scontrol requeue $SLURM_JOB_ID\n", false, true },
	{ "# scontrol requeue\n", false, false },
	{ "scontrol show job; requeue\n", false, false },
	{ "scontrol\nrequeue\n", false, false },
	{ "trap \"\" USR1\r\n", true, false },
	{ "trap\n", false, false },
	{ "\n\n;;&&||((\n", false, false },
};

TEST_EACH(a_handler_is_found, LW_COUNT_OF(scripts))
{
	struct lw_handler handler;

	lw_handler_find(scripts[_i].script, strlen(scripts[_i].script), SIGUSR1, &handler);
	ck_assert_int_eq(handler.traps, scripts[_i].traps);
	ck_assert_int_eq(handler.requeues, scripts[_i].requeues);
}

/* It ends where it ends, whatever follows, and a long one somewhere. */
TEST(a_script_is_read_within_its_bounds)
{
	static char text[2 * LW_HANDLER_SCRIPT_MAX];
	struct lw_handler handler;

	strcpy(text, "trap x USR1");
	lw_handler_find(text, strlen("trap x USR"), SIGUSR1, &handler);
	ck_assert(!handler.traps);
	memset(text, 'x', sizeof(text));
	memcpy(text + 1000, "\ntrap x USR1\n", 13);
	memcpy(text + LW_HANDLER_SCRIPT_MAX + 10, "\nscontrol requeue\n", 18);
	lw_handler_find(text, sizeof(text), SIGUSR1, &handler);
	ck_assert(handler.traps && !handler.requeues);
	memset(text, '\0', sizeof(text));
	lw_handler_find(text, sizeof(text), SIGUSR1, &handler);
	ck_assert(!handler.traps && !handler.requeues);
}

TEST(signals_have_names)
{
	char name[LW_HANDLER_NAME_MAX];

	ck_assert_str_eq(lw_handler_name(SIGUSR1, name), "USR1");
	ck_assert_str_eq(lw_handler_name(SIGTERM, name), "TERM");
	ck_assert_str_eq(lw_handler_name(40, name), "40");
	ck_assert_str_eq(lw_handler_name(UINT16_MAX, name), "65535");
}
