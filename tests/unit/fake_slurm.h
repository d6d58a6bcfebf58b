/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: scripts of a test in place of Slurm's commands, which note how they were called. */
#ifndef LW_TESTS_FAKE_SLURM_H
#define LW_TESTS_FAKE_SLURM_H

#include "unit/scratch.h"

#include <sys/stat.h>
#include <time.h>

static char fake_path[4096];

/* From here on the folder's commands are found before all others. */
static inline void fake_setup(void)
{
	char path[4200];

	scratch_setup();
	snprintf(fake_path, sizeof(fake_path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", scratch_dir, fake_path);
	setenv("PATH", path, 1);
	setenv("TZ", "UTC", 1);
	tzset();
}

static inline void fake_teardown(void)
{
	setenv("PATH", fake_path, 1);
	scratch_teardown();
}

/* NAME is a script of BODY, which adds its words to the file "NAME.asked"; $d is the folder. */
static inline void fake_command(const char *name, const char *body)
{
	char script[8192];

	ck_assert_int_lt(snprintf(script, sizeof(script),
				  "#!/bin/sh\nd=%s\necho \"$*\" >>$d/%s.asked\n%s\n", scratch_dir,
				  name, body),
			 (int)sizeof(script));
	ck_assert_int_eq(chmod(scratch_write(name, script), 0755), 0);
}

#endif
