/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of how leeway analyse reads: traces, what sacct printed, names. */
#include "lab/analyse/input.h"

#include "unit/scratch.h"
#include "unit/unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                   \
	"JobID|User|Account|Partition|JobName|Submit|Start|End|State|NNodes|NCPUS|"              \
	"AllocTRES|TimelimitRaw|AdminComment\n"

static const struct lw_ana_options plain = { 0 };

static void read_trace(struct lw_ana_input *input, const char *text)
{
	struct lw_error err = { "" };

	ck_assert_msg(!lw_ana_input_read(input, scratch_write("in.swf", text), &plain, &err),
		      "%s", err.text);
}

/* A day that began at noon of a Saturday in Stockholm, where it was summer. */
#define SATURDAY                                                                                 \
	"; UnixStartTime: 843480000\n; TimeZoneString: Europe/Stockholm\n"                       \
	"; MaxProcs: 8\n; Partition: 3 batch\n"

FIXTURE(scratch_setup, scratch_teardown);

TEST(a_trace_is_read)
{
	struct lw_ana_input in;

	read_trace(&in, SATURDAY "1 0 5 100 2 -1 -1 4 600 -1 1 12 7 -1 -1 3 -1 -1\n"
				 "2 10 -1 0 2 -1 -1 2 -1 -1 5 12 7 -1 -1 3 -1 -1\n"
				 "3 20 0 -1 2 -1 -1 2 60 -1 1 9 -1 -1 -1 -1 -1 -1\n"
				 "4 86400 0 50 -1 -1 -1 3 60 -1 0 9 -1 -1 -1 -1 -1 -1\n");
	ck_assert_uint_eq(in.log.count, 2);
	ck_assert_uint_eq(in.never_ran, 1);
	ck_assert_uint_eq(in.unknown, 1);
	ck_assert_uint_eq(in.log.machine, 8);
	ck_assert_int_eq(in.log.unit, LW_JOBLOG_CORES);
	ck_assert_uint_eq(in.log.jobs[0].size, 2);
	ck_assert_int_eq(in.log.jobs[0].limit_s, 600);
	ck_assert_str_eq(lw_ana_input_name(&in, LW_BY_USER, in.log.jobs[0].user), "12");
	ck_assert_str_eq(lw_ana_input_name(&in, LW_BY_PARTITION, in.log.jobs[0].partition),
			 "batch");
	ck_assert_uint_eq(in.log.jobs[1].size, 3);
	ck_assert_int_eq(in.log.jobs[1].outcome, LW_OUTCOME_FAILED);
	ck_assert_uint_eq(in.log.jobs[1].account, LW_JOBLOG_NOBODY);
	/* the zone may not be installed: then it is UTC, two hours before */
	ck_assert(in.log.jobs[0].hour == in.log.jobs[1].hour);
	ck_assert_uint_eq((in.log.jobs[0].weekday + 1) % 7, in.log.jobs[1].weekday);
	lw_ana_input_fini(&in);
}

TEST(accounts_stand_for_users)
{
	struct lw_ana_input in;

	read_trace(&in, "1 0 5 100 2 -1 -1 4 600 -1 1 -1 7 -1 -1 3 -1 -1\n"
			"2 1 5 100 2 -1 -1 4 600 -1 1 -1 -1 -1 -1 3 -1 -1\n");
	ck_assert(in.accounts_as_users);
	ck_assert_str_eq(lw_ana_input_name(&in, LW_BY_USER, in.log.jobs[0].user), "7");
	ck_assert_uint_eq(in.log.jobs[1].user, LW_JOBLOG_NOBODY);
	ck_assert_uint_eq(in.log.jobs[0].hour, LW_JOBLOG_NO_CLOCK);
	lw_ana_input_fini(&in);
}

#define TWO                                                                                      \
	"; MaxProcs: 8\n7 0 5 100 2 -1 -1 2 600 -1 1 1 1 -1 -1 -1 -1 -1\n"                       \
	"9 1 5 100 2 -1 -1 2 600 -1 1 1 1 -1 -1 -1 -1 -1\n"

TEST(a_file_of_gpus_is_found)
{
	struct lw_ana_input in;

	scratch_write("in.gpu.csv", "job_id,more,gpu_milli,gpu_util,dl\n9,x,500,37,1\n8,,,,\n"
				    "7,,,,0\n");
	read_trace(&in, TWO);
	ck_assert_int_eq(in.log.unit, LW_JOBLOG_GPUS);
	ck_assert_uint_eq(in.log.jobs[1].gpu_milli, 500);
	ck_assert_uint_eq(in.log.jobs[1].util_percent, 37);
	ck_assert_int_eq(in.log.jobs[1].kind, LW_JOBLOG_DEEP);
	ck_assert_int_eq(in.log.jobs[0].kind, LW_JOBLOG_OTHER);
	ck_assert_uint_eq(in.log.jobs[0].util_percent, UINT8_MAX);
	lw_ana_input_fini(&in);
}

static const struct {
	const char *side, *told;
} bad_sides[] = {
	{ "", ":1: no header line \"job_id,...\"" },
	{ "gpus\n1\n", ":1: no header line" },
	{ "job_id,gpus\n7\n", ":2: 1 fields, 2 wanted" },
	{ "job_id\nseven\n", ":2: job_id: \"seven\" is not a job's number" },
	{ "job_id,gpu_milli\n7,half\n", ":2: gpu_milli: \"half\" is not thousandths" },
	{ "job_id,gpu_util\n7,101\n",
	  ":2: gpu_util: \"101\" is not a whole number from 0 to 100" },
	{ "job_id,dl\n7,yes\n", ":2: dl: \"yes\" is not 0 or 1" },
};

TEST_EACH(a_bad_file_of_gpus_is_told, LW_COUNT_OF(bad_sides))
{
	struct lw_error err = { "" };
	struct lw_ana_input in;

	scratch_write("in.gpu.csv", bad_sides[_i].side);
	ck_assert_int_eq(lw_ana_input_read(&in, scratch_write("in.swf", TWO), &plain, &err),
			 -EINVAL);
	ck_assert_msg(strstr(err.text, bad_sides[_i].told) != NULL, "%s", err.text);
}

static const char rows[] = HEADER
	"3|ann|chem|cpu|a|b|2000|2100|2200|COMPLETED|1|4|cpu=4,node=1|60|\n"
	"3.batch||chem||batch|2000|2100|2200|COMPLETED|1|4|cpu=4,node=1||\n"
	"1|bob|ml|gpu|train|1000|1010|1020|OUT_OF_MEMORY|2|8|cpu=8,gres/gpu=2,node=2|60|"
	"leeway:dl=training,gang=1,conf=92,ev=torchrun leeway:gpu=n:2,util:87/99,idle:0\n"
	"2|bob|ml|gpu|train|1000|None|1020|CANCELLED by 7|2|8||60|\n"
	"4|bob|ml|gpu|train|2500|2500|Unknown|RUNNING|2|8|cpu=8,gres/gpu=2,node=2|60|\n"
	"5|bob|ml|gpu|train|3000|2900|3100|TIMEOUT|2|8|cpu=8,gres/gpu=2,node=2|UNLIMITED|\n";

TEST(what_sacct_printed_is_read)
{
	struct lw_error err = { "" };
	const struct lw_joblog_job *job;
	struct lw_ana_input in;

	ck_assert_msg(!lw_ana_input_sacct(&in, scratch_write("jobs.psv", rows), &plain, &err),
		      "%s", err.text);
	ck_assert_str_eq(in.label, "jobs");
	ck_assert_uint_eq(in.log.count, 3);
	ck_assert_uint_eq(in.never_ran, 1);
	ck_assert_uint_eq(in.unfinished, 1);
	/* two of three had GPUs */
	ck_assert_int_eq(in.log.unit, LW_JOBLOG_GPUS);
	job = &in.log.jobs[0];
	ck_assert_int_eq(job->submit_s, 0);
	ck_assert_int_eq(job->wait_s, 10);
	ck_assert_uint_eq(job->size, 2);
	ck_assert_int_eq(job->limit_s, 3600);
	ck_assert_int_eq(job->outcome, LW_OUTCOME_FAILED);
	ck_assert_int_eq(job->kind, LW_JOBLOG_DEEP);
	ck_assert_uint_eq(job->util_percent, 87);
	ck_assert_str_eq(lw_ana_input_name(&in, LW_BY_NAME, in.log.jobs[1].name), "a|b");
	ck_assert_uint_eq(in.log.jobs[1].size, 0);
	ck_assert_int_eq(in.log.jobs[1].kind, LW_JOBLOG_UNTAGGED);
	ck_assert_int_eq(in.log.jobs[2].limit_s, LW_JOBLOG_UNKNOWN);
	ck_assert_int_eq(in.log.jobs[2].wait_s, 0);
	lw_ana_input_fini(&in);
}

static const struct {
	const char *text, *told;
} bad_sacct[] = {
	{ "JobID|Submit|Start|End|State|NNodes|NCPUS\n", ":1: no column AllocTRES" },
	{ HEADER, "no job to analyse: none has run and ended" },
	{ HEADER "1|a|b|c|d|x|1|2|COMPLETED|1|1|cpu=1|60|\n", ":2: " },
	{ HEADER "1|a|b|c|d|5|9|2|COMPLETED|1|1|cpu=1|60|\n", ":2: job 1 ends before it starts" },
};

TEST_EACH(bad_rows_of_sacct_are_told, LW_COUNT_OF(bad_sacct))
{
	struct lw_error err = { "" };
	struct lw_ana_input in;

	ck_assert_int_ne(
		lw_ana_input_sacct(&in, scratch_write("jobs", bad_sacct[_i].text), &plain, &err),
		0);
	ck_assert_msg(strstr(err.text, bad_sacct[_i].told) != NULL, "%s", err.text);
}

TEST(names_are_hashed_with_salt)
{
	struct lw_ana_names names = { 0 }, others = { 0 };
	const struct lw_ana_salt salt = { { 1 }, 32 }, other = { { 2 }, 32 };
	uint32_t number;

	ck_assert_int_eq(lw_ana_names_number(&names, "ann", &number), 0);
	ck_assert_int_eq(lw_ana_names_number(&names, "bob", &number), 0);
	ck_assert_int_eq(lw_ana_names_number(&names, "ann", &number), 0);
	ck_assert_uint_eq(number, 0);
	ck_assert_uint_eq(names.count, 2);
	ck_assert_int_eq(lw_ana_names_number(&others, "ann", &number), 0);
	ck_assert_int_eq(lw_ana_names_hash(&names, "user", &salt), 0);
	ck_assert_int_eq(lw_ana_names_hash(&others, "user", &other), 0);
	ck_assert_uint_eq(strlen(names.texts[0]), strlen("user-") + 10);
	ck_assert_int_eq(strncmp(names.texts[0], "user-", 5), 0);
	ck_assert_str_ne(names.texts[0], names.texts[1]);
	/* who knows the name and not the salt finds nothing */
	ck_assert_str_ne(names.texts[0], others.texts[0]);
	lw_ana_names_fini(&others);
	ck_assert_int_eq(lw_ana_names_number(&others, "ann", &number), 0);
	ck_assert_int_eq(lw_ana_names_hash(&others, "user", &salt), 0);
	ck_assert_str_eq(names.texts[0], others.texts[0]);
	lw_ana_names_fini(&names);
	lw_ana_names_fini(&others);
}

TEST(a_salt_must_be_long)
{
	struct lw_error err = { "" };
	struct lw_ana_salt salt;

	ck_assert_int_ne(lw_ana_salt_make(&salt, scratch_write("salt", "short"), &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "5 bytes are too few for a salt"));
	ck_assert_int_eq(lw_ana_salt_make(&salt, scratch_write("salt", "0123456789abcdef"), &err),
			 0);
	ck_assert_uint_eq(salt.size, 16);
	ck_assert_int_eq(lw_ana_salt_make(&salt, NULL, &err), 0);
}
