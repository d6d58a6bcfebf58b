/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: run-time predictions as the agent uses them: on, off, saved and reported. */

/* learn.c does the work and knows no Slurm; what it has to be told of Slurm is here. */

#include "slurm/agent/forecast.h"

#include "config/gpumemory.h"
#include "slurm/log.h"
#include "slurm/read/sharebook.h"
#include "slurm/read/stretch.h"
#include "slurm/select/select_link.h"
#include "slurm/stock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define HISTORY_FILE "leeway_history"

static void forecast_begin(const char *state_dir, struct lw_learn **learn)
{
	char path[LW_STOCK_PATH_MAX];
	int rc = -ENAMETOOLONG;

	if (*state_dir &&
	    snprintf(path, sizeof(path), "%s/" HISTORY_FILE, state_dir) < (int)sizeof(path))
		rc = lw_learn_create(path, time(NULL), lw_slurm_log(), learn);
	if (rc)
		lw_log_error(lw_slurm_log(), "run times are not predicted: %s", strerror(-rc));
}

/* The book that SETTINGS ask for, or none. */
static void forecast_use_book(const struct lw_settings *settings, struct lw_learn *learn)
{
	const struct lw_sharebook_terms terms = { .path = settings->config.share_record,
						  .where = settings->config.share_where,
						  .gpu_type = settings->config.share_gpu_type };
	struct lw_sharebook *book = lw_learn_sharebook(learn);
	int rc = 0;

	if (book && terms.path && lw_sharebook_is(book, &terms))
		return;
	lw_learn_share(learn, NULL);
	book = NULL;
	if (terms.path)
		rc = lw_sharebook_create(&terms, time(NULL), lw_slurm_log(), &book);
	if (rc)
		lw_log_error(lw_slurm_log(), "share.record: nothing is kept: %s", strerror(-rc));
	lw_learn_share(learn, rc ? NULL : book);
	lw_sharebook_open(rc ? NULL : book);
}

void lw_forecast_use(const struct lw_settings *settings, const char *state_dir,
		     struct lw_learn **learn)
{
	bool wanted = settings->config.sched_predict;

	if (wanted && !*learn) {
		forecast_begin(state_dir, learn);
	} else if (!wanted && *learn) {
		lw_forecast_save(*learn, time(NULL), true);
		lw_forecast_end(learn);
	}
	if (*learn)
		forecast_use_book(settings, *learn);
}

static void forecast_tell_memory(const struct lw_settings *settings, struct lw_reading *reading)
{
	const struct lw_snapshot *snap = &reading->snap;

	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		reading->gpu_memory_mib[type] = lw_gpu_memory_mib(
			settings->config.select_gpu_memory, snap->gpu_types[type]);
}

void lw_forecast_reading(const struct lw_settings *settings, struct lw_learn *learn,
			 uint64_t cycle, struct lw_reading *reading)
{
	enum lw_order order = (enum lw_order)settings->config.sched_order;
	unsigned what = 0;
	uint32_t count;

	if (!learn)
		return;
	count = lw_learn_teach(learn);
	if (count)
		lw_log_debug(lw_slurm_log(), "cycle %" PRIu64 ": learned from %u jobs that ended",
			     cycle, count);
	if (lw_settings_predict(settings)) {
		what = LW_LEARN_RUNS;
		what |= lw_order_needs(order, LW_NEEDS_SURVIVAL) ? LW_LEARN_ALL_STAY : 0;
		what |= lw_settings_by_type(settings) ? LW_LEARN_TYPES : 0;
	}
	forecast_tell_memory(settings, reading);
	lw_learn_expect(learn, what, reading);
	if (what & LW_LEARN_RUNS)
		lw_reading_stretch(reading);
}

void lw_forecast_save(struct lw_learn *learn, int64_t now_s, bool at_once)
{
	struct lw_error err;

	if (learn && lw_learn_save(learn, now_s, at_once, &err))
		lw_slurm_log_throttled(LW_LOG_ERROR, "history", now_s,
				       "cannot save what was learned: %s", err.text);
}

void lw_forecast_end(struct lw_learn **learn)
{
	lw_learn_destroy(*learn);
	*learn = NULL;
}

void lw_forecast_announce(struct lw_starters starters, const struct lw_learn *learn)
{
	struct lw_history_stats stats;

	if (learn) {
		lw_history_stats(lw_learn_history(learn), &stats);
		lw_log_info(lw_slurm_log(),
			    "run times: predicted from %" PRIu64 " jobs that ended, %u keys",
			    stats.jobs, stats.keys);
	}
	if ((starters.main_loop || starters.submit) && !lw_select_link_is_there())
		lw_log_warn(lw_slurm_log(),
			    "Leeway's select plugin is not loaded: nothing keeps jobs that Slurm "
			    "starts by itself from breaking promises; put both plugins into one "
			    "directory of PluginDir (dev/architecture.md, \"What starts jobs\")");
}
