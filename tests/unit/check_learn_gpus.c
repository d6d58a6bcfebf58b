/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of slurm/learn: what finished jobs teach of GPUs. */
#include "slurm/read/learn.h"

#include "base/savefile.h"
#include "slurm/read/sharebook.h"
#include "tagger/tag.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

#define NOW   100000
#define LIMIT 3600

static struct lw_learn *learn;
static char path[192];

static void open_it(void)
{
	ck_assert_int_eq(lw_learn_create(path, NOW, NULL, &learn), 0);
}

static void make(void)
{
	scratch_setup();
	snprintf(path, sizeof(path), "%s", scratch_path("leeway_history"));
	open_it();
}

static void destroy(void)
{
	lw_learn_destroy(learn);
	scratch_teardown();
}

static void save_and_reopen(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_learn_save(learn, NOW + 100, true, &err), 0);
	lw_learn_destroy(learn);
	learn = NULL;
	open_it();
}

static struct lw_finished ended(uint32_t job_id, int64_t end_s)
{
	return (struct lw_finished){ .job_id = job_id,
				     .user_id = 7,
				     .partition = "gpu",
				     .limit_s = LIMIT,
				     .start_s = end_s - 600,
				     .end_s = end_s };
}

static const struct {
	const char *comment;
	uint32_t tag;
	struct lw_gpu_use use;
} comments[] = {
	{ NULL, LW_HABIT_UNTAGGED, { .has_util = false } },
	{ "a note", LW_HABIT_UNTAGGED, { .has_util = false } },
	{ "leeway:dl=sweep,gang=0,conf=90,ev=gpu", LW_TAG_SWEEP, { .has_util = false } },
	{ "JS1:xx= leeway:dl=training,gang=0,conf=90,ev=gpu "
	  "leeway:gpu=n:2,util:60/99,mem:2000/9000M,idle:300",
	  LW_TAG_TRAINING,
	  { .has_util = true,
	    .has_mem = true,
	    .util_percent = 60,
	    .idle_permille = 250,
	    .mem_mib = 9000 } },
	{ "leeway:gpu=n:2,util:-,mem:2000/9000M,idle:0,unsup:2",
	  LW_HABIT_UNTAGGED,
	  { .has_mem = true, .mem_mib = 9000 } },
	{ "leeway:gpu=n:1,util:0/0,mem:-,idle:9999",
	  LW_HABIT_UNTAGGED,
	  { .has_util = true, .idle_permille = 1000 } },
	{ "leeway:gpu=n:8,util:90/99,mem:1/2M,idle:0,pow:3/4,nvlink:5000,pcie:940",
	  LW_HABIT_UNTAGGED,
	  { .has_util = true,
	    .has_mem = true,
	    .has_nvlink = true,
	    .has_pcie = true,
	    .util_percent = 90,
	    .mem_mib = 2,
	    .nvlink_mib_s = 5000,
	    .pcie_mib_s = 940 } },
	{ "leeway:gpu=n:1,util:99/99,mem:1/2M,idle:0,sm:61,tensor:34,membw:140",
	  LW_HABIT_UNTAGGED,
	  { .has_util = true,
	    .has_mem = true,
	    .has_sm = true,
	    .has_tensor = true,
	    .has_membw = true,
	    .util_percent = 99,
	    .mem_mib = 2,
	    .sm_percent = 61,
	    .tensor_percent = 34,
	    .membw_percent = 100 } },
	{ "leeway:gpu=n:1,util:broken", LW_HABIT_UNTAGGED, { .has_util = false } },
};

FIXTURE(make, destroy);

TEST_EACH(admin_comment_tells_of_gpus, LW_COUNT_OF(comments))
{
	struct lw_finished job = ended(1, NOW);
	struct lw_history_job lesson;
	const struct lw_gpu_use *want = &comments[_i].use;

	job.admin_comment = comments[_i].comment;
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert_uint_eq(lesson.tag, comments[_i].tag);
	ck_assert_int_eq(lesson.gpu.has_util, want->has_util);
	ck_assert_int_eq(lesson.gpu.has_mem, want->has_mem);
	ck_assert_uint_eq(lesson.gpu.util_percent, want->util_percent);
	ck_assert_uint_eq(lesson.gpu.idle_permille, want->idle_permille);
	ck_assert_uint_eq(lesson.gpu.mem_mib, want->mem_mib);
	ck_assert_int_eq(lesson.gpu.has_nvlink, want->has_nvlink);
	ck_assert_int_eq(lesson.gpu.has_pcie, want->has_pcie);
	ck_assert_int_eq(lesson.gpu.has_sm, want->has_sm);
	ck_assert_int_eq(lesson.gpu.has_tensor, want->has_tensor);
	ck_assert_int_eq(lesson.gpu.has_membw, want->has_membw);
	ck_assert_uint_eq(lesson.gpu.sm_percent, want->sm_percent);
	ck_assert_uint_eq(lesson.gpu.tensor_percent, want->tensor_percent);
	ck_assert_uint_eq(lesson.gpu.membw_percent, want->membw_percent);
	ck_assert_uint_eq(lesson.gpu.nvlink_mib_s, want->nvlink_mib_s);
	ck_assert_uint_eq(lesson.gpu.pcie_mib_s, want->pcie_mib_s);
}

/* What a user's jobs make of their GPUs is in the file, and there after a restart. */
TEST(use_of_gpus_is_kept)
{
	const struct lw_habit_key key = { 7, LW_TAG_TRAINING, LIMIT };
	struct lw_finished job = ended(1, NOW);
	struct lw_gpu_use use;

	job.admin_comment = comments[3].comment;
	lw_learn_begin(learn, NOW + LW_LEARN_SETTLE_S);
	ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	save_and_reopen();
	ck_assert(lw_habits_expect(lw_history_habits(lw_learn_history(learn)), &key, &use));
	ck_assert_uint_eq(use.util_percent, 60);
	ck_assert_uint_eq(use.idle_permille, 250);
	ck_assert_uint_eq(use.mem_mib, 9000);
}

/* ---- what one GPU is to a job ---- */

#define ONE_GPU "leeway:gpu=n:1,util:60/99,mem:2000/9000M,idle:0,sm:31,membw:40"

static void open_book(const char *where)
{
	const struct lw_sharebook_terms terms = { scratch_path("share"), where, "a100" };
	struct lw_sharebook *book;

	ck_assert_int_eq(lw_sharebook_create(&terms, NOW, NULL, &book), 0);
	ck_assert(lw_sharebook_is(book, &terms));
	lw_learn_share(learn, book);
}

static void learn_one(struct lw_finished job)
{
	lw_learn_begin(learn, job.end_s + LW_LEARN_SETTLE_S + 1);
	ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
}

/* What the file says of NAME of user 7; 0 runs: nothing. */
static struct lw_share_record known_of(const char *name)
{
	const struct lw_share_key key = lw_share_key(7, LW_SHARE_UNTAGGED, name, "a100");
	struct lw_share_known known = { 0 };
	struct lw_share_record record;
	struct lw_error err;
	char *text;
	size_t size;

	ck_assert_int_eq(lw_learn_save(learn, NOW + 1000, true, &err), 0);
	ck_assert_int_eq(lw_savefile_read(scratch_path("share"), LW_SHARE_FILE_KIND,
					  LW_SHARE_FILE_VERSION, &text, &size, &err),
			 0);
	ck_assert_int_eq(lw_share_known_parse(text, size, &known, &err), 0);
	free(text);
	lw_share_known_find(&known, &key, INT64_MIN, &record);
	lw_share_known_fini(&known);
	return record;
}

TEST(jobs_of_one_gpu_are_kept_for_sharing)
{
	struct lw_finished job = ended(1, NOW);
	struct lw_share_record record;

	open_book("partition:cpu partition:gpu");
	job.name = "train";
	job.admin_comment = ONE_GPU;
	learn_one(job);
	record = known_of("train");
	ck_assert_uint_eq(record.runs, 1);
	ck_assert_uint_eq(record.use.util, 600);
	ck_assert_uint_eq(record.use.sm, 310);
	ck_assert_uint_eq(record.use.mem_mib, 9000);
	ck_assert_uint_eq(record.membw, 400);
	ck_assert_int_eq(record.last_s, NOW);
	/* the file is read again, and goes on */
	open_book("partition:gpu");
	job.end_s += 100;
	learn_one(job);
	ck_assert_uint_eq(known_of("train").runs, 2);
}

/* One large run of twenty would be above the quantile: not so after one that had to leave. */
TEST(a_run_that_had_to_leave_counts_twice)
{
	struct lw_finished job = ended(1, NOW);

	open_book("partition:gpu");
	job.name = "grows";
	job.admin_comment = ONE_GPU;
	for (int i = 0; i < LW_SHARE_RUNS; i++) {
		learn_one(job);
		job.end_s += 10;
	}
	job.admin_comment = "leeway:share=none,was:shard:4,left:memory "
			    "leeway:gpu=n:1,util:60/99,mem:20000/37000M,idle:0,sm:31,membw:40";
	learn_one(job);
	ck_assert_uint_eq(known_of("grows").use.mem_mib, 37000);
}

/* What it took beside others is stretched; planned beside others it would be stretched again. */
TEST(run_times_beside_others_teach_nothing)
{
	static const char *const beside[] = {
		"leeway:gpu=n:1,util:60/99,mem:2000/9000M,idle:0,shared:1,dutil:90",
		"leeway:share=shard:4,was:gpu leeway:gpu=n:1,util:-,mem:-,idle:0,shared:1,with:12",
	};
	struct lw_finished job = ended(1, NOW);
	struct lw_history_job lesson;

	for (size_t i = 0; i < LW_COUNT_OF(beside); i++) {
		job.admin_comment = beside[i];
		ck_assert(!lw_finished_lesson(&job, &lesson));
		lw_learn_begin(learn, job.end_s + LW_LEARN_SETTLE_S + 1);
		ck_assert(!lw_learn_wants(learn, &job));
		ck_assert_int_eq(lw_learn_note(learn, &job), 0);
		ck_assert_uint_eq(lw_learn_teach(learn), 0);
		job.end_s += 10;
	}
	/* a part of a GPU to which nobody came is as good as a whole one */
	job.admin_comment = "leeway:share=shard:4,was:gpu "
			    "leeway:gpu=n:1,util:60/99,mem:2000/9000M,idle:0,sm:31,shared:1";
	ck_assert(lw_finished_lesson(&job, &lesson));
	ck_assert(lesson.gpu.has_util);
	learn_one(job);
}

/* Of several GPUs, of parts, which have no readings, elsewhere, or where nobody asks. */
TEST(others_are_not)
{
	struct lw_finished job = ended(1, NOW);

	open_book("partition:gpu");
	job.name = "train";
	job.admin_comment = ONE_GPU;
	learn_one(job);
	job.end_s += 10;
	job.name = "wide";
	job.admin_comment = "leeway:gpu=n:2,util:60/99,mem:2000/9000M,idle:300";
	learn_one(job);
	ck_assert_uint_eq(known_of("wide").runs, 0);
	job.end_s += 10;
	job.name = "part";
	job.admin_comment = "leeway:gpu=n:1,util:-,mem:-,idle:0";
	learn_one(job);
	ck_assert_uint_eq(known_of("part").runs, 0);
	/* what it did of a GPU beside others is not what it does alone */
	job.end_s += 10;
	job.name = "beside";
	job.admin_comment = "leeway:gpu=n:1,util:60/99,mem:2000/9000M,idle:0,shared:1,dutil:90";
	lw_learn_begin(learn, job.end_s + LW_LEARN_SETTLE_S + 1);
	ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	ck_assert_uint_eq(lw_learn_teach(learn), 0);
	ck_assert_uint_eq(known_of("beside").runs, 0);
	job.end_s += 10;
	job.name = "elsewhere";
	job.partition = "gpux";
	job.admin_comment = ONE_GPU;
	learn_one(job);
	ck_assert_uint_eq(known_of("elsewhere").runs, 0);
	job.end_s += 10;
	job.name = "after";
	job.partition = "gpu";
	lw_learn_share(learn, NULL);
	learn_one(job);
	ck_assert_uint_eq(known_of("after").runs, 0);
	ck_assert_uint_eq(known_of("train").runs, 1);
}

#define GANG "leeway:dl=training,gang=1,conf=90,ev=gpu"

static void learn_runs(const char *comment, uint32_t nodes, int64_t end_s)
{
	lw_learn_begin(learn, end_s + LW_LEARN_SETTLE_S + 1);
	for (uint32_t i = 0; i < 2; i++) {
		struct lw_finished job = ended(i + 1, end_s + i);

		job.nodes = nodes;
		job.admin_comment = comment;
		ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	}
	ck_assert_uint_eq(lw_learn_teach(learn), 2);
}

/* Jobs of several nodes teach it, and it is there after a restart. */
TEST(earlier_runs_show_who_talks)
{
	static const char much[] = "leeway:gpu=n:8,util:90/99,mem:-,idle:0,pcie:2000";
	static const char little[] = GANG " leeway:gpu=n:8,util:90/99,mem:-,idle:0,pcie:20";

	ck_assert(!lw_learn_communicates(learn, 7, LIMIT, NULL));
	ck_assert(lw_learn_communicates(learn, 7, LIMIT, GANG));
	learn_runs(much, 1, NOW);
	ck_assert(!lw_learn_communicates(learn, 7, LIMIT, NULL));
	learn_runs(much, 2, NOW + 10);
	learn_runs(little, 2, NOW + 20);
	save_and_reopen();
	ck_assert(lw_learn_communicates(learn, 7, LIMIT, NULL));
	ck_assert(!lw_learn_communicates(learn, 7, LIMIT, GANG));
	ck_assert(!lw_learn_communicates(learn, 7, LIMIT + 60, NULL));
	ck_assert(lw_learn_communicates(learn, 8, LIMIT, GANG));
	/* where nothing is learned the tag alone says it */
	ck_assert(!lw_learn_communicates(NULL, 7, LIMIT, NULL));
	ck_assert(lw_learn_communicates(NULL, 7, LIMIT, GANG));
}

/* The type that a job ran on is learned, and there after a restart; lent text is not kept. */
TEST(the_type_is_learned)
{
	const struct lw_speed_types types = { .count = 2, .name = { "a100", "v100" } };
	struct lw_speed_key key = { 7, LW_HABIT_UNTAGGED, lw_history_name_id("bert"), 1 };
	char lent[16] = "a100", name[16] = "bert";
	struct lw_speed_answer answer;
	struct lw_speed_site site;

	lw_learn_begin(learn, NOW + LW_LEARN_SETTLE_S + 20);
	for (uint32_t i = 0; i < 20; i++) {
		struct lw_finished job = ended(i + 1, NOW + i);

		strcpy(lent, i % 2 ? "v100" : "a100");
		job.start_s = job.end_s - (i % 2 ? 3000 : 1000);
		job.gpu_type = i == 19 ? NULL : lent;
		job.name = name;
		job.gpus = 1;
		ck_assert(lw_learn_wants(learn, &job));
		ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	}
	strcpy(lent, "gone");
	strcpy(name, "gone");
	ck_assert_uint_eq(lw_learn_teach(learn), 20);
	save_and_reopen();
	lw_speeds_site(lw_history_speeds(lw_learn_history(learn)), &types, &site);
	lw_speeds_ask(lw_history_speeds(lw_learn_history(learn)), &site, &key, &answer);
	ck_assert_uint_eq(answer.runs[0], 10);
	ck_assert_uint_eq(answer.runs[1], 9);
	ck_assert(answer.time[1] / answer.time[0] > 2.9 && answer.time[1] / answer.time[0] < 3.1);
}

/* One that was killed, or was learned before, teaches no speed. */
TEST(who_was_cut_off_shows_no_speed)
{
	struct lw_finished job = ended(1, NOW);

	job.gpu_type = "a100";
	job.gpus = 1;
	job.cut = true;
	lw_learn_begin(learn, NOW + LW_LEARN_SETTLE_S);
	ck_assert_int_eq(lw_learn_note(learn, &job), 0);
	ck_assert_uint_eq(lw_learn_teach(learn), 1);
	ck_assert_uint_eq(lw_history_speeds(lw_learn_history(learn))->count, 0);
	ck_assert(!lw_learn_wants(learn, &job));
}
