/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway gpu JOBID: a table of a job's GPUs, and their use over time in a few rows. */
#include "cli/gpu/gpu.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/duration.h"
#include "cli/common/energy.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "cli/gpu/gpu_shared.h"

#define CHART_COLUMNS 60
#define ID_SHOWN      14
#define GIB_MIB       1024.0

/* From nothing to all; the first is for readings of nothing at all. */
static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const letters[] = { "_", ".", "-", "=", "+", "*", "%", "#" };
#define LEVELS 8

/* ---- the table ---- */

static void print_time(const char *label, int64_t at_s)
{
	time_t at = (time_t)at_s;
	struct tm tm;
	char text[32];

	if (localtime_r(&at, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		printf("%s%s", label, text);
}

/* ", user alice (1001)", or the number alone. */
static void print_user(const struct lw_record_head *head)
{
	const char *user = lw_gpu_user_name(head);
	char digits[16];

	snprintf(digits, sizeof(digits), "%" PRIu32, head->user_id);
	if (user)
		printf(", user %s", lw_tools_plain(user));
	if (user && strcmp(user, digits) != 0)
		printf(" (%s)", digits);
}

static void gpu_job_print_progress(const struct lw_progress *progress, int64_t now_s)
{
	struct lw_strbuf line = LW_STRBUF_INIT;

	lw_progress_tell_rate(progress, now_s, &line);
	if (line.len)
		printf("progress: %s\n", lw_strbuf_text(&line));
	lw_strbuf_fini(&line);
}

static void print_head(uint32_t job_id, const struct lw_record_list *list)
{
	int64_t start_s = INT64_MAX, end_s = 0;
	uint32_t gpus = 0;
	char length[32];

	for (uint32_t i = 0; i < list->count; i++) {
		int64_t end = lw_gpu_end_s(list->records[i]);

		gpus += list->records[i]->head.gpu_count;
		end_s = end > end_s ? end : end_s;
		if (list->records[i]->head.start_s < start_s)
			start_s = list->records[i]->head.start_s;
	}
	lw_duration_print(end_s - start_s, length, sizeof(length));
	printf("job %" PRIu32, job_id);
	print_user(&list->records[0]->head);
	printf(", %" PRIu32 " GPU%s on %" PRIu32 " node%s", gpus, gpus == 1 ? "" : "s",
	       list->count, list->count == 1 ? "" : "s");
	print_time("\n", start_s);
	print_time(" to ", end_s);
	printf(" (%s)%s\n", length, list->live ? ", still running" : "");
}

/* "mean/max" in the metric's unit, "-" when it is not known. */
static void print_pair(const struct lw_stat *stat, int width, double unit)
{
	char text[32] = "-";

	if (stat->count && unit != 1)
		snprintf(text, sizeof(text), "%.1f/%.1f", (double)stat->sum / stat->count / unit,
			 stat->max / unit);
	else if (stat->count)
		snprintf(text, sizeof(text), "%" PRIu32 "/%" PRIu32, lw_stat_mean(stat),
			 stat->max);
	printf(" %*s", width, text);
}

static void print_share(int64_t part_s, const struct lw_gpu_summary *sum, bool known,
			uint32_t interval_s)
{
	if (!sum->samples || !known)
		printf(" %6s", "-");
	else
		printf(" %4.0f %%", 100.0 * (double)part_s / ((double)sum->samples * interval_s));
}

/* In Wh, since a column has one unit. */
static void print_energy(const struct lw_gpu_summary *sum)
{
	if (sum->has_energy)
		printf(" %9.1f", (double)sum->energy_j * 1000 / LW_JOULES_KWH);
	else
		printf(" %9s", "-");
}

/* As much as 80 columns hold, or all of it. */
static void print_gpu(const struct lw_record *record, uint32_t gpu, bool wide)
{
	const struct lw_gpu *about = &record->head.gpu[gpu];
	struct lw_gpu_summary sum;
	char total[16] = "-";

	lw_summary_gpu(record, gpu, &sum);
	if (about->mem_total_mib)
		snprintf(total, sizeof(total), "%.0f", about->mem_total_mib / GIB_MIB);
	printf("%-10s %3" PRIu32 " %-*.*s", lw_tools_plain(record->head.node), about->index,
	       ID_SHOWN, ID_SHOWN, about->id);
	print_pair(&sum.stat[LW_METRIC_UTIL], 7, 1);
	if (!wide) {
		print_pair(&sum.stat[LW_METRIC_MEM], 11, GIB_MIB);
		printf(" %5s", total);
		print_share(sum.idle_s, &sum, !sum.unsupported, record->head.interval_s);
		printf(" %s\n", lw_gpu_verdict_name(lw_gpu_judge(record, gpu)));
		return;
	}
	print_pair(&sum.stat[LW_METRIC_SM], 7, 1);
	print_pair(&sum.stat[LW_METRIC_TENSOR], 8, 1);
	print_pair(&sum.stat[LW_METRIC_MEMBW], 7, 1);
	print_pair(&sum.stat[LW_METRIC_MEM], 11, GIB_MIB);
	printf(" %5s", total);
	print_pair(&sum.stat[LW_METRIC_POWER], 9, 1);
	print_energy(&sum);
	print_pair(&sum.stat[LW_METRIC_TEMP], 7, 1);
	print_pair(&sum.stat[LW_METRIC_NVLINK], 13, 1);
	print_pair(&sum.stat[LW_METRIC_PCIE], 13, 1);
	print_share(sum.idle_s, &sum, !sum.unsupported, record->head.interval_s);
	print_share(sum.empty_s, &sum, sum.stat[LW_METRIC_PROC].count > 0,
		    record->head.interval_s);
	printf(" %s\n", lw_gpu_verdict_name(lw_gpu_judge(record, gpu)));
}

/* A GPU of a job, to be put in order. */
struct place {
	const struct lw_record *record;
	uint32_t gpu, number;
	int badness;
	uint32_t util;
};

static int how_bad(enum lw_gpu_verdict verdict)
{
	static const enum lw_gpu_verdict order[] = { TOOLS_GPU_EMPTY, TOOLS_GPU_IDLE,
						     TOOLS_GPU_LOW };

	for (int i = 0; i < (int)(sizeof(order) / sizeof(order[0])); i++)
		if (order[i] == verdict)
			return 3 - i;
	return 0;
}

/* The worst first: by verdict, then the least used. */
static int compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	if (a->badness != b->badness)
		return a->badness > b->badness ? -1 : 1;
	if (a->util != b->util)
		return a->util < b->util ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static struct place *sort_gpus(const struct lw_record_list *list, uint32_t *ret_count)
{
	uint32_t count = 0, all = 0;
	struct place *places;

	for (uint32_t i = 0; i < list->count; i++)
		all += list->records[i]->head.gpu_count;
	places = calloc((size_t)all + 1, sizeof(*places));
	for (uint32_t i = 0; places && i < list->count; i++) {
		for (uint32_t g = 0; g < list->records[i]->head.gpu_count; g++) {
			struct lw_gpu_summary sum;

			lw_summary_gpu(list->records[i], g, &sum);
			places[count] = (struct place){ .record = list->records[i],
							.gpu = g,
							.number = count };
			places[count].badness = how_bad(lw_gpu_judge(list->records[i], g));
			places[count++].util = lw_stat_mean(&sum.stat[LW_METRIC_UTIL]);
		}
	}
	if (places)
		qsort(places, count, sizeof(*places), compare_places);
	*ret_count = count;
	return places;
}

static void print_gpus(const struct lw_record_list *list, bool wide)
{
	uint32_t count;
	struct place *places = sort_gpus(list, &count);

	for (uint32_t i = 0; i < count; i++)
		print_gpu(places[i].record, places[i].gpu, wide);
	free(places);
}

/* Its advice, by the summary that accounting has, too. */
static void print_advice(const struct lw_record_list *list)
{
	char word[LW_SUMMARY_TEXT_MAX], advice[80];
	struct lw_summary summary;
	struct lw_summary_word read;
	int64_t start_s = list->records[0]->head.start_s;

	lw_summary_make(list->records, list->count, &summary);
	lw_summary_encode(&summary, word, sizeof(word));
	if (!lw_summary_decode(word, &read) &&
	    lw_gpu_advise(&read, lw_gpu_end_s(list->records[0]) - start_s,
			  list->records[0]->head.shared, advice, sizeof(advice)))
		printf("\nadvice: %s\n", advice);
}

static void print_narrow(const struct lw_record_list *list)
{
	printf("%-10s %3s %-*s %7s %11s %5s %6s %s\n", "node", "gpu", ID_SHOWN, "id", "util %",
	       "memory GiB", "total", "idle", "verdict");
	print_gpus(list, false);
	print_advice(list);
	printf("\nthe worst first; mean/highest of each; idle: at a utilisation of 0; more with "
	       "--wide\n");
}

static void print_table(const struct lw_record_list *list)
{
	printf("%-10s %3s %-*s %7s %7s %8s %7s %11s %5s %9s %9s %7s %13s %13s %6s %6s %s\n",
	       "node", "gpu", ID_SHOWN, "id", "util %", "sm %", "tensor %", "bw %", "memory GiB",
	       "total", "power W", "energy Wh", "temp C", "nvlink MiB/s", "pcie MiB/s", "idle",
	       "empty", "verdict");
	print_gpus(list, true);
	print_advice(list);
	printf("\nmean/highest of each; sm: multiprocessors busy; tensor: of what the tensor cores "
	       "can do;\nbw: of the memory's bandwidth; idle: at a utilisation of 0; "
	       "empty: without a process;\n-: the device does not tell\n");
}

void lw_gpu_print_energy(double joules, uint32_t tell, uint32_t gpus, bool live)
{
	char energy[LW_ENERGY_TEXT_MAX];

	if (!tell)
		return;
	lw_energy_print(joules, energy, sizeof(energy));
	printf("\nenergy of the GPUs%s: %s", live ? " so far" : "", energy);
	if (tell < gpus)
		printf(" (%" PRIu32 " of %" PRIu32 " tell)", tell, gpus);
	printf("\n");
}

static void print_sum(const struct lw_record_list *list)
{
	struct lw_summary summary;

	lw_summary_make(list->records, list->count, &summary);
	lw_gpu_print_energy((double)summary.energy_j, summary.energy_gpus, summary.gpus,
			    list->live);
}

/* ---- the chart ---- */

/* The mean of METRIC in [FROM, TO) of the record's time, -1 without a reading. */
static double mean_between(const struct lw_record *record, uint32_t gpu, enum lw_metric metric,
			   double from_s, double to_s)
{
	double sum = 0, count = 0;

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_stat *stat = &lw_record_at(record, i, gpu)->stat[metric];
		double begin = (double)record->slot[i] * record->bucket_s;

		if (begin + record->bucket_s <= from_s || begin >= to_s || !stat->count)
			continue;
		sum += (double)stat->sum;
		count += stat->count;
	}
	return count > 0 ? sum / count : -1;
}

static bool is_known(const struct lw_record *record, uint32_t gpu, enum lw_metric metric)
{
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	return sum.stat[metric].count > 0;
}

static double gpu_job_highest(const struct lw_record *record, uint32_t gpu, enum lw_metric metric)
{
	struct lw_gpu_summary sum;

	lw_summary_gpu(record, gpu, &sum);
	return sum.stat[metric].max;
}

/* A value that is read every 10 s tells of all of them: it is looked for that far. */
static void print_row(const struct lw_record *record, uint32_t gpu, enum lw_metric metric,
		      double full, const char *const *levels)
{
	double start_s = (double)record->head.start_s;
	double step_s = ((double)lw_gpu_end_s(record) - start_s) / CHART_COLUMNS;
	double slow_s = (double)LW_RECORD_SLOW_EVERY_S + record->bucket_s;
	double reach_s = metric == LW_METRIC_SM && step_s < slow_s ? slow_s : step_s;

	for (int column = 0; column < CHART_COLUMNS; column++) {
		double value = mean_between(record, gpu, metric, start_s + column * step_s,
					    start_s + column * step_s + reach_s);
		double level = full > 0 ? value * LEVELS / full : 0;

		fputs(value < 0 ? " " : levels[level < LEVELS ? (int)level : LEVELS - 1], stdout);
	}
}

static void print_chart(const struct lw_record_list *list)
{
	const char *const *levels;

	setlocale(LC_CTYPE, "");
	levels = strcmp(nl_langinfo(CODESET), "UTF-8") ? letters : blocks;
	printf("\nuse from the job's begin to its end, each row from 0 to what stands behind it\n");
	for (uint32_t i = 0; i < list->count; i++) {
		const struct lw_record *record = list->records[i];

		for (uint32_t g = 0; g < record->head.gpu_count; g++) {
			const struct lw_gpu *about = &record->head.gpu[g];
			double full = about->mem_total_mib
					      ? about->mem_total_mib
					      : gpu_job_highest(record, g, LW_METRIC_MEM);

			printf("%-10s %3" PRIu32 " util |", lw_tools_plain(record->head.node),
			       about->index);
			print_row(record, g, LW_METRIC_UTIL, 100, levels);
			printf("| 100 %%\n");
			if (is_known(record, g, LW_METRIC_SM)) {
				printf("%14s sm   |", "");
				print_row(record, g, LW_METRIC_SM, 100, levels);
				printf("| 100 %%\n");
			}
			printf("%14s mem  |", "");
			print_row(record, g, LW_METRIC_MEM, full, levels);
			printf("| %.1f GiB\n", full / GIB_MIB);
		}
	}
}

const char *lw_gpu_user_name(const struct lw_record_head *head)
{
	return head->user_id == LW_RECORD_NO_USER ? NULL : lw_tools_user_name(head->user_id);
}

int lw_gpu_read_job(const char *text, uint32_t *ret_job, struct lw_error *err)
{
	if (lw_tools_read_count("job", text, 1, UINT32_MAX - 1, ret_job, NULL))
		return lw_error_set(err, -EINVAL,
				    "\"%s\" is no raw job id (of an array task see "
				    "\"sacct -o JobID,JobIDRaw\")",
				    text);
	return 0;
}

/* The files of a job's records, as far as they are its. */
static void note_inputs(const struct lw_gpu_request *request, const char *job)
{
	size_t len = strlen(job);

	for (uint32_t d = 0; d < request->dir_count; d++) {
		struct dirent **files = NULL;
		int count = scandir(request->dirs[d], &files, NULL, alphasort);

		for (int i = 0; i < count; i++) {
			char path[PATH_MAX];
			const char *name = files[i]->d_name;
			int n = snprintf(path, sizeof(path), "%s/%s", request->dirs[d], name);

			if (strncmp(name, job, len) == 0 && name[len] == '.' && n < PATH_MAX)
				lw_origin_add_file(path);
			free(files[i]);
		}
		free(files);
	}
}

/* Of a job that runs Slurm tells it. */
static void gpu_job_ask_progress(const struct lw_gpu_request *request,
				 const struct lw_record_list *list,
				 struct lw_progress *ret_progress)
{
	struct lw_progresses all = { .count = 0 };
	const struct lw_progress *found;

	*ret_progress = (struct lw_progress){ .reports = false };
	if (!list->live ||
	    lw_progresses_ask(request->bin, "-j", request->jobs[0], request->now_s, &all))
		return;
	found = lw_progresses_find(&all, NULL);
	if (found)
		*ret_progress = *found;
	lw_progresses_fini(&all);
}

static int gpu_job_show(const struct lw_gpu_request *request, uint32_t job_id,
			const struct lw_record_list *list, struct lw_error *err)
{
	struct lw_progress progress;

	gpu_job_ask_progress(request, list, &progress);
	if (request->json)
		return lw_gpu_print_json(request->json, job_id, list, &progress, err);
	print_head(job_id, list);
	gpu_job_print_progress(&progress, request->now_s);
	printf("\n");
	(request->wide ? print_table : print_narrow)(list);
	print_sum(list);
	lw_gpu_print_company(list);
	print_chart(list);
	return 0;
}

int lw_gpu_job(const struct lw_gpu_request *request, struct lw_error *err)
{
	struct lw_record_list list;
	struct lw_error why = { "" }, slurm = { "" };
	uint32_t job_id = 0;
	int rc = lw_gpu_read_job(request->jobs[0], &job_id, err);

	if (!rc)
		rc = lw_record_list_read(request->dirs, request->dir_count, job_id, &list, &why);
	if (rc == -ENOENT && !request->dir_given && !request->svg && !request->html &&
	    !request->charts) {
		int told = lw_gpu_told(request, &slurm);

		*err = slurm;
		if (told != -ENOENT)
			return told;
	}
	if (rc == -ENOENT && why.text[0])
		return lw_error_set(
			err, rc,
			"%s; while a job runs, its record is on its nodes alone: run this there "
			"(squeue -j %s -o %%N names them), or see --dir%s%s",
			why.text, request->jobs[0], slurm.text[0] ? "; " : "", slurm.text);
	if (rc)
		return why.text[0] ? lw_error_set(err, rc, "%s", why.text) : rc;
	*err = why;
	note_inputs(request, request->jobs[0]);
	if (request->svg || request->html || request->charts)
		rc = lw_gpu_write_charts(request, job_id, &list, err);
	else
		rc = gpu_job_show(request, job_id, &list, err);
	lw_record_list_fini(&list);
	return rc;
}
