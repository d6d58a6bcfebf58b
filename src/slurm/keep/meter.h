/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the scheduler's metrics, as a text for Prometheus. */
#ifndef LW_SLURM_METER_H
#define LW_SLURM_METER_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Includes nothing of Slurm. meter.def has all families and values; meter_fill.h fills them from
 * the structs of planner and predictor. Whole numbers, some in millionths.
 */

enum lw_meter_id {
#define LW_VALUE(symbol, unit, label, text) LW_METER_##symbol,
#include "slurm/keep/meter.def"
	LW_METER_COUNT
};

/* The most of the last minute, and of the minute before. */
struct lw_meter_peak {
	int64_t since_s;
	int64_t now, before;
};

struct lw_meter {
	int64_t value[LW_METER_COUNT];
	bool known[LW_METER_COUNT]; /* unknown values have no line */
	struct lw_meter_peak peak[LW_METER_COUNT];
};

/* The labels of leeway_sched_info; NULL: left out. */
struct lw_meter_info {
	const char *version, *slurm, *policy, *order, *planner;
};

/* All counters are 0, and nothing else is known. */
void lw_meter_init(struct lw_meter *meter);

void lw_meter_set(struct lw_meter *meter, enum lw_meter_id id, int64_t value);
/* The value is not known now. */
void lw_meter_unset(struct lw_meter *meter, enum lw_meter_id id);
/* The same for all values that are not counters. */
void lw_meter_unset_gauges(struct lw_meter *meter);
/* Add to a counter; a VALUE below 0 adds nothing. */
void lw_meter_add(struct lw_meter *meter, enum lw_meter_id id, int64_t value);
/*
 * The value becomes the most of all values passed within the last one to two minutes before
 * NOW_S, so that a reader that looks once a minute misses none.
 */
void lw_meter_most(struct lw_meter *meter, enum lw_meter_id id, int64_t now_s, int64_t value);

/*
 * By how much a counter of Slurm's, *SEEN at the last look, has grown to NOW. Slurm resets its
 * counters each night, and by sdiag --reset.
 */
uint64_t lw_meter_grown(uint32_t *seen, uint32_t now);

/* The whole text. -ENOMEM is also kept in OUT. */
int lw_meter_print(const struct lw_meter *meter, const struct lw_meter_info *info,
		   struct lw_strbuf *out);

/*
 * Write TEXT to PATH through a temporary file beside it, readable for all (mode 0644 whatever
 * the umask). 0, or -errno with ERR and PATH unchanged; -EINVAL: PATH is not a regular file, but
 * a FIFO, a device or a link.
 */
int lw_meter_write(const char *path, const struct lw_strbuf *text, struct lw_error *err);

#endif
