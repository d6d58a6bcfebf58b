/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the summary of a job's GPU records, and its word for admin_comment. */
#include "record/summary.h"

#include "base/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Memory is told in GiB from here on, or the mean would lose its digits. */
#define GIB_FROM_MIB (10 * 1024)

uint32_t lw_stat_mean(const struct lw_stat *stat)
{
	return stat->count ? (uint32_t)((stat->sum + stat->count / 2) / stat->count) : 0;
}

/* How long it was read: no longer than the record is. */
static int64_t summary_read_for_s(const struct lw_record *record,
				  const struct lw_gpu_summary *sum)
{
	int64_t read_s = (int64_t)sum->samples * record->head.interval_s;
	int64_t length_s = record->head.end_s - record->head.start_s;

	return record->head.end_s && length_s > 0 && length_s < read_s ? length_s : read_s;
}

static void summary_sum_energy(const struct lw_record *record, uint32_t gpu,
			       struct lw_gpu_summary *sum)
{
	const struct lw_gpu_energy *counted = &record->head.gpu[gpu].energy;
	const struct lw_stat *power = &sum->stat[LW_METRIC_POWER];
	int64_t rest_s = summary_read_for_s(record, sum) - counted->covered_s;
	double watts = 0;

	sum->has_energy = counted->covered_s || power->count;
	if (!sum->has_energy)
		return;
	sum->energy_j = counted->joules;
	if (power->count)
		watts = (double)power->sum / power->count;
	else
		watts = (double)counted->joules / counted->covered_s;
	/* readings and the counter need not begin and end in the same second */
	if (!counted->covered_s || rest_s > (int64_t)record->head.interval_s)
		sum->energy_j += (uint64_t)(watts * (double)rest_s + 0.5);
}

void lw_summary_gpu(const struct lw_record *record, uint32_t gpu,
		    struct lw_gpu_summary *ret_gpu)
{
	struct lw_gpu_summary sum = { .samples = 0 };

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_gpu_bucket *bucket = lw_record_at(record, i, gpu);

		sum.samples += bucket->samples;
		sum.idle_s += (int64_t)bucket->idle * record->head.interval_s;
		if (!bucket->stat[LW_METRIC_PROC].max)
			sum.empty_s += (int64_t)bucket->stat[LW_METRIC_PROC].count *
				       record->head.interval_s;
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			lw_stat_add(&sum.stat[m], &bucket->stat[m]);
	}
	sum.unsupported = sum.samples && !sum.stat[LW_METRIC_UTIL].count;
	summary_sum_energy(record, gpu, &sum);
	*ret_gpu = sum;
}

static bool summary_is_quiet(const struct lw_gpu_summary *gpu, uint32_t interval_s)
{
	return gpu->samples && !gpu->unsupported &&
	       100 * gpu->idle_s >= (int64_t)gpu->samples * interval_s * LW_SUMMARY_QUIET_PERCENT;
}

static void summary_add_with(struct lw_summary *summary, uint32_t job_id)
{
	for (uint32_t i = 0; i < summary->with_count; i++)
		if (summary->with[i] == job_id)
			return;
	if (summary->with_count < LW_SUMMARY_WITH_MAX)
		summary->with[summary->with_count++] = job_id;
}

/* One node's record. */
static void summary_add_record(struct lw_summary *summary, const struct lw_record *record)
{
	const struct lw_record_company *company = &record->head.company;

	summary->nodes++;
	summary->shared += record->head.shared ? record->head.gpu_count : 0;
	for (uint32_t i = 0; i < company->neighbour_count; i++)
		summary_add_with(summary, company->neighbour[i].job_id);
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		struct lw_gpu_summary gpu;

		lw_summary_gpu(record, g, &gpu);
		summary->gpus++;
		summary->quiet += summary_is_quiet(&gpu, record->head.interval_s);
		if (!summary->total_mib || record->head.gpu[g].mem_total_mib < summary->total_mib)
			summary->total_mib = record->head.gpu[g].mem_total_mib;
		summary->unsupported += gpu.unsupported;
		summary->samples += gpu.samples;
		summary->idle_s += gpu.idle_s;
		summary->empty_s += gpu.empty_s;
		summary->energy_j += gpu.energy_j;
		summary->energy_gpus += gpu.has_energy;
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			lw_stat_add(&summary->stat[m], &gpu.stat[m]);
	}
}

void lw_summary_make(struct lw_record *const *records, uint32_t count,
		     struct lw_summary *ret_summary)
{
	struct lw_summary summary = { .gpus = 0 };

	for (uint32_t i = 0; i < count; i++)
		summary_add_record(&summary, records[i]);
	*ret_summary = summary;
}

static void summary_print_mem(const struct lw_stat *mem, char *buf, size_t size)
{
	uint32_t unit = mem->max >= GIB_FROM_MIB ? 1024 : 1;

	if (!mem->count)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu32 "/%" PRIu32 "%c",
			 (lw_stat_mean(mem) + unit / 2) / unit,
			 (mem->max + unit / 2) / unit, unit == 1 ? 'M' : 'G');
}

static void summary_print_pair(const struct lw_stat *stat, char *buf, size_t size)
{
	if (stat->count)
		snprintf(buf, size, "%" PRIu32 "/%" PRIu32, lw_stat_mean(stat), stat->max);
	else
		snprintf(buf, size, "-");
}

/* The names in the word; record_text.c, which has them too, is not where only this is linked. */
static const char *const names[LW_METRIC_COUNT] = {
#define LW_METRIC(constant, name, unit) name,
#include "record/metric.def"
#undef LW_METRIC
};

/* Append ",NAME:MEAN" to what has LEN bytes in BUF; nothing without a count. */
static int summary_add_mean(const struct lw_summary *summary, enum lw_metric metric, char *buf,
			    int len, size_t size)
{
	if (!summary->stat[metric].count)
		return len;
	return len + snprintf(buf + len, size - (size_t)len, ",%s:%" PRIu32, names[metric],
			      lw_stat_mean(&summary->stat[metric]));
}

/* What is worth a word of advice; nothing where all is well. */
static int summary_add_advice(const struct lw_summary *summary, char *buf, int len, size_t size)
{
	const struct lw_stat *mem = &summary->stat[LW_METRIC_MEM];

	if (summary->quiet && summary->quiet < summary->gpus)
		len += snprintf(buf + len, size - (size_t)len, ",quiet:%" PRIu32, summary->quiet);
	if (mem->count && summary->total_mib >= 1024 &&
	    mem->max * UINT64_C(2) < summary->total_mib)
		len += snprintf(buf + len, size - (size_t)len, ",half:%" PRIu32,
				(summary->total_mib + 512) / 1024);
	return len;
}

/* Append the energy, to what has LEN bytes in BUF; nothing where it is not known. */
static int summary_add_energy(const struct lw_summary *summary, char *buf, int len, size_t size)
{
	if (!summary->energy_gpus)
		return len;
	len += snprintf(buf + len, size - (size_t)len, ",energy:%" PRIu64, summary->energy_j);
	if (summary->energy_gpus < summary->gpus)
		len += snprintf(buf + len, size - (size_t)len, "/%" PRIu32, summary->energy_gpus);
	return len;
}

/* Figures of shared GPUs, and the other jobs there, if there were any. */
static int summary_add_shared(const struct lw_summary *summary, char *buf, int len, size_t size)
{
	if (!summary->shared)
		return len;
	len += snprintf(buf + len, size - (size_t)len, ",shared:%" PRIu32, summary->shared);
	len = summary_add_mean(summary, LW_METRIC_DUTIL, buf, len, size);
	len = summary_add_mean(summary, LW_METRIC_DSM, buf, len, size);
	for (uint32_t i = 0; i < summary->with_count; i++)
		len += snprintf(buf + len, size - (size_t)len, "%s%" PRIu32,
				i ? "+" : ",with:", summary->with[i]);
	return len;
}

size_t lw_summary_encode(const struct lw_summary *summary, char *buf, size_t size)
{
	static const enum lw_metric means[] = { LW_METRIC_SM, LW_METRIC_TENSOR, LW_METRIC_MEMBW,
						LW_METRIC_NVLINK, LW_METRIC_PCIE };
	char util[32], mem[32], power[32] = "", more[380] = "";
	int len = summary_add_energy(summary, more, 0, sizeof(more));

	summary_print_pair(&summary->stat[LW_METRIC_UTIL], util, sizeof(util));
	summary_print_mem(&summary->stat[LW_METRIC_MEM], mem, sizeof(mem));
	if (summary->stat[LW_METRIC_POWER].count) {
		memcpy(power, ",pow:", 6);
		summary_print_pair(&summary->stat[LW_METRIC_POWER], power + 5, sizeof(power) - 5);
	}
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++)
		len = summary_add_mean(summary, means[i], more, len, sizeof(more));
	if (summary->empty_s)
		len += snprintf(more + len, sizeof(more) - (size_t)len, ",empty:%" PRId64,
				summary->empty_s);
	if (summary->unsupported)
		len += snprintf(more + len, sizeof(more) - (size_t)len, ",unsup:%" PRIu32,
				summary->unsupported);
	len = summary_add_shared(summary, more, len, sizeof(more));
	(void)summary_add_advice(summary, more, len, sizeof(more));
	len = snprintf(buf, size,
		       LW_SUMMARY_PREFIX "n:%" PRIu32 ",util:%s,mem:%s,idle:%" PRId64
					 "%s%s",
		       summary->gpus, util, mem, summary->idle_s, power, more);
	return len < 0 ? 0 : (size_t)len;
}

static bool summary_read_number(const char **text, uint64_t *ret_value)
{
	const char *p = *text;
	uint64_t value = 0;

	while (*p >= '0' && *p <= '9' && value < UINT64_MAX / 100)
		value = value * 10 + (uint64_t)(*p++ - '0');
	if (p == *text)
		return false;
	*text = p;
	*ret_value = value;
	return true;
}

/* "mean/max", or "-" for not known. */
static int summary_read_pair(const char **text, bool *ret_has, uint32_t *ret_mean,
			     uint32_t *ret_max)
{
	uint64_t mean, max;

	if (**text == '-') {
		(*text)++;
		return 0;
	}
	if (!summary_read_number(text, &mean) || *(*text)++ != '/' ||
	    !summary_read_number(text, &max) || mean > max || max > UINT32_MAX / 1024)
		return -EINVAL;
	*ret_has = true;
	*ret_mean = (uint32_t)mean;
	*ret_max = (uint32_t)max;
	return 0;
}

static int summary_read_mem(const char **text, struct lw_summary_word *word)
{
	int rc = summary_read_pair(text, &word->has_mem, &word->mem_mean_mib, &word->mem_max_mib);
	int unit;

	if (rc || !word->has_mem)
		return rc;
	unit = **text & ~0x20; /* small ones, too: sacctmgr of 22.05 makes them so */
	if (unit != 'G' && unit != 'M')
		return -EINVAL;
	(*text)++;
	if (unit == 'G') {
		word->mem_mean_mib *= 1024;
		word->mem_max_mib *= 1024;
	}
	return 0;
}

static int summary_read_count(const char **text, uint64_t max, uint64_t *ret_value)
{
	return summary_read_number(text, ret_value) && *ret_value <= max ? 0 : -EINVAL;
}

/* "joules", or "joules/gpus". Of all GPUs where none are named: their number may come later. */
static int summary_read_energy(const char **text, struct lw_summary_word *word)
{
	uint64_t gpus = UINT32_MAX;
	int rc = summary_read_count(text, UINT64_MAX, &word->energy_j);

	if (!rc && **text == '/') {
		(*text)++;
		rc = summary_read_count(text, UINT32_MAX, &gpus);
	}
	word->energy_gpus = (uint32_t)gpus;
	return rc || !gpus ? -EINVAL : 0;
}

static int summary_read_mean(const char **text, bool *ret_has, uint32_t *ret_mean)
{
	uint64_t number = 0;
	int rc = summary_read_count(text, UINT32_MAX, &number);

	*ret_has = !rc;
	*ret_mean = (uint32_t)number;
	return rc;
}

/* "12+14": those beyond our room are passed over. */
static int summary_read_with(const char **text, struct lw_summary_word *word)
{
	uint64_t job = 0;
	int rc = summary_read_count(text, UINT32_MAX, &job);

	word->with_count = 0;
	while (!rc) {
		if (word->with_count < LW_SUMMARY_WITH_MAX)
			word->with[word->with_count++] = (uint32_t)job;
		if (**text != '+')
			break;
		(*text)++;
		rc = summary_read_count(text, UINT32_MAX, &job);
	}
	return rc;
}

static int summary_read_version(const char **text)
{
	uint64_t version;

	if (summary_read_count(text, UINT32_MAX, &version))
		return -EINVAL;
	return version > LW_SUMMARY_VERSION ? -ENOTSUP : 0;
}

/* The items that are one mean. */
static bool summary_find_mean(struct lw_summary_word *word, const char *name, size_t len,
			      bool **ret_has, uint32_t **ret_mean)
{
	const struct {
		enum lw_metric metric;
		bool *has;
		uint32_t *mean;
	} means[] = {
		{ LW_METRIC_SM, &word->has_sm, &word->sm_percent },
		{ LW_METRIC_TENSOR, &word->has_tensor, &word->tensor_percent },
		{ LW_METRIC_MEMBW, &word->has_membw, &word->membw_percent },
		{ LW_METRIC_NVLINK, &word->has_nvlink, &word->nvlink_mib_s },
		{ LW_METRIC_PCIE, &word->has_pcie, &word->pcie_mib_s },
		{ LW_METRIC_DUTIL, &word->has_dutil, &word->dutil_percent },
		{ LW_METRIC_DSM, &word->has_dsm, &word->dsm_percent },
	};

	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++) {
		const char *known = names[means[i].metric];

		if (strlen(known) != len || strncmp(known, name, len) != 0)
			continue;
		*ret_has = means[i].has;
		*ret_mean = means[i].mean;
		return true;
	}
	return false;
}

/* One "key:value"; one that is not known is passed over. */
static int summary_read_item(const char **text, struct lw_summary_word *word)
{
	const char *name = *text;
	size_t key = strcspn(name, ":, ");
	uint64_t number = 0;
	uint32_t *mean;
	bool *has;
	int rc = 0;

	if (name[key] != ':')
		return -EINVAL;
	*text += key + 1;
	if (summary_find_mean(word, name, key, &has, &mean)) {
		rc = summary_read_mean(text, has, mean);
	} else if (!strncmp(name, "util:", 5)) {
		rc = summary_read_pair(text, &word->has_util, &word->util_mean, &word->util_max);
	} else if (!strncmp(name, "mem:", 4)) {
		rc = summary_read_mem(text, word);
	} else if (!strncmp(name, "pow:", 4)) {
		rc = summary_read_pair(text, &word->has_power, &word->power_mean_w,
				       &word->power_max_w);
	} else if (!strncmp(name, "energy:", 7)) {
		rc = summary_read_energy(text, word);
	} else if (!strncmp(name, "v:", 2)) {
		rc = summary_read_version(text);
	} else if (!strncmp(name, "n:", 2)) {
		rc = summary_read_count(text, UINT32_MAX, &number);
		word->gpus = (uint32_t)number;
	} else if (!strncmp(name, "unsup:", 6)) {
		rc = summary_read_count(text, UINT32_MAX, &number);
		word->unsupported = (uint32_t)number;
	} else if (!strncmp(name, "quiet:", 6)) {
		rc = summary_read_count(text, UINT32_MAX, &number);
		word->quiet = (uint32_t)number;
	} else if (!strncmp(name, "shared:", 7)) {
		rc = summary_read_count(text, UINT32_MAX, &number);
		word->shared = (uint32_t)number;
	} else if (!strncmp(name, "with:", 5)) {
		rc = summary_read_with(text, word);
	} else if (!strncmp(name, "half:", 5)) {
		rc = summary_read_count(text, UINT32_MAX / 1024, &number);
		word->half_gib = (uint32_t)number;
	} else if (!strncmp(name, "idle:", 5)) {
		rc = summary_read_count(text, INT64_MAX, &number);
		word->idle_s = (int64_t)number;
	} else if (!strncmp(name, "empty:", 6)) {
		rc = summary_read_count(text, INT64_MAX, &number);
		word->empty_s = (int64_t)number;
	} else {
		*text += strcspn(*text, ", ");
	}
	return rc;
}

int lw_summary_decode(const char *admin_comment, struct lw_summary_word *ret_word)
{
	struct lw_summary_word word = { .gpus = 0 };
	size_t len = 0;
	const char *text = lw_words_find(admin_comment, LW_SUMMARY_PREFIX, &len);
	const char *end = text ? text + len : NULL;
	int rc = 0;

	if (!text)
		return -ENOENT;
	text += strlen(LW_SUMMARY_PREFIX);
	while (!rc) {
		rc = summary_read_item(&text, &word);
		if (rc || text == end)
			break;
		if (*text++ != ',')
			rc = -EINVAL;
	}
	if (word.energy_gpus > word.gpus)
		word.energy_gpus = word.gpus;
	if (!rc)
		*ret_word = word;
	return rc;
}

static uint32_t summary_at_most_100(uint32_t percent)
{
	return percent < 100 ? percent : 100;
}

/* A GPU that could be shared, but was not, was the job's own. */
static bool summary_has_company(const struct lw_summary_word *word)
{
	return word->shared && (word->with_count || word->has_dutil || word->has_dsm);
}

bool lw_summary_had_company(const char *admin_comment)
{
	struct lw_summary_word word;

	return !lw_summary_decode(admin_comment, &word) && summary_has_company(&word);
}

struct lw_gpu_use lw_summary_use(const char *admin_comment, int64_t run_s)
{
	struct lw_gpu_use use = { .has_util = false };
	struct lw_summary_word word;
	double gpu_s;
	bool alone;

	if (lw_summary_decode(admin_comment, &word))
		return use;
	gpu_s = (double)word.gpus * (double)run_s;
	use.has_nvlink = word.has_nvlink;
	use.has_pcie = word.has_pcie;
	use.nvlink_mib_s = word.nvlink_mib_s;
	use.pcie_mib_s = word.pcie_mib_s;
	use.has_mem = word.has_mem;
	use.mem_mib = word.mem_max_mib;
	alone = !summary_has_company(&word);
	use.has_sm = word.has_sm && alone;
	use.has_tensor = word.has_tensor;
	use.has_membw = word.has_membw;
	use.sm_percent = summary_at_most_100(word.sm_percent);
	use.tensor_percent = summary_at_most_100(word.tensor_percent);
	use.membw_percent = summary_at_most_100(word.membw_percent);
	use.has_util = word.has_util && gpu_s > 0 && alone;
	if (!use.has_util)
		return use;
	use.util_percent = summary_at_most_100(word.util_mean);
	/* readings are a little apart from the job's begin and end */
	use.idle_permille = (double)word.idle_s >= gpu_s
				    ? 1000
				    : (uint32_t)(1000 * (double)word.idle_s / gpu_s + 0.5);
	return use;
}
