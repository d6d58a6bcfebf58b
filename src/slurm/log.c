/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: Leeway's log lines in Slurm's log. */

/*
 * The library formats a line, this file gives it to Slurm at the level that means the
 * same there. Only the agent thread logs, so that the table of keys needs no lock.
 */

#include "slurm/compat/compat.h"
#include "slurm/log.h"
#include "slurm/throttle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KEYS_MAX 16

struct spoken {
	const char *key;
	struct lw_throttle throttle;
};

static struct spoken spoken_keys[KEYS_MAX];

static void log_to_slurm(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	switch (level) {
	case LW_LOG_ERROR:
		error("leeway: %s", line);
		break;
	case LW_LOG_WARN:
		warning("leeway: %s", line);
		break;
	case LW_LOG_INFO:
		info("leeway: %s", line);
		break;
	case LW_LOG_DEBUG:
		debug("leeway: %s", line);
		break;
	}
}

static struct lw_log slurm_log = { .write = log_to_slurm, .level = LW_LOG_INFO };

/* The entry of KEY; the last one is shared when the table is full. */
static struct spoken *log_find_key(const char *key)
{
	for (int i = 0; i < KEYS_MAX - 1; i++) {
		struct spoken *entry = &spoken_keys[i];

		if (!entry->key)
			entry->key = key;
		if (!strcmp(entry->key, key))
			return entry;
	}
	return &spoken_keys[KEYS_MAX - 1];
}

const struct lw_log *lw_slurm_log(void)
{
	return &slurm_log;
}

void lw_slurm_log_level(enum lw_log_level level)
{
	slurm_log.level = level;
}

void lw_slurm_log_throttled(enum lw_log_level level, const char *key, int64_t now_s,
			    const char *fmt, ...)
{
	struct spoken *entry = log_find_key(key);
	char line[512];
	uint32_t missed;
	va_list args;

	if (!lw_throttle_passes(&entry->throttle, now_s, &missed))
		return;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (missed)
		lw_log_write(&slurm_log, level, "%s (and %u more like it)", line, missed);
	else
		lw_log_write(&slurm_log, level, "%s", line);
}
