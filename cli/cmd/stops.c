/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway stops: jobs that were asked to stop, and an order to one. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "base/savefile.h"
#include "base/stop.h"
#include "base/when.h"
#include "base/words.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"
#include "record/account.h"

#define STOPS_FILE "leeway_stops"
/* For so long a kind is not asked again (src/slurm/keep/stops.h). */
#define STOPS_WEEK_S INT64_C(604800)
/* What an administrator's comment may hold. */
#define STOPS_COMMENT_MAX 16384

struct request {
	const char *state, *json, *ask;
	uint32_t now_s, for_job;
};

struct known {
	struct lw_stop *stops;
	struct lw_stop_kind *kinds;
	uint32_t count, room, kind_count, kind_room;
};

static int add_stop(void *arg, const struct lw_stop *stop)
{
	struct known *known = arg;

	if (lw_grow((void **)&known->stops, &known->room, known->count + 1,
		    sizeof(*known->stops)))
		return -ENOMEM;
	known->stops[known->count++] = *stop;
	return 0;
}

static int add_kind(void *arg, const struct lw_stop_kind *kind)
{
	struct known *known = arg;

	if (lw_grow((void **)&known->kinds, &known->kind_room, known->kind_count + 1,
		    sizeof(*known->kinds)))
		return -ENOMEM;
	known->kinds[known->kind_count++] = *kind;
	return 0;
}

/* There is no file before the first order. */
static int read_file(const char *dir, struct known *known, struct lw_error *err)
{
	const struct lw_stop_taker taker = { add_stop, add_kind, known };
	char path[PATH_MAX];
	char *text;
	size_t size;
	int rc;

	if (snprintf(path, sizeof(path), "%s/" STOPS_FILE, dir) >= (int)sizeof(path))
		return lw_error_set(err, -ENAMETOOLONG, "--state: too long");
	rc = lw_savefile_read(path, LW_STOP_FILE_KIND, LW_STOP_FILE_VERSION, &text, &size, err);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	rc = lw_stop_parse(text, path, &taker, err);
	free(text);
	return rc;
}

static int gather_stops(const struct request *request, struct known *known, struct lw_error *err)
{
	char dir[PATH_MAX];
	int rc = 0;

	if (!request->state)
		rc = lw_slurm_state_dir(dir, sizeof(dir), err);
	return rc ? rc : read_file(request->state ? request->state : dir, known, err);
}

/* ---- an order ---- */

/* The field NAME of what scontrol prints of a job, to the end of its line; NULL: there is none.
 */
static const char *field_of(const char *text, const char *name, size_t *ret_len)
{
	const char *at = strstr(text, name);

	if (!at)
		return NULL;
	at += strlen(name);
	*ret_len = strcspn(at, "\n");
	while (*ret_len && at[*ret_len - 1] == ' ')
		--*ret_len;
	return at;
}

static int make_order(const struct request *request, const char *told, char *order, size_t size,
		      struct lw_error *err)
{
	static const char set[] = "AdminComment=";
	const char *job = request->ask;
	char comment[STOPS_COMMENT_MAX] = "", word[64] = LW_STOP_WORD_ORDER;
	size_t len;
	const char *at = field_of(told, " JobState=", &len);

	if (!at || strncmp(at, "RUNNING", 7))
		return lw_error_set(err, -EIO, "job %s does not run", job);
	at = field_of(told, "\n   AdminComment=", &len);
	if (at && len < sizeof(comment) && strncmp(at, "(null)", len))
		snprintf(comment, sizeof(comment), "%.*s", (int)len, at);
	if (request->for_job)
		snprintf(word, sizeof(word), LW_STOP_WORD_ORDER "=%" PRIu32, request->for_job);
	memcpy(order, set, sizeof(set));
	if (lw_words_put(comment, LW_STOP_WORD_ORDER, word, order + sizeof(set) - 1,
			 size - sizeof(set)))
		return lw_error_set(err, -EIO, "job %s: its AdminComment is full", job);
	return 0;
}

static int give_order(const struct request *request, struct lw_error *err)
{
	const char *job = request->ask;
	const char *show[] = { "scontrol", "show", "job", job, NULL };
	char name[64], order[STOPS_COMMENT_MAX + 64];
	const char *update[] = { "scontrol", "update", name, order, NULL };
	struct lw_strbuf told = LW_STRBUF_INIT;
	int rc = lw_account_run("", show, &told, err);

	snprintf(name, sizeof(name), "JobId=%s", job);
	if (!rc)
		rc = make_order(request, lw_strbuf_text(&told), order, sizeof(order), err);
	if (!rc)
		rc = lw_account_run("", update, NULL, err);
	lw_strbuf_fini(&told);
	if (!rc)
		printf("job %s is ordered to stop: slurmctld's log and its AdminComment say what "
		       "becomes of that\n",
		       job);
	return rc;
}

static bool is_job(const char *text)
{
	size_t len = strspn(text, "0123456789");

	if (len && text[len] == '_')
		len += 1 + strspn(text + len + 1, "0123456789");
	return len && !text[len] && len < 24 && text[len - 1] != '_';
}

/* ---- what is known ---- */

static const char *moment(int64_t at_s, int64_t now_s, char text[LW_WHEN_MAX])
{
	return at_s ? lw_when_tell(at_s, now_s, text) : "-";
}

static const char *way_name(const struct lw_stop *stop)
{
	return stop->way == LW_STOP_BY_SIGNAL ? "signal" : "requeue";
}

static void print_kinds(const struct known *known, int64_t now_s)
{
	char until[LW_WHEN_MAX];

	if (known->kind_count)
		printf("\n%-12s %-20s %-16s %s\n", "user", "not asked", "until", "");
	for (uint32_t i = 0; i < known->kind_count; i++) {
		const struct lw_stop_kind *kind = &known->kinds[i];

		printf("%-12s %-20s %-16s %s\n", lw_tools_user_name(kind->user),
		       lw_tools_plain(kind->name),
		       moment(kind->at_s + STOPS_WEEK_S, now_s, until),
		       lw_stop_answer_text(kind->why));
	}
}

static void print_text(const struct known *known, int64_t now_s)
{
	char asked[LW_WHEN_MAX], due[LW_WHEN_MAX], back[LW_WHEN_MAX], job[16];

	printf("%-10s %-12s %-7s %-8s %-10s %-12s %-12s %-12s %s\n", "job", "user", "state", "by",
	       "for", "asked", "back by", "back", "today");
	for (uint32_t i = 0; i < known->count; i++) {
		const struct lw_stop *stop = &known->stops[i];

		snprintf(job, sizeof(job), "%" PRIu32, stop->for_job);
		printf("%-10" PRIu32 " %-12s %-7s %-8s %-10s %-12s %-12s %-12s %" PRIu32 "%s\n",
		       stop->job_id, lw_tools_user_name(stop->user),
		       lw_stop_state_name(stop->state), way_name(stop), stop->for_job ? job : "-",
		       moment(stop->asked_s, now_s, asked), moment(stop->due_s, now_s, due),
		       moment(stop->back_s, now_s, back), stop->stops,
		       stop->late ? ", late" : "");
	}
	if (!known->count)
		printf("none\n");
	print_kinds(known, now_s);
}

/* null: 0 stands for none. */
static json_t *make_or_null(int64_t value)
{
	return value ? json_integer((json_int_t)value) : json_null();
}

static json_t *make_stop(const struct lw_stop *stop)
{
	char job[16], other[16];

	snprintf(job, sizeof(job), "%" PRIu32, stop->job_id);
	snprintf(other, sizeof(other), "%" PRIu32, stop->for_job);
	return json_pack("{s:s, s:I, s:s, s:s, s:o, s:I, s:I, s:o, s:I, s:b}", "job", job,
			 "user_id", (json_int_t)stop->user, "state",
			 lw_stop_state_name(stop->state), "by", way_name(stop), "for",
			 stop->for_job ? json_string(other) : json_null(), "asked_s",
			 (json_int_t)stop->asked_s, "back_by_s", (json_int_t)stop->due_s,
			 "back_s", make_or_null(stop->back_s), "stops_today",
			 (json_int_t)stop->stops, "late", (int)stop->late);
}

static json_t *make_kind(const struct lw_stop_kind *kind)
{
	return json_pack("{s:I, s:s, s:s, s:I}", "user_id", (json_int_t)kind->user, "name",
			 lw_tools_plain(kind->name), "why", lw_stop_answer_name(kind->why),
			 "until_s", (json_int_t)(kind->at_s + STOPS_WEEK_S));
}

static int print_json(const char *file, const struct known *known, struct lw_error *err)
{
	json_t *stops = json_array(), *kinds = json_array();

	for (uint32_t i = 0; i < known->count; i++)
		json_array_append_new(stops, make_stop(&known->stops[i]));
	for (uint32_t i = 0; i < known->kind_count; i++)
		json_array_append_new(kinds, make_kind(&known->kinds[i]));
	return lw_output_json(file,
			      lw_json_named("leeway.stops", json_pack("{s:o, s:o}", "stops",
								      stops, "not_asked", kinds)),
			      err);
}

static int stops_run(const struct request *request, struct lw_error *err)
{
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	struct known known = { 0 };
	int rc;

	if (request->ask)
		return give_order(request, err);
	rc = lw_output_check(request->json, err);
	if (!rc)
		rc = gather_stops(request, &known, err);
	if (!rc && request->json)
		rc = print_json(request->json, &known, err);
	else if (!rc)
		print_text(&known, now_s);
	free(known.stops);
	free(known.kinds);
	return rc;
}

int lw_tools_stops(int argc, char **argv)
{
	struct request request = { 0 };
	const struct lw_option options[] = {
#include "cli/cmd/stops_options.def"
	};
	struct lw_error err = { "" };
	int rc = lw_options_read(options, &request, argc, argv, &err);

	if (rc)
		return lw_options_refused("stops", rc, &err);
	if (optind < argc)
		return lw_tools_usage("stops", "\"%s\": there is nothing to name",
				      lw_tools_plain(argv[optind]));
	if (request.ask && (request.json || request.state))
		return lw_tools_usage("stops", "--ask prints no list");
	if (request.for_job && !request.ask)
		return lw_tools_usage("stops", "--for needs --ask");
	if (request.ask && !is_job(request.ask))
		return lw_tools_usage("stops", "\"%s\": no job id such as 12 or 12_3",
				      lw_tools_plain(request.ask));
	rc = stops_run(&request, &err);
	return lw_tools_ended("stops", rc == -EINVAL ? -EIO : rc, &err);
}
