/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: have nodes where GPUs are shared the parts that leeway.yaml counts on? */
#include "cli/check/check.h"

#include "base/hosts.h"
#include "base/words.h"
#include "cli/common/gres.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The first node of LINE, a partition, that does not have what it should. */
struct lacking {
	const struct lw_check_node *none, *other; /* has no parts; has another number of them */
	uint64_t parts, wanted;
};

/* Types of GPUs where jobs share, over all partitions of share.where. */
struct found {
	struct lw_gres_gpus first, other; /* two that are not the same; of those */
	const struct lw_check_node *first_node, *other_node;
	struct lw_gres_gpus wrong; /* not share.gpu_type */
	const struct lw_check_node *wrong_node;
};

static bool is_same(const struct lw_gres_gpus *a, const struct lw_gres_gpus *b)
{
	return a->type_len == b->type_len && !strncasecmp(a->type, b->type, a->type_len);
}

static void look_at_types(const struct lw_check *check, const struct lw_check_node *node,
			  struct found *found)
{
	const char *type = check->config.share_gpu_type, *gres = node->gres;
	struct lw_gres_gpus gpus;

	while (gres && lw_gres_next(&gres, &gpus)) {
		if (!found->first_node) {
			found->first_node = node;
			found->first = gpus;
		} else if (!found->other_node && !is_same(&found->first, &gpus)) {
			found->other_node = node;
			found->other = gpus;
		}
		/* job_submit/leeway compares letter by letter with what a job asks for */
		if (type && !found->wrong_node && gpus.type_len &&
		    (strlen(type) != gpus.type_len || strncmp(type, gpus.type, gpus.type_len))) {
			found->wrong_node = node;
			found->wrong = gpus;
		}
	}
}

/* "a100", or "none". */
#define TYPE(gpus) (int)((gpus).type_len ?: 4), (gpus).type_len ? (gpus).type : "none"

static void report_types(struct lw_check *check, const struct found *found)
{
	if (found->other_node)
		lw_check_add(
			check, LW_CHECK_WARNING, "share-types",
			lw_check_at_setting(check, "where"),
			"share.where has GPUs of several types: %.*s on node %s, %.*s on node "
			"%s; a part has no type, so jobs get any of them, by what is known of "
			"one\nname partitions whose nodes have GPUs of one type",
			TYPE(found->first), found->first_node->name, TYPE(found->other),
			found->other_node->name);
	if (found->wrong_node)
		lw_check_add(
			check, LW_CHECK_WARNING, "share-types",
			lw_check_at_setting(check, "gpu_type"),
			"share.gpu_type is %s, and node %s of share.where has GPUs of type "
			"%.*s: a job that asks for %.*s does not share, and one that asks for %s "
			"may get another\nshare.gpu_type: %.*s, or other partitions in share.where",
			check->config.share_gpu_type, found->wrong_node->name, TYPE(found->wrong),
			TYPE(found->wrong), check->config.share_gpu_type, TYPE(found->wrong));
}

static void look_at_node(const struct lw_check *check, const struct lw_check_node *node,
			 const char *gres, struct lacking *lacking, struct found *found)
{
	uint64_t parts = lw_gres_count_parts(node->gres, gres);
	uint64_t wanted = (uint64_t)node->gpus * check->config.share_parts;

	if (!node->gpus)
		return;
	look_at_types(check, node, found);
	if (!parts && !lacking->none)
		lacking->none = node;
	if (parts && parts != wanted && !lacking->other) {
		lacking->other = node;
		lacking->parts = parts;
		lacking->wanted = wanted;
	}
}

static void look_at_nodes(const struct lw_check *check, const char *names, const char *gres,
			  struct lacking *lacking, struct found *found)
{
	struct lw_hosts hosts;

	if (!strcasecmp(names, "ALL")) {
		for (uint32_t i = 0; i < check->node_count; i++)
			look_at_node(check, &check->nodes[i], gres, lacking, found);
		return;
	}
	/* what cannot be read is told elsewhere */
	lw_hosts_init(&hosts);
	(void)lw_hosts_add(&hosts, names);
	for (uint32_t i = 0; i < hosts.count; i++) {
		const struct lw_check_node *node;

		node = lw_check_find_node(check, hosts.names[i]);
		if (node)
			look_at_node(check, node, gres, lacking, found);
	}
	lw_hosts_fini(&hosts);
}

static void check_partition(struct lw_check *check, const struct lw_slurmconf_line *line,
			    struct found *found)
{
	const char *gres = check->config.share_gres ? "mps" : "shard";
	const char *names = lw_slurmconf_value(line, "Nodes"), *name = line->pairs[0].value;
	struct lacking lacking = { NULL };

	look_at_nodes(check, names ? names : "", gres, &lacking, found);
	if (lacking.none)
		lw_check_add(
			check, LW_CHECK_ERROR, "share-nodes", lw_check_at(line),
			"partition %s is in share.where, and node %s has GPUs and no %s: jobs "
			"that are to share never go there\nGres= with %s:%u for each GPU, and "
			"gres.conf of the node",
			name, lacking.none->name, gres, gres,
			lw_check_parts_fit(check) ? check->config.share_parts
						  : lw_check_parts_advised(check));
	/* where these parts are refused, others are to come */
	if (lacking.other && lw_check_parts_fit(check))
		lw_check_add(check, LW_CHECK_ERROR, "share-nodes", lw_check_at(line),
			     "partition %s is in share.where, and node %s has %s:%llu for %u GPUs, "
			     "of %u share.parts each: which jobs share is not as leeway.yaml has "
			     "it\n%s:%llu there, or another share.parts",
			     name, lacking.other->name, gres, (unsigned long long)lacking.parts,
			     lacking.other->gpus, check->config.share_parts, gres,
			     (unsigned long long)lacking.wanted);
}

/*
 * The partition of slurm.conf for "partition:NAME" of share.where, or one that differs only in
 * case, which is another to Slurm; or NULL.
 */
static const char *find_partition(const struct lw_check *check, const char *name, size_t len)
{
	const char *other = NULL;

	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		const char *here = line->pairs[0].value;

		if (lw_check_scope(line) != LW_CHECK_PARTITION || strlen(here) != len ||
		    strncasecmp(here, name, len) != 0)
			continue;
		if (!strncmp(here, name, len))
			return here;
		other = here;
	}
	return other;
}

static void check_name(struct lw_check *check, const char *name, size_t len)
{
	const char *found = find_partition(check, name, len);

	if (found && strncmp(found, name, len) != 0)
		lw_check_add(
			check, LW_CHECK_WARNING, "share-where",
			lw_check_at_setting(check, "where"),
			"share.where has partition:%.*s, and slurm.conf has %s: no job shares "
			"there\npartition:%s",
			(int)len, name, found, found);
	else if (!found)
		lw_check_add(
			check, LW_CHECK_WARNING, "share-where",
			lw_check_at_setting(check, "where"),
			"share.where has partition:%.*s, and slurm.conf no such partition: no "
			"job shares there\nname one of slurm.conf",
			(int)len, name);
}

static void check_names(struct lw_check *check)
{
	static const char front[] = "partition:";
	const char *at = check->config.share_where;

	while (at && *at) {
		size_t len = strcspn(at, " \t,;"), skip = sizeof(front) - 1;

		if (len > skip && !strncmp(at, front, skip) && !check->incomplete)
			check_name(check, at + skip, len - skip);
		at += len;
		at += strspn(at, " \t,;");
	}
}

void lw_check_share_nodes(struct lw_check *check)
{
	struct found found = { .first_node = NULL };

	if (check->yaml_bad || !check->config.share_mode)
		return;
	check_names(check);
	if (!check->config.share_who && !lw_check_only_guests(check))
		lw_check_add(check, LW_CHECK_NOTE, "share-who", lw_check_at_setting(check, "who"),
			     "share.who is empty: only jobs with --comment=leeway:share share\n"
			     "name accounts or QOS, or tell users of it");
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];
		char word[256];

		if (lw_check_scope(line) != LW_CHECK_PARTITION ||
		    snprintf(word, sizeof(word), "partition:%s", line->pairs[0].value) >=
			    (int)sizeof(word))
			continue;
		if (lw_words_has(check->config.share_where, word))
			check_partition(check, line, &found);
	}
	report_types(check, &found);
}
