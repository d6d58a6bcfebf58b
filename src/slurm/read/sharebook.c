/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what ended jobs with one GPU used of it, kept for job_submit/leeway (share.record). */

/* Includes nothing of Slurm, so that it is unit-tested. */

#include "slurm/read/sharebook.h"

#include "base/grow.h"
#include "base/sharemark.h"
#include "base/words.h"
#include "record/summary.h"
#include "share/request.h"
#include "slurm/keep/statefile.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct share_note {
	struct lw_share_key key;
	struct lw_share_run run;
	uint32_t job_id;
};

struct lw_sharebook {
	char *where, *gpu_type;
	struct lw_statefile file;
	const struct lw_log *log;
	struct lw_share_known known;
	struct share_note *notes;
	uint32_t count, room;
	bool dirty;
};

/* Of open_book, and of what is known in any book once it may be the open one. */
static pthread_mutex_t open_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct lw_sharebook *open_book;

static int sharebook_parse(void *arg, char *text, size_t size, struct lw_error *err)
{
	struct lw_sharebook *book = arg;
	int rc = lw_share_known_parse(text, size, &book->known, err);

	return rc ? lw_error_prefix(err, rc, "%s: ", book->file.path) : 0;
}

static char *sharebook_copy_of(const char *text)
{
	return strdup(text ? text : "");
}

int lw_sharebook_create(const struct lw_sharebook_terms *terms, int64_t now_s,
			const struct lw_log *log, struct lw_sharebook **ret_book)
{
	struct lw_sharebook *book = calloc(1, sizeof(*book));
	int rc = -ENOMEM;

	if (!book)
		return -ENOMEM;
	book->log = log;
	book->where = sharebook_copy_of(terms->where);
	book->gpu_type = sharebook_copy_of(terms->gpu_type);
	if (book->where && book->gpu_type) {
		book->file = (struct lw_statefile){ .kind = LW_SHARE_FILE_KIND,
						    .version = LW_SHARE_FILE_VERSION,
						    .what = "what jobs use of GPUs starts",
						    .log = log };
		rc = lw_statefile_load(&book->file, terms->path ? terms->path : "", now_s,
				       sharebook_parse, book);
	}
	if (rc) {
		lw_sharebook_destroy(book);
		return rc;
	}
	*ret_book = book;
	return 0;
}

void lw_sharebook_destroy(struct lw_sharebook *book)
{
	if (!book)
		return;
	pthread_mutex_lock(&open_mutex);
	if (open_book == book)
		open_book = NULL;
	pthread_mutex_unlock(&open_mutex);
	lw_share_known_fini(&book->known);
	free(book->notes);
	lw_statefile_fini(&book->file);
	free(book->where);
	free(book->gpu_type);
	free(book);
}

static bool sharebook_same(const char *own, const char *text)
{
	return strcmp(own, text ? text : "") == 0;
}

bool lw_sharebook_is(const struct lw_sharebook *book, const struct lw_sharebook_terms *terms)
{
	return sharebook_same(book->file.path, terms->path) &&
	       sharebook_same(book->where, terms->where) &&
	       sharebook_same(book->gpu_type, terms->gpu_type);
}

void lw_sharebook_begin(struct lw_sharebook *book)
{
	book->count = 0;
}

/* Its partition is one where GPUs are shared. */
static bool sharebook_is_here(const struct lw_sharebook *book, const char *partition)
{
	char word[256];

	return partition &&
	       snprintf(word, sizeof(word), "partition:%s", partition) < (int)sizeof(word) &&
	       lw_words_has(book->where, word);
}

static int sharebook_keep_note(struct lw_sharebook *book, const struct share_note *note)
{
	if (lw_grow((void **)&book->notes, &book->room, book->count + 1, sizeof(*book->notes)))
		return -ENOMEM;
	book->notes[book->count++] = *note;
	return 0;
}

/* A run of it had to leave a GPU that it shared: it had grown beyond what was known. */
static bool sharebook_had_to_leave(const struct lw_finished *job)
{
	struct lw_sharemark mark;

	return !lw_sharemark_read(job->admin_comment, &mark) && mark.left[0];
}

int lw_sharebook_note(struct lw_sharebook *book, const struct lw_finished *job,
		      const struct lw_history_job *lesson)
{
	const struct lw_gpu_use *use = &lesson->gpu;
	struct lw_summary_word word;
	struct share_note note;
	int rc;

	if (!sharebook_is_here(book, job->partition) || !(use->has_util || use->has_sm) ||
	    lw_summary_decode(job->admin_comment, &word) || word.gpus != 1)
		return 0;
	note = (struct share_note){
		.key = lw_share_key(job->user_id, lesson->tag, job->name, book->gpu_type),
		.run = { .use = { .has_util = use->has_util,
				  .has_sm = use->has_sm,
				  .has_mem = use->has_mem,
				  .util = 10 * use->util_percent,
				  .sm = 10 * use->sm_percent,
				  .mem_mib = use->mem_mib },
			 .has_membw = use->has_membw,
			 .membw = 10 * use->membw_percent,
			 .end_s = lesson->end_s },
		.job_id = job->job_id,
	};
	rc = sharebook_keep_note(book, &note);
	/* the run that was ended is one more, or the quantile would leave out this one's peak */
	if (!rc && sharebook_had_to_leave(job))
		rc = sharebook_keep_note(book, &note);
	return rc;
}

static int sharebook_by_end(const void *left, const void *right)
{
	const struct share_note *a = left, *b = right;

	if (a->run.end_s != b->run.end_s)
		return a->run.end_s < b->run.end_s ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

void lw_sharebook_open(struct lw_sharebook *book)
{
	pthread_mutex_lock(&open_mutex);
	open_book = book;
	pthread_mutex_unlock(&open_mutex);
}

bool lw_sharebook_ask(const struct lw_share_key *key, int64_t since_s,
		      struct lw_share_record *ret_record)
{
	bool found;

	pthread_mutex_lock(&open_mutex);
	found = open_book && lw_share_known_find(&open_book->known, key, since_s, ret_record);
	pthread_mutex_unlock(&open_mutex);
	return found;
}

/* False: there is no memory for it. */
static bool sharebook_learn_run(struct lw_sharebook *book, const struct share_note *note)
{
	int rc;

	pthread_mutex_lock(&open_mutex);
	rc = lw_share_known_add(&book->known, &note->key, &note->run);
	pthread_mutex_unlock(&open_mutex);
	return !rc;
}

void lw_sharebook_teach(struct lw_sharebook *book)
{
	uint32_t lost = 0;

	if (book->count)
		qsort(book->notes, book->count, sizeof(*book->notes), sharebook_by_end);
	for (uint32_t i = 0; i < book->count; i++)
		lost += !sharebook_learn_run(book, &book->notes[i]);
	if (lost)
		lw_log_error(book->log, "out of memory: what %u jobs used of GPUs is not kept",
			     lost);
	book->dirty = book->dirty || book->count;
	book->count = 0;
}

int lw_sharebook_save(struct lw_sharebook *book, struct lw_error *err)
{
	struct lw_strbuf out = LW_STRBUF_INIT;
	int rc;

	if (!book->dirty)
		return 0;
	rc = lw_share_known_print(&book->known, &out);
	if (rc)
		lw_error_set(err, rc, "out of memory");
	else
		rc = lw_statefile_save(&book->file, lw_strbuf_text(&out), out.len, err);
	lw_strbuf_fini(&out);
	book->dirty = rc != 0;
	return rc;
}
