/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway size: as JSON. */
#include "cli/size/size.h"

#include <jansson.h>

#include <stdlib.h>

#include "cli/common/json.h"
#include "cli/common/output.h"

static json_t *json_rate(const struct lw_size_told *told, const struct lw_size_rate *rate)
{
	const struct lw_size_values *waits = &rate->point->wait_s;

	return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "size",
			 (json_int_t)rate->point->size, "runs",
			 (json_int_t)rate->point->unit_s[told->work].count, "p50_s", rate->unit_s,
			 "speedup", rate->speedup, "efficiency", rate->efficiency,
			 "efficiency_low", rate->efficiency_low, "efficiency_high",
			 rate->efficiency_high, "gpu_s", rate->gpu_s, "wait_p50_s",
			 waits->count ? json_real(lw_size_quantile(waits, 50)) : json_null());
}

static json_t *json_rates(const struct lw_size_told *told)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < told->count; i++)
		json_array_append_new(list, json_rate(told, &told->rates[i]));
	return list;
}

static json_t *json_fit(const struct lw_size_told *told)
{
	if (!told->has_fit)
		return json_null();
	return json_pack("{s:f, s:f, s:f, s:f}", "fixed_s", told->fit.fixed_s, "shared_s",
			 told->fit.shared_s, "growing_s", told->fit.growing_s, "error",
			 told->fit.error);
}

/* NULL: out of memory. */
static json_t *json_kind(const struct lw_size_kind *kind)
{
	struct lw_strbuf advice = LW_STRBUF_INIT, sure = LW_STRBUF_INIT;
	struct lw_size_told told;
	bool known;
	json_t *o;

	if (lw_size_judge(kind, &told))
		return NULL;
	known = told.advice != LW_SIZE_UNKNOWN;
	lw_size_words(kind, &told, &advice, &sure);
	o = json_pack("{s:o, s:o, s:s, s:s, s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}",
		      "name", lw_output_string(kind->name), "type",
		      *kind->type ? lw_output_string(kind->type) : json_null(), "of",
		      kind->of_nodes ? "nodes" : "gpus", "work", lw_size_work_name(told.work),
		      "runs", (json_int_t)kind->runs, "sizes", json_rates(&told), "fit",
		      json_fit(&told), "advice", lw_size_advice_name(told.advice), "advised",
		      known ? json_integer(told.rates[told.good].point->size) : json_null(),
		      "soonest",
		      known && told.work != LW_SIZE_STEP
			      ? json_integer(told.rates[told.soonest].point->size)
			      : json_null(),
		      "twice_efficiency", told.twice > 0 ? json_real(told.twice) : json_null(),
		      "sure", known ? json_string(lw_size_sure_name(told.sure)) : json_null(),
		      "why", lw_output_string(lw_strbuf_text(&advice)), "how_sure",
		      lw_output_string(lw_strbuf_text(&sure)));
	lw_strbuf_fini(&advice);
	lw_strbuf_fini(&sure);
	free(told.rates);
	return o;
}

int lw_size_json(const char *path, const struct lw_size_kinds *kinds, struct lw_error *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < kinds->count; i++)
		json_array_append_new(list, json_kind(&kinds->kinds[i]));
	return lw_output_json(
		path, lw_json_named("leeway.size", json_pack("{s:o}", "kinds", list)), err);
}
