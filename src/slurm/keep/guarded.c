/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: planned starts and nodes of jobs with accepted deadlines, kept across restarts. */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/keep/guarded.h"

#include "base/grow.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FILE_KIND    "guarded"
#define FILE_VERSION 1
/* No time is beyond. */
#define GUARDED_TIME_MAX_S INT64_C(1000000000000)
/* A line: its word, a name, amounts, and two words for each type of GPU. */
#define WORDS_MAX (2 + 3 + LW_CAPS_MAX + 2 * LW_GPU_TYPES_MAX)

/* A job of the text. */
struct record {
	const char *at; /* behind its line */
	int64_t start_s;
};

struct lw_guarded {
	struct lw_statefile file;
	char *text;    /* the payload to go by; NULL: none, or a plan was made since */
	struct record *records;
	uint32_t record_count, record_room;
	struct lw_lookup index; /* of records, by job and variant */
	char *written; /* the payload that the file has; NULL: there is no file */
	struct lw_alloc *allocs; /* lent */
	uint32_t room;
};

/* One line, cut into words. */
struct line {
	char text[1024];
	char *words[WORDS_MAX];
	uint32_t count;
};

/* The line at *AT, and go on behind it; false: there is none, or it is too long. */
static bool guarded_next_line(const char **at, struct line *line)
{
	size_t length = strcspn(*at, "\n");
	char *rest = line->text, *word;

	line->count = 0;
	if (!**at || length >= sizeof(line->text))
		return false;
	memcpy(line->text, *at, length);
	line->text[length] = '\0';
	*at += length + ((*at)[length] == '\n');
	while ((word = strsep(&rest, " ")) && line->count < WORDS_MAX)
		line->words[line->count++] = word;
	return !word;
}

static bool guarded_is_job(const struct line *line)
{
	return line->count == 4 && strcmp(line->words[0], "job") == 0;
}

static bool guarded_read_amount(const char *word, uint64_t most, uint64_t *ret_amount)
{
	return lw_number_read(word, most, ret_amount);
}

/* "job ID VARIANT START" */
static bool guarded_read_job(const struct line *line, uint32_t *ret_id, uint32_t *ret_variant,
			     int64_t *ret_start_s)
{
	uint64_t id = 0, variant = 0, start_s = 0;

	if (!guarded_is_job(line) || !guarded_read_amount(line->words[1], UINT32_MAX, &id) ||
	    !id || !guarded_read_amount(line->words[2], UINT32_MAX, &variant) ||
	    !guarded_read_amount(line->words[3], GUARDED_TIME_MAX_S, &start_s))
		return false;
	*ret_id = (uint32_t)id;
	*ret_variant = (uint32_t)variant;
	*ret_start_s = (int64_t)start_s;
	return true;
}

/* The type of SNAP called NAME; without SNAP any will do. */
static int guarded_type_of(const struct lw_snapshot *snap, const char *name)
{
	if (!snap)
		return 0;
	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		if (snap->gpu_types[type] && strcmp(snap->gpu_types[type], name) == 0)
			return (int)type;
	return -ENOENT;
}

/* Looked for from FROM on: a job's nodes are in order. */
static int guarded_node_of(const struct lw_snapshot *snap, const char *name, uint32_t from)
{
	for (uint32_t i = 0; snap && i < snap->node_count; i++) {
		uint32_t node = (from + i) % snap->node_count;

		if (snap->nodes[node].name && strcmp(snap->nodes[node].name, name) == 0)
			return (int)node;
	}
	return snap ? -ENOENT : 0;
}

/*
 * "on NODE CPUS MEM PARTS CAPPED... [TYPE COUNT]...". -ENOENT: SNAP has no such node or type;
 * -EBADMSG. Without SNAP it is only asked whether the line is one.
 */
static int guarded_read_alloc(const struct line *line, const struct lw_snapshot *snap,
			      uint32_t from, struct lw_alloc *ret_alloc)
{
	uint64_t amounts[3 + LW_CAPS_MAX], count;
	uint32_t at = 2 + 3 + LW_CAPS_MAX;
	struct lw_alloc alloc = { 0 };
	int node, type;

	if (line->count < at || (line->count - at) % 2 || strcmp(line->words[0], "on") != 0)
		return -EBADMSG;
	for (uint32_t i = 0; i < 3 + LW_CAPS_MAX; i++)
		if (!guarded_read_amount(line->words[2 + i], i < 3 ? UINT32_MAX : UINT16_MAX,
					 &amounts[i]))
			return -EBADMSG;
	node = guarded_node_of(snap, line->words[1], from);
	alloc.node = node < 0 ? 0 : (uint32_t)node;
	alloc.res.cpus = (uint32_t)amounts[0];
	alloc.res.mem_mib = (uint32_t)amounts[1];
	alloc.res.parts = (uint32_t)amounts[2];
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		alloc.res.capped[cap] = (uint16_t)amounts[3 + cap];
	for (; at < line->count; at += 2) {
		type = guarded_type_of(snap, line->words[at]);
		if (!guarded_read_amount(line->words[at + 1], UINT16_MAX, &count))
			return -EBADMSG;
		if (type < 0)
			node = type;
		else
			alloc.res.gpus[type] = (uint16_t)count;
	}
	*ret_alloc = alloc;
	return node < 0 ? -ENOENT : 0;
}

static void guarded_forget_text(struct lw_guarded *guarded)
{
	free(guarded->text);
	free(guarded->records);
	lw_lookup_fini(&guarded->index);
	guarded->text = NULL;
	guarded->records = NULL;
	guarded->record_count = guarded->record_room = 0;
}

/* Each job that waits is looked up. Of a record that stands twice the first counts. */
static int guarded_index_records(struct lw_guarded *guarded)
{
	const char *at = guarded->text;
	uint32_t id, variant, ignored;
	struct record record;
	struct line line;

	while (guarded_next_line(&at, &line)) {
		if (!guarded_read_job(&line, &id, &variant, &record.start_s) ||
		    lw_lookup_get(&guarded->index, lw_planned_key(id, variant), &ignored))
			continue;
		record.at = at;
		if (lw_grow((void **)&guarded->records, &guarded->record_room,
			    guarded->record_count + 1, sizeof(record)) ||
		    lw_lookup_put(&guarded->index, lw_planned_key(id, variant),
				  guarded->record_count))
			return -ENOMEM;
		guarded->records[guarded->record_count++] = record;
	}
	return 0;
}

static int guarded_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_guarded *guarded = arg;
	const char *at = text;
	struct lw_alloc alloc;
	bool has_job = false;
	struct line line;
	uint32_t id, variant;
	int64_t start_s;

	(void)size;
	while (guarded_next_line(&at, &line)) {
		if (guarded_is_job(&line))
			has_job = guarded_read_job(&line, &id, &variant, &start_s);
		else if (has_job)
			has_job = !guarded_read_alloc(&line, NULL, 0, &alloc);
		if (!has_job)
			break;
	}
	if (*at || (line.count && !has_job))
		return lw_error_set(err, -EBADMSG, "%s: a line is wrong", guarded->file.path);
	guarded->text = strdup(text);
	guarded->written = strdup(text);
	return guarded->text && guarded->written ? guarded_index_records(guarded) : -ENOMEM;
}

int lw_guarded_create(const char *path, int64_t now_s, const struct lw_log *log,
		      struct lw_guarded **ret_guarded)
{
	struct lw_guarded *guarded = calloc(1, sizeof(*guarded));
	int rc;

	if (!guarded)
		return -ENOMEM;
	guarded->file = (struct lw_statefile){ .kind = FILE_KIND,
					       .version = FILE_VERSION,
					       .what = "nodes kept for deadlines start",
					       .log = log };
	rc = lw_statefile_load(&guarded->file, path, now_s, guarded_parse, guarded);
	if (rc) {
		lw_guarded_destroy(guarded);
		return rc;
	}
	*ret_guarded = guarded;
	return 0;
}

void lw_guarded_destroy(struct lw_guarded *guarded)
{
	if (!guarded)
		return;
	lw_statefile_fini(&guarded->file);
	guarded_forget_text(guarded);
	free(guarded->written);
	free(guarded->allocs);
	free(guarded);
}

static const struct record *guarded_find_record(const struct lw_guarded *guarded, uint32_t job_id,
						uint32_t variant)
{
	uint32_t at;

	if (!lw_lookup_get(&guarded->index, lw_planned_key(job_id, variant), &at))
		return NULL;
	return &guarded->records[at];
}

int64_t lw_guarded_start(const struct lw_guarded *guarded, uint32_t job_id, uint32_t variant)
{
	const struct record *record = guarded_find_record(guarded, job_id, variant);

	return record ? record->start_s : 0;
}

int lw_guarded_find(struct lw_guarded *guarded, const struct lw_snapshot *snap, uint32_t job_id,
		    uint32_t variant, const struct lw_alloc **ret_allocs, uint32_t *ret_count)
{
	const struct record *record = guarded_find_record(guarded, job_id, variant);
	const char *at = record ? record->at : NULL;
	uint32_t count = 0, from = 0;
	struct line line;
	int rc = 0;

	while (at && guarded_next_line(&at, &line) && !guarded_is_job(&line) && !rc) {
		if (lw_grow((void **)&guarded->allocs, &guarded->room, count + 1,
			    sizeof(*guarded->allocs)))
			return -ENOMEM;
		rc = guarded_read_alloc(&line, snap, from, &guarded->allocs[count]);
		from = rc ? from : guarded->allocs[count].node + 1;
		count++;
	}
	if (!at || rc || !count)
		return -ENOENT;
	*ret_allocs = guarded->allocs;
	*ret_count = count;
	return 0;
}

static void guarded_print_alloc(struct lw_strbuf *text, const struct lw_snapshot *snap,
				const struct lw_alloc *alloc)
{
	const struct lw_res *res = &alloc->res;

	lw_strbuf_add(text, "on %s %" PRIu32 " %" PRIu32 " %" PRIu32,
		      snap->nodes[alloc->node].name, res->cpus, res->mem_mib, res->parts);
	for (int cap = 0; cap < LW_CAPS_MAX; cap++)
		lw_strbuf_add(text, " %u", res->capped[cap]);
	for (uint32_t type = 0; type < snap->gpu_type_count; type++)
		if (res->gpus[type])
			lw_strbuf_add(text, " %s %u", snap->gpu_types[type], res->gpus[type]);
	lw_strbuf_add(text, "\n");
}

static void guarded_print_kept(struct lw_strbuf *text, const struct lw_planned *planned,
			       const struct lw_snapshot *snap)
{
	const struct lw_kept *kept = &planned->kept;

	for (uint32_t i = 0; i < kept->job_count; i++) {
		const struct lw_kept_job *job = &kept->jobs[i];
		const struct lw_alloc *allocs = lw_kept_allocs(kept, job);

		lw_strbuf_add(text, "job %" PRIu32 " %" PRIu32 " %" PRId64 "\n", job->job_id,
			      job->variant, lw_planned_find(planned, job->job_id, job->variant));
		for (uint32_t k = 0; k < job->alloc_count; k++)
			guarded_print_alloc(text, snap, &allocs[k]);
	}
}

/* Without memory nothing is kept. */
void lw_guarded_renumber(struct lw_guarded *guarded)
{
	guarded_forget_text(guarded);
	guarded->text = guarded->written ? strdup(guarded->written) : NULL;
	if (guarded->text && guarded_index_records(guarded))
		guarded_forget_text(guarded);
}

int lw_guarded_save(struct lw_guarded *guarded, const struct lw_planned *planned,
		    const struct lw_snapshot *snap, struct lw_error *err)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char *written;
	int rc = 0;

	guarded_forget_text(guarded);
	guarded_print_kept(&text, planned, snap);
	written = strdup(lw_strbuf_text(&text));
	if (text.error || !written)
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	/* no file is as good as an empty one */
	else if (strcmp(guarded->written ? guarded->written : "", written) != 0)
		rc = lw_statefile_save(&guarded->file, lw_strbuf_text(&text), text.len, err);
	lw_strbuf_fini(&text);
	if (rc) {
		free(written);
		return rc;
	}
	free(guarded->written);
	guarded->written = written;
	return 0;
}
