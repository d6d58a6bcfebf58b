/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain show: how a chain fares, as a table or as JSON. */
#include "cli/chain/links.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "base/number.h"
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define WHEN_MAX 48

/* "12", "12_3" and "12+1" are of job 12. */
static int read_job(const char *text, uint32_t *ret_job, struct lw_error *err)
{
	const char *at = text;
	uint64_t job;

	if (lw_number_take(&at, UINT32_MAX - 1, &job) && job && *at && strchr("_+", *at)) {
		at++;
		at += strspn(at, "0123456789");
	} else if (*at) {
		at = "?";
	}
	if (*at || at == text || !job)
		return lw_error_set(err, -EINVAL, "\"%s\" is no job id, such as 12 or 12_3",
				    text);
	*ret_job = (uint32_t)job;
	return 0;
}

/* ---- as text ---- */

/* MARK and the time, in the user's zone; "-" where there is none. */
static const char *print_when(const char *mark, int64_t at_s, char buf[WHEN_MAX])
{
	time_t at = (time_t)at_s;
	struct tm tm;
	char text[32];

	if (at_s < 0 || !localtime_r(&at, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(buf, WHEN_MAX, "-");
	else
		snprintf(buf, WHEN_MAX, "%s%s", mark, text);
	return buf;
}

static const char *how_long(const struct lw_chain_link *link, char buf[WHEN_MAX])
{
	char text[32];

	if (link->interruption_s < 0) {
		snprintf(buf, WHEN_MAX, "-");
		return buf;
	}
	lw_duration_print(link->interruption_s, text, sizeof(text));
	snprintf(buf, WHEN_MAX, "%s%s", text, link->phase == TOOLS_CHAIN_WAITS ? " so far" : "");
	return buf;
}

static void print_link(const struct lw_chain_link *link, uint32_t number)
{
	char start[WHEN_MAX], end[WHEN_MAX], latest[WHEN_MAX], pause[WHEN_MAX];
	bool waits = link->phase == TOOLS_CHAIN_WAITS, runs = link->phase == TOOLS_CHAIN_RUNS;

	print_when(waits ? "shown " : "", link->start_s, start);
	print_when(runs ? "by " : "", runs ? link->limit_s : link->end_s, end);
	printf("%4" PRIu32 " %-10s %-13s %-25s %-22s %-13s ", number, lw_tools_plain(link->id),
	       lw_tools_plain(link->state), start, end, how_long(link, pause));
	print_when("", link->latest_s, latest);
	if (*link->reason)
		printf("%-19s %s\n", latest, lw_tools_plain(link->reason));
	else if (link->run > 1)
		printf("%-19s requeued: run %" PRIu32 "\n", latest, link->run);
	else
		printf("%s\n", latest);
}

static void print_sums(const struct lw_chain_seen *chain)
{
	char total[32], longest[32], start[WHEN_MAX], latest[WHEN_MAX];

	lw_duration_print(chain->total_s, total, sizeof(total));
	lw_duration_print(chain->longest_s, longest, sizeof(longest));
	if (chain->interruptions)
		printf("\ninterruptions so far: %" PRIu32 ", together %s, the longest %s\n",
		       chain->interruptions, total, longest);
	else
		printf("\ninterruptions so far: none, as no link has followed another yet\n");
	if (!chain->next)
		return;
	printf("next: job %s, ", lw_tools_plain(chain->next->id));
	if (chain->next->start_s >= 0)
		printf("shown to start %s", print_when("", chain->next->start_s, start));
	else
		printf("no start is shown");
	if (chain->next->latest_s >= 0)
		printf(", promised at the latest %s",
		       print_when("", chain->next->latest_s, latest));
	printf("\n");
}

static void print_chain(const struct lw_chain_seen *chain, const char *missing)
{
	printf("user %s, name %s, %" PRIu32 " link%s\n\n", lw_tools_plain(chain->user),
	       lw_tools_plain(chain->name), chain->count, chain->count == 1 ? "" : "s");
	printf("%4s %-10s %-13s %-25s %-22s %-13s %-19s %s\n", "link", "job", "state", "start",
	       "end", "interruption", "latest start", "note");
	for (uint32_t i = 0; i < chain->count; i++)
		print_link(&chain->links[i], i + 1);
	print_sums(chain);
	if (missing)
		printf("Accounting told nothing (%s): links that Slurm has forgotten are not "
		       "shown.\n",
		       lw_tools_plain(missing));
}

/* ---- as JSON ---- */

static json_t *make_time(int64_t at_s)
{
	return at_s < 0 ? json_null() : json_integer((json_int_t)at_s);
}

static json_t *make_after(const struct lw_chain_link *link)
{
	json_t *after = json_array();
	char digits[16];

	for (uint32_t k = 0; k < link->after_count; k++) {
		snprintf(digits, sizeof(digits), "%" PRIu32, link->after[k]);
		json_array_append_new(after, json_string(digits));
	}
	return after;
}

static json_t *make_link(const struct lw_chain_link *link)
{
	bool waits = link->phase == TOOLS_CHAIN_WAITS;
	json_t *o = json_pack("{s:o, s:i, s:o, s:o, s:o}", "job", lw_output_string(link->id),
			      "run", (int)link->run, "state", lw_output_string(link->state),
			      "after", make_after(link), "reason",
			      *link->reason ? lw_output_string(link->reason) : json_null());

	if (!o)
		return NULL;
	json_object_set_new(o, "submit_s", make_time(link->submit_s));
	json_object_set_new(o, "start_s", make_time(waits ? TOOLS_CHAIN_NONE : link->start_s));
	json_object_set_new(o, "end_s", make_time(link->end_s));
	json_object_set_new(o, "limit_end_s", make_time(link->limit_s));
	json_object_set_new(o, "interruption_s", make_time(link->interruption_s));
	json_object_set_new(o, "shown_start_s",
			    make_time(waits ? link->start_s : TOOLS_CHAIN_NONE));
	json_object_set_new(o, "latest_start_s", make_time(link->latest_s));
	return o;
}

static int print_json(const char *path, const struct lw_chain_seen *chain, const char *missing,
		      struct lw_error *err)
{
	json_t *links = json_array();
	json_t *root = json_pack(
		"{s:o, s:o, s:o, s:{s:I, s:I, s:I}, s:o, s:O}", "user",
		lw_output_string(chain->user), "name", lw_output_string(chain->name),
		"accounting_error", missing ? lw_output_string(missing) : json_null(),
		"interruptions", "count", (json_int_t)chain->interruptions, "total_s",
		(json_int_t)chain->total_s, "longest_s", (json_int_t)chain->longest_s, "next",
		chain->next ? lw_output_string(chain->next->id) : json_null(), "links", links);

	for (uint32_t i = 0; i < chain->count; i++)
		json_array_append_new(links, make_link(&chain->links[i]));
	json_decref(links);
	return lw_output_json(path, lw_json_named("leeway.chain.show", root), err);
}

int lw_chain_show(const struct lw_chain_request *request, struct lw_error *err)
{
	int64_t now_s = request->now_s ? request->now_s : (int64_t)time(NULL);
	struct lw_chain_rows rows = { 0 };
	struct lw_chain_seen chain = { 0 };
	uint32_t job = 0;
	int rc = read_job(request->job, &job, err);

	if (!rc)
		rc = lw_output_check(request->json, err);
	if (!rc)
		rc = lw_chain_read(&job, request->since_s, now_s, &rows, err);
	if (!rc && lw_chain_find(&rows, job, now_s, &chain))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && request->json)
		rc = print_json(request->json, &chain, rows.missing, err);
	else if (!rc)
		print_chain(&chain, rows.missing);
	lw_chain_seen_fini(&chain);
	lw_chain_rows_fini(&rows);
	return rc;
}
