/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of record/lend and record/tenant: who lends a GPU, and when a guest goes. */
#include "record/tenant.h"

#include "record/file.h"
#include "unit/heard.h"
#include "unit/records.h"
#include "unit/scratch.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AFTER 60

/* ---- who lends ---- */

static const struct {
	int64_t at_s;
	bool known;
	uint32_t util;
	bool idle;
} readings[] = {
	{ 100, true, 5, false }, { 150, true, 10, false }, { 160, true, 0, true },
	{ 170, true, 10, true }, { 180, true, 11, false }, { 190, true, 0, false },
	{ 240, true, 0, false }, { 250, true, 0, true },   { 260, false, 0, false },
	{ 270, true, 0, false }, { 330, true, 0, true },   /* a clock that was set back */
	{ 200, true, 0, false }, { 260, true, 0, true },
};

TEST(idle_is_who_was_at_each_reading)
{
	struct lw_lend lend = { .quiet = false };

	for (size_t i = 0; i < LW_COUNT_OF(readings); i++)
		ck_assert_msg(lw_lend_is_idle(&lend, AFTER, readings[i].at_s, readings[i].known,
					      readings[i].util) == readings[i].idle,
			      "reading %zu", i);
}

/* ---- a guest ---- */

TEST(a_guest_goes_for_each_reason)
{
	const struct lw_guest_view calm = { 1, true, 10 }, works = { 1, true, 11 };
	const struct lw_guest_view gone = { 0, true, 0 }, blind = { 1, false, 90 };
	uint32_t count = 0;

	ck_assert_int_eq(lw_guest_judge(&count, &calm), LW_GUEST_STAYS);
	ck_assert_int_eq(lw_guest_judge(&count, &works), LW_GUEST_OWNER_WORKS);
	ck_assert_int_eq(lw_guest_judge(&count, &gone), LW_GUEST_OWNER_GONE);
	ck_assert_int_eq(lw_guest_judge(&count, &blind), LW_GUEST_STAYS);
	ck_assert_int_eq(lw_guest_judge(&count, &blind), LW_GUEST_STAYS);
	ck_assert_int_eq(lw_guest_judge(&count, &calm), LW_GUEST_STAYS);
	for (int i = 0; i < LW_LEND_BLIND - 1; i++)
		ck_assert_int_eq(lw_guest_judge(&count, &blind), LW_GUEST_STAYS);
	ck_assert_int_eq(lw_guest_judge(&count, &blind), LW_GUEST_BLIND);
}

/* ---- what they do about it ---- */

static struct {
	struct lw_sharemark mark; /* as slurmctld has it */
	int puts, put_rc, left, leave_rc, asked;
	bool with_mark;
	char line[320];
} slurm;
static struct lw_gpu_sample second; /* what a second look sees */
static int waits, saves;
static bool stops;
static struct lw_shared shared;
static struct lw_record *record, *owner_record;
static struct lw_record_file *owner_file;
static struct heard heard;
static struct lw_log log_heard = { hear, &heard, LW_LOG_DEBUG };

static int ask(void *arg, struct lw_shared_job *ret_job)
{
	(void)arg;
	slurm.asked++;
	ret_job->mark = slurm.mark;
	ret_job->can_requeue = true;
	return 0;
}

static void tell(void *arg, const char *line)
{
	(void)arg;
	snprintf(slurm.line, sizeof(slurm.line), "%s", line);
}

static int leave(void *arg, const struct lw_shared_job *job, const struct lw_sharemark *mark)
{
	(void)arg;
	(void)job;
	slurm.with_mark = mark != NULL;
	slurm.left++;
	return slurm.leave_rc;
}

static int put(void *arg, const struct lw_sharemark *mark)
{
	(void)arg;
	slurm.puts++;
	if (!slurm.put_rc)
		slurm.mark = *mark;
	return slurm.put_rc;
}

static bool wait_hand(void *arg, int ms)
{
	(void)arg;
	ck_assert_int_gt(ms, 0);
	waits++;
	return stops;
}

static int64_t read_hand(void *arg, struct lw_gpu_sample *samples)
{
	(void)arg;
	samples[0] = second;
	return START + 1;
}

static void save_hand(void *arg, int64_t at_s)
{
	(void)arg;
	(void)at_s;
	saves++;
}

/* What a job sees of its GPU; ALL 0: nobody else is there. */
static struct lw_gpu_sample seen(uint32_t own, uint32_t all)
{
	struct lw_gpu_sample sample = { .has = 1u << LW_METRIC_UTIL };

	sample.value[LW_METRIC_UTIL] = own;
	if (all) {
		sample.has |= 1u << LW_METRIC_DUTIL;
		sample.value[LW_METRIC_DUTIL] = all;
	}
	return sample;
}

static void act(int64_t at_s, struct lw_gpu_sample sample)
{
	static const struct lw_tenant_hands hands = { wait_hand, read_hand, save_hand, NULL };

	lw_tenant_act(&shared, record, &hands, at_s, &sample);
}

/* The owner's record, as its own step writes it on this node. */
static void owner_comes(void)
{
	struct lw_error err;

	owner_record = make_record("batch", 1, 10);
	owner_record->head.job_id = record->head.job_id + 1;
	ck_assert_int_eq(lw_record_file_create(scratch_dir, owner_record, &owner_file, &err), 0);
	lw_neighbours_look(&shared.neighbours[0], scratch_dir, &record->head,
			   record->head.gpu[0].id);
	ck_assert_uint_eq(shared.neighbours[0].count, 1);
}

static void owner_ends(void)
{
	struct lw_error err;

	ck_assert_int_eq(lw_record_file_finish(owner_file, owner_record, &err), 0);
	owner_file = NULL;
}

static void setup(void)
{
	const struct lw_shared_calls calls = { .ask = ask, .tell = tell, .leave = leave,
					       .put = put };

	scratch_setup();
	memset(&slurm, 0, sizeof(slurm));
	memset(&shared, 0, sizeof(shared));
	memset(&heard, 0, sizeof(heard));
	waits = saves = 0;
	stops = false;
	slurm.mark = (struct lw_sharemark){ .gres = "shard", .parts = 1, .was = "gres/gpu:1" };
	record = make_record("batch", 1, 10);
	lw_shared_init(&shared, &calls, scratch_dir, &log_heard);
}

static void teardown(void)
{
	lw_record_file_abandon(owner_file);
	lw_record_destroy(owner_record);
	lw_record_destroy(record);
	owner_file = NULL;
	owner_record = NULL;
	scratch_teardown();
}

FIXTURE(setup, teardown);

TEST(slurmctld_hears_of_each_change_once)
{
	slurm.mark.lend_s = AFTER;
	for (int64_t s = 0; s < AFTER; s += 10)
		act(START + s, seen(3, 0));
	ck_assert_int_eq(slurm.puts, 0);
	/* it does not answer: once more */
	slurm.put_rc = -EAGAIN;
	act(START + AFTER, seen(3, 0));
	ck_assert_int_eq(slurm.puts, 1);
	slurm.put_rc = 0;
	act(START + AFTER + 10, seen(3, 0));
	act(START + AFTER + 20, seen(3, 0));
	ck_assert_int_eq(slurm.puts, 2);
	ck_assert(slurm.mark.idle);
	/* beside a guest, who keeps the GPU busy */
	act(START + AFTER + 30, seen(3, 95));
	ck_assert_int_eq(slurm.puts, 2);
	act(START + AFTER + 40, seen(30, 95));
	act(START + AFTER + 50, seen(30, 95));
	ck_assert_int_eq(slurm.puts, 3);
	ck_assert(!slurm.mark.idle);
	ck_assert_int_eq(slurm.left, 0);
	ck_assert_str_eq(slurm.line, "");
}

/* Requeued, it has the word of its first run. */
TEST(an_old_word_is_taken_back)
{
	slurm.mark.lend_s = AFTER;
	slurm.mark.idle = true;
	act(START, seen(0, 0));
	ck_assert(!slurm.mark.idle);
}

TEST(a_guest_goes_when_the_owner_works)
{
	slurm.mark.guest = true;
	owner_comes();
	act(START, seen(80, 90));
	ck_assert_int_eq(waits, 0);
	/* a second look says that it is over, or the step ends meanwhile */
	second = seen(80, 85);
	act(START + 10, seen(80, 95));
	stops = true;
	act(START + 15, seen(80, 95));
	stops = false;
	ck_assert_int_eq(waits, 2);
	ck_assert_int_eq(slurm.left, 0);
	second = seen(70, 100);
	act(START + 20, seen(80, 95));
	ck_assert_int_eq(slurm.left, 1);
	ck_assert(!slurm.with_mark);
	ck_assert_msg(strstr(slurm.line, "requeued, since the job whose GPU it was") != NULL, "%s",
		      slurm.line);
	ck_assert_int_eq(saves, 1);
	ck_assert_str_eq(record->head.company.event[0].word, "left-owner");
	act(START + 30, seen(80, 95));
	ck_assert_int_eq(slurm.left, 1);
	ck_assert_uint_eq(heard.errors, 0);
}

/* All that the device has is in use: whose it is the processes say. */
TEST(a_full_device_hides_nobody)
{
	slurm.mark.guest = true;
	owner_comes();
	shared.owners.others_util = 40;
	second = seen(100, 100);
	act(START, seen(100, 100));
	ck_assert_int_eq(slurm.left, 1);
}

TEST(a_guest_goes_when_the_owner_ends)
{
	slurm.mark.guest = true;
	owner_comes();
	act(START, seen(80, 80));
	ck_assert_int_eq(waits, 0);
	owner_ends();
	shared.neighbours[0].count = 0;
	slurm.leave_rc = -EAGAIN;
	second = seen(80, 0);
	act(START + 10, seen(80, 0));
	ck_assert_int_eq(slurm.left, 1);
	ck_assert_ptr_nonnull(strstr(slurm.line, "has ended"));
	/* Slurm did not answer: once more, and said once */
	slurm.leave_rc = 0;
	slurm.line[0] = '\0';
	act(START + 20, seen(80, 0));
	ck_assert_int_eq(slurm.left, 2);
	ck_assert_str_eq(slurm.line, "");
	ck_assert_uint_eq(record->head.company.event_count, 1);
}

/* Of its first look it knew nobody; there is somebody by the second. */
TEST(who_is_seen_late_is_seen)
{
	slurm.mark.guest = true;
	owner_comes();
	shared.neighbours[0].count = 0;
	second = seen(80, 80);
	act(START, seen(80, 80));
	ck_assert_int_eq(waits, 1);
	ck_assert_int_eq(slurm.left, 0);
}

TEST(all_others_stay)
{
	owner_comes();
	second = seen(20, 100);
	act(START, seen(20, 100));
	ck_assert_int_eq(slurm.asked, 1);
	ck_assert_int_eq(slurm.left + slurm.puts + waits, 0);
}
