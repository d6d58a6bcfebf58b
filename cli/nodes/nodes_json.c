/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: as JSON. */
#include "cli/nodes/nodes.h"

#include <jansson.h>

#include "cli/common/json.h"
#include "cli/common/output.h"

static json_t *json_test(const struct lw_nodes_test *test)
{
	return json_pack("{s:b, s:b, s:o}", "known", (int)test->known, "found", (int)test->found,
			 "p", test->p < 0 ? json_null() : json_real(test->p));
}

static json_t *json_tests(const struct lw_nodes_node *node)
{
	json_t *tests = json_object();

	for (int a = 0; a < LW_NODES_ABOUTS; a++)
		json_object_set_new(tests, lw_nodes_about_name((enum lw_nodes_about)a),
				    json_test(&node->test[a]));
	return tests;
}

static json_t *json_jobs(const struct lw_nodes_node *node)
{
	json_t *jobs = json_array();

	for (uint32_t i = 0; i < node->jobs; i++)
		json_array_append_new(jobs, lw_output_string(node->job[i]));
	return jobs;
}

static json_t *json_node(const struct lw_nodes_node *node)
{
	json_t *o = json_pack(
		"{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I}",
		"node", lw_output_string(node->name), "runs", (json_int_t)node->runs, "held_s",
		(json_int_t)node->held_s, "down", (json_int_t)node->down, "down_in_doubt",
		(json_int_t)node->doubt, "brief", (json_int_t)node->brief, "tried",
		(json_int_t)node->tried, "failed", (json_int_t)node->failed, "tried_elsewhere",
		(json_int_t)node->tried_apart, "failed_elsewhere", (json_int_t)node->failed_apart,
		"failed_kinds", (json_int_t)node->failed_kinds, "failed_users",
		(json_int_t)node->failed_users, "timed", (json_int_t)node->timed, "time_ratio",
		node->timed ? json_real(node->slower) : json_null(), "recorded",
		(json_int_t)node->gangs, "behind", (json_int_t)node->behind);

	json_object_set_new(o, "tests", json_tests(node));
	json_object_set_new(o, "jobs", json_jobs(node));
	return o;
}

int lw_nodes_json(const struct lw_nodes_request *request, const struct lw_nodes_log *log,
		  const struct lw_nodes_judged *judged, struct lw_error *err)
{
	json_int_t found = lw_nodes_count_found(request, judged);
	json_t *list = json_array(), *tested = json_object();

	for (uint32_t i = 0; i < judged->count; i++)
		if (lw_nodes_is_wanted(request, &judged->nodes[i]))
			json_array_append_new(list, json_node(&judged->nodes[i]));
	for (int a = 0; a < LW_NODES_ABOUTS; a++)
		json_object_set_new(tested, lw_nodes_about_name((enum lw_nodes_about)a),
				    json_integer((json_int_t)judged->tested[a]));
	return lw_output_json(request->json,
			      lw_json_named("leeway.nodes",
					    json_pack("{s:o, s:o, s:I, s:I}", "nodes", list,
						      "tested", tested, "found", found, "runs",
						      (json_int_t)log->count)),
			      err);
}
