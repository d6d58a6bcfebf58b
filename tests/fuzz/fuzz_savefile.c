/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: the files in StateSaveLocation: promises, history, settings. */
#include "fuzz/fuzz.h"

#include "base/crc32.h"
#include "base/savefile.h"
#include "slurm/agent/settings.h"
#include "slurm/keep/promise.h"
#include "slurm/read/learn.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOW_S 1000

static const struct kind {
	const char *name;
	unsigned version;
} kinds[] = {
	{ LW_PROMISE_FILE_KIND, LW_PROMISE_FILE_VERSION },
	{ LW_HISTORY_FILE_KIND, LW_HISTORY_FILE_VERSION },
	{ "settings", 1 },
};

/* DATA as it is, or as the payload of a file that is whole. */
static const char *write_file(const struct kind *kind, bool whole, unsigned version,
			      const uint8_t *data, size_t size)
{
	size_t room = size + 128, len = 0;
	char *file = malloc(room);
	const char *path;
	uint32_t crc;

	fuzz_check(file);
	if (whole) {
		len = (size_t)snprintf(file, room, "lw-%s %u %zu ", kind->name, version, size);
		crc = lw_crc32_add(lw_crc32(file, len), data, size);
		len += (size_t)snprintf(file + len, room - len, "%08" PRIx32 "\n", crc);
	}
	memcpy(file + len, data, size);
	path = fuzz_write("state", file, len + size);
	free(file);
	return path;
}

static bool is_even(void *arg, uint32_t job_id)
{
	(void)arg;
	return job_id % 2 == 0;
}

/* Every other one is told: who was not is asked again the next time. */
static bool tell(void *arg, const struct lw_promise *promise)
{
	return is_even(arg, promise->job_id);
}

static void use_promises(struct lw_promises *promises)
{
	const struct lw_promise made = { .job_id = 7, .made_s = 5, .start_s = 10, .latest_s = 20 };
	struct lw_error err = { "" };

	lw_promises_begin(promises);
	lw_promises_make(promises, &made);
	lw_promises_seen(promises, 1);
	lw_promises_started(promises, 2, NOW_S);
	lw_promises_lost(promises, 3, NOW_S, 1);
	lw_promises_end(promises, is_even, NULL);
	lw_promises_tell(promises, 3, tell, NULL);
	lw_promises_untell(promises, tell, NULL);
	fuzz_check(!lw_promises_save(promises, &err));
}

static void load_promises(const char *path)
{
	struct lw_promises *promises;
	uint32_t count;

	if (lw_promises_create(path, NOW_S, NULL, &promises))
		return;
	use_promises(promises);
	count = lw_promises_count(promises);
	lw_promises_destroy(promises);
	fuzz_check(!lw_promises_create(path, NOW_S, NULL, &promises));
	fuzz_check(lw_promises_count(promises) == count);
	lw_promises_destroy(promises);
}

static void load_history(const char *path)
{
	const struct lw_finished job = { .job_id = 1, .user_id = 2, .partition = "p",
					 .limit_s = 60, .start_s = 900, .end_s = 950 };
	struct lw_error err = { "" };
	struct lw_learn *learn;

	if (lw_learn_create(path, NOW_S, NULL, &learn))
		return;
	lw_learn_begin(learn, NOW_S);
	lw_learn_note(learn, &job);
	lw_learn_teach(learn);
	fuzz_check(!lw_learn_save(learn, NOW_S, true, &err));
	lw_learn_destroy(learn);
}

static void load_settings(const char *path)
{
	struct lw_settings settings;
	struct lw_error err = { "" };

	if (lw_settings_recall(path, &settings, &err)) {
		fuzz_check(*err.text);
		return;
	}
	fuzz_check(!lw_settings_keep(&settings, path, &err));
	lw_settings_fini(&settings);
}

/* What could not be read must still be there, under its name or beside. */
static void check_kept(const struct kind *kind, const char *path)
{
	struct lw_error err = { "" };
	char *text, aside[512];
	size_t size;
	int rc = lw_savefile_read(path, kind->name, kind->version, &text, &size, &err);

	if (!rc)
		free(text);
	fuzz_check(!rc || *err.text);
	snprintf(aside, sizeof(aside), "%s.damaged-%d", path, NOW_S);
	unlink(aside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	const struct kind *kind = &kinds[how % 3];
	bool whole = how & 8;
	const char *path = write_file(kind, whole, how & 16 ? how & 7 : kind->version, data, size);

	switch (how % 3) {
	case 0:
		load_promises(path);
		break;
	case 1:
		load_history(path);
		break;
	default:
		load_settings(path);
	}
	check_kept(kind, path);
	return 0;
}
