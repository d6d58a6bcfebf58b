/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what finished jobs in Slurm's job list teach the predictor, kept across restarts. */

/* Includes no Slurm header, so that it can be unit-tested. */

#include "slurm/read/learn.h"

#include "base/grow.h"
#include "base/search.h"
#include "base/strbuf.h"
#include "planner/place/release_dist.h"
#include "planner/place/size.h"
#include "predictor/predict.h"
#include "planner/model/snapshot_step.h"
#include "tagger/tag.h"
#include "record/summary.h"
#include "slurm/keep/statefile.h"
#include "slurm/read/learn_types.h"
#include "slurm/read/sharebook.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct noted {
	struct lw_history_job job; /* without the type of its GPUs */
	uint32_t job_id;
	char gpu_type[LW_SPEED_TYPE_NAME]; /* "": not known */
};

struct lw_learn {
	struct lw_statefile file;
	const struct lw_log *log;
	struct lw_history *history;
	struct lw_sharebook *book; /* NULL: not wanted */
	struct noted *noted;
	uint32_t noted_count, noted_room;
	int64_t done_s;    /* jobs that ended up to this time have been learned */
	int64_t horizon_s; /* this reading notes the jobs that ended up to this time */
	int64_t saved_s;
	bool dirty;
};

static uint32_t learn_tag_of(const char *admin_comment)
{
	struct lw_tag tag;

	return lw_tag_decode(admin_comment, &tag) ? LW_HABIT_UNTAGGED : (uint32_t)tag.class;
}

/*
 * For Slurm, a job that is killed while suspended ended when it was suspended. Run and suspended
 * time add up to its real end, which no reading has passed yet. A job that shared a GPU teaches
 * nothing: its run time there is not its own, and the expected run times of jobs that share are
 * lengthened already (read/stretch.h).
 */
bool lw_finished_lesson(const struct lw_finished *job, struct lw_history_job *ret_lesson)
{
	int64_t run_s = job->end_s - job->start_s, end_s = job->end_s;

	if (job->turned_s) {
		run_s = job->ran_before_s;
		if (job->end_s > job->turned_s)
			run_s += job->end_s - job->turned_s;
		end_s = job->start_s + run_s + job->suspended_s;
	}
	if (job->start_s <= 0 || run_s <= 0 || lw_summary_had_company(job->admin_comment))
		return false;
	*ret_lesson = (struct lw_history_job){
		.user = job->user_id,
		.work_s = job->work_s > run_s ? job->work_s : run_s,
		.partition =
			job->partition ? lw_history_name_id(job->partition) : LW_HISTORY_NOBODY,
		.limit_s = job->limit_s,
		.width = job->width,
		.nodes = job->nodes,
		.run_s = job->slower > LW_SIZE_ALL ? run_s * LW_SIZE_ALL / job->slower : run_s,
		.end_s = end_s,
		.killed_at_limit = job->cut,
		.tag = learn_tag_of(job->admin_comment),
		.gpu = lw_summary_use(job->admin_comment, run_s),
		.gpu_type = job->gpu_type,
		.gpus = job->gpus,
		.name = job->name ? lw_history_name_id(job->name) : LW_SPEED_NO_NAME,
	};
	return true;
}

/* The latest end of all jobs that HISTORY still has. */
static int64_t learn_newest_end_s(const struct lw_history *history)
{
	struct lw_history_view view;
	uint32_t cursor = 0;
	int64_t newest_s = INT64_MIN;

	while (lw_history_next(history, &cursor, &view)) {
		for (uint32_t i = 0; i < view.window->count; i++) {
			int64_t end_s = view.window->samples[i].end_s;

			newest_s = end_s > newest_s ? end_s : newest_s;
		}
	}
	return newest_s;
}

static int learn_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_learn *learn = arg;
	int rc = lw_history_parse(text, size, 0, &learn->history, err);

	return rc ? lw_error_prefix(err, rc, "%s: ", learn->file.path) : 0;
}

static int learn_load(struct lw_learn *learn, const char *path, int64_t now_s)
{
	int rc;

	learn->file = (struct lw_statefile){ .kind = LW_HISTORY_FILE_KIND,
					     .version = LW_HISTORY_FILE_VERSION,
					     .what = "the history starts",
					     .log = learn->log };
	rc = lw_statefile_load(&learn->file, path, now_s, learn_parse, learn);
	if (!rc && !learn->history)
		rc = lw_history_create(0, &learn->history);
	if (!rc)
		learn->done_s = learn_newest_end_s(learn->history);
	return rc;
}

int lw_learn_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_learn **ret_learn)
{
	struct lw_learn *learn = calloc(1, sizeof(*learn));
	int rc;

	if (!learn)
		return -ENOMEM;
	learn->log = log;
	learn->saved_s = now_s;
	rc = learn_load(learn, path, now_s);
	if (rc) {
		lw_learn_destroy(learn);
		return rc;
	}
	*ret_learn = learn;
	return 0;
}

void lw_learn_destroy(struct lw_learn *learn)
{
	if (!learn)
		return;
	lw_history_destroy(learn->history);
	lw_sharebook_destroy(learn->book);
	lw_statefile_fini(&learn->file);
	free(learn->noted);
	free(learn);
}

struct lw_sharebook *lw_learn_sharebook(const struct lw_learn *learn)
{
	return learn->book;
}

void lw_learn_share(struct lw_learn *learn, struct lw_sharebook *book)
{
	struct lw_error err;

	if (learn->book && lw_sharebook_save(learn->book, &err))
		lw_log_error(learn->log, "cannot save what jobs use of GPUs: %s", err.text);
	lw_sharebook_destroy(learn->book);
	learn->book = book;
}

/*
 * A clock that was set back, or an import from a machine with another one, must not keep us
 * from learning until it has caught up.
 */
void lw_learn_begin(struct lw_learn *learn, int64_t now_s)
{
	learn->noted_count = 0;
	if (learn->book)
		lw_sharebook_begin(learn->book);
	if (learn->done_s > now_s) {
		lw_log_warn(learn->log,
			    "the history reaches %" PRId64 " s beyond the clock; jobs that end "
			    "from now on are learned all the same",
			    learn->done_s - now_s);
		learn->done_s = now_s - LW_LEARN_SETTLE_S;
	}
	learn->horizon_s = now_s - LW_LEARN_SETTLE_S;
}

static bool learn_is_due(const struct lw_learn *learn, const struct lw_finished *job,
			 struct lw_history_job *ret_lesson)
{
	return lw_finished_lesson(job, ret_lesson) && ret_lesson->end_s > learn->done_s &&
	       ret_lesson->end_s <= learn->horizon_s;
}

bool lw_learn_wants(const struct lw_learn *learn, const struct lw_finished *job)
{
	struct lw_history_job lesson;

	return learn_is_due(learn, job, &lesson);
}

int lw_learn_note(struct lw_learn *learn, const struct lw_finished *job)
{
	struct lw_history_job lesson;
	struct noted *noted;

	if (!learn_is_due(learn, job, &lesson))
		return 0;
	if (lw_grow((void **)&learn->noted, &learn->noted_room, learn->noted_count + 1,
		    sizeof(*learn->noted)))
		return -ENOMEM;
	noted = &learn->noted[learn->noted_count++];
	*noted = (struct noted){ .job = lesson, .job_id = job->job_id };
	if (lesson.gpu_type && lw_speed_is_type(lesson.gpu_type))
		strcpy(noted->gpu_type, lesson.gpu_type);
	noted->job.gpu_type = NULL; /* it may be freed */
	return learn->book ? lw_sharebook_note(learn->book, job, &lesson) : 0;
}

static int learn_compare_noted(const void *left, const void *right)
{
	const struct noted *a = left, *b = right;

	if (a->job.end_s != b->job.end_s)
		return a->job.end_s < b->job.end_s ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static void learn_forget_noted(struct lw_learn *learn)
{
	free(learn->noted);
	learn->noted = NULL;
	learn->noted_count = learn->noted_room = 0;
}

uint32_t lw_learn_teach(struct lw_learn *learn)
{
	uint32_t count = learn->noted_count, lost = 0;

	if (count)
		qsort(learn->noted, count, sizeof(*learn->noted), learn_compare_noted);
	for (uint32_t i = 0; i < count; i++) {
		struct noted *noted = &learn->noted[i];

		noted->job.gpu_type = noted->gpu_type[0] ? noted->gpu_type : NULL;
		lost += lw_history_add(learn->history, &noted->job) != 0;
	}
	if (lost)
		lw_log_error(learn->log, "out of memory: %u of %u finished jobs not learned",
			     lost, count);
	if (learn->book)
		lw_sharebook_teach(learn->book);
	learn->dirty = learn->dirty || count;
	if (learn->horizon_s > learn->done_s)
		learn->done_s = learn->horizon_s;
	learn_forget_noted(learn);
	return count - lost;
}

/* By what running jobs are compared, as far as the reading has it. */
struct kin {
	uint32_t user_id;
	uint32_t width;
	int64_t limit_s;
};

struct kin_list {
	struct kin *items; /* in order of learn_compare_kin(); NULL: out of memory */
	uint32_t count;
};

static uint32_t learn_held_cpus(const struct lw_snapshot *snap, const struct lw_running *job)
{
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < job->alloc_count; i++)
		cpus += snap->allocs[job->first_alloc + i].res.cpus;
	return cpus;
}

/* On fewer nodes than the job may have, and than the history knows it on. */
static int64_t learn_slowed(int64_t mean_s, uint32_t slower)
{
	return slower > LW_SIZE_ALL ? mean_s * slower / LW_SIZE_ALL : mean_s;
}

/*
 * What the job says itself (sched.progress). Else the mean on its GPUs; if it has outrun that, or
 * has none, the mean of jobs that ran for longer than it has, too.
 */
static int64_t learn_mean_of_running(const struct lw_learn *learn,
				     const struct lw_learn_types *types,
				     const struct lw_reading *reading, uint32_t index,
				     const struct lw_history_key *key)
{
	const struct lw_running *job = &reading->snap.running[index];
	int64_t mean_s = 0, had_s = reading->snap.now_s - job->start_s;
	uint32_t said_s, slower = LW_SIZE_ALL;

	if (lw_lookup_get(&reading->said, job->job_id, &said_s))
		return said_s;
	(void)lw_lookup_get(&reading->slower, job->job_id, &slower);
	if (types->on)
		mean_s = lw_learn_types_running(
			types, reading, index,
			learn_slowed(lw_predict_mean(learn->history, key, 0), slower));
	return mean_s ? mean_s
		      : learn_slowed(lw_predict_mean(learn->history, key,
						     had_s * LW_SIZE_ALL / slower),
				     slower);
}

/* Their partitions are not in the reading, and add little to user and limit. */
static void learn_expect_running(const struct lw_learn *learn, const struct lw_learn_types *types,
				 bool runs, struct lw_reading *reading)
{
	struct lw_snapshot *snap = &reading->snap;

	for (uint32_t i = 0; i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];
		int64_t elapsed_s = snap->now_s - job->start_s, mean_s = job->expect_s;
		uint64_t stays = job->survival;
		struct lw_history_key key = {
			.user = job->user_id,
			.partition = LW_HISTORY_NOBODY,
			.limit_s = job->end_s - job->start_s,
			.width = learn_held_cpus(snap, job),
			.now_s = job->start_s,
		};

		/* job id 0 blocks nodes and is no job */
		if (runs && job->job_id && snap->now_s < job->end_s)
			mean_s = learn_mean_of_running(learn, types, reading, i, &key);
		if (lw_release_dist_matters(snap, i))
			stays = lw_predict_survival_points(learn->history, &key, elapsed_s);
		lw_snapshot_expect_running(snap, i, mean_s, stays);
	}
}

static int learn_compare_kin(const void *left, const void *right)
{
	const struct kin *a = left, *b = right;

	if (a->user_id != b->user_id)
		return a->user_id < b->user_id ? -1 : 1;
	if (a->limit_s != b->limit_s)
		return a->limit_s < b->limit_s ? -1 : 1;
	return a->width < b->width ? -1 : a->width > b->width;
}

static struct kin_list learn_list_running(const struct lw_snapshot *snap)
{
	struct kin_list list = { .items = calloc(snap->running_count + 1, sizeof(*list.items)) };

	for (uint32_t i = 0; list.items && i < snap->running_count; i++) {
		const struct lw_running *job = &snap->running[i];

		if (job->job_id) /* job id 0 blocks nodes and is no job */
			list.items[list.count++] = (struct kin){
				.user_id = job->user_id,
				.width = learn_held_cpus(snap, job),
				.limit_s = job->end_s - job->start_s,
			};
	}
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), learn_compare_kin);
	return list;
}

/*
 * Is a job like KEY's running? Slurm may give more CPUs than were requested, whole nodes or
 * cores; so a job that holds more counts as alike.
 */
static bool learn_runs_alike(const struct kin_list *list, const struct lw_history_key *key)
{
	const struct kin wanted = { .user_id = key->user,
				    .width = key->width,
				    .limit_s = key->limit_s };
	uint32_t at;

	LW_SEARCH(at, list->count, learn_compare_kin(&list->items[at], &wanted) < 0);
	return at < list->count && list->items[at].user_id == wanted.user_id &&
	       list->items[at].limit_s == wanted.limit_s;
}

/* Out of memory, there are no scouts, and all jobs go by their expected run times. */
static int64_t learn_rank_of(const struct lw_learn *learn, const struct kin_list *running,
			     const struct lw_history_key *key, uint64_t tasks)
{
	uint32_t alike = tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX;

	if (alike < 2 || !running->items || learn_runs_alike(running, key))
		return 0;
	return lw_predict_rank(learn->history, key, alike);
}

void lw_learn_expect(const struct lw_learn *learn, unsigned what, struct lw_reading *reading)
{
	const struct lw_queue *queue = &reading->snap.queue;
	struct kin_list running = { 0 };
	struct lw_learn_types types = { 0 };

	if (what & LW_LEARN_RUNS)
		running = learn_list_running(&reading->snap);
	if ((what & LW_LEARN_RUNS) && (what & LW_LEARN_TYPES))
		lw_learn_types_begin(&types, learn->history, reading);
	for (uint32_t i = 0; i < queue->active_count; i++) {
		const struct lw_class *class = &queue->classes[queue->active[i]];
		uint32_t last = class->members[class->member_count - 1];
		struct lw_history_key key = {
			.user = class->user_id,
			.partition = lw_history_name_id(reading->tickets[last].part),
			.limit_s = class->limit_s,
			.width = reading->tickets[last].width,
			.now_s = reading->snap.now_s,
		};
		struct lw_expectation expected = reading->snap.waiting[last].expected;

		if (what & LW_LEARN_RUNS) {
			expected.mean_s = learn_slowed(lw_predict_mean(learn->history, &key, 0),
						       reading->tickets[last].slower);
			if (expected.mean_s > class->limit_s)
				expected.mean_s = class->limit_s;
			expected.tail_ms = lw_predict_tail_ms(learn->history, &key);
			expected.rank_s = learn_rank_of(learn, &running, &key, class->task_count);
			expected.attained_s = lw_predict_attained(learn->history, &key);
			lw_learn_types_expect(&types, class, &reading->tickets[last].kind,
					      &expected);
		}
		expected.cramped = 0;
		if (what & LW_LEARN_TYPES)
			expected.cramped = lw_learn_cramped(learn->history, reading, class,
							    &reading->tickets[last].kind);
		if ((what & LW_LEARN_ALL_STAY) || class->request.gpus_per_node ||
		    class->request.gpus_total)
			expected.survival = lw_predict_survival_points(learn->history, &key, 0);
		lw_snapshot_expect_jobs(&reading->snap, queue->active[i], &expected);
	}
	free(running.items);
	learn_expect_running(learn, &types, what & LW_LEARN_RUNS, reading);
	lw_learn_types_fini(&types);
}

bool lw_learn_communicates(const struct lw_learn *learn, uint32_t user, int64_t limit_s,
			   const char *admin_comment)
{
	struct lw_tag tag;
	bool known = !lw_tag_decode(admin_comment, &tag), tagged = known && tag.gang;

	if (!learn)
		return tagged;
	return lw_history_communicates(learn->history, user,
				       known ? tag.class : LW_HABIT_UNTAGGED, limit_s, tagged);
}

static int learn_write_file(struct lw_learn *learn, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc = lw_history_print(learn->history, &out);

	if (rc)
		lw_error_set(err, rc, "out of memory");
	else
		rc = lw_statefile_save(&learn->file, lw_strbuf_text(&out), out.len, err);
	lw_strbuf_fini(&out);
	return rc;
}

int lw_learn_save(struct lw_learn *learn, int64_t now_s, bool at_once, struct lw_error *err)
{
	int64_t since_s = now_s - learn->saved_s;
	int rc;

	if (!learn->dirty || (!at_once && since_s >= 0 && since_s < LW_LEARN_SAVE_S))
		return 0;
	learn->saved_s = now_s;
	rc = learn_write_file(learn, err);
	learn->dirty = rc != 0;
	if (!rc && learn->book)
		rc = lw_sharebook_save(learn->book, err);
	return rc;
}

const struct lw_history *lw_learn_history(const struct lw_learn *learn)
{
	return learn->history;
}
