/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: Gres= of nodes in slurm.conf, by itself and with GresTypes. */

/* As gres.c of Slurm reads it, from 22.05 on. */
#include "cli/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/common/gres.h"

/* A name that GresTypes does not have. */
static void check_nodegres_name(const struct lw_check_node_line *node, const char *name)
{
	struct lw_check_place place;
	const char *types = lw_check_global(node->check, "GresTypes", &place);

	/* GPUs have a finding of their own */
	if (strcasecmp(name, "gpu") && !lw_check_listed(types, name) && !node->check->incomplete)
		lw_check_add(node->check, LW_CHECK_ERROR, "gres-types", lw_check_at(node->line),
			     "%s has Gres=%s, and GresTypes has no %s: no job can ask for it\n"
			     "GresTypes=%s%s%s",
			     node->line->pairs[0].value, name, name, types ? types : "",
			     types ? "," : "", name);
}

/* "gpu:a100:4", of LEN letters: what stands last and begins with a digit is a number. */
static void check_nodegres_count(const struct lw_check_node_line *node, const char *item,
				 size_t len)
{
	char text[128], *last, *end;

	snprintf(text, sizeof(text), "%.*s", (int)len, item);
	text[strcspn(text, "(")] = '\0';
	last = strrchr(text, ':');
	if (!last || last[1] < '0' || last[1] > '9')
		return;
	(void)strtoull(last + 1, &end, 10);
	if (*end && (!strchr("kKmMgGtTpP", *end) ||
		     (end[1] && strcasecmp(end + 1, "b") && strcasecmp(end + 1, "ib"))))
		lw_check_add(node->check, LW_CHECK_ERROR, "gres-number", lw_check_at(node->line),
			     "%s has Gres=%s: \"%s\" is no number, and Slurm goes on without\n"
			     "such as gpu:a100:4",
			     node->line->pairs[0].value, text, last + 1);
}

/* Some GPUs with a type and some without: slurmd does not start. */
static void check_nodegres_types(const struct lw_check_node_line *node, const char *gres)
{
	bool typed = false, plain = false;
	struct lw_gres_gpus item;

	for (const char *at = gres; lw_gres_next(&at, &item);) {
		typed |= item.type_len > 0;
		plain |= !item.type_len;
	}
	if (typed && plain)
		lw_check_add(
			node->check, LW_CHECK_ERROR, "gres-typed", lw_check_at(node->line),
			"%s has GPUs with a type and GPUs without in Gres=%s: slurmd does not "
			"start\ngive all of them a type, or none",
			node->line->pairs[0].value, gres);
}

static void check_nodegres_parts(const struct lw_check_node_line *node, const char *gres)
{
	if ((lw_gres_count_parts(gres, "shard") || lw_gres_count_parts(gres, "mps")) &&
	    !lw_gres_count_gpus(gres))
		lw_check_add(node->check, LW_CHECK_ERROR, "gres-parts", lw_check_at(node->line),
			     "%s has parts of GPUs and no GPUs in Gres=%s: no job gets them\n"
			     "Gres=gpu:N,%s",
			     node->line->pairs[0].value, gres, gres);
}

void lw_check_node_gres(const struct lw_check_node_line *node)
{
	const char *gres = lw_check_node_value(node, "Gres");

	if (!gres)
		return;
	for (const char *item = gres; *item;) {
		size_t len = strcspn(item, ","), name_len = strcspn(item, ":,(=");
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)name_len, item);
		if (name_len)
			check_nodegres_name(node, name);
		check_nodegres_count(node, item, len);
		item += len + (item[len] == ',');
	}
	check_nodegres_types(node, gres);
	check_nodegres_parts(node, gres);
}
