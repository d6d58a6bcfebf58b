/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: words of ours, and of Slurm, in texts of others. */
#include "fuzz/fuzz.h"

#include "base/words.h"
#include "config/starters.h"
#include "tagger/tag.h"
#include "record/account.h"
#include "record/jobend.h"
#include "record/summary.h"
#include "record/watch.h"
#include "slurm/bfparams.h"
#include "slurm/read/topotext.h"

#include <stdlib.h>
#include <string.h>

static void read_comment(const char *text)
{
	struct lw_summary_word word;
	struct lw_tag tag, again;
	char buf[LW_TAG_TEXT_MAX], comment[512];

	if (!lw_summary_decode(text, &word))
		fuzz_check(word.idle_s >= 0 && word.empty_s >= 0);
	lw_summary_use(text, 3600);
	lw_summary_use(text, 0);
	if (!lw_tag_decode(text, &tag)) {
		fuzz_check(lw_tag_encode(&tag, buf, sizeof(buf)) < sizeof(buf));
		fuzz_check(!lw_tag_decode(buf, &again));
		fuzz_check(again.class == tag.class && again.gang == tag.gang);
	}
	if (!lw_words_put(text, LW_TAG_PREFIX, "leeway:dl=x", comment, sizeof(comment)))
		fuzz_check(strstr(comment, "leeway:dl=x"));
}

static void read_account(const char *text)
{
	struct lw_account_job job;

	for (uint32_t id = 1; id < 4; id++)
		if (!lw_account_find(text, id, &job)) {
			fuzz_check(*job.name);
			free(job.comment);
		}
}

static void read_topology(const char *text)
{
	struct lw_topo_records records;

	if (lw_topo_records_read(&records, text))
		return;
	for (uint32_t i = 1; i < records.count; i++)
		fuzz_check(records.items[i - 1].level >= records.items[i].level);
	lw_topo_records_fini(&records);
}

static void read_gpus(const char *text)
{
	struct lw_gpu gpus[LW_RECORD_GPUS_MAX] = { { 0 } };
	int count = lw_watch_parse_gpus(text, gpus);

	fuzz_check(count <= LW_RECORD_GPUS_MAX && count);
	count = lw_watch_parse_uuids(text, gpus, count > 0 ? count : 1);
	fuzz_check(count <= LW_RECORD_GPUS_MAX);
}

static void read_options(char *text)
{
	struct lw_watch_options options;
	char *words[8], *rest = text;
	int count = 0;

	while (rest && count < 8)
		words[count++] = strsep(&rest, "\n");
	lw_watch_options_read(&options, count, words, NULL);
	fuzz_check(options.interval_s >= 1 && options.interval_s <= 3600);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	char *text = fuzz_text(data, size);

	switch (how % 8) {
	case 0:
		read_comment(text);
		break;
	case 1:
		read_account(text);
		break;
	case 2:
		read_topology(text);
		break;
	case 3:
		read_gpus(text);
		break;
	case 4:
		read_options(text);
		break;
	case 5:
		lw_jobend_is_first(text, "n01");
		lw_jobend_is_first("n[01-4]", text);
		break;
	case 6:
		lw_bfparams_of(text);
		lw_starters_of(text);
		break;
	default:
		lw_tag_gpus(text);
		lw_tag_class_parse(text, strlen(text));
	}
	free(text);
	return 0;
}
