/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what a job's GPU records amount to, and the one word for admin_comment. */
#include "record/summary.h"

#include "base/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Memory is told in GiB from here on, or the mean would lose its digits. */
#define GIB_FROM_MIB (10 * 1024)

static void add_stat(struct lw_stat *into, const struct lw_stat *from)
{
	into->sum += from->sum;
	into->count += from->count;
	if (from->max > into->max)
		into->max = from->max;
}

uint32_t lw_stat_mean(const struct lw_stat *stat)
{
	return stat->count ? (uint32_t)((stat->sum + stat->count / 2) / stat->count) : 0;
}

void lw_summary_gpu(const struct lw_record *record, uint32_t gpu,
		    struct lw_gpu_summary *ret_gpu)
{
	struct lw_gpu_summary sum = { .samples = 0 };

	for (uint32_t i = 0; i < record->bucket_count; i++) {
		const struct lw_gpu_bucket *bucket = lw_record_at(record, i, gpu);

		sum.samples += bucket->samples;
		sum.idle_s += (int64_t)bucket->idle * record->head.interval_s;
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			add_stat(&sum.stat[m], &bucket->stat[m]);
	}
	sum.unsupported = sum.samples && !sum.stat[LW_METRIC_UTIL].count;
	*ret_gpu = sum;
}

void lw_summary_add(struct lw_summary *summary, const struct lw_record *record)
{
	summary->nodes++;
	for (uint32_t g = 0; g < record->head.gpu_count; g++) {
		struct lw_gpu_summary gpu;

		lw_summary_gpu(record, g, &gpu);
		summary->gpus++;
		summary->unsupported += gpu.unsupported;
		summary->samples += gpu.samples;
		summary->idle_s += gpu.idle_s;
		for (int m = 0; m < LW_METRIC_COUNT; m++)
			add_stat(&summary->stat[m], &gpu.stat[m]);
	}
}

static void print_mem(const struct lw_stat *mem, char *buf, size_t size)
{
	uint32_t unit = mem->max >= GIB_FROM_MIB ? 1024 : 1;

	if (!mem->count)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu32 "/%" PRIu32 "%c",
			 (lw_stat_mean(mem) + unit / 2) / unit,
			 (mem->max + unit / 2) / unit, unit == 1 ? 'M' : 'G');
}

size_t lw_summary_encode(const struct lw_summary *summary, char *buf, size_t size)
{
	const struct lw_stat *util = &summary->stat[LW_METRIC_UTIL];
	char util_text[32] = "-", mem_text[32], more[32] = "";
	int len;

	if (util->count)
		snprintf(util_text, sizeof(util_text), "%" PRIu32 "/%" PRIu32,
			 lw_stat_mean(util), util->max);
	print_mem(&summary->stat[LW_METRIC_MEM], mem_text, sizeof(mem_text));
	if (summary->unsupported)
		snprintf(more, sizeof(more), ",unsup:%" PRIu32, summary->unsupported);
	len = snprintf(buf, size,
		       LW_SUMMARY_PREFIX "n:%" PRIu32 ",util:%s,mem:%s,idle:%" PRId64
					 "%s",
		       summary->gpus, util_text, mem_text, summary->idle_s, more);
	return len < 0 ? 0 : (size_t)len;
}

static bool read_number(const char **text, uint64_t *ret_value)
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
static int read_pair(const char **text, bool *ret_has, uint32_t *ret_mean,
		     uint32_t *ret_max)
{
	uint64_t mean, max;

	if (**text == '-') {
		(*text)++;
		return 0;
	}
	if (!read_number(text, &mean) || *(*text)++ != '/' || !read_number(text, &max) ||
	    mean > max || max > UINT32_MAX / 1024)
		return -EINVAL;
	*ret_has = true;
	*ret_mean = (uint32_t)mean;
	*ret_max = (uint32_t)max;
	return 0;
}

static int read_mem(const char **text, struct lw_summary_word *word)
{
	int rc = read_pair(text, &word->has_mem, &word->mem_mean_mib, &word->mem_max_mib);

	if (rc || !word->has_mem)
		return rc;
	if (**text != 'G' && **text != 'M')
		return -EINVAL;
	if (*(*text)++ == 'G') {
		word->mem_mean_mib *= 1024;
		word->mem_max_mib *= 1024;
	}
	return 0;
}

/* One "key:value"; one that is not known is passed over. */
static int read_item(const char **text, struct lw_summary_word *word)
{
	size_t key = strcspn(*text, ":, ");
	const char *name = *text;
	uint64_t number = 0;

	if (name[key] != ':')
		return -EINVAL;
	*text += key + 1;
	if (!strncmp(name, "util:", 5))
		return read_pair(text, &word->has_util, &word->util_mean,
				 &word->util_max);
	if (!strncmp(name, "mem:", 4))
		return read_mem(text, word);
	if (strncmp(name, "n:", 2) && strncmp(name, "idle:", 5) &&
	    strncmp(name, "unsup:", 6)) {
		*text += strcspn(*text, ", ");
		return 0;
	}
	if (!read_number(text, &number) || number > INT64_MAX)
		return -EINVAL;
	if (*name == 'i')
		word->idle_s = (int64_t)number;
	else if (number > UINT32_MAX)
		return -EINVAL;
	else if (*name == 'n')
		word->gpus = (uint32_t)number;
	else
		word->unsupported = (uint32_t)number;
	return 0;
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
		rc = read_item(&text, &word);
		if (rc || text == end)
			break;
		if (*text++ != ',')
			rc = -EINVAL;
	}
	if (!rc)
		*ret_word = word;
	return rc;
}
