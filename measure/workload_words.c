/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what version 2 of a workload says of a job behind the columns (lw-workload(5)). */
#include "measure/workload_words.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "planner/place/size.h"

/* One word at work. */
struct word {
	struct lw_workload *workload;
	struct lw_workload_job *job;
	uint32_t tasks;
	const char *key;
	char *value;
	struct lw_error *err;
};

static const char *const after_names[LW_AFTER_KINDS] = {
	[LW_AFTER_ANY] = "afterany",   [LW_AFTER_OK] = "afterok",
	[LW_AFTER_NOTOK] = "afternotok", [LW_AFTER_CORR] = "aftercorr",
	[LW_AFTER_SINGLETON] = "singleton",
};

const char *lw_workload_after_name(enum lw_after_kind kind)
{
	return kind < LW_AFTER_KINDS ? after_names[kind] : "?";
}

static int bad_value(const struct word *word, const char *text, const char *want)
{
	return lw_error_set(word->err, -EINVAL, "%s: \"%s\" is not %s", word->key, text, want);
}

static int take_number(const struct word *word, const char *text, int64_t least, int64_t most,
		       int64_t *ret_value)
{
	const char *at = text;
	char want[64];
	uint64_t value;

	if (lw_number_take(&at, (uint64_t)most, &value) && !*at && value >= (uint64_t)least) {
		*ret_value = (int64_t)value;
		return 0;
	}
	snprintf(want, sizeof(want), "a whole number of %" PRId64 " to %" PRId64, least, most);
	return bad_value(word, text, want);
}

static int take_id(struct word *word)
{
	int64_t id = 0;
	int rc = take_number(word, word->value, 1, UINT32_MAX, &id);

	if (rc)
		return rc;
	rc = lw_workload_add_id(word->workload, (uint32_t)id, word->workload->job_count,
				word->tasks);
	if (rc == -ENOMEM)
		return lw_error_set(word->err, rc, "out of memory");
	if (rc)
		return lw_error_set(word->err, rc, "id: %s is not above those before it",
				    word->value);
	word->job->id = (uint32_t)id;
	return 0;
}

static int add_after(struct word *word, enum lw_after_kind kind, uint32_t id)
{
	if (word->job->after_count == LW_WORKLOAD_AFTERS_MAX)
		return lw_error_set(word->err, -EINVAL, "after: more than %d jobs",
				    LW_WORKLOAD_AFTERS_MAX);
	if (lw_workload_add_after(word->workload, word->job, (struct lw_after){ kind, id }))
		return lw_error_set(word->err, -ENOMEM, "out of memory");
	return 0;
}

static int add_named(struct word *word, enum lw_after_kind kind, const char *text)
{
	const struct lw_workload_id *named;
	int64_t id = 0;
	int rc = take_number(word, text, 1, UINT32_MAX, &id);

	if (rc)
		return rc;
	named = lw_workload_find(word->workload, (uint32_t)id);
	if (!named || named->first == word->workload->job_count)
		return lw_error_set(word->err, -EINVAL, "after: no job above has id=%s", text);
	if (kind == LW_AFTER_CORR && named->tasks != word->tasks)
		return lw_error_set(word->err, -EINVAL,
				    "after: job %s has %" PRIu32 " tasks, this one %" PRIu32, text,
				    named->tasks, word->tasks);
	return add_after(word, kind, (uint32_t)id);
}

/* "afterok:7:9", or "singleton". */
static int take_clause(struct word *word, char *clause)
{
	char *rest = clause, *name = strsep(&rest, ":"), *id;
	enum lw_after_kind kind = LW_AFTER_ANY;
	int rc = 0;

	while (kind < LW_AFTER_KINDS && strcmp(name, after_names[kind]) != 0)
		kind++;
	if (kind == LW_AFTER_KINDS)
		return bad_value(word, name,
				 "afterany, afterok, afternotok, aftercorr or singleton");
	if (kind == LW_AFTER_SINGLETON && !rest)
		return add_after(word, kind, 0);
	if (kind == LW_AFTER_SINGLETON || !rest)
		return lw_error_set(word->err, -EINVAL, "after: %s names %s", name,
				    rest ? "no job" : "a job: give its id");
	while (!rc && (id = strsep(&rest, ":")))
		rc = add_named(word, kind, id);
	return rc;
}

static int take_after(struct word *word)
{
	char *rest = word->value, *clause;
	int rc = 0;

	while (!rc && (clause = strsep(&rest, ",")))
		rc = take_clause(word, clause);
	return rc;
}

static int take_think(struct word *word)
{
	return take_number(word, word->value, 0, LW_WORKLOAD_TIME_MAX_S, &word->job->think_s);
}

static int take_at_most(struct word *word)
{
	int64_t tasks = 0;
	int rc;

	if (word->tasks < 2)
		return lw_error_set(word->err, -EINVAL, "at_most: of what? there is no array");
	rc = take_number(word, word->value, 1, UINT32_MAX, &tasks);
	word->job->at_most = (uint32_t)tasks;
	return rc;
}

static int take_deadline(struct word *word)
{
	return take_number(word, word->value, 1, LW_WORKLOAD_TIME_MAX_S, &word->job->deadline_s);
}

static int take_weight(struct word *word)
{
	int64_t weight = 0;
	int rc = take_number(word, word->value, 1, LW_WORKLOAD_WEIGHT_MAX, &weight);

	word->job->weight = (uint32_t)weight;
	return rc;
}

/* "SAVE,RESTART" */
static int take_resumable(struct word *word)
{
	char *rest = word->value, *save = strsep(&rest, ",");
	int rc;

	if (!rest)
		return bad_value(word, save, "two numbers of seconds, as in 30,120");
	word->job->resumable = true;
	rc = take_number(word, save, 0, LW_WORKLOAD_TIME_MAX_S, &word->job->save_s);
	return rc ? rc
		  : take_number(word, rest, 0, LW_WORKLOAD_TIME_MAX_S, &word->job->restart_s);
}

static int take_recipe(struct word *word)
{
	const char *want = lw_workload_take_name(word->value, word->job->recipe);

	return want ? bad_value(word, word->value, want) : 0;
}

static int take_exit(struct word *word)
{
	int64_t code = 0;
	int rc = take_number(word, word->value, 0, 255, &code);

	word->job->exit_code = (uint8_t)code;
	return rc;
}

/* "LEAST,SHARED" */
static int take_sizes(struct word *word)
{
	char *rest = word->value, *text = strsep(&rest, ",");
	int64_t least = 0, shared = 0;
	int rc;

	if (!rest)
		return bad_value(word, text, "two numbers, as in 4,900");
	rc = take_number(word, text, 1, word->job->nodes, &least);
	if (!rc)
		rc = take_number(word, rest, 1, LW_SIZE_ALL, &shared);
	word->job->least_nodes = (uint32_t)least;
	word->job->shared = (uint32_t)shared;
	return rc;
}

static const struct {
	const char *key;
	int (*take)(struct word *word);
} takers[LW_WORKLOAD_WORDS_MAX] = {
	{ "id", take_id },		 { "after", take_after },   { "think_s", take_think },
	{ "deadline_s", take_deadline }, { "weight", take_weight }, { "resumable", take_resumable },
	{ "recipe", take_recipe },	 { "exit", take_exit },	    { "at_most", take_at_most },
	{ "sizes", take_sizes },
};

static int take_word(struct word *word, char *text, unsigned *seen)
{
	word->value = strchr(text, '=');
	if (!word->value)
		return lw_error_set(word->err, -EINVAL, "\"%s\" is not KEY=VALUE", text);
	*word->value++ = '\0';
	for (int i = 0; i < LW_WORKLOAD_WORDS_MAX; i++) {
		if (strcmp(text, takers[i].key) != 0)
			continue;
		if (*seen >> i & 1)
			return lw_error_set(word->err, -EINVAL, "%s stands there twice", text);
		*seen |= 1u << i;
		word->key = takers[i].key;
		return takers[i].take(word);
	}
	return lw_error_set(word->err, -EINVAL,
			    "there is no \"%s\"; there are id, after, think_s, deadline_s, weight, "
			    "resumable, recipe, exit, at_most and sizes",
			    text);
}

static bool waits_task_by_task(const struct lw_workload *workload,
			       const struct lw_workload_job *job)
{
	for (uint32_t i = 0; i < job->after_count; i++)
		if (workload->afters[job->first_after + i].kind == LW_AFTER_CORR)
			return true;
	return false;
}

int lw_workload_read_words(struct lw_workload *workload, struct lw_workload_job *job,
			   uint32_t tasks, char **words, uint32_t count, struct lw_error *err)
{
	struct word word = { workload, job, tasks, NULL, NULL, err };
	unsigned seen = 0;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < count; i++)
		rc = take_word(&word, words[i], &seen);
	/* those behind one that can never start would wait for ever */
	if (!rc && job->at_most && waits_task_by_task(workload, job))
		rc = lw_error_set(err, -EINVAL, "at_most: not with aftercorr");
	if (!rc && job->think_s && !job->after_count)
		rc = lw_error_set(err, -EINVAL, "think_s: after what? there is no after");
	return rc;
}

bool lw_workload_has_words(const struct lw_workload_job *job)
{
	return job->id || job->after_count || job->think_s || job->deadline_s || job->weight ||
	       job->resumable || job->recipe[0] || job->exit_code || job->at_most ||
	       job->shared;
}

static void write_afters(const struct lw_workload *workload, const struct lw_workload_job *job,
			 FILE *out)
{
	const struct lw_after *last = NULL;

	for (uint32_t i = 0; i < job->after_count; i++) {
		const struct lw_after *after = &workload->afters[job->first_after + i];

		if (!last || after->kind != last->kind)
			fprintf(out, "%s%s", last ? "," : "\tafter=", after_names[after->kind]);
		if (after->kind != LW_AFTER_SINGLETON)
			fprintf(out, ":%" PRIu32, after->job);
		last = after;
	}
}

void lw_workload_write_words(const struct lw_workload *workload,
			     const struct lw_workload_job *job, FILE *out)
{
	if (job->id)
		fprintf(out, "\tid=%" PRIu32, job->id);
	write_afters(workload, job, out);
	if (job->think_s)
		fprintf(out, "\tthink_s=%" PRId64, job->think_s);
	if (job->deadline_s)
		fprintf(out, "\tdeadline_s=%" PRId64, job->deadline_s);
	if (job->weight)
		fprintf(out, "\tweight=%" PRIu32, job->weight);
	if (job->resumable)
		fprintf(out, "\tresumable=%" PRId64 ",%" PRId64, job->save_s, job->restart_s);
	if (job->recipe[0])
		fprintf(out, "\trecipe=%s", job->recipe);
	if (job->exit_code)
		fprintf(out, "\texit=%u", job->exit_code);
	if (job->at_most)
		fprintf(out, "\tat_most=%" PRIu32, job->at_most);
	if (job->shared)
		fprintf(out, "\tsizes=%" PRIu32 ",%" PRIu32, job->least_nodes, job->shared);
}
