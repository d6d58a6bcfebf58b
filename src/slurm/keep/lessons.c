/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which kinds of jobs are not asked to stop again. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/lessons.h"

#include "base/grow.h"
#include "base/quota.h"
#include "base/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lessons_before(const struct lw_stop_kind *a, uint32_t user, uint64_t kind)
{
	return a->user != user ? a->user < user : a->kind < kind;
}

static uint32_t lessons_position(const struct lw_lessons *lessons, uint32_t user, uint64_t kind)
{
	uint32_t at;

	LW_SEARCH(at, lessons->count, lessons_before(&lessons->kinds[at], user, kind));
	return at;
}

struct lw_stop_kind *lw_lessons_find(const struct lw_lessons *lessons, uint32_t user,
				     uint64_t kind)
{
	uint32_t at = lessons_position(lessons, user, kind);

	return at < lessons->count && lessons->kinds[at].user == user &&
			       lessons->kinds[at].kind == kind
		       ? &lessons->kinds[at]
		       : NULL;
}

uint32_t lw_lessons_count_of(const struct lw_lessons *lessons, uint32_t user)
{
	uint32_t first = lessons_position(lessons, user, 0), end = first;

	while (end < lessons->count && lessons->kinds[end].user == user)
		end++;
	return end - first;
}

static uint32_t lessons_user(const void *entries, uint32_t at)
{
	return ((const struct lw_stop_kind *)entries)[at].user;
}

static uint64_t lessons_stamp(const void *entries, uint32_t at)
{
	return (uint64_t)((const struct lw_stop_kind *)entries)[at].at_s;
}

static void lessons_drop(struct lw_lessons *lessons, uint32_t at)
{
	lessons->count--;
	memmove(lessons->kinds + at, lessons->kinds + at + 1,
		(lessons->count - at) * sizeof(*lessons->kinds));
}

/* The entry, which is new or old; NULL: no memory. */
static struct lw_stop_kind *lessons_put(struct lw_lessons *lessons,
					const struct lw_stop_kind *kind)
{
	struct lw_stop_kind *entry = lw_lessons_find(lessons, kind->user, kind->kind);
	uint32_t at;

	if (entry) {
		*entry = *kind;
		return entry;
	}
	if (lw_grow((void **)&lessons->kinds, &lessons->room, lessons->count + 1,
		    sizeof(*lessons->kinds)))
		return NULL;
	at = lessons_position(lessons, kind->user, kind->kind);
	memmove(lessons->kinds + at + 1, lessons->kinds + at,
		(lessons->count - at) * sizeof(*lessons->kinds));
	lessons->kinds[at] = *kind;
	lessons->count++;
	return &lessons->kinds[at];
}

int lw_lessons_add(struct lw_lessons *lessons, const struct lw_stop_kind *kind)
{
	if (lw_lessons_find(lessons, kind->user, kind->kind) || lessons->count >= LW_LESSONS_MAX)
		return -EBADMSG;
	return lessons_put(lessons, kind) ? 0 : -ENOMEM;
}

void lw_lessons_learn(struct lw_lessons *lessons, const struct lw_stop_kind *kind,
		      const char *name)
{
	const struct lw_quota_table table = { .entries = lessons->kinds,
					      .count = lessons->count,
					      .max = LW_LESSONS_MAX,
					      .user = lessons_user,
					      .stamp = lessons_stamp };
	struct lw_stop_kind fresh = *kind;
	uint32_t at;

	if (!lw_lessons_find(lessons, kind->user, kind->kind) &&
	    lw_quota_victim(&table, kind->user, &at))
		lessons_drop(lessons, at);
	snprintf(fresh.name, sizeof(fresh.name), "%s", name ? name : "");
	/* a line of the file has none in it */
	for (char *c = fresh.name; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	(void)lessons_put(lessons, &fresh);
}

bool lw_lessons_expire(struct lw_lessons *lessons, int64_t now_s)
{
	uint32_t kept = 0;
	bool any;

	for (uint32_t i = 0; i < lessons->count; i++)
		if (!lw_stop_kind_is_over(&lessons->kinds[i], now_s))
			lessons->kinds[kept++] = lessons->kinds[i];
	any = kept != lessons->count;
	lessons->count = kept;
	return any;
}

void lw_lessons_fini(struct lw_lessons *lessons)
{
	free(lessons->kinds);
	*lessons = (struct lw_lessons){ 0 };
}
