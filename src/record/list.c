/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: all records of a job, or of every job, from one or more directories. */
#include "record/list.h"

#include "record/files.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files of one directory, and how far we are. */
struct source {
	const char *dir;
	struct lw_files files;
	uint32_t next;
};

static int list_by_node(const void *a, const void *b)
{
	return strcmp((*(struct lw_record *const *)a)->head.node,
		      (*(struct lw_record *const *)b)->head.node);
}

/* Add RECORD to the list, merged when its node is there already. */
static void list_place(struct lw_record **records, uint32_t *count, struct lw_record *record)
{
	for (uint32_t i = 0; i < *count; i++)
		if (!strcmp(records[i]->head.node, record->head.node)) {
			lw_record_merge(records[i], record);
			lw_record_destroy(record);
			return;
		}
	records[(*count)++] = record;
}

static uint32_t list_job_of(const struct source *source, uint32_t file)
{
	return lw_files_job(source->files.name[file]);
}

/* Whether file number FILE grows; one that we may not look at is noted in LIST. */
static bool list_is_growing(const struct source *source, uint32_t file,
			    struct lw_record_list *list)
{
	const char *name = source->files.name[file];
	char path[PATH_MAX];
	int rc;

	if (!lw_files_ends_in(name, ".part") || lw_files_path(path, source->dir, "%s", name))
		return false;
	rc = lw_files_is_locked(path);
	list->forbidden += rc == -EACCES;
	return rc > 0;
}

/* How many files from the next one on are of JOB_ID; LIST is told whether one of them grows. */
static uint32_t list_count_files(const struct source *source, uint32_t job_id,
				 struct lw_record_list *list)
{
	uint32_t end = source->next;

	for (; end < source->files.count && list_job_of(source, end) == job_id; end++)
		list->live = list->live || list_is_growing(source, end, list);
	return end - source->next;
}

static bool list_next_job(const struct source *sources, uint32_t count, uint32_t *ret_job)
{
	uint32_t job = UINT32_MAX;
	bool found = false;

	for (uint32_t i = 0; i < count; i++)
		if (sources[i].next < sources[i].files.count) {
			uint32_t theirs = list_job_of(&sources[i], sources[i].next);

			job = theirs < job ? theirs : job;
			found = true;
		}
	*ret_job = job;
	return found;
}

/* Of a job that was requeued what its last run left counts, and on what nodes. */
static void list_keep_last_run(struct lw_record_list *list)
{
	int64_t run_s = 0;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < list->count; i++)
		if (list->records[i]->head.run_s > run_s)
			run_s = list->records[i]->head.run_s;
	for (uint32_t i = 0; i < list->count; i++) {
		if (lw_record_is_before(list->records[i], run_s))
			lw_record_destroy(list->records[i]);
		else
			list->records[kept++] = list->records[i];
	}
	list->count = kept;
}

/* Behind what else could not be read, as far as there is room. ERR may be NULL. */
static void list_add_why(struct lw_error *err, const struct lw_error *why)
{
	if (err && err->text[0])
		lw_error_prefix(err, 0, "%s; ", why->text);
	else if (err)
		*err = *why;
}

/* Files that cannot be read: how many, why the first cannot, and why each, as far as it fits. */
struct unread {
	uint32_t count;
	struct lw_error first, each;
};

static void list_add_unread(struct unread *unread, const struct lw_error *why)
{
	if (!unread->count++)
		unread->first = *why;
	list_add_why(&unread->each, why);
}

/* Of one job all are named. */
static void list_tell_unread(struct lw_error *err, const struct unread *unread, bool of_one)
{
	struct lw_error why = unread->first;

	if (unread->count > 1)
		lw_error_prefix(&why, 0, "%" PRIu32 " records, the first is ", unread->count);
	if (unread->count)
		list_add_why(err, of_one ? &unread->each : &why);
}

/*
 * The record that a file called NAME has gone into since the list was made. That it may be listed
 * as well does no harm. -ENOENT: it was removed.
 */
static int list_load_settled(const char *dir, const char *name, struct lw_record **ret_record,
			     struct lw_error *err)
{
	char bare[NAME_MAX + 1], final[NAME_MAX + 64];
	char *node;

	snprintf(bare, sizeof(bare), "%s", name);
	node = strchr(bare, '.');
	*strrchr(bare, '.') = '\0';
	if (lw_files_ends_in(name, ".part") && strchr(node, '.'))
		*strrchr(bare, '.') = '\0';
	snprintf(final, sizeof(final), LW_FILES_JOBS "/%" PRIu32 "/%s.gpu", lw_files_job(name),
		 bare);
	return lw_files_load(dir, final, false, ret_record, err);
}

static void list_take_file(const struct source *source, struct lw_record_list *list,
			   struct unread *unread)
{
	const char *name = source->files.name[source->next];
	struct lw_record *one = NULL;
	struct lw_error why;
	int rc = lw_files_load(source->dir, name, false, &one, &why);

	if (rc == -ENOENT && !lw_files_is_final(name))
		rc = list_load_settled(source->dir, name, &one, &why);
	if (!rc) {
		list_place(list->records, &list->count, one);
	} else if (rc == -EACCES) {
		list->forbidden++;
	} else if (rc != -ENOENT) {
		list->unread++;
		list_add_unread(unread, &why);
	}
}

/*
 * A file of a job that is passed by: one that is none must not look like a job that is idle, or
 * has ended. Another user's does no harm, and one that is gone was merged meanwhile.
 */
static void list_check_file(const struct source *source, struct unread *unread)
{
	struct lw_error why;
	int rc = lw_files_check(source->dir, source->files.name[source->next], &why);

	if (rc && rc != -EACCES && rc != -ENOENT)
		list_add_unread(unread, &why);
}

/* Step over JOB_ID's files, and load them when LIST has room for records. */
static void list_take_job(struct source *sources, uint32_t count, uint32_t job_id,
			  struct lw_record_list *list, struct unread *unread)
{
	for (uint32_t i = 0; i < count; i++)
		for (struct source *s = &sources[i];
		     s->next < s->files.count && list_job_of(s, s->next) == job_id; s->next++) {
			if (list->records)
				list_take_file(s, list, unread);
			else
				list_check_file(s, unread);
		}
	list_keep_last_run(list);
	if (list->count)
		qsort(list->records, list->count, sizeof(*list->records), list_by_node);
}

/* Room for the records of so many files. */
static int list_make_room(struct lw_record_list *list, uint32_t files, struct lw_error *err)
{
	list->records = calloc(files + 1, sizeof(*list->records));
	return list->records ? 0 : lw_error_set(err, -ENOMEM, "out of memory");
}

void lw_record_list_fini(struct lw_record_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		lw_record_destroy(list->records[i]);
	free(list->records);
	*list = (struct lw_record_list){ .count = 0 };
}

/* A user other than root sees only the user's own jobs, and is told of the others. */
static void list_add_forbidden(struct lw_error *err, uint32_t jobs)
{
	struct lw_error why;

	if (!jobs)
		return;
	lw_error_set(&why, -EACCES,
		     "%" PRIu32
		     " job%s of other users: records are read by their users, by root, "
		     "and by the group that leeway-spank(8) was given",
		     jobs, jobs == 1 ? "" : "s");
	list_add_why(err, &why);
}

/* What a visit knows. */
struct visiting {
	const struct lw_record_search *search;
	struct source *sources, *folders; /* FOLDERS: of one job that lives */
	struct unread unread;
	uint32_t forbidden;
};

/* What JOB_ID's earlier steps left, when its parts alone were listed. */
static int list_open_folders(struct visiting *visiting, uint32_t job_id, uint32_t *files)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < visiting->search->dir_count; i++) {
		struct source *folder = &visiting->folders[i];

		*folder = (struct source){ .dir = visiting->search->dirs[i] };
		rc = lw_files_list_folder(folder->dir, job_id, &folder->files);
		*files += folder->files.count;
	}
	return rc;
}

static void list_close_folders(struct visiting *visiting)
{
	for (uint32_t i = 0; i < visiting->search->dir_count; i++) {
		lw_files_fini(&visiting->folders[i].files);
		visiting->folders[i] = (struct source){ .dir = NULL };
	}
}

static int list_visit_job(struct visiting *visiting, uint32_t job_id, lw_record_visit_f visit,
			  void *arg, struct lw_error *err)
{
	const uint32_t count = visiting->search->dir_count;
	struct lw_record_list list = { .count = 0 };
	uint32_t files = 0;
	int rc = 0;

	for (uint32_t i = 0; i < count; i++)
		files += list_count_files(&visiting->sources[i], job_id, &list);
	if (list.live && visiting->search->live_only)
		rc = list_open_folders(visiting, job_id, &files);
	if (rc)
		lw_error_set(err, rc, "job %" PRIu32 ": %s", job_id, strerror(-rc));
	if (!rc && (list.live || !visiting->search->live_only))
		rc = list_make_room(&list, files, err);
	if (!rc) {
		list_take_job(visiting->sources, count, job_id, &list, &visiting->unread);
		list_take_job(visiting->folders, count, job_id, &list, &visiting->unread);
	}
	list_close_folders(visiting);
	visiting->forbidden += list.forbidden > 0;
	if (!rc && list.count + list.unread + list.forbidden)
		rc = visit(arg, job_id, &list);
	lw_record_list_fini(&list);
	return rc;
}

static int list_visit_jobs(struct visiting *visiting, lw_record_visit_f visit, void *arg,
			   struct lw_error *err)
{
	uint32_t job_id = 0;
	int rc = 0;

	while (!rc && list_next_job(visiting->sources, visiting->search->dir_count, &job_id))
		rc = list_visit_job(visiting, job_id, visit, arg, err);
	/* not over why VISIT has failed */
	if (!rc) {
		list_tell_unread(err, &visiting->unread, visiting->search->job_id);
		list_add_forbidden(err, visiting->forbidden);
	}
	return rc;
}

/* A directory that cannot be read is as a file that cannot be; all of them are a failure. */
static int list_dirs(struct source *sources, const struct lw_record_search *search,
		     struct lw_error *err)
{
	const struct lw_files_wanted wanted = { .job_id = search->job_id,
						.kind = search->live_only ? LW_FILES_PARTS
									  : LW_FILES_ALL };
	const uint32_t count = search->dir_count;
	uint32_t unread = 0;
	int rc = 0;

	for (uint32_t i = 0; rc != -ENOMEM && i < count; i++) {
		struct lw_error why;
		int bad = lw_files_list(search->dirs[i], &wanted, &sources[i].files);

		sources[i].dir = search->dirs[i];
		if (!bad)
			continue;
		lw_error_set(&why, bad, "%s: %s", search->dirs[i], strerror(-bad));
		list_add_why(err, &why);
		rc = rc ? rc : bad;
		unread++;
	}
	return unread == count || rc == -ENOMEM ? rc : 0;
}

int lw_record_visit(const struct lw_record_search *search, lw_record_visit_f visit, void *arg,
		    struct lw_error *err)
{
	const uint32_t count = search->dir_count;
	struct source *sources = calloc(2 * (size_t)count + 1, sizeof(*sources));
	struct visiting visiting = { .search = search, .sources = sources };
	int rc = sources ? list_dirs(sources, search, err)
			 : lw_error_set(err, -ENOMEM, "out of memory");

	if (!rc) {
		visiting.folders = sources + count;
		rc = list_visit_jobs(&visiting, visit, arg, err);
	}
	for (uint32_t i = 0; sources && i < count; i++)
		lw_files_fini(&sources[i].files);
	free(sources);
	return rc;
}

static int list_keep(void *arg, uint32_t job_id, struct lw_record_list *list)
{
	(void)job_id;
	*(struct lw_record_list *)arg = *list;
	*list = (struct lw_record_list){ .count = 0 };
	return 0;
}

int lw_record_list_read(const char *const *dirs, uint32_t dir_count, uint32_t job_id,
			struct lw_record_list *ret_list, struct lw_error *err)
{
	const struct lw_record_search search = { dirs, dir_count, job_id, false };
	struct lw_record_list list = { .count = 0 };
	struct lw_error why = { "" };
	int rc = lw_record_visit(&search, list_keep, &list, &why);

	if (!rc && !list.count && list.forbidden) {
		lw_record_list_fini(&list);
		return lw_error_set(err, -EACCES,
				    "job %" PRIu32
				    " is another user's: its record is read by that "
				    "user, by root, and by the group that leeway-spank(8) was "
				    "given",
				    job_id);
	}
	if (!rc && !list.count)
		rc = -ENOENT;
	if (!rc) {
		if (err)
			*err = why;
		*ret_list = list;
		return 0;
	}
	lw_record_list_fini(&list);
	return lw_error_set(err, rc,
			    why.text[0] ? "no record of job %" PRIu32 ": %s"
					: "no record of job %" PRIu32 "%s",
			    job_id, why.text);
}
