/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the words in AdminComment tell of a job that ended: its use of its GPUs. */
#include "cli/gpu/gpu_ended.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/output.h"
#include "cli/gpu/gpu_shared.h"

bool lw_gpu_ended_read(const char *comment, struct lw_gpu_ended *ended)
{
	bool word = !lw_summary_decode(comment, &ended->word);
	bool mark = !lw_sharemark_read(comment, &ended->mark);

	ended->has_word = ended->has_word || word;
	ended->has_mark = ended->has_mark || mark;
	return word || mark;
}

enum lw_gpu_advice lw_gpu_ended_advise(const struct lw_gpu_ended *ended,
				       char buf[LW_GPU_ADVICE_TEXT])
{
	return lw_gpu_advise(&ended->word, ended->elapsed_s, ended->has_mark && ended->mark.parts,
			     buf, LW_GPU_ADVICE_TEXT);
}

static void write_texts(const struct lw_gpu_ended *ended, uint32_t gpus, struct lw_gpu_row *row)
{
	const struct lw_summary_word *word = &ended->word;
	double gpu_s = (double)ended->elapsed_s * gpus;
	double share = gpu_s > 0 ? 100 * (double)word->idle_s / gpu_s : 0;

	snprintf(row->util, sizeof(row->util), "%" PRIu32 "/%" PRIu32, word->util_mean,
		 word->util_max);
	snprintf(row->mem, sizeof(row->mem), "%.1f/%.1f", word->mem_mean_mib / 1024.0,
		 word->mem_max_mib / 1024.0);
	snprintf(row->idle, sizeof(row->idle), "%.0f %%", share < 100 ? share : 100);
}

void lw_gpu_ended_use(const struct lw_gpu_ended *ended, uint32_t gpus, bool wide,
		      struct lw_gpu_row *row)
{
	const struct lw_summary_word *w = &ended->word;
	const char *util = w->has_util ? row->util : NULL;
	const char *mem = w->has_mem ? row->mem : NULL;
	const char *idle = w->has_util ? row->idle : NULL;
	/* a GPU that tells no use tells no idleness either */
	const char *no_idle = w->has_util ? NULL : "-";
	double joules = (double)w->energy_j;
	bool told = ended->has_word;
	struct lw_field *end = row->fields.field;
	const struct lw_field fields[] = {
		{ NULL, "util %", 8, LW_FIELD_TEXT, .text = util },
		{ "util_mean", .value = lw_field_if(w->has_util, w->util_mean) },
		{ "util_max", .value = lw_field_if(w->has_util, w->util_max) },
		{ "sm_mean", wide ? "sm %" : NULL, 4,
		  .value = lw_field_if(w->has_sm, w->sm_percent) },
		{ "tensor_mean", wide ? "tens" : NULL, 4,
		  .value = lw_field_if(w->has_tensor, w->tensor_percent) },
		{ "membw_mean", wide ? "bw" : NULL, 4,
		  .value = lw_field_if(w->has_membw, w->membw_percent) },
		{ NULL, "memory GiB", 11, LW_FIELD_TEXT, .text = mem },
		{ "mem_mean_mib", .value = lw_field_if(w->has_mem, w->mem_mean_mib) },
		{ "mem_max_mib", .value = lw_field_if(w->has_mem, w->mem_max_mib) },
		{ "idle_s", wide ? "idle GPU-t" : NULL, 10, LW_FIELD_DURATION,
		  lw_field_if(told, (double)w->idle_s), no_idle },
		{ "empty_s", .value = lw_field_if(told, (double)w->empty_s) },
		{ "nvlink_mib_s", .value = lw_field_if(w->has_nvlink, w->nvlink_mib_s) },
		{ "pcie_mib_s", .value = lw_field_if(w->has_pcie, w->pcie_mib_s) },
		{ "energy_j", wide ? "energy" : NULL, 9, LW_FIELD_ENERGY,
		  lw_field_if(w->energy_gpus > 0, joules), NULL },
		{ "energy_gpus", .value = lw_field_if(w->energy_gpus > 0, w->energy_gpus) },
		{ NULL, wide ? NULL : "idle", 6, LW_FIELD_TEXT, .text = idle },
	};

	write_texts(ended, gpus, row);
	while (end->key || end->title)
		end++;
	memcpy(end, fields, sizeof(fields));
}

void lw_gpu_ended_set(json_t *o, const struct lw_gpu_ended *ended, bool nulls)
{
	char advice[LW_GPU_ADVICE_TEXT];
	enum lw_gpu_advice kind = lw_gpu_ended_advise(ended, advice);

	json_object_set_new(o, "share", lw_gpu_parts_json(ended->has_mark ? &ended->mark : NULL));
	if (!ended->has_word && !nulls)
		return;
	json_object_set_new(o, "advice",
			    kind ? json_string(lw_gpu_advice_name(kind)) : json_null());
	json_object_set_new(o, "shared", lw_gpu_shared_json(&ended->word));
}

void lw_gpu_ended_print_sharing(const struct lw_gpu_ended *ended, int indent, bool labels)
{
	char shared[TOOLS_GPU_SHARED_TEXT];

	if (ended->has_mark) {
		lw_gpu_parts_line(&ended->mark, shared, sizeof(shared));
		printf("%-*s%s\n", indent, labels ? "sharing" : "", shared);
	}
	lw_gpu_shared_who(&ended->word, shared, sizeof(shared));
	if (*shared)
		printf("%-*s%s\n", indent, labels ? "tenants" : "", shared);
	lw_gpu_shared_cost(&ended->word, shared, sizeof(shared));
	if (*shared)
		printf("%-*s%s\n", indent, "", shared);
}
