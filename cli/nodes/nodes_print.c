/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: as a table. */
#include "cli/nodes/nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fold.h"
#include "cli/common/tools.h"

#define NAME_WIDTH 12

bool lw_nodes_is_named(const struct lw_nodes_request *request, const struct lw_nodes_node *node)
{
	for (uint32_t i = 0; i < request->names.count; i++)
		if (strcmp(request->names.names[i], node->name) == 0)
			return true;
	return !request->names.count;
}

bool lw_nodes_is_wanted(const struct lw_nodes_request *request, const struct lw_nodes_node *node)
{
	return lw_nodes_is_named(request, node) && (!request->suspect || lw_nodes_is_found(node));
}

uint32_t lw_nodes_count_found(const struct lw_nodes_request *request,
			      const struct lw_nodes_judged *judged)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < judged->count; i++)
		found += lw_nodes_is_named(request, &judged->nodes[i]) &&
			 lw_nodes_is_found(&judged->nodes[i]);
	return found;
}

/* Worth a line among thousands: chance gives it to one in twenty of them. */
static bool print_is_news(const struct lw_nodes_node *node)
{
	bool news = lw_nodes_is_found(node) || node->down;

	for (int a = 0; a < LW_NODES_ABOUTS; a++)
		news |= node->test[a].p >= 0 && node->test[a].p <= LW_NODES_CHANCE;
	return news;
}

/* The p is that of one node; over all that were tested chance finds it so many times as often. */
static void print_chance(const struct lw_nodes_judged *judged, const struct lw_nodes_node *node,
			 enum lw_nodes_about about, struct lw_strbuf *text)
{
	double p = node->test[about].p * judged->tested[about];

	if (p < 0.0001)
		lw_strbuf_add(text, " (chance below 0.01 %%)");
	else
		lw_strbuf_add(text, " (chance %.2g %%)", 100 * p);
}

static void print_findings(const struct lw_nodes_judged *judged, const struct lw_nodes_node *node,
			   struct lw_strbuf *text)
{
	const char *between = "";

	for (int a = 0; a < LW_NODES_ABOUTS; a++) {
		if (!node->test[a].found)
			continue;
		lw_strbuf_add(text, "%s", between);
		between = "; ";
		if (a == LW_NODES_DOWN)
			lw_strbuf_add(text, "goes down");
		else if (a == LW_NODES_FAILS)
			lw_strbuf_add(text,
				      "%" PRIu32 " kinds of jobs of %" PRIu32
				      " user%s fail more often here",
				      node->failed_kinds, node->failed_users,
				      node->failed_users == 1 ? "" : "s");
		else if (a == LW_NODES_SLOW)
			lw_strbuf_add(text, "slow");
		else
			lw_strbuf_add(text, "GPUs behind");
		print_chance(judged, node, (enum lw_nodes_about)a, text);
	}
	if (!text->len)
		lw_strbuf_add(text, "%s",
			      lw_nodes_is_known(node) ? "nothing found" : "not known");
}

static void print_row(const struct lw_nodes_judged *judged, const struct lw_nodes_node *node)
{
	char failed[32] = "-", apart[32] = "-", slower[16] = "-", behind[32] = "-";
	struct lw_strbuf findings = LW_STRBUF_INIT, text = LW_STRBUF_INIT;

	if (node->tried) {
		snprintf(failed, sizeof(failed), "%" PRIu32 " of %" PRIu32, node->failed,
			 node->tried);
		snprintf(apart, sizeof(apart), "%.0f %%",
			 100.0 * node->failed_apart / node->tried_apart);
	}
	if (node->timed)
		snprintf(slower, sizeof(slower), "%.2f", node->slower);
	if (node->gangs)
		snprintf(behind, sizeof(behind), "%" PRIu32 " of %" PRIu32, node->behind,
			 node->gangs);
	print_findings(judged, node, &findings);
	lw_strbuf_add(
		&text, "%-*s %6" PRIu32 " %8.0f %5" PRIu32 " %5" PRIu32 " %12s %9s %6s %10s ",
		NAME_WIDTH, lw_tools_plain(node->name), node->runs, (double)node->held_s / 3600,
		node->down, node->brief, failed, apart, slower, behind);
	lw_fold(lw_strbuf_text(&findings), "      ", lw_tools_width(), &text);
	puts(lw_strbuf_text(&text));
	lw_strbuf_fini(&findings);
	lw_strbuf_fini(&text);
}

static void print_jobs(const struct lw_nodes_node *node)
{
	if (!node->jobs)
		return;
	printf("      jobs");
	for (uint32_t i = 0; i < node->jobs; i++)
		printf(" %s", lw_tools_plain(node->job[i]));
	printf("%s\n", node->jobs == LW_NODES_JOBS ? " ..." : "");
}

static bool print_is_shown(const struct lw_nodes_request *request,
			   const struct lw_nodes_node *node)
{
	return lw_nodes_is_wanted(request, node) &&
	       (request->all || request->names.count || print_is_news(node));
}

/* What is left out, and what the columns cannot tell. */
static void print_rest(const struct lw_nodes_request *request,
		       const struct lw_nodes_judged *judged, const char *more)
{
	uint32_t known = 0, unknown = 0, doubt = 0, named = 0;

	for (uint32_t i = 0; i < judged->count; i++) {
		const struct lw_nodes_node *node = &judged->nodes[i];
		bool hidden = lw_nodes_is_named(request, node) && !print_is_shown(request, node);

		named += lw_nodes_is_named(request, node);
		known += hidden && lw_nodes_is_known(node);
		unknown += hidden && !lw_nodes_is_known(node);
		doubt += node->doubt > 0;
	}
	if (judged->count && !named)
		printf("no job that ended in that time had such a node\n");
	if (known)
		printf("nothing found: %" PRIu32 "%s node%s\n", known, more,
		       known == 1 ? "" : "s");
	if (unknown)
		printf("not known, too few runs: %" PRIu32 "%s node%s\n", unknown, more,
		       unknown == 1 ? "" : "s");
	if (doubt)
		printf("%" PRIu32 " node%s had jobs on several nodes that lost one of them: "
		       "accounting does not say which\n",
		       doubt, doubt == 1 ? "" : "s");
}

void lw_nodes_print(const struct lw_nodes_request *request, const struct lw_nodes_judged *judged)
{
	uint32_t shown = 0;

	for (uint32_t i = 0; i < judged->count; i++) {
		const struct lw_nodes_node *node = &judged->nodes[i];

		if (!print_is_shown(request, node))
			continue;
		if (!shown++)
			printf("%-*s %6s %8s %5s %5s %12s %9s %6s %10s\n", NAME_WIDTH, "node",
			       "runs", "hours", "down", "brief", "failed", "elsewhere", "time",
			       "behind");
		print_row(judged, node);
		if (lw_nodes_is_found(node) || request->names.count)
			print_jobs(node);
	}
	if (!judged->count)
		printf("no job that ended in that time had a node\n");
	print_rest(request, judged, shown ? " more" : "");
}
