/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of job_submit_leeway.so as slurmctld calls it: by many threads at a time. */
#include "slurm/compat/public.h"
#include "slurm/read/sharebook.h"
#include "tagger/tag.h"
#include "unit/scratch.h"
#include "unit/submit_stub.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* ---- users, all of which may share, and an agent that learns what their jobs use ---- */

enum { USERS = 8, FIRST_USER = 1000, SUBMISSIONS = 400, ROUNDS_LEAST = 20 };
#define GPU_USE "leeway:gpu=n:1,util:20/30,mem:900/1000M,idle:0,sm:5,membw:10"

static const struct lw_sharebook_terms terms = { NULL, "partition:small", "a100" };
static char record_path[192];
static atomic_bool over;
static atomic_uint rounds;

static void setup(void)
{
	scratch_setup();
	stub_submit_begin(scratch_dir);
	snprintf(record_path, sizeof(record_path), "%s", scratch_path("share"));
	scratch_write("leeway.yaml", "share:\n"
				     "  mode: mps\n"
				     "  where: partition:small\n"
				     "  gpu_type: a100\n"
				     "  memory_mib: 40960\n"
				     "  record: /nowhere/share\n");
	ck_assert_int_eq(init(), 0);
	over = false;
	rounds = 0;
}

static void teardown(void)
{
	fini();
	scratch_teardown();
}

static struct lw_sharebook *open_anew(void)
{
	struct lw_sharebook_terms own = terms;
	struct lw_sharebook *book;

	own.path = record_path;
	ck_assert_int_eq(lw_sharebook_create(&own, time(NULL), NULL, &book), 0);
	return book;
}

/* Five runs of each user's job, and of one more, which is another each time. */
static void teach(struct lw_sharebook *book, unsigned round)
{
	char other[32];
	const struct lw_history_job lesson = {
		.tag = LW_TAG_NONE,
		.end_s = time(NULL),
		.gpu = { .has_util = true, .has_mem = true, .has_sm = true, .mem_mib = 1000 },
	};

	snprintf(other, sizeof(other), "other%u", round);
	lw_sharebook_begin(book);
	for (uint32_t i = 0; i < 5 * (USERS + 1); i++) {
		const struct lw_finished job = {
			.job_id = i + 1,
			.user_id = FIRST_USER + i % (USERS + 1),
			.name = i % (USERS + 1) == USERS ? other : "solve",
			.partition = "small",
			.admin_comment = GPU_USE,
		};

		ck_assert_int_eq(lw_sharebook_note(book, &job, &lesson), 0);
	}
	lw_sharebook_teach(book);
}

static void one_round(struct lw_sharebook *book, unsigned round)
{
	struct lw_error err;

	teach(book, round);
	ck_assert_msg(!lw_sharebook_save(book, &err), "%s", err.text);
	lw_sharebook_open(book);
}

/* Learns and writes, and every other time reads all anew, as at a reconfigure. */
static void *learn(void *arg)
{
	struct lw_sharebook *book = arg;

	for (unsigned round = 1; !over || round < ROUNDS_LEAST; round++) {
		struct lw_sharebook *next = round % 2 ? open_anew() : book;

		one_round(next, round);
		if (next != book)
			lw_sharebook_destroy(book);
		book = next;
		rounds = round;
	}
	lw_sharebook_destroy(book);
	return NULL;
}

/* How many of its jobs did not come to share. */
static void *submit(void *arg)
{
	const uint32_t *user = arg;
	uintptr_t whole = 0;

	for (int i = 0; i < SUBMISSIONS; i++) {
		job_desc_msg_t job = job_of(*user);
		char *told = NULL;

		if (job_submit(&job, *user, &told) || !told || !strstr(told, "shares a GPU"))
			whole++;
		free(told);
		free_job(&job);
	}
	return (void *)whole;
}

FIXTURE(setup, teardown);

/* For ThreadSanitizer and AddressSanitizer above all, but each job has to share, too. */
TEST(many_are_submitted_while_others_are_learned)
{
	pthread_t agent, threads[USERS];
	uint32_t users[USERS];
	struct lw_sharebook *book = open_anew();

	one_round(book, 0);
	ck_assert_int_eq(pthread_create(&agent, NULL, learn, book), 0);
	for (uint32_t i = 0; i < USERS; i++) {
		users[i] = FIRST_USER + i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, submit, &users[i]), 0);
	}
	for (uint32_t i = 0; i < USERS; i++) {
		void *whole;

		pthread_join(threads[i], &whole);
		ck_assert_ptr_null(whole);
	}
	over = true;
	pthread_join(agent, NULL);
	ck_assert_uint_ge(rounds, ROUNDS_LEAST - 1);
}

/* When the agent has gone nobody knows anything. */
TEST(a_closed_book_says_nothing)
{
	const struct lw_share_key key = lw_share_key(FIRST_USER, LW_TAG_NONE, "solve", "a100");
	struct lw_sharebook *book = open_anew();
	struct lw_share_record record;

	one_round(book, 0);
	ck_assert(lw_sharebook_ask(&key, 0, &record));
	ck_assert_uint_eq(record.runs, 5);
	lw_sharebook_destroy(book);
	ck_assert(!lw_sharebook_ask(&key, 0, &record));
}

/* ---- words longer than Slurm takes; it says so only after us ---- */

#define TEXT(field) offsetof(job_desc_msg_t, field)

static const struct {
	const char *name;
	size_t offset, most;
} texts[] = {
	{ "account", TEXT(account), 1024 },
	{ "array", TEXT(array_inx), 4096 },
	{ "comment", TEXT(comment), 1024 },
	{ "container", TEXT(container), PATH_MAX },
	{ "cpus_per_tres", TEXT(cpus_per_tres), 1024 },
	{ "features", TEXT(features), 1024 },
	{ "mem_per_tres", TEXT(mem_per_tres), 1024 },
	{ "name", TEXT(name), 1024 },
	{ "partition", TEXT(partition), 1024 },
	{ "qos", TEXT(qos), 1024 },
	{ "reservation", TEXT(reservation), 1024 },
	{ "tres_bind", TEXT(tres_bind), 1024 },
	{ "tres_freq", TEXT(tres_freq), 1024 },
	{ "tres_per_job", TEXT(tres_per_job), 1024 },
	{ "tres_per_socket", TEXT(tres_per_socket), 1024 },
	{ "tres_per_task", TEXT(tres_per_task), 1024 },
};

/* Is a job of deep learning, of which one text is LEN bytes long, looked at? It gets a tag then.
 */
static bool is_looked_at(size_t offset, size_t len)
{
	char *text = malloc(len + 1), *told = NULL;
	job_desc_msg_t job = job_of(FIRST_USER);
	bool tagged;

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', len);
	text[len] = '\0';
	job.script = "#!/bin/sh\ntorchrun train.py\n";
	*(char **)((char *)&job + offset) = text;
	ck_assert_int_eq(job_submit(&job, FIRST_USER, &told), 0);
	tagged = job.admin_comment != NULL;
	free(told);
	free(text);
	free_job(&job);
	return tagged;
}

TEST_EACH(what_is_too_long_is_not_looked_at, LW_COUNT_OF(texts))
{
	ck_assert_msg(is_looked_at(texts[_i].offset, texts[_i].most), "%s", texts[_i].name);
	ck_assert_msg(!is_looked_at(texts[_i].offset, texts[_i].most + 1), "%s", texts[_i].name);
}

/* A command line has many words. */
TEST(nor_are_too_many_words)
{
	enum { WORDS = 300 };
	char *argv[WORDS], word[1001];

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (int i = 0; i < WORDS; i++)
		argv[i] = i ? word : "torchrun";
	for (uint32_t argc = 2; argc <= WORDS; argc += WORDS - 2) {
		job_desc_msg_t job = job_of(FIRST_USER);

		job.script = NULL;
		job.argv = argv;
		job.argc = argc;
		ck_assert_int_eq(job_submit(&job, FIRST_USER, NULL), 0);
		ck_assert_msg(!job.admin_comment == (argc == WORDS), "%u words", argc);
		free_job(&job);
	}
}

/* ---- jobs that agree to be stopped ---- */

static const struct {
	const char *mode;
	char *comment, *qos;
	uint8_t said, mode_then;
} outputs[] = {
	{ "on", "leeway:stop", NULL, 0, OPEN_MODE_APPEND },
	{ "on", "leeway:stop", NULL, OPEN_MODE_TRUNCATE, OPEN_MODE_TRUNCATE },
	{ "on", NULL, "scavenger", 0, OPEN_MODE_APPEND },
	{ "on", "leeway:no-stop", "scavenger", 0, 0 },
	{ "on", NULL, NULL, 0, 0 },
	{ "tell", "leeway:stop", NULL, 0, 0 },
	{ "off", "leeway:stop", NULL, 0, 0 },
};

TEST_EACH(the_output_of_a_job_that_agrees_is_kept, LW_COUNT_OF(outputs))
{
	job_desc_msg_t job = job_of(FIRST_USER);
	char yaml[100];

	fini();
	snprintf(yaml, sizeof(yaml), "stop:\n  mode: %s\n  who: qos:scavenger\n",
		 outputs[_i].mode);
	scratch_write("leeway.yaml", yaml);
	ck_assert_int_eq(init(), 0);
	job.comment = outputs[_i].comment;
	job.qos = outputs[_i].qos;
	job.open_mode = outputs[_i].said;
	ck_assert_int_eq(job_submit(&job, FIRST_USER, NULL), 0);
	ck_assert_uint_eq(job.open_mode, outputs[_i].mode_then);
	free_job(&job);
}

#define SIGNALLED "#!/bin/bash\ntrap 'scontrol requeue $SLURM_JOB_ID' USR1\n"
#define FLAG      KILL_JOB_BATCH

/* USR1 is 10; what the Comment is then, and a part of what the user is told ("": nothing). */
static const struct {
	const char *detect, *mode;
	char *comment, *script, *wckey;
	uint16_t signal, flags;
	const char *comment_then, *told;
} detected[] = {
	{ "tell", "on", NULL, SIGNALLED, NULL, 10, FLAG, NULL, "could make room" },
	{ "tell", "tell", NULL, SIGNALLED, NULL, 10, FLAG, NULL, "could make room" },
	{ "on", "on", NULL, SIGNALLED, NULL, 10, FLAG, "leeway:stop", "may be stopped" },
	{ "on", "on", "mine", SIGNALLED, NULL, 10, FLAG, "mine leeway:stop", "may be stopped" },
	{ "on", "on", NULL, "#!/bin/sh\n", "submitit", 12, 0, "leeway:stop", "may be stopped" },
	{ "on", "on", "leeway:no-stop", SIGNALLED, NULL, 10, FLAG, "leeway:no-stop", "" },
	{ "on", "on", "leeway:stop=10m", SIGNALLED, NULL, 10, FLAG, "leeway:stop=10m", "" },
	{ "on", "on", NULL, SIGNALLED, NULL, 10, 0, NULL, "--signal=B:USR1@90" },
	{ "on", "on", NULL, SIGNALLED, NULL, 12, FLAG, NULL, "" },
	{ "on", "on", NULL, SIGNALLED, NULL, 0, 0, NULL, "" },
	{ "on", "on", NULL, SIGNALLED, NULL, NO_VAL16, FLAG, NULL, "" },
	{ "on", "on", NULL, "#!/bin/sh\n", NULL, 10, FLAG, NULL, "" },
	{ "on", "on", NULL, NULL, NULL, 10, FLAG, NULL, "" },
	{ "on", "off", NULL, SIGNALLED, NULL, 10, FLAG, NULL, "" },
	{ "off", "on", NULL, SIGNALLED, NULL, 10, FLAG, NULL, "" },
};

TEST_EACH(a_job_that_requeues_itself_is_seen, LW_COUNT_OF(detected))
{
	job_desc_msg_t job = job_of(FIRST_USER);
	char yaml[100], *told = NULL;
	const char *wanted = detected[_i].comment_then;

	fini();
	snprintf(yaml, sizeof(yaml), "stop:\n  mode: %s\n  detect: %s\n", detected[_i].mode,
		 detected[_i].detect);
	scratch_write("leeway.yaml", yaml);
	ck_assert_int_eq(init(), 0);
	job.comment = detected[_i].comment ? strdup(detected[_i].comment) : NULL;
	job.script = detected[_i].script ? strdup(detected[_i].script) : NULL;
	job.wckey = detected[_i].wckey;
	job.warn_signal = detected[_i].signal;
	job.warn_flags = detected[_i].flags;
	job.warn_time = 90;
	ck_assert_int_eq(job_submit(&job, FIRST_USER, &told), 0);
	ck_assert_msg(!job.comment == !wanted && (!wanted || !strcmp(job.comment, wanted)), "%s",
		      job.comment ? job.comment : "none");
	if (*detected[_i].told)
		ck_assert_msg(told && strstr(told, detected[_i].told), "%s", told ? told : "none");
	else
		ck_assert_ptr_null(told);
	free(job.comment);
	free(job.script);
	free(told);
	free_job(&job);
}
