/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes that failed under jobs within a day, and which of them are suspect. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/suspects.h"

#include "base/grow.h"
#include "base/search.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lw_suspects {
	struct lw_statefile file;
	struct lw_suspect *items; /* by name */
	uint32_t count, room;
	bool dirty;
};

static uint32_t suspects_position(const struct lw_suspects *suspects, const char *name)
{
	uint32_t at;

	LW_SEARCH(at, suspects->count, strcmp(suspects->items[at].name, name) < 0);
	return at;
}

static struct lw_suspect *suspects_find(const struct lw_suspects *suspects, const char *name)
{
	uint32_t at = suspects_position(suspects, name);

	return at < suspects->count && !strcmp(suspects->items[at].name, name)
		       ? &suspects->items[at]
		       : NULL;
}

/* A fresh entry, in its place; NULL: there is no room. */
static struct lw_suspect *suspects_insert(struct lw_suspects *suspects, const char *name)
{
	uint32_t at = suspects_position(suspects, name);

	if (suspects->count >= LW_SUSPECTS_MAX ||
	    lw_grow((void **)&suspects->items, &suspects->room, suspects->count + 1,
		    sizeof(*suspects->items)))
		return NULL;
	memmove(suspects->items + at + 1, suspects->items + at,
		(suspects->count - at) * sizeof(*suspects->items));
	suspects->count++;
	suspects->items[at] = (struct lw_suspect){ 0 };
	snprintf(suspects->items[at].name, sizeof(suspects->items[at].name), "%s", name);
	return &suspects->items[at];
}

/* One more failure of NODE. Has it become suspect? */
static bool suspects_add(struct lw_suspect *node, uint32_t job_id, int64_t failed_s)
{
	bool was = lw_suspect_is(node);

	if (node->job && failed_s - node->at_s < LW_SUSPECT_APART_S)
		return false;
	if (node->job != job_id) {
		bool again = node->job && failed_s - node->at_s < LW_SUSPECT_DAY_S;

		node->job_before = again ? node->job : 0;
		node->before_s = again ? node->at_s : 0;
	}
	node->job = job_id;
	node->at_s = failed_s;
	return !was && lw_suspect_is(node);
}

const struct lw_suspect *lw_suspects_note(struct lw_suspects *suspects, const char *name,
					  uint32_t job_id, int64_t failed_s)
{
	struct lw_suspect *node;

	if (!name || !*name || strlen(name) >= LW_SUSPECT_NAME_MAX || !job_id)
		return NULL;
	node = suspects_find(suspects, name);
	if (!node)
		node = suspects_insert(suspects, name);
	if (!node)
		return NULL;
	suspects->dirty = true;
	return suspects_add(node, job_id, failed_s) ? node : NULL;
}

void lw_suspects_expire(struct lw_suspects *suspects, int64_t now_s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < suspects->count; i++)
		if (now_s - suspects->items[i].at_s < LW_SUSPECT_DAY_S)
			suspects->items[kept++] = suspects->items[i];
	suspects->dirty |= kept != suspects->count;
	suspects->count = kept;
}

void lw_suspects_clear(struct lw_suspects *suspects)
{
	suspects->dirty |= suspects->count != 0;
	suspects->count = 0;
}

bool lw_suspects_has(const struct lw_suspects *suspects, const char *name)
{
	const struct lw_suspect *node;

	if (!suspects || !suspects->count)
		return false;
	node = suspects_find(suspects, name);
	return node && lw_suspect_is(node);
}

uint32_t lw_suspects_count(const struct lw_suspects *suspects)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < suspects->count; i++)
		count += lw_suspect_is(&suspects->items[i]);
	return count;
}

/* ---- the file ---- */

static int suspects_take(void *arg, const struct lw_suspect *node)
{
	struct lw_suspects *suspects = arg;
	struct lw_suspect *entry = suspects_find(suspects, node->name)
					   ? NULL
					   : suspects_insert(suspects, node->name);

	if (!entry)
		return -EBADMSG;
	*entry = *node;
	return 0;
}

static int suspects_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_suspects *suspects = arg;
	struct lw_error why;
	int rc;

	(void)size;
	lw_error_set(&why, -EBADMSG, "a node is there twice, or there are too many");
	rc = lw_suspects_read(text, suspects_take, suspects, &why);
	if (!rc)
		return 0;
	suspects->count = 0;
	return lw_error_set(err, rc, "%s: %s", suspects->file.path, why.text);
}

int lw_suspects_create(const char *path, int64_t now_s, const struct lw_log *log,
		       struct lw_suspects **ret_suspects)
{
	struct lw_suspects *suspects = calloc(1, sizeof(*suspects));
	int rc;

	if (!suspects)
		return -ENOMEM;
	suspects->file = (struct lw_statefile){ .kind = LW_SUSPECTS_KIND,
						.version = LW_SUSPECTS_VERSION,
						.what = "nodes that failed start",
						.log = log };
	rc = lw_statefile_load(&suspects->file, path, now_s, suspects_parse, suspects);
	if (rc) {
		lw_suspects_destroy(suspects);
		return rc;
	}
	*ret_suspects = suspects;
	return 0;
}

void lw_suspects_destroy(struct lw_suspects *suspects)
{
	if (!suspects)
		return;
	lw_statefile_fini(&suspects->file);
	free(suspects->items);
	free(suspects);
}

int lw_suspects_save(struct lw_suspects *suspects, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	if (!suspects->dirty)
		return 0;
	for (uint32_t i = 0; i < suspects->count; i++)
		lw_suspect_print(&suspects->items[i], &text);
	rc = text.error
		     ? lw_error_set(err, text.error, "out of memory")
		     : lw_statefile_save(&suspects->file, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	if (!rc)
		suspects->dirty = false;
	return rc;
}
