/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: since when the age of a job counts, if Slurm does not say so. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/since.h"

#include "base/grow.h"
#include "base/number.h"
#include "base/quota.h"
#include "base/search.h"
#include "base/strbuf.h"
#include "base/tally.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FILE_KIND    "since"
#define FILE_VERSION 1
/* No time is beyond. */
#define LW_SINCE_TIME_MAX_S INT64_C(1000000000000)

struct entry {
	uint32_t job_id, user; /* the user is known if counted */
	int64_t since_s;
	bool kept;    /* Slurm says otherwise: written to the file */
	bool alive;   /* seen in this reading */
	bool counted; /* in the tally of users */
};

struct lw_since {
	struct lw_statefile file;
	struct entry *entries; /* by job_id */
	uint32_t count, room;
	struct lw_tally users; /* of the entries, as far as this reading has told */
	bool dirty;
};

/* Where JOB_ID is, or would be inserted. */
static uint32_t since_position(const struct lw_since *since, uint32_t job_id)
{
	uint32_t at;

	LW_SEARCH(at, since->count, since->entries[at].job_id < job_id);
	return at;
}

static struct entry *since_find(const struct lw_since *since, uint32_t job_id)
{
	uint32_t i = since_position(since, job_id);

	return i < since->count && since->entries[i].job_id == job_id ? &since->entries[i] : NULL;
}

static void since_uncount(struct lw_since *since, struct entry *entry)
{
	if (entry->counted)
		lw_tally_take(&since->users, entry->user, 1);
	entry->counted = false;
}

/* It is of a job of USER that has not ended. A number may have been another user's before. */
static void since_count(struct lw_since *since, struct entry *entry, uint32_t user)
{
	entry->alive = true;
	if (entry->counted && entry->user == user)
		return;
	since_uncount(since, entry);
	entry->user = user;
	entry->counted = !lw_tally_add(&since->users, user, 1);
}

static void since_remove(struct lw_since *since, struct entry *entry)
{
	uint32_t i = (uint32_t)(entry - since->entries);

	since_uncount(since, entry);
	since->dirty |= entry->kept;
	since->count--;
	memmove(entry, entry + 1, (since->count - i) * sizeof(*entry));
}

/* -ENOSPC: too many; -ENOMEM: then the job is as old as Slurm says. */
static int since_insert(struct lw_since *since, const struct entry *entry)
{
	uint32_t i = since_position(since, entry->job_id);

	if (since->count >= LW_SINCE_MAX)
		return -ENOSPC;
	if (lw_grow((void **)&since->entries, &since->room, since->count + 1,
		    sizeof(*since->entries)))
		return -ENOMEM;
	memmove(since->entries + i + 1, since->entries + i,
		(since->count - i) * sizeof(*since->entries));
	since->entries[i] = *entry;
	since->count++;
	since->dirty |= entry->kept;
	return 0;
}

/* In a table that is half full no user has more than a share. */
static bool since_admits(const struct lw_since *since, uint32_t user)
{
	return since->count < LW_SINCE_MAX / 2 ||
	       lw_tally_of(&since->users, user) < lw_quota(LW_SINCE_MAX);
}

/* FRESH of a job of USER, if there is room. A job that is known is changed in its place. */
static void since_put(struct lw_since *since, const struct entry *fresh, uint32_t user)
{
	struct entry *entry = since_find(since, fresh->job_id);

	if (!entry) {
		if (!since_admits(since, user) || since_insert(since, fresh))
			return;
		entry = since_find(since, fresh->job_id);
	}
	since->dirty |= entry->kept || fresh->kept;
	entry->since_s = fresh->since_s;
	entry->kept = fresh->kept;
	since_count(since, entry, user);
}

/* "job 123 1700000000" */
static bool since_parse_line(const char *line, struct entry *ret_entry)
{
	uint64_t id = 0, since_s = 0;

	if (strncmp(line, "job ", 4))
		return false;
	line += 4;
	if (!lw_number_take(&line, UINT32_MAX, &id) || !id || *line++ != ' ' ||
	    !lw_number_read(line, LW_SINCE_TIME_MAX_S, &since_s) || !since_s)
		return false;
	*ret_entry = (struct entry){
		.job_id = (uint32_t)id, .since_s = (int64_t)since_s, .kept = true, .alive = true
	};
	return true;
}

static int since_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_since *since = arg;
	char *rest = text, *line;
	int rc = 0;

	(void)size;
	while (!rc && (line = strsep(&rest, "\n"))) {
		struct entry entry;

		if (!*line)
			continue;
		if (!since_parse_line(line, &entry) || since_find(since, entry.job_id))
			rc = lw_error_set(err, -EBADMSG, "%s: a line is wrong: %s",
					  since->file.path, line);
		else
			rc = since_insert(since, &entry);
		if (rc == -ENOSPC)
			rc = lw_error_set(err, -EBADMSG, "%s: too many lines", since->file.path);
	}
	if (rc)
		since->count = 0;
	since->dirty = false;
	return rc;
}

int lw_since_create(const char *path, int64_t now_s, const struct lw_log *log,
		    struct lw_since **ret_since)
{
	struct lw_since *since = calloc(1, sizeof(*since));
	int rc;

	if (!since)
		return -ENOMEM;
	since->file = (struct lw_statefile){ .kind = FILE_KIND,
					     .version = FILE_VERSION,
					     .what = "ages of requeued jobs start",
					     .log = log };
	rc = lw_statefile_load(&since->file, path, now_s, since_parse, since);
	if (rc) {
		lw_since_destroy(since);
		return rc;
	}
	*ret_since = since;
	return 0;
}

void lw_since_destroy(struct lw_since *since)
{
	if (!since)
		return;
	lw_statefile_fini(&since->file);
	lw_tally_fini(&since->users);
	free(since->entries);
	free(since);
}

void lw_since_begin(struct lw_since *since)
{
	lw_tally_fini(&since->users);
	for (uint32_t i = 0; i < since->count; i++)
		since->entries[i].alive = since->entries[i].counted = false;
}

void lw_since_alive(struct lw_since *since, uint32_t job_id, uint32_t user)
{
	struct entry *entry = since_find(since, job_id);

	if (entry)
		since_count(since, entry, user);
}

void lw_since_end(struct lw_since *since)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < since->count; i++) {
		if (since->entries[i].alive)
			since->entries[kept++] = since->entries[i];
		else
			since->dirty |= since->entries[i].kept;
	}
	since->count = kept;
}

void lw_since_runs(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t submit_s,
		   bool requeued)
{
	const struct entry fresh = { .job_id = job_id, .since_s = submit_s, .alive = true };
	struct entry *entry = since_find(since, job_id);

	if (entry && (requeued || entry->since_s == submit_s))
		since_count(since, entry, user);
	else
		since_put(since, &fresh, user);
}

void lw_since_begins(struct lw_since *since, uint32_t job_id, uint32_t user, int64_t begin_s)
{
	const struct entry fresh = {
		.job_id = job_id, .since_s = begin_s, .kept = true, .alive = true
	};
	const struct entry *entry = since_find(since, job_id);

	if (!entry || entry->since_s != begin_s)
		since_put(since, &fresh, user);
}

int64_t lw_since_of(struct lw_since *since, uint32_t job_id, int64_t submit_s, bool requeued)
{
	struct entry *entry = since ? since_find(since, job_id) : NULL;

	if (!entry || entry->since_s == submit_s)
		return submit_s;
	/* a job that has not run before was not submitted before: the entry is of another job */
	if (!requeued && entry->since_s < submit_s) {
		since_remove(since, entry);
		return submit_s;
	}
	since->dirty |= !entry->kept;
	entry->kept = true;
	return entry->since_s;
}

uint32_t lw_since_count(const struct lw_since *since)
{
	return since->count;
}

int lw_since_save(struct lw_since *since, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!since->dirty)
		return 0;
	for (uint32_t i = 0; i < since->count; i++) {
		const struct entry *entry = &since->entries[i];

		if (entry->kept)
			lw_strbuf_add(&text, "job %" PRIu32 " %" PRId64 "\n", entry->job_id,
				      entry->since_s);
	}
	rc = text.error ? lw_error_set(err, text.error, "out of memory")
			: lw_statefile_save(&since->file, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	if (!rc)
		since->dirty = false;
	return rc;
}

static double since_share(const struct lw_age *age, int64_t now_s, int64_t since_s)
{
	int64_t age_s = since_s && now_s > since_s ? now_s - since_s : 0;

	return age_s < age->max_s ? (double)age_s / age->max_s : 1.0;
}

uint32_t lw_age_missing(const struct lw_age *age, int64_t now_s, int64_t since_s,
			int64_t given_s)
{
	double missing;

	if (!age->weight || !age->max_s)
		return 0;
	missing = (since_share(age, now_s, since_s) - since_share(age, now_s, given_s)) *
		  age->weight;
	return missing > 0 ? (uint32_t)missing : 0;
}
