/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler's metrics, as a text for Prometheus. */
#ifndef LW_SLURM_METER_H
#define LW_SLURM_METER_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Includes nothing of Slurm. meter.def has all families and values; what they are of the
 * planner's and predictor's structs is in meter_fill.h. Whole numbers, some in millionths.
 */

enum lw_meter_id {
#define LW_VALUE(symbol, unit, label, text) LW_METER_##symbol,
#include "slurm/keep/meter.def"
	LW_METER_COUNT
};

/* The most of the last minute, and of the one before. */
struct lw_meter_peak {
	int64_t since_s;
	int64_t now, before;
};

struct lw_meter {
	int64_t value[LW_METER_COUNT];
	bool known[LW_METER_COUNT]; /* others have no line */
	struct lw_meter_peak peak[LW_METER_COUNT];
};

/* The labels of leeway_sched_info; none is NULL. */
struct lw_meter_info {
	const char *version, *slurm, *policy, *order, *planner;
};

/* All counters are 0, nothing else is known. */
void lw_meter_init(struct lw_meter *meter);

void lw_meter_set(struct lw_meter *meter, enum lw_meter_id id, int64_t value);
/* Nothing is known of it now. */
void lw_meter_unset(struct lw_meter *meter, enum lw_meter_id id);
/* Nor of any value that is no counter. */
void lw_meter_unset_gauges(struct lw_meter *meter);
/* To a counter; a VALUE below 0 adds nothing. */
void lw_meter_add(struct lw_meter *meter, enum lw_meter_id id, int64_t value);
/*
 * The value is the most of all that were handed in within the last one to two minutes before
 * NOW_S, so that who looks once a minute misses none.
 */
void lw_meter_most(struct lw_meter *meter, enum lw_meter_id id, int64_t now_s, int64_t value);

/*
 * By how much a counter of Slurm's, *SEEN of it seen before, has grown to NOW. Slurm sets its
 * counters back to 0 each night, and when sdiag --reset says so.
 */
uint64_t lw_meter_grown(uint32_t *seen, uint32_t now);

/* The whole text. -ENOMEM as OUT remembers it. */
int lw_meter_print(const struct lw_meter *meter, const struct lw_meter_info *info,
		   struct lw_strbuf *out);

/*
 * Put TEXT at PATH, made beside it and renamed, for all to read (mode 0644 whatever the umask
 * is). 0, or -errno with ERR, and PATH is as it was; -EINVAL: something else than a file is
 * there, such as a FIFO, a device or a link.
 */
int lw_meter_write(const char *path, const struct lw_strbuf *text, struct lw_error *err);

#endif
