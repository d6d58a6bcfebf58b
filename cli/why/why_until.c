/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway why: until when a reservation or the holder of a licence keeps a job waiting. */

/*
 * Asked of Slurm's commands, so that users are told nothing that Slurm hides from them: with
 * PrivateData=jobs a user sees only the user's own jobs as holders of licences, and often there
 * is nothing to say.
 */
#include "cli/why/why.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "cli/common/rows.h"
#include "cli/common/tools.h"
#include "record/account.h"

#define NAME_MAX_LEN 64

/* The value of KEY, "StartTime=", in LINE of scontrol -o; false: there is none. */
static bool value_of(const char *line, const char *key, char *value, size_t size)
{
	const char *at = line;
	size_t len;

	while ((at = strstr(at, key)) && at != line && at[-1] != ' ')
		at++;
	if (!at)
		return false;
	at += strlen(key);
	len = strcspn(at, " \n");
	if (len >= size)
		return false;
	memcpy(value, at, len);
	value[len] = '\0';
	return true;
}

static int64_t time_in(const char *line, const char *key)
{
	char value[40];
	int64_t at_s;

	return value_of(line, key, value, sizeof(value)) &&
			       !lw_sacct_time(value, "", &at_s, NULL) && at_s > 0
		       ? at_s
		       : TOOLS_WHY_NONE;
}

static uint32_t number_in(const char *line, const char *key)
{
	char value[24];
	const char *at = value;
	uint64_t number;

	return value_of(line, key, value, sizeof(value)) &&
			       lw_number_take(&at, UINT32_MAX, &number)
		       ? (uint32_t)number
		       : 0;
}

/* ---- reservations ---- */

struct reservation {
	char name[NAME_MAX_LEN];
	int64_t from_s, until_s;
	bool maintenance;
};

static bool read_reservation(const char *line, struct reservation *resv)
{
	char flags[256] = "";

	if (!value_of(line, "ReservationName=", resv->name, sizeof(resv->name)))
		return false;
	resv->from_s = time_in(line, "StartTime=");
	resv->until_s = time_in(line, "EndTime=");
	(void)value_of(line, "Flags=", flags, sizeof(flags));
	resv->maintenance = strstr(flags, "MAINT") != NULL;
	return resv->from_s != TOOLS_WHY_NONE && resv->until_s != TOOLS_WHY_NONE;
}

/* The one that keeps JOB waiting: the one that it asks for, or the only maintenance. */
static bool is_meant(const struct lw_why_job *job, const struct reservation *resv, int64_t now_s)
{
	if (*job->reservation)
		return strcmp(job->reservation, resv->name) == 0;
	return resv->maintenance && resv->until_s > now_s;
}

static void tell_reservation(struct lw_why_job *job, const struct reservation *resv,
			     int64_t now_s)
{
	bool to_come = *job->reservation && resv->from_s > now_s;
	struct lw_strbuf text = LW_STRBUF_INIT;

	job->until_s = to_come ? resv->from_s : resv->until_s;
	lw_strbuf_add(&text, "when the reservation %s %s", resv->name,
		      to_come ? "begins" : "ends");
	job->until = text.error ? NULL : strdup(lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

static void until_reservation(struct lw_why_job *job, int64_t now_s)
{
	const char *argv[] = { "scontrol", "-a", "-o", "show", "reservation", NULL };
	struct reservation resv, meant = { .name = "" };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error why;
	uint32_t count = 0;
	char *rest, *line;

	if (!lw_account_run("", argv, &text, &why) && text.text) {
		rest = text.text;
		while ((line = strsep(&rest, "\n"))) {
			if (!read_reservation(line, &resv) || !is_meant(job, &resv, now_s))
				continue;
			meant = resv;
			count++;
		}
	}
	lw_strbuf_fini(&text);
	/* of several it is not known which it is */
	if (count == 1)
		tell_reservation(job, &meant, now_s);
}

/* ---- licences ---- */

struct holder {
	char id[32];
	int64_t end_s;
	uint32_t count;
};

/* How many of NAME are in LIST, "matlab:2,ansys(SLURM)"; 0: none. */
static uint32_t licences_in(const char *list, const char *name)
{
	size_t len = strlen(name);
	uint64_t count = 1;

	for (const char *at = list; *at; at += strcspn(at, ",|;"), at += *at != '\0') {
		if (strncmp(at, name, len) != 0 || !strchr(":=,|;", at[len]))
			continue;
		if (at[len] != ':' && at[len] != '=')
			return 1;
		at += len + 1;
		return lw_number_take(&at, UINT32_MAX, &count) ? (uint32_t)count : 1;
	}
	return 0;
}

/* The first licence that JOB asks for and of which not enough is free. */
static bool find_short(const struct lw_why_job *job, char *name, uint32_t *ret_missing)
{
	const char *argv[] = { "scontrol", "-o", "show", "licenses", NULL };
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error why;
	bool found = false;
	char *rest, *line;

	if (!lw_account_run("", argv, &text, &why) && text.text) {
		rest = text.text;
		while (!found && (line = strsep(&rest, "\n"))) {
			uint32_t wanted, free;

			if (!value_of(line, "LicenseName=", name, NAME_MAX_LEN))
				continue;
			wanted = licences_in(job->licences, name);
			free = number_in(line, "Free=");
			found = wanted > free;
			*ret_missing = wanted - free;
		}
	}
	lw_strbuf_fini(&text);
	return found;
}

static int by_end(const void *x, const void *y)
{
	const struct holder *a = x, *b = y;

	if (a->end_s != b->end_s)
		return a->end_s < b->end_s ? -1 : 1;
	return strcmp(a->id, b->id);
}

struct holders {
	const char *name; /* of the licence */
	struct holder *holders;
	uint32_t count, room;
};

static const enum lw_column needs[] = { LW_COL_LICENSES, LW_COL_END, LW_COL_JOB,
					LW_COL_END_OF_LIST };

static int add_holder(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct holders *holders = to;
	struct holder holder = { .count = licences_in(row->licenses, holders->name) };

	if (!*row->job || strlen(row->job) >= sizeof(holder.id) || !holder.count ||
	    lw_row_value(row, LW_COL_END, &holder.end_s, err) || holder.end_s <= 0)
		return 0;
	strcpy(holder.id, row->job);
	if (lw_grow((void **)&holders->holders, &holders->room, holders->count + 1,
		    sizeof(holder)))
		return -ENOMEM;
	holders->holders[holders->count++] = holder;
	return 0;
}

static void tell_holder(struct lw_why_job *job, const char *name, const struct holder *holder)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	job->until_s = holder->end_s;
	lw_strbuf_add(&text, "or before: when job %s ends, which has the licence %s",
		      lw_tools_plain(holder->id), lw_tools_plain(name));
	job->until = text.error ? NULL : strdup(lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

/* The end with which enough has been given back. */
static void tell_last(struct lw_why_job *job, const char *name, uint32_t missing,
		      struct holder *holders, uint32_t count)
{
	if (count)
		qsort(holders, count, sizeof(*holders), by_end);
	for (uint32_t i = 0; i < count; i++) {
		if (holders[i].count >= missing) {
			tell_holder(job, name, &holders[i]);
			return;
		}
		missing -= holders[i].count;
	}
}

static void until_licence(struct lw_why_job *job)
{
	static const char *const options[] = { "-t", "RUNNING,COMPLETING", NULL };
	char name[NAME_MAX_LEN];
	struct holders holders = { .name = name };
	struct lw_rows rows = { .needs = needs,
				.of_squeue = true,
				.lenient = true,
				.take = add_holder,
				.to = &holders };
	struct lw_error why;
	uint32_t missing;

	if (!find_short(job, name, &missing))
		return;
	lw_rows_ask(&rows, "", options, &why);
	tell_last(job, name, missing, holders.holders, holders.count);
	free(holders.holders);
}

/* squeue shows it as the start. */
static void until_begin(struct lw_why_job *job)
{
	job->until_s = job->start_s;
	job->until = job->start_s == TOOLS_WHY_NONE ? NULL : strdup("when its begin time comes");
}

void lw_why_until(struct lw_why_job *job, int64_t now_s)
{
	if (!job->waits)
		return;
	if (strncmp(job->reason, "Reservation", 11) == 0 ||
	    (strncmp(job->reason, "ReqNodeNotAvail", 15) == 0 && strstr(job->reason, "maint")))
		until_reservation(job, now_s);
	else if (strncmp(job->reason, "Licenses", 8) == 0)
		until_licence(job);
	else if (lw_why_begins_later(job))
		until_begin(job);
}
