/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the reader of rows: sacct and squeue, as text and as JSON. */
#include "cli/common/rows.h"
#include "unit/fake_slurm.h"
#include "unit/unit.h"

#include <errno.h>
#include <inttypes.h>

static const enum lw_column needs[] = { LW_COL_JOB, LW_COL_STATE, LW_COL_END_OF_LIST };
static const enum lw_column uses[] = { LW_COL_USER,       LW_COL_SUBMIT,  LW_COL_LIMIT,
				       LW_COL_NODES,      LW_COL_CPUS,    LW_COL_TRES,
				       LW_COL_FLAGS,      LW_COL_ELAPSED, LW_COL_NAME,
				       LW_COL_END_OF_LIST };
/* what squeue has as well */
static const enum lw_column queue[] = { LW_COL_JOB,    LW_COL_STATE,      LW_COL_USER,
					LW_COL_SUBMIT, LW_COL_LIMIT,      LW_COL_NODES,
					LW_COL_CPUS,   LW_COL_TRES,       LW_COL_REASON,
					LW_COL_NAME,   LW_COL_END_OF_LIST };

static const enum lw_column printed[] = { LW_COL_JOB,        LW_COL_STATE,  LW_COL_USER,
					  LW_COL_FLAGS,      LW_COL_REASON, LW_COL_NAME,
					  LW_COL_END_OF_LIST };
static const enum lw_column valued[] = { LW_COL_SUBMIT,     LW_COL_LIMIT, LW_COL_NODES,
					 LW_COL_CPUS,       LW_COL_TRES,  LW_COL_ELAPSED,
					 LW_COL_END_OF_LIST };

/* "job,state,user,flags,reason,name submit,limit,nodes,cpus,gpus,elapsed;" */
static int print_row(void *to, const struct lw_row *row, struct lw_error *err)
{
	struct lw_strbuf *text = to, line = LW_STRBUF_INIT;
	int64_t value;
	int rc = 0;

	for (int i = 0; printed[i] != LW_COL_END_OF_LIST; i++)
		lw_strbuf_add(&line, "%s%s", i ? "," : "", row->text[printed[i]]);
	for (int i = 0; !rc && valued[i] != LW_COL_END_OF_LIST; i++) {
		if (lw_rows_has(row->rows, valued[i]))
			rc = lw_row_value(row, valued[i], &value, err);
		else
			value = 0;
		lw_strbuf_add(&line, "%c%" PRId64, i ? ',' : ' ', value);
	}
	if (!rc)
		lw_strbuf_add(text, "%s;", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
	return rc;
}

/* of a job whose other values are none */
#define SECOND "{\"job_id\": 2, \"time\": {\"elapsed\": 0}}"
#define HEAD                                                                                     \
	"JobID|User|Submit|TimelimitRaw|State|NNodes|NCPUS|AllocTRES|Flags|ElapsedRaw|JobName\n"

static const struct {
	const char *text, *rows; /* and what is read of it */
} tables[] = {
	{ HEAD "12|ann|1000|60|CANCELLED by 7|2|16|cpu=16,gres/gpu=4|SchedMain|90|a b\n"
	       "12.batch|ann|1000|60|COMPLETED|2|16|||90|batch\n"
	       "13_[1-3%2]|bob|1010|Partition_Limit|PENDING|1||||0|c\n",
	  "12,CANCELLED,ann,SchedMain,,a b 1000,3600,2,16,4,90;"
	  "13_[1-3%2],PENDING,bob,,,c 1010,-1,1,0,0,0;" },
	/* other names, another order, and bars in a name */
	{ "JobName|AllocCPUS|JobIDRaw|State|Elapsed|UID\na|b|1.5K|7|TIMEOUT|1-00:00:01|5\n",
	  "7,TIMEOUT,5,,,a|b 0,0,0,1500,0,86401;" },
	{ "JobID|State\n", "" },
	/* sacct --json of 24.11; the last has been reduced to what must be there */
	{ "{\"jobs\": [{\"job_id\": 12, \"name\": \"a\\nb\", \"user\": \"ann\",\n"
	  "\"state\": {\"current\": [\"CANCELLED\"], \"reason\": \"None\"},\n"
	  "\"flags\": [\"STARTED_ON_SCHEDULE\"], \"allocation_nodes\": 2,\n"
	  "\"time\": {\"submission\": 1000, \"elapsed\": 90, \"limit\": {\"set\": true,\n"
	  "\"infinite\": false, \"number\": 60}}, \"tres\": {\"allocated\": [\n"
	  "{\"type\": \"cpu\", \"name\": \"\", \"id\": 1, \"count\": 16},\n"
	  "{\"type\": \"gres\", \"name\": \"gpu\", \"id\": 1001, \"count\": 4}]},\n"
	  "\"array\": {\"job_id\": 0, \"task_id\": {\"set\": false, \"infinite\": false,\n"
	  "\"number\": 0}, \"task\": \"\"}},\n"
	  "{\"job_id\": 13, \"name\": \"c\", \"user\": \"bob\", \"allocation_nodes\": 1,\n"
	  "\"state\": {\"current\": [\"PENDING\"]}, \"time\": {\"submission\": 1010,\n"
	  "\"elapsed\": 0, \"limit\": {\"set\": false, \"infinite\": true}},\n"
	  "\"array\": {\"job_id\": 13, \"task\": \"1-3%2\"}}]}",
	  "12,CANCELLED,ann,SchedMain,,a b 1000,3600,2,16,4,90;"
	  "13_[1-3%2],PENDING,bob,,,c 1010,-1,1,0,0,0;" },
	{ "{\"jobs\": [{\"job_id\": 7, \"het\": {\"job_id\": 6, \"job_offset\": {\"set\": true, "
	  "\"number\": 1}}, \"time\": {\"elapsed\": 0}}, {\"job_id\": 9, \"array\": {"
	  "\"job_id\": 8, \"task_id\": {\"set\": true, \"number\": 0}}, \"time\": "
	  "{\"elapsed\": 1, \"limit\": {\"set\": true, \"infinite\": true}}}]}",
	  "6+1,,,,, -1,-1,0,0,0,0;8_0,,,,, -1,-1,0,0,0,1;" },
	{ "{\"jobs\": []}", "" },
};

FIXTURE(fake_setup, fake_teardown);

TEST_EACH(rows_of_sacct, LW_COUNT_OF(tables))
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows reader = { .needs = needs, .uses = uses, .take = print_row, .to = &rows };
	struct lw_error err = { "" };

	ck_assert_msg(!lw_rows_of_file(&reader, scratch_write("a", tables[_i].text), &err), "%s",
		      err.text);
	ck_assert_str_eq(lw_strbuf_text(&rows), tables[_i].rows);
	lw_strbuf_fini(&rows);
}

static const struct {
	const char *text, *rows;
} queues[] = {
	{ "12|PENDING|ann|1000|1:00:00|2|16|cpu=16,gres/gpu=4|Priority|a|b\n"
	  "13_4|RUNNING|bob|1010|UNLIMITED|1|8||None|c\n",
	  "12,PENDING,ann,,Priority,a|b 1000,3600,2,16,4,0;"
	  "13_4,RUNNING,bob,,None,c 1010,-1,1,8,0,0;" },
	/* squeue --json of 24.11, and of 22.05, which has plain numbers and states */
	{ "{\"jobs\": [{\"job_id\": 12, \"array_job_id\": {\"set\": true, \"number\": 0},\n"
	  "\"user_name\": \"ann\", \"job_state\": [\"RUNNING\", \"COMPLETING\"],\n"
	  "\"state_reason\": \"None\", \"submit_time\": {\"set\": true, \"number\": 1000},\n"
	  "\"time_limit\": {\"set\": true, \"infinite\": false, \"number\": 60},\n"
	  "\"node_count\": {\"set\": true, \"number\": 2}, \"cpus\": {\"set\": true,\n"
	  "\"number\": 16}, \"tres_alloc_str\": \"cpu=16,gres/gpu=4\", \"name\": \"a\"},\n"
	  "{\"job_id\": 15, \"array_job_id\": 13, \"array_task_id\": 4, \"name\": \"c\",\n"
	  "\"user_name\": \"bob\", \"job_state\": \"PENDING\", \"state_reason\": \"Priority\",\n"
	  "\"submit_time\": 1010, \"time_limit\": 1, \"node_count\": 1, \"cpus\": 8}]}",
	  "12,COMPLETING,ann,,None,a 1000,3600,2,16,4,0;"
	  "13_4,PENDING,bob,,Priority,c 1010,60,1,8,0,0;" },
	{ "", "" },
};

TEST_EACH(rows_of_squeue, LW_COUNT_OF(queues))
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows reader = { .needs = queue,
				  .of_squeue = true,
				  .command = "why",
				  .take = print_row,
				  .to = &rows };
	struct lw_error err = { "" };

	ck_assert_msg(!lw_rows_of_text(&reader, queues[_i].text, &err), "%s", err.text);
	ck_assert_str_eq(lw_strbuf_text(&rows), queues[_i].rows);
	lw_strbuf_fini(&rows);
}

/* Rows of which one cannot be read, and what is said of it. */
static const struct {
	const char *text, *says;
} bad[] = {
	{ "JobID|State|Submit\n1|A|soon\n2|B|7\n", "/a:2: Submit \"soon\" is no time" },
	{ "JobID|State|AllocNodes\n1|A|-1\n2|B|7\n", "/a:2: AllocNodes \"-1\" is no count" },
	{ "JobID|State|AllocTRES\n1|A|gres/gpu=x\n2|B|\n",
	  "/a:2: AllocTRES: gres/gpu \"x\" is no count" },
	{ "JobID|State|Timelimit\n1|A|x\n2|B|1:00\n", "/a:2: TimelimitRaw \"x\" is no number" },
	{ "JobID|State|Elapsed\n1|A|1:x\n2|B|1:00\n", "/a:2: Elapsed \"1:x\" is no number" },
	{ "JobID|State|ElapsedRaw\n1|A|99999999999999999999\n2|B|0\n",
	  "/a:2: ElapsedRaw \"99999999999999999999\" is no number" },
	{ "JobID|State|User\n1|A\n2|B|u\n", "/a:2: 2 fields, 3 wanted" },
	{ "{\"jobs\": [7, " SECOND "]}", "/a: job 1 of the list: it is no job" },
	{ "{\"jobs\": [{\"job_id\": \"x\"}, " SECOND "]}",
	  "/a: job 1 of the list: it is no job" },
	{ "{\"jobs\": [{\"job_id\": 1, \"time\": {\"submission\": \"soon\"}}, " SECOND "]}",
	  "/a: job 1 of the list: Submit \"soon\" is no time" },
	{ "{\"jobs\": [{\"job_id\": 1, \"allocation_nodes\": -1}, " SECOND "]}",
	  "/a: job 1 of the list: NNodes \"-1\" is no count" },
	{ "{\"jobs\": [{\"job_id\": 1, \"tres\": {\"allocated\": [{\"type\": \"gres\", "
	  "\"name\": \"gpu\", \"count\": \"many\"}]}}, " SECOND "]}",
	  "/a: job 1 of the list: AllocTRES: gres/gpu \"-1\" is no count" },
};

TEST_EACH(a_bad_row_is_told_or_left_out, LW_COUNT_OF(bad))
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows strict = { .needs = needs, .uses = uses, .take = print_row, .to = &rows };
	struct lw_rows lenient = strict, told = strict;
	const char *path = scratch_write("a", bad[_i].text);
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_rows_of_file(&strict, path, &err), -EINVAL);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "\"%s\" wants \"%s\"", err.text,
		      bad[_i].says);
	ck_assert_uint_eq(rows.len, 0);
	lenient.lenient = true;
	ck_assert_int_eq(lw_rows_of_file(&lenient, path, &err), 0);
	ck_assert_uint_eq(lenient.bad, 1);
	ck_assert_uint_eq(lenient.first_bad_line, *bad[_i].text == '{' ? 1 : 2);
	ck_assert_ptr_nonnull(strstr(err.text, lenient.first_bad.text));
	ck_assert(lenient.first_bad.text[0]);
	ck_assert_int_eq(rows.text[0], '2');
	told.command = "why";
	ck_assert_int_eq(lw_rows_of_file(&told, path, &err), 0);
	ck_assert_uint_eq(told.bad, 0);
	lw_strbuf_fini(&rows);
}

/* What is no table, or lacks what is needed. */
static const struct {
	const char *text, *says;
} refused[] = {
	{ "JobID|User\n1|u\n",
	  "/a:1: no column State: print it with sacct --allusers --allocations --parsable2 "
	  "--format=JobIDRaw,JobID,UID,User," },
	{ "JobName|State\n", "/a:1: no column JobID" },
	{ "", "/a:1: empty" },
	{ "[1]", "/a:1: no header line" },
	{ "{", "/a:1:1: string or" },
	{ "{}", "/a:1: no list \"jobs\"" },
	{ "{\"jobs\": {\"job_id\": 1}}", "/a:1: no list \"jobs\"" },
	{ "{\"jobs\": [\n{\"job_id\": 1, }]}", "/a:2:" },
	{ "{\"jobs\": [{\"job_id\": 1, \"name\": \"\\u0000\"}]}", "\\u0000 is not allowed" },
	{ "{\"jobs\": [{\"job_id\": 99999999999999999999}]}", "too big integer" },
};

TEST_EACH(what_is_no_table_is_refused, LW_COUNT_OF(refused))
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows reader = { .needs = needs, .uses = uses, .take = print_row, .to = &rows };
	struct lw_error err = { "" };
	int rc = lw_rows_of_file(&reader, scratch_write("a", refused[_i].text), &err);

	ck_assert_int_eq(rc, -EINVAL);
	ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "\"%s\" wants \"%s\"", err.text,
		      refused[_i].says);
	ck_assert_uint_eq(rows.len, 0);
}

TEST_EACH(what_lists_no_jobs_is_no_answer, 2)
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows reader = { .needs = queue,
				  .of_squeue = true,
				  .command = "why",
				  .take = print_row,
				  .to = &rows };
	struct lw_error err = { "" };
	const char *text = _i ? "slurm_load_jobs error: x\n" : "{\"jobs\": [{\"name\": \"a\"}]}";

	ck_assert_int_eq(lw_rows_of_text(&reader, text, &err), -EIO);
	ck_assert_ptr_nonnull(
		strstr(err.text, "nothing that squeue printed can be read as jobs"));
}

static int count_row(void *to, const struct lw_row *row, struct lw_error *err)
{
	int64_t value;

	*(int64_t *)to += lw_row_value(row, LW_COL_CPUS, &value, err) ? 0 : value;
	return 0;
}

/* As text and as JSON. Brackets as deep as these are refused before the stack ends. */
TEST(many_rows_and_deep_ones)
{
	int64_t text_cpus = 0, json_cpus = 0;
	struct lw_rows text = {
		.needs = needs, .uses = uses, .take = count_row, .to = &text_cpus
	};
	struct lw_rows json = {
		.needs = needs, .uses = uses, .take = count_row, .to = &json_cpus
	};
	struct lw_strbuf rows = LW_STRBUF_INIT, jobs = LW_STRBUF_INIT, deep = LW_STRBUF_INIT;
	struct lw_error err = { "" };

	lw_strbuf_add(&rows, "JobID|State|NCPUS\n");
	for (int i = 1; i <= 20000; i++) {
		lw_strbuf_add(&rows, "%d|COMPLETED|%d\n", i, i);
		lw_strbuf_add(&jobs, "%s{\"job_id\": %d, \"cpus\": %d}",
			      i > 1 ? ",\n" : "{\"jobs\": [", i, i);
	}
	lw_strbuf_add(&jobs, "]}");
	ck_assert_int_eq(lw_rows_of_file(&text, scratch_write("a", rows.text), &err), 0);
	ck_assert_int_eq(lw_rows_of_file(&json, scratch_write("b", jobs.text), &err), 0);
	ck_assert_int_eq(text_cpus, 200010000);
	ck_assert_int_eq(json_cpus, text_cpus);
	lw_strbuf_add(&deep, "{\"jobs\": ");
	for (int i = 0; i < 100000; i++)
		lw_strbuf_add(&deep, "[");
	ck_assert_int_eq(lw_rows_of_file(&json, scratch_write("c", deep.text), &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "maximum parsing depth"));
	lw_strbuf_fini(&rows);
	lw_strbuf_fini(&jobs);
	lw_strbuf_fini(&deep);
}

/* The names are rows themselves, as far as a user can know how rows are parted. */
TEST(no_name_forges_a_row)
{
	static const enum lw_column asked[] = { LW_COL_JOB, LW_COL_STATE, LW_COL_USER_COMMENT,
						LW_COL_USER, LW_COL_NAME, LW_COL_END_OF_LIST };
	static const char *const fakes[] = {
		"m=${4#*:} m=${m%%,*}\n"
		"r() { printf \"$1${m}RUNNING$m$2$m$3$m$4\\n\"; }\n",
		"m=${5#*=}\nr() { printf \"$1${m}RUNNING$m$2$m$3$m$4\\n\"; }\n"
		"echo \"JobID${m}State${m}Comment${m}User${m}JobName\"\n",
	};
	static const char rows_of_all[] =
		"r 1 '\\n8|FAILED||u1|x\\n' u1 'a\\n9|FAILED||u2|y\\n'\n"
		"r 2 c u1 '|||'; r 3 '' u1 ''";
	const char *const options[] = { NULL };

	for (int squeue = 0; squeue < 2; squeue++) {
		struct lw_strbuf rows = LW_STRBUF_INIT, fake = LW_STRBUF_INIT;
		struct lw_rows reader = { .needs = asked,
					  .of_squeue = squeue,
					  .command = "why",
					  .take = print_row,
					  .to = &rows };
		struct lw_error err = { "" };

		lw_strbuf_add(&fake, "%s%s", fakes[!squeue], rows_of_all);
		fake_command(squeue ? "squeue" : "sacct", fake.text);
		ck_assert_msg(!lw_rows_ask(&reader, "", options, &err), "%s", err.text);
		ck_assert_str_eq(lw_strbuf_text(&rows),
				 "1,RUNNING,u1,,,a 9|FAILED||u2|y  0,0,0,0,0,0;"
				 "2,RUNNING,u1,,,||| 0,0,0,0,0,0;3,RUNNING,u1,,, 0,0,0,0,0,0;");
		lw_strbuf_fini(&rows);
		lw_strbuf_fini(&fake);
	}
}

TEST(commands_are_asked_for_the_columns)
{
	struct lw_strbuf rows = LW_STRBUF_INIT;
	struct lw_rows squeue = {
		.needs = queue, .of_squeue = true, .take = print_row, .to = &rows
	};
	struct lw_rows sacct = { .needs = needs, .uses = uses, .take = print_row, .to = &rows };
	const char *const options[] = { "-u", "u1", NULL };
	struct lw_error err = { "" };

	fake_command("squeue",
		     "m=${6#*:} m=${m%%,*}\n"
		     "[ \"$*\" = \"-h -a -u u1 -O JobArrayID:$m,State:$m,UserName:$m,"
		     "SubmitTime:$m,TimeLimit:$m,NumNodes:$m,NumCPUs:$m,tres-alloc:$m,Reason:$m,"
		     "Name:\" ] || exit 9\necho '1|RUNNING|u1|5|1:00|1|2||None|a'");
	fake_command("sacct", "m=${7#*=}; [ ${#m} = 18 ] || exit 8\n"
			      "[ \"$*\" = \"-X -P -u u1 -o JobID,State,User,Submit,TimelimitRaw,"
			      "NNodes,NCPUS,AllocTRES,Flags,ElapsedRaw,JobName "
			      "--delimiter=$m\" ] || exit 9\n"
			      "echo 'JobID|State'; echo '1|FAILED'");
	ck_assert_msg(!lw_rows_ask(&squeue, "", options, &err), "%s", err.text);
	ck_assert_msg(!lw_rows_ask(&sacct, "", options, &err), "%s", err.text);
	ck_assert_str_eq(rows.text,
			 "1,RUNNING,u1,,None,a 5,60,1,2,0,0;1,FAILED,,,, 0,0,0,0,0,0;");
	fake_command("squeue",
		     "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
	ck_assert_int_eq(lw_rows_ask(&squeue, "", options, &err), -ENOENT);
	fake_command("sacct", "echo 'JobID|User'; echo '1|u1'");
	ck_assert_int_eq(lw_rows_ask(&sacct, "", options, &err), -EINVAL);
	ck_assert_str_eq(err.text, "sacct printed no column State");
	lw_strbuf_fini(&rows);
}
