/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of GPUs that jobs share: whose what is, who is there, and who must leave. */
#include "record/shared.h"

#include "record/file.h"
#include "record/watch.h"
#include "unit/heard.h"
#include "unit/records.h"
#include "unit/scratch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define UTIL  (1u << LW_METRIC_UTIL)
#define MEM   (1u << LW_METRIC_MEM)
#define PROC  (1u << LW_METRIC_PROC)
#define DUTIL (1u << LW_METRIC_DUTIL)
#define DMEM  (1u << LW_METRIC_DMEM)
#define DSM   (1u << LW_METRIC_DSM)

/* ---- whose what is ---- */

/* Processes that live while the test does: ours, the one that started us, and the first. */
#define OURS   7
#define THEIRS 8

static unsigned asked;
static int refuses;

static int owner(void *arg, uint32_t pid, uint32_t *ret_job)
{
	(void)arg;
	asked++;
	*ret_job = pid == (uint32_t)getpid() ? OURS : pid == 1 ? 0 : THEIRS;
	return refuses;
}

#define NOBODY 4000000000u /* no process has such an id */

static const struct {
	int count, refuses;
	struct lw_gpu_process list[3]; /* pid 0: ours, 2: theirs */
	uint32_t has, util, mem, proc;
	bool alone; /* by the processes */
} splits[] = {
	/* ours and theirs */
	{ 2,
	  0,
	  { { 0, true, true, 1000, 30 }, { 2, true, true, 500, 40 } },
	  UTIL | MEM | PROC,
	  30,
	  1000,
	  1,
	  false },
	/* two of ours */
	{ 2,
	  0,
	  { { 0, true, true, 1000, 30 }, { 0, true, true, 200, 90 } },
	  UTIL | MEM | PROC,
	  100,
	  1200,
	  2,
	  true },
	/* none of ours: nothing is done */
	{ 1, 0, { { 2, true, true, 500, 40 } }, UTIL | MEM | PROC, 0, 0, 0, false },
	{ 0, 0, { { 0, false, false, 0, 0 } }, UTIL | MEM | PROC, 0, 0, 0, true },
	/* one that is gone counts for nobody */
	{ 2,
	  0,
	  { { 0, true, true, 1000, 30 }, { NOBODY, true, true, 9, 9 } },
	  UTIL | MEM | PROC,
	  30,
	  1000,
	  1,
	  true },
	/* the driver does not tell what ours does, or holds */
	{ 1, 0, { { 0, true, false, 1000, 0 } }, MEM | PROC, 0, 1000, 1, true },
	{ 1, 0, { { 0, false, true, 0, 30 } }, UTIL | PROC, 30, 0, 1, true },
	/* of theirs that is no matter */
	{ 2,
	  0,
	  { { 0, true, true, 1000, 30 }, { 2, false, false, 0, 0 } },
	  UTIL | MEM | PROC,
	  30,
	  1000,
	  1,
	  false },
	/* a server of nobody's may work for ours: what it does is not told apart */
	{ 2,
	  0,
	  { { 0, true, true, 1000, 0 }, { 1, true, true, 30, 70 } },
	  MEM | PROC,
	  0,
	  1000,
	  1,
	  true },
	{ 2,
	  0,
	  { { 0, true, true, 1000, 30 }, { 1, true, true, 30, 0 } },
	  UTIL | MEM | PROC,
	  30,
	  1000,
	  1,
	  true },
	{ 1, 0, { { 1, true, true, 30, 70 } }, 0, 0, 0, 0, true },
	/* whose it is cannot be said, or nothing is known of processes */
	{ 2,
	  -EAGAIN,
	  { { 0, true, true, 1000, 30 }, { 2, true, true, 5, 5 } },
	  0,
	  0,
	  0,
	  0,
	  false },
	{ -ENOTSUP, 0, { { 0, false, false, 0, 0 } }, 0, 0, 0, 0, false },
};

#define SM (1u << LW_METRIC_SM)

TEST_EACH(own_use_is_told_from_the_devices, LW_COUNT_OF(splits))
{
	struct lw_owners owners = { .ask = owner, .job_id = OURS };
	struct lw_gpu_process list[3];
	struct lw_gpu_sample own, device = { .has = UTIL | MEM | SM | 1u << LW_METRIC_POWER };

	device.value[LW_METRIC_UTIL] = 70;
	device.value[LW_METRIC_MEM] = 1600;
	device.value[LW_METRIC_SM] = 44;
	memcpy(list, splits[_i].list, sizeof(list));
	for (int i = 0; i < 3; i++)
		if (list[i].pid == 0 || list[i].pid == 2)
			list[i].pid = (uint32_t)(list[i].pid ? getppid() : getpid());
	refuses = splits[_i].refuses;
	for (uint32_t neighbours = 0; neighbours < 2; neighbours++) {
		bool alone = splits[_i].alone && !neighbours;

		lw_owners_split(&owners, list, splits[_i].count, neighbours, &device, &own);
		ck_assert_uint_eq(own.has, splits[_i].has | DMEM | (alone ? SM : DUTIL | DSM));
		ck_assert_uint_eq(own.value[LW_METRIC_DMEM], 1600);
		ck_assert_uint_eq(own.value[alone ? LW_METRIC_SM : LW_METRIC_DSM], 44);
		ck_assert_uint_eq(own.value[LW_METRIC_DUTIL], alone ? 0 : 70);
		ck_assert_uint_eq(own.value[LW_METRIC_UTIL], splits[_i].util);
		ck_assert_uint_eq(own.value[LW_METRIC_MEM], splits[_i].mem);
		ck_assert_uint_eq(own.value[LW_METRIC_PROC], splits[_i].proc);
	}
}

/* Slurm is asked about a process once, but for answers that it did not give. */
TEST(a_process_is_asked_about_once)
{
	struct lw_owners owners = { .ask = owner, .job_id = OURS };
	struct lw_gpu_process process = { (uint32_t)getpid(), true, true, 100, 10 };
	struct lw_gpu_sample own, device = { .has = 0 };

	asked = 0;
	refuses = -EAGAIN;
	for (int i = 0; i < 3; i++)
		lw_owners_split(&owners, &process, 1, 0, &device, &own);
	ck_assert_uint_eq(asked, 3);
	refuses = 0;
	for (int i = 0; i < 10; i++)
		lw_owners_split(&owners, &process, 1, 0, &device, &own);
	ck_assert_uint_eq(asked, 4);
	ck_assert_uint_eq(own.value[LW_METRIC_MEM], 100);
}

/* ---- the record ---- */

static struct lw_record *parsed(const struct lw_record *record)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_record *back = NULL;
	struct lw_error err = { "" };

	lw_record_print(record, &text);
	ck_assert_msg(!lw_record_parse("test", text.text, text.len, &back, &err), "%s", err.text);
	ck_assert_uint_eq(back->damaged, 0);
	lw_strbuf_fini(&text);
	return back;
}

TEST(company_is_kept_in_the_record)
{
	const struct lw_record_event event = { START + 5, 36500, "warned" };
	struct lw_record *record = make_record("batch", 2, 10), *back;

	record->head.shared = true;
	add(record, 0, 20, 1000);
	lw_record_note_neighbour(record, 1, 12, START);
	lw_record_note_neighbour(record, 1, 12, START + 40);
	lw_record_note_neighbour(record, 0, 14, START + 20);
	lw_record_note_event(record, &event);
	lw_record_note_event(record, &event);
	back = parsed(record);
	ck_assert(back->head.shared);
	ck_assert_uint_eq(back->head.company.neighbour_count, 2);
	ck_assert_uint_eq(back->head.company.neighbour[0].gpu, 1);
	ck_assert_uint_eq(back->head.company.neighbour[0].job_id, 12);
	ck_assert_int_eq(back->head.company.neighbour[0].from_s, START);
	ck_assert_int_eq(back->head.company.neighbour[0].to_s, START + 40);
	ck_assert_uint_eq(back->head.company.event_count, 1);
	ck_assert_str_eq(back->head.company.event[0].word, "warned");
	ck_assert_uint_eq(back->head.company.event[0].mem_mib, 36500);
	for (uint32_t i = 0; i < 2 * LW_RECORD_NEIGHBOURS_MAX; i++)
		lw_record_note_neighbour(record, 0, 100 + i, START);
	ck_assert_uint_eq(record->head.company.neighbour_count, LW_RECORD_NEIGHBOURS_MAX);
	lw_record_destroy(record);
	lw_record_destroy(back);
}

/* Of a job that left and was requeued the last run stands, with what became of the first. */
TEST(events_outlive_the_run)
{
	const struct lw_record_event event = { START + 5, 39000, "left-memory" };

	for (int turn = 0; turn < 2; turn++) {
		struct lw_record *first = make_record("batch", 1, 10);
		struct lw_record *second = make_record("batch", 1, 10), *into, *from;

		first->head.shared = true;
		first->head.run_s = START;
		first->head.end_s = START + 20;
		lw_record_note_neighbour(first, 0, 12, START);
		lw_record_note_event(first, &event);
		second->head.run_s = second->head.start_s = START + 100;
		into = turn ? first : second;
		from = turn ? second : first;
		ck_assert_int_eq(lw_record_merge(into, from), 0);
		ck_assert(!into->head.shared);
		ck_assert_int_eq(into->head.run_s, START + 100);
		ck_assert_uint_eq(into->head.company.neighbour_count, 0);
		ck_assert_uint_eq(into->head.company.event_count, 1);
		ck_assert_str_eq(into->head.company.event[0].word, "left-memory");
		lw_record_destroy(first);
		lw_record_destroy(second);
	}
}

/* ---- all of it, in the thread ---- */

static struct {
	_Atomic int told, left;
	char line[2][320];
	struct lw_sharemark mark;
	int ask_rc;
} slurm;

static int ask(void *arg, struct lw_shared_job *ret_job)
{
	(void)arg;
	ret_job->mark = (struct lw_sharemark){ .gres = "shard",
					       .parts = 4,
					       .was = "gres/gpu:1",
					       .mem_warn = 900,
					       .mem_hard = 950,
					       .of = 10 };
	ret_job->can_requeue = true;
	return slurm.ask_rc;
}

static void tell(void *arg, const char *line)
{
	(void)arg;
	snprintf(slurm.line[slurm.told % 2], sizeof(slurm.line[0]), "%s", line);
	slurm.told++;
}

static int leave(void *arg, const struct lw_shared_job *job, const struct lw_sharemark *mark)
{
	(void)arg;
	(void)job;
	slurm.mark = *mark;
	slurm.left++;
	return 0;
}

static void hold(int pid, uint32_t mib)
{
	char name[32], text[64];

	snprintf(name, sizeof(name), "on/%d", pid);
	snprintf(text, sizeof(text), "0 20 %" PRIu32 "\n", mib);
	scratch_write(name, text);
}

static struct lw_watch *watch_job(struct lw_log *log)
{
	static const struct lw_shared_calls calls = {
		.owner = owner, .ask = ask, .tell = tell, .leave = leave
	};
	static char source[256];
	struct lw_watch_params params = {
		.options = { .source = source,
			     .dir = scratch_dir,
			     .bin = "",
			     .group = "",
			     .interval_s = 1 },
		.head = { .job_id = OURS,
			  .user_id = LW_RECORD_NO_USER,
			  .node = "n1",
			  .step = "batch",
			  .gpu_count = 1,
			  .start_s = time(NULL) },
		.shared = true,
		.share_calls = &calls,
		.log = log,
	};
	struct lw_watch *watch = NULL;
	struct lw_error err;

	params.head.run_s = params.head.start_s;
	snprintf(source, sizeof(source), "fake:%s", scratch_path("script"));
	ck_assert_int_eq(lw_watch_start(&params, &watch, &err), 0);
	return watch;
}

/* A part that another job's step writes, which began so much later than now. */
static struct lw_record_file *other_part(struct lw_record **ret_record, int64_t later_s)
{
	struct lw_record_head head = { .job_id = THEIRS,
				       .interval_s = 1,
				       .gpu_count = 1,
				       .node = "n1",
				       .step = "batch",
				       .gpu[0].id = "FAKE-0" };
	struct lw_record_file *file = NULL;
	struct lw_error err;

	head.start_s = head.run_s = time(NULL) + later_s;
	ck_assert_int_eq(lw_record_create(&head, ret_record), 0);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, *ret_record, &file, &err), 0);
	return file;
}

static void wait_for(_Atomic int *what, int value)
{
	const struct timespec pause = { 0, 20000000 };

	for (int i = 0; i < 500 && *what < value; i++)
		nanosleep(&pause, NULL);
	ck_assert_int_ge(*what, value);
}

static void setup(void)
{
	char script[320];

	scratch_setup();
	memset(&slurm, 0, sizeof(slurm));
	refuses = 0;
	mkdir(scratch_path("on"), 0755);
	snprintf(script, sizeof(script), "* total 40000\n* processes %s\n", scratch_path("on"));
	scratch_write("script", script);
	hold(getppid(), 1000);
}

FIXTURE(setup, scratch_teardown);

TEST(who_came_last_is_warned_and_leaves)
{
	struct heard heard = { 0 };
	struct lw_log log = { hear, &heard, LW_LOG_DEBUG };
	struct lw_record *other;
	struct lw_record_file *file = other_part(&other, -60);
	struct lw_watch *watch;
	struct lw_error err;

	hold(getpid(), 35500);
	watch = watch_job(&log);
	wait_for(&slurm.told, 1);
	ck_assert_ptr_nonnull(strstr(slurm.line[0], "runs short: 36500 of 40000 MiB"));
	ck_assert_ptr_nonnull(strstr(slurm.line[0], "At 38000 MiB it is ended, and requeued"));
	hold(getpid(), 38000);
	wait_for(&slurm.left, 1);
	ck_assert_int_eq(slurm.told, 2);
	ck_assert_ptr_nonnull(
		strstr(slurm.line[1], "this job is ended, and requeued to a whole"));
	ck_assert_uint_eq(slurm.mark.parts, 0);
	ck_assert_str_eq(slurm.mark.was, "shard:4");
	ck_assert_str_eq(slurm.mark.left, "memory");
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert_int_eq(slurm.left, 1);
	ck_assert_uint_eq(heard.errors, 0);
	lw_record_file_finish(file, other, &err);
	lw_record_destroy(other);
}

/* Who was there first, who did not opt in, and who is alone goes on, however full the GPU is. */
static const struct {
	bool other;
	int64_t later_s;
	int ask_rc;
} stays[] = { { true, 60, 0 }, { true, -60, -ENOENT }, { true, -60, -EAGAIN }, { false, 0, 0 } };

TEST_EACH(all_others_go_on, LW_COUNT_OF(stays))
{
	const struct timespec pause = { 4, 0 };
	struct heard heard = { 0 };
	struct lw_log log = { hear, &heard, LW_LOG_DEBUG };
	struct lw_record *other = NULL;
	struct lw_record_file *file =
		stays[_i].other ? other_part(&other, stays[_i].later_s) : NULL;
	struct lw_watch *watch;
	struct lw_error err;

	slurm.ask_rc = stays[_i].ask_rc;
	hold(getpid(), 39000);
	watch = watch_job(&log);
	nanosleep(&pause, NULL); /* longer than three readings, and a second look */
	ck_assert_int_eq(lw_watch_stop(watch, 20), 0);
	ck_assert_int_eq(slurm.told, 0);
	ck_assert_int_eq(slurm.left, 0);
	if (file)
		lw_record_file_finish(file, other, &err);
	lw_record_destroy(other);
}
