/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway stops: jobs that were asked to stop, and an order to one. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/grow.h"
#include "base/number.h"
#include "base/savefile.h"
#include "base/stop.h"
#include "base/when.h"
#include "base/words.h"
#include "cli/common/field.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/output.h"
#include "cli/common/slurmcall.h"
#include "cli/common/tools.h"
#include "record/account.h"

#define STOPS_FILE "leeway_stops"
/* What an administrator's comment may hold, for it to be kept whole. */
#define STOPS_COMMENT_MAX 16384
/* Slurm's numbers above it stand for no job. */
#define STOPS_JOB_MAX (UINT32_MAX - 3)

struct request {
	const char *state, *json, *ask;
	char job[32]; /* ASK, as Slurm has it */
	bool task;    /* of an array */
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

/* There is no file before the first order; without a folder another is meant. */
static int check_folder(const char *dir, struct lw_error *err)
{
	struct stat st;

	if (!stat(dir, &st) && S_ISDIR(st.st_mode))
		return 0;
	return lw_error_set(err, -EIO,
			    "%s: no such folder: it is StateSaveLocation of slurm.conf, on the "
			    "controller",
			    dir);
}

static int explain_damage(int rc, struct lw_error *err)
{
	struct lw_error why = *err;

	return lw_error_set(err, rc,
			    "%s; slurmctld replaces the file at its next order to stop, or sets "
			    "it aside when it starts",
			    why.text);
}

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
	if (rc == -ENOENT)
		return check_folder(dir, err);
	if (!rc) {
		lw_origin_add_file(path);
		rc = lw_stop_parse(text, size, path, &taker, err);
		free(text);
	}
	return rc == -EBADMSG ? explain_damage(rc, err) : rc;
}

/* The file has what slurmctld drops only when it writes it next. */
static void drop_old(struct known *known, int64_t now_s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < known->count; i++)
		if (!lw_stop_is_over(&known->stops[i], now_s))
			known->stops[kept++] = known->stops[i];
	known->count = kept;
	kept = 0;
	for (uint32_t i = 0; i < known->kind_count; i++)
		if (!lw_stop_kind_is_over(&known->kinds[i], now_s))
			known->kinds[kept++] = known->kinds[i];
	known->kind_count = kept;
}

static int gather_stops(const struct request *request, int64_t now_s, struct known *known,
			struct lw_error *err)
{
	char dir[PATH_MAX];
	int rc = 0;

	if (!request->state)
		rc = lw_slurm_state_dir(dir, sizeof(dir), err);
	if (!rc)
		rc = read_file(request->state ? request->state : dir, known, err);
	drop_old(known, now_s);
	return rc;
}

/* ---- an order ---- */

/* FIELD of the job and nothing else, so that no text of a user can be taken for it. */
static int ask_field(const char *job, const char *field, struct lw_strbuf *told,
		     struct lw_error *err)
{
	const char *argv[] = { "squeue", "-h", "-a", "-j", job, "-O", field, NULL };
	int rc;

	lw_slurm_environment();
	rc = lw_account_run("", argv, told, err);
	if (!rc && told->error)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && told->len && told->text[told->len - 1] == '\n')
		told->text[--told->len] = '\0';
	return rc;
}

static int check_state(const char *job, struct lw_error *err)
{
	struct lw_strbuf state = LW_STRBUF_INIT;
	int rc = ask_field(job, "State:", &state, err);
	const char *text = lw_strbuf_text(&state);

	if (!rc && strchr(text, '\n'))
		rc = lw_error_set(err, -EIO, "%s is an array, or more than one job: name one, "
				  "such as %s_3",
				  job, job);
	else if (!rc && strncmp(text, "RUNNING", 7) != 0)
		rc = lw_error_set(err, -EIO, "job %s does not run", job);
	lw_strbuf_fini(&state);
	return rc;
}

/* What is there is kept whole, or the order is not given. */
static int read_comment(const char *job, struct lw_strbuf *comment, struct lw_error *err)
{
	int rc = ask_field(job, "admin_comment:", comment, err);
	const char *text = lw_strbuf_text(comment);

	if (rc)
		return rc;
	if (comment->len > STOPS_COMMENT_MAX)
		return lw_error_set(err, -EIO,
				    "job %s: its AdminComment has over %d bytes: shorten it "
				    "first, with scontrol update",
				    job, STOPS_COMMENT_MAX);
	if (strpbrk(text, "\r\n") || strlen(text) != comment->len)
		return lw_error_set(err, -EIO,
				    "job %s: its AdminComment has more than one line: make it one "
				    "first, with scontrol update",
				    job);
	if (!strcmp(text, "(null)"))
		lw_strbuf_fini(comment);
	return 0;
}

static int make_order(const struct request *request, const char *comment, char *order,
		      size_t size, struct lw_error *err)
{
	static const char set[] = "AdminComment=";
	char word[64] = LW_STOP_WORD_ORDER;

	if (request->for_job)
		snprintf(word, sizeof(word), LW_STOP_WORD_ORDER "=%" PRIu32, request->for_job);
	memcpy(order, set, sizeof(set));
	if (lw_words_put(comment, LW_STOP_WORD_ORDER, word, order + sizeof(set) - 1,
			 size - sizeof(set)))
		return lw_error_set(err, -EIO, "job %s: its AdminComment is full", request->job);
	return 0;
}

static int give_order(const struct request *request, struct lw_error *err)
{
	const char *job = request->job;
	char name[64], order[STOPS_COMMENT_MAX + 128];
	const char *update[] = { "scontrol", "update", name, order, NULL };
	struct lw_strbuf comment = LW_STRBUF_INIT;
	int rc = check_state(job, err);

	snprintf(name, sizeof(name), "JobId=%s", job);
	if (!rc)
		rc = read_comment(job, &comment, err);
	if (!rc)
		rc = make_order(request, lw_strbuf_text(&comment), order, sizeof(order), err);
	if (!rc)
		rc = lw_account_run("", update, NULL, err);
	lw_strbuf_fini(&comment);
	if (!rc)
		printf("job %s is ordered to stop: slurmctld's log and its AdminComment say what "
		       "becomes of that\n",
		       job);
	return rc;
}

/* "12", or "12_3" of an array, which REQUEST then has as well. */
static bool read_job(struct request *request)
{
	const char *at = request->ask;
	uint64_t job, task;

	if (!lw_number_take(&at, STOPS_JOB_MAX, &job) || !job)
		return false;
	snprintf(request->job, sizeof(request->job), "%" PRIu64, job);
	if (*at != '_')
		return !*at;
	at++;
	if (!lw_number_take(&at, STOPS_JOB_MAX, &task) || *at)
		return false;
	request->task = true;
	snprintf(request->job, sizeof(request->job), "%" PRIu64 "_%" PRIu64, job, task);
	return true;
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

/* WIDTH, or that of TEXT if that is wider. */
static int stops_widen(int width, const char *text)
{
	int columns = lw_field_columns(text);

	return columns > width ? columns : width;
}

static const char *user_name(uint32_t user)
{
	return lw_tools_plain(lw_tools_user_name(user));
}

static void print_cell(const char *text, int width)
{
	printf("%-*s ", lw_field_room(text, width), text);
}

static void print_kinds(const struct known *known, int user_width, int64_t now_s)
{
	char until[LW_WHEN_MAX];
	int width = 20;

	for (uint32_t i = 0; i < known->kind_count; i++)
		width = stops_widen(width, lw_tools_plain(known->kinds[i].name));
	if (known->kind_count)
		printf("\n%-*s %-*s %-16s %s\n", user_width, "user", width, "not asked", "until",
		       "");
	for (uint32_t i = 0; i < known->kind_count; i++) {
		const struct lw_stop_kind *kind = &known->kinds[i];

		print_cell(user_name(kind->user), user_width);
		print_cell(lw_tools_plain(kind->name), width);
		printf("%-16s %s\n", moment(kind->at_s + LW_STOP_WEEK_S, now_s, until),
		       lw_stop_answer_text(kind->why));
	}
}

/* It runs again, or will, on a node that is kept for it. */
static bool stops_moves(const struct lw_stop *stop)
{
	return stop->moves && lw_stop_is_out(stop);
}

static void print_stop(const struct lw_stop *stop, int user_width, int64_t now_s)
{
	char asked[LW_WHEN_MAX], due[LW_WHEN_MAX], back[LW_WHEN_MAX], job[16];

	snprintf(job, sizeof(job), "%" PRIu32, stop->for_job);
	printf("%-10" PRIu32 " ", stop->job_id);
	print_cell(user_name(stop->user), user_width);
	printf("%-7s %-8s %-10s %-16s %-16s %-16s %" PRIu32 "%s%s\n",
	       lw_stop_state_name(stop->state), way_name(stop), stop->for_job ? job : "-",
	       moment(stop->asked_s, now_s, asked), moment(stop->due_s, now_s, due),
	       moment(stop->back_s, now_s, back), lw_stop_today(stop, now_s),
	       stop->late ? ", late" : "", stops_moves(stop) ? ", moves" : "");
}

static void print_text(const struct known *known, int64_t now_s)
{
	int width = 12;

	for (uint32_t i = 0; i < known->count; i++)
		width = stops_widen(width, user_name(known->stops[i].user));
	for (uint32_t i = 0; i < known->kind_count; i++)
		width = stops_widen(width, user_name(known->kinds[i].user));
	printf("%-10s %-*s %-7s %-8s %-10s %-16s %-16s %-16s %s\n", "job", width, "user", "state",
	       "by", "for", "asked", "back by", "back", "today");
	for (uint32_t i = 0; i < known->count; i++)
		print_stop(&known->stops[i], width, now_s);
	if (!known->count)
		printf("none\n");
	print_kinds(known, width, now_s);
}

/* null: 0 stands for none. */
static json_t *make_or_null(int64_t value)
{
	return value ? json_integer((json_int_t)value) : json_null();
}

static json_t *make_stop(const struct lw_stop *stop, int64_t now_s)
{
	char job[16], other[16];

	snprintf(job, sizeof(job), "%" PRIu32, stop->job_id);
	snprintf(other, sizeof(other), "%" PRIu32, stop->for_job);
	return json_pack("{s:s, s:I, s:s, s:s, s:o, s:I, s:I, s:o, s:I, s:b, s:b}", "job", job,
			 "user_id", (json_int_t)stop->user, "state",
			 lw_stop_state_name(stop->state), "by", way_name(stop), "for",
			 stop->for_job ? json_string(other) : json_null(), "asked_s",
			 (json_int_t)stop->asked_s, "back_by_s", (json_int_t)stop->due_s,
			 "back_s", make_or_null(stop->back_s), "stops_today",
			 (json_int_t)lw_stop_today(stop, now_s), "late", (int)stop->late, "moves",
			 (int)stops_moves(stop));
}

static json_t *make_kind(const struct lw_stop_kind *kind)
{
	return json_pack("{s:I, s:s, s:s, s:I}", "user_id", (json_int_t)kind->user, "name",
			 lw_tools_plain(kind->name), "why", lw_stop_answer_name(kind->why),
			 "until_s", (json_int_t)(kind->at_s + LW_STOP_WEEK_S));
}

static int print_json(const char *file, const struct known *known, int64_t now_s,
		      struct lw_error *err)
{
	json_t *stops = json_array(), *kinds = json_array();

	for (uint32_t i = 0; i < known->count; i++)
		json_array_append_new(stops, make_stop(&known->stops[i], now_s));
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
		rc = gather_stops(request, now_s, &known, err);
	if (!rc && request->json)
		rc = print_json(request->json, &known, now_s, err);
	else if (!rc)
		print_text(&known, now_s);
	free(known.stops);
	free(known.kinds);
	return rc;
}

/* 0, or the exit code of what was said. */
static int check_order(struct request *request)
{
	if (!request->ask)
		return request->for_job ? lw_tools_usage("stops", "--for needs --ask") : 0;
	if (request->json)
		return lw_tools_usage("stops", "--ask prints no JSON: leave out --json");
	if (request->state)
		return lw_tools_usage("stops", "--ask reads no file: leave out --state");
	if (!read_job(request))
		return lw_tools_usage("stops", "\"%s\": no job id such as 12 or 12_3",
				      lw_tools_plain(request->ask));
	if (!request->task && strtoul(request->job, NULL, 10) == request->for_job)
		return lw_tools_usage("stops", "--for: job %s cannot wait for itself",
				      request->job);
	return 0;
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
	rc = check_order(&request);
	if (rc)
		return rc;
	rc = stops_run(&request, &err);
	return lw_tools_ended("stops", rc == -EINVAL ? -EIO : rc, &err);
}
