/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the pages, charts and CSV that the commands write. */
#include "measure/sha256.h"
#include "cli/common/tools.h"
#include "unit/drawing.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Sixty jobs of one to eight processors for a machine of eight: some wait for hours. */
static const char *busy_trace(void)
{
	static char text[8192];
	size_t used = (size_t)snprintf(text, sizeof(text), "; MaxProcs: 8\n");

	for (int i = 1; i <= 60; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i,
					 400 * i, 600 + 97 * i % 3000, 1 + 7 * i % 8,
					 1 + 7 * i % 8, 4000 + 100 * (i % 7), 1 + i % 4);
	return scratch_write("t.swf", text);
}

static void sim(const char *options)
{
	char line[1000];

	snprintf(line, sizeof(line), "sim %s -q %s", busy_trace(), options);
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
}

static char *read_chart(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/c/%s", scratch_dir, name);
	return scratch_read(path);
}

static void sum_of(const char *path, char text[LW_SHA256_TEXT])
{
	FILE *in = fopen(path, "r");
	struct sha256_ctx sha;
	char byte;

	ck_assert_ptr_nonnull(in);
	sha256_init(&sha);
	while (fread(&byte, 1, 1, in) == 1)
		lw_sha256_add(&sha, &byte, 1);
	lw_sha256_text(&sha, text);
	fclose(in);
}

/* The class of the line of NAME in a chart's legend: it stands for its colour. */
static void class_of(const char *svg, const char *name, char class[24])
{
	char text[100];
	const char *found, *last = NULL;

	snprintf(text, sizeof(text), ">%s</text>", name);
	found = strstr(svg, text);
	ck_assert_msg(found != NULL, "%s", name);
	for (const char *p = svg; (p = strstr(p, "class=\"lw-s")) && p < found; p++)
		last = p;
	ck_assert_ptr_nonnull(last);
	snprintf(class, 24, "%.*s", (int)strcspn(last + 7, "\" "), last + 7);
}

FIXTURE(scratch_setup, scratch_teardown);

/* In whatever order and company: a policy has its colour, and shares it with none. */
TEST(a_policy_keeps_its_colour)
{
	static const char *const names[] = { "leeway", "easy", "fcfs", "conservative",
					     "adaptive" };
	char first[LW_COUNT_OF(names)][24], class[24], *svg;
	char options[300];

	snprintf(options, sizeof(options),
		 "--run leeway --run easy --run fcfs --run conservative --run adaptive "
		 "--charts %s/c",
		 scratch_dir);
	sim(options);
	svg = read_chart("waits.svg");
	for (size_t i = 0; i < LW_COUNT_OF(names); i++) {
		class_of(svg, names[i], first[i]);
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(first[i], first[k]);
	}
	free(svg);
	snprintf(options, sizeof(options),
		 "--run adaptive --run mine:sched.policy=easy "
		 "--run sched.policy=easy,sched.order=sjf --run leeway "
		 "--charts %s/c",
		 scratch_dir);
	sim(options);
	for (int chart = 0; chart < 3; chart++) {
		svg = read_chart(chart == 0   ? "waits.svg"
				 : chart == 1 ? "use.svg"
					      : "widths.svg");
		class_of(svg, "leeway", class);
		ck_assert_str_eq(class, first[0]);
		class_of(svg, "mine", class);
		ck_assert_str_eq(class, first[1]);
		class_of(svg, "easy:order=sjf", class);
		ck_assert_str_eq(class, first[1]);
		class_of(svg, "adaptive", class);
		ck_assert_str_eq(class, first[4]);
		free(svg);
	}
}

/* All charts of a comparison, as they are. */
TEST(no_words_are_on_others)
{
	static const char *const names[] = { "waits.svg", "widths.svg", "promises.svg",
					     "use.svg", "fairness.svg" };
	struct drawing drawing;
	char options[200];

	snprintf(options, sizeof(options), "--compare --set shake.runs=3 --charts %s/c",
		 scratch_dir);
	sim(options);
	for (size_t i = 0; i < LW_COUNT_OF(names); i++) {
		char *svg = read_chart(names[i]);

		drawing_read(svg, &drawing);
		drawing_check(&drawing);
		free(svg);
	}
}

static uint32_t count(const char *text, const char *what)
{
	uint32_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* Waits here are of seconds to hours; and a page speaks of them in one unit. */
TEST(a_page_has_one_unit)
{
	static const char *const units[] = { "seconds)", "minutes)", "hours)", "days)" };
	uint32_t used = 0;
	char options[200], *page;

	snprintf(options, sizeof(options), "--compare --html %s", scratch_path("page"));
	sim(options);
	page = scratch_read(scratch_path("page"));
	for (size_t u = 0; u < LW_COUNT_OF(units); u++)
		used += strstr(page, units[u]) != NULL;
	ck_assert_uint_eq(used, 1);
	ck_assert_uint_ge(count(page, "mean wait (hours)"), 5); /* charts, twice, and table */
	ck_assert_uint_ge(count(page, "mean violation of the start"), 1);
	ck_assert_ptr_null(strstr(page, " s</td>"));
	free(page);
}

/* Of several shakes it is shown how far they are apart, of one nothing is. */
TEST(shakes_have_bars)
{
	char options[200], *svg;

	for (int shakes = 0; shakes <= 4; shakes += 4) {
		snprintf(options, sizeof(options), "--compare%s --set shake.by=10m --charts %s/c",
			 shakes ? " --set shake.runs=4" : "", scratch_dir);
		if (!shakes)
			snprintf(options, sizeof(options), "--compare --charts %s/c",
				 scratch_dir);
		sim(options);
		svg = read_chart("widths.svg");
		ck_assert_int_eq(strstr(svg, "lw-whisker") != NULL, shakes > 0);
		ck_assert_int_eq(strstr(svg, "± the sd of 4 shakes") != NULL, shakes > 0);
		free(svg);
		svg = read_chart("waits.svg");
		ck_assert_int_eq(strstr(svg, "fill-opacity=\"0.16\"") != NULL, shakes > 0);
		free(svg);
		svg = read_chart("waits.csv");
		ck_assert_int_eq(strstr(svg, "wait_mean_hours_sd") != NULL, shakes > 0);
		free(svg);
	}
}

/* The version, the command line and the sum of what was read: in page, image and JSON. */
static void check_origin(const char *sum)
{
	static const char *const names[] = { "page", "image" };
	json_t *root = json_load_file(scratch_path("json"), 0, NULL), *made, *input;

	for (size_t i = 0; i < LW_COUNT_OF(names); i++) {
		char *text = scratch_read(scratch_path(names[i])), wanted[100];

		snprintf(wanted, sizeof(wanted), "sha256 %s  ", sum);
		ck_assert_msg(strstr(text, wanted) != NULL, "%s", names[i]);
		ck_assert_ptr_nonnull(strstr(text, "leeway " PACKAGE_VERSION "\nleeway sim "));
		free(text);
	}
	made = json_object_get(root, "made_with");
	input = json_array_get(json_object_get(made, "inputs"), 0);
	ck_assert_uint_eq(json_array_size(json_object_get(made, "inputs")), 1);
	ck_assert_str_eq(json_string_value(json_object_get(input, "sha256")), sum);
	ck_assert_str_eq(json_string_value(json_object_get(made, "version")), PACKAGE_VERSION);
	ck_assert_int_eq(
		strncmp(json_string_value(json_object_get(made, "command")), "leeway sim ", 11),
		0);
	json_decref(root);
}

static void compare(const char *path)
{
	char line[700];

	snprintf(line, sizeof(line),
		 "sim %s -q --compare --set figures.frontier=no --run easy --html %s --svg %s "
		 "--json=%s",
		 path, scratch_path("page"), scratch_path("image"), scratch_path("json"));
	ck_assert_int_eq(scratch_call(lw_tools_sim, line), LW_TOOLS_OK);
}

/* The file as it is, packed or not. */
TEST(what_was_read_is_named)
{
	char *text = scratch_read(busy_trace()), sum[LW_SHA256_TEXT], packed[200];
	gzFile out;

	sum_of(scratch_path("t.swf"), sum);
	compare(scratch_path("t.swf"));
	check_origin(sum);
	snprintf(packed, sizeof(packed), "%s/t.swf.gz", scratch_dir);
	out = gzopen(packed, "w");
	gzwrite(out, text, (unsigned)strlen(text));
	gzclose(out);
	free(text);
	sum_of(packed, sum);
	compare(packed);
	check_origin(sum);
}

/* A pipe is read once, and in pieces. */
TEST(a_pipe_is_named_too)
{
	const char *plain = busy_trace();
	char command[300], sum[LW_SHA256_TEXT];
	int saved = dup(STDIN_FILENO);
	FILE *pipe;

	sum_of(plain, sum);
	snprintf(command, sizeof(command), "head -c 1 %s; sleep 0.1; tail -c +2 %s", plain,
		 plain);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	ck_assert_int_ge(dup2(fileno(pipe), STDIN_FILENO), 0);
	compare("-");
	dup2(saved, STDIN_FILENO);
	close(saved);
	pclose(pipe);
	check_origin(sum);
}

/* ---- jobs.csv ---- */

struct csv_job {
	int64_t submit_s, start_s, end_s;
	uint32_t procs;
	bool has[64];
};

/* "0-3 8" */
static uint32_t read_procs(const char *text, bool has[64])
{
	uint32_t n = 0;

	while (*text && *text != '\n') {
		char *end;
		long first = strtol(text, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		ck_assert(first >= 0 && first <= last && last < 64);
		for (; first <= last; first++) {
			ck_assert(!has[first]);
			has[first] = true;
			n++;
		}
		text = end + (*end == ' ');
	}
	return n;
}

static uint32_t read_jobs(const char *csv, struct csv_job *jobs)
{
	static const char head[] = "job_id,workload_name,submission_time,"
				   "requested_number_of_resources,requested_time,success,"
				   "starting_time,execution_time,finish_time,waiting_time,"
				   "turnaround_time,stretch,allocated_resources\n";
	uint32_t n = 0;

	ck_assert_int_eq(strncmp(csv, head, strlen(head)), 0);
	for (const char *line = strchr(csv, '\n') + 1; *line;
	     line = strchr(line, '\n') + 1, n++) {
		struct csv_job *job = &jobs[n];
		long submit, start, run, end, wait, stay;
		double stretch;
		int taken;

		memset(job, 0, sizeof(*job));
		ck_assert_int_eq(sscanf(line,
					"%*d,t.swf,%ld,%u,%*d,%*d,%ld,%ld,%ld,%ld,%ld,%lf,%n",
					&submit, &job->procs, &start, &run, &end, &wait, &stay,
					&stretch, &taken),
				 8);
		ck_assert_int_eq(end - start, run);
		ck_assert_int_eq(start - submit, wait);
		ck_assert_int_eq(end - submit, stay);
		ck_assert_double_eq_tol(stretch, (double)stay / (double)run, 1e-4 * stretch);
		job->submit_s = submit;
		job->start_s = start;
		job->end_s = end;
		ck_assert_uint_eq(read_procs(line + taken, job->has), job->procs);
	}
	return n;
}

/* Pools and nodes: as many as it holds, and no processor with two jobs at a time. */
TEST_EACH(jobs_share_no_processor, 3)
{
	static const char *const machines[] = { "", "--nodes 4 --cpus-per-node 2 ",
						"--nodes 2 --gpus-per-node 4 " };
	static struct csv_job jobs[64];
	char options[300], *csv;
	uint32_t n;

	snprintf(options, sizeof(options), "%s--set sched.policy=leeway --jobs-csv %s",
		 machines[_i], scratch_path("jobs.csv"));
	sim(options);
	csv = scratch_read(scratch_path("jobs.csv"));
	n = read_jobs(csv, jobs);
	ck_assert_uint_eq(n, 60);
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (jobs[a].start_s >= jobs[b].end_s || jobs[b].start_s >= jobs[a].end_s)
				continue;
			for (int p = 0; p < 64; p++)
				ck_assert(!jobs[a].has[p] || !jobs[b].has[p]);
		}
	}
	free(csv);
}

/* Labels that are the same but for what no file name has do not overwrite each other. */
TEST(each_policy_has_its_jobs)
{
	static struct csv_job jobs[64];
	static const char *const names[] = { "jobs-a-b.csv", "jobs-a-b-2.csv",
					     "jobs-leeway.csv" };
	char options[300];

	snprintf(options, sizeof(options),
		 "--run a/b:sched.policy=easy --run a+b:sched.policy=fcfs --run leeway --charts "
		 "%s/c",
		 scratch_dir);
	sim(options);
	for (size_t i = 0; i < LW_COUNT_OF(names); i++) {
		char *csv = read_chart(names[i]);

		ck_assert_uint_eq(read_jobs(csv, jobs), 60);
		free(csv);
	}
}

/* A chart is in the page as it is in a file of its own. */
static void check_in_page(const char *name)
{
	char *svg = read_chart(name), *page = read_chart("report.html");

	ck_assert_msg(strstr(page, svg) != NULL, "%s is not in the page", name);
	free(svg);
	free(page);
}

/* The last column, on nodes by their number, and times since the first submission. */
TEST(a_replay_has_its_jobs)
{
	char line[400], *csv;

	scratch_write("sacct.psv",
		      "JobID|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|NodeList|JobName\n"
		      "1|1000|1010|1020|COMPLETED|2|4|cpu=4|n[2,10]|a\n"
		      "2|1001|1011|1031|FAILED|1|2|cpu=2|n1|a|b\n"
		      "3|1002|Unknown|Unknown|PENDING|1|2||None assigned|c\n");
	snprintf(line, sizeof(line), "report %s -q --out %s/c", scratch_dir, scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_report, line), LW_TOOLS_OK);
	check_in_page("use.svg");
	check_in_page("queue.svg");
	check_in_page("waits.svg");
	snprintf(line, sizeof(line), "jobs-%s.csv", strrchr(scratch_dir, '/') + 1);
	csv = read_chart(line);
	ck_assert_str_eq(strchr(csv, '\n') + 1, "1,,0,2,,1,10,10,20,10,20,2,1 2\n"
						"2,,1,1,,0,11,20,31,10,30,1.5,0\n");
	free(csv);
}

/* The example of FIPS 180. */
TEST(a_sum_is_sha256)
{
	char text[LW_SHA256_TEXT];

	sum_of(scratch_write("abc", "abc"), text);
	ck_assert_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
