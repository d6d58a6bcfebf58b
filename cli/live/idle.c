/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway live: jobs that hold GPUs and leave them idle, by their records. */
#include "cli/live/live.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/grow.h"
#include "cli/chart/chart.h"
#include "cli/gpu/gpu.h"

/* As leeway gpu --idle has it. */
#define WINDOW_S 1800

struct visit {
	struct live *live;
	struct lw_gpu_request request;
};

static struct lw_live_idle look_at(const struct lw_gpu_request *request, uint32_t job_id,
				   const struct lw_record_list *list)
{
	struct lw_live_idle idle = { .job_id = job_id };

	for (uint32_t i = 0; i < list->count; i++) {
		for (uint32_t g = 0; g < list->records[i]->head.gpu_count; g++) {
			struct lw_gpu_window window = lw_gpu_look(request, list->records[i], g);

			idle.all++;
			idle.idle += window.idle;
			if (window.idle && window.since_s > idle.since_s)
				idle.since_s = window.since_s;
		}
	}
	return idle;
}

static int idle_visit(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	struct visit *visit = arg;
	struct live *live = visit->live;
	struct lw_live_idle idle = look_at(&visit->request, job_id, list);

	if (!idle.idle)
		return 0;
	if (lw_grow((void **)&live->idle, &live->idle_room, live->idle_count + 1,
		    sizeof(*live->idle)))
		return -ENOMEM;
	live->idle[live->idle_count++] = idle;
	return 0;
}

static int most_idle(const void *a, const void *b)
{
	const struct lw_live_idle *x = a, *y = b;

	if (x->idle != y->idle)
		return x->idle > y->idle ? -1 : 1;
	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

int lw_live_read_idle(struct live *live, const char *dir, struct lw_error *err)
{
	struct visit visit = { live,
			       { .now_s = live->now_s, .window_s = WINDOW_S, .util_below = 1 } };
	const struct lw_record_search search = { &dir, 1, 0, true };
	struct lw_error why = { "" };
	int rc = lw_record_visit(&search, idle_visit, &visit, &why);

	if (rc == -ENOMEM)
		return lw_error_set(err, rc, "out of memory");
	if (live->idle_count)
		qsort(live->idle, live->idle_count, sizeof(*live->idle), most_idle);
	live->has_idle = true;
	if (!rc && !why.text[0])
		return 0;
	live->no_idle = strdup(why.text);
	return live->no_idle ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
}

/* The user of job ID as squeue has it; "-" where it is not known. */
static const char *user_of(const struct live *live, const char *id)
{
	for (uint32_t j = 0; j < live->job_count; j++)
		if (live->jobs[j].runs && strcmp(live->jobs[j].id, id) == 0)
			return live->jobs[j].user;
	return "-";
}

static void add_idle(const struct live *live, const struct lw_live_idle *idle,
		     struct lw_strbuf *sb)
{
	char id[16], length[32];

	snprintf(id, sizeof(id), "%" PRIu32, idle->job_id);
	lw_duration_print(live->now_s - idle->since_s, length, sizeof(length));
	lw_strbuf_add(sb, "<tr><td>%s", id);
	if (live->users) {
		lw_strbuf_add(sb, " ");
		lw_chart_add_text(sb, user_of(live, id));
	}
	lw_strbuf_add(sb, "</td><td>%" PRIu32 " of %" PRIu32 "</td><td>%s</td></tr>\n", idle->idle,
		      idle->all, length);
}

void lw_live_show_idle(const struct live *live, struct lw_strbuf *sb)
{
	if (!live->has_idle)
		return;
	lw_live_heading(sb, "GPUs that jobs hold and leave idle");
	if (live->idle_count) {
		lw_page_table(sb);
		lw_strbuf_add(sb, "<thead><tr><th>job</th><th>idle GPUs</th><th>for</th></tr>"
				  "</thead>\n");
	} else {
		lw_strbuf_add(sb, "<p>None is known.</p>\n");
	}
	for (uint32_t i = 0; i < live->idle_count && i < LIVE_IDLE_ROWS; i++)
		add_idle(live, &live->idle[i], sb);
	if (live->idle_count)
		lw_page_table_end(sb);
	if (live->idle_count > LIVE_IDLE_ROWS)
		lw_strbuf_add(sb, "<p>%" PRIu32 " more jobs are left out.</p>\n",
			      live->idle_count - LIVE_IDLE_ROWS);
	if (live->no_idle) {
		lw_strbuf_add(sb, "<p>Not all is known: ");
		lw_chart_add_text(sb, live->no_idle);
		lw_strbuf_add(sb, "</p>\n");
	}
}
