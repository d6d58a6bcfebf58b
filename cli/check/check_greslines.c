/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: lines of gres.conf that slurmd dies of, or reads other than written. */

/* As gres.c of Slurm reads them, from 22.05 on. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"

/* the most that a link is worth (GRES_MAX_LINK), and -1 for the GPU itself */
#define LINK_MAX 64
/* so many lines back another one of the same node is looked for */
#define GRESLINES_BACK 16

/* ---- one line ---- */

/* NULL, or what is wrong with LINKS. */
static const char *judge_links(const char *links)
{
	unsigned selves = 0;

	for (const char *p = links; *p; p += *p == ',') {
		char *end;
		long link = strtol(p, &end, 10);

		if (end == p || (*end && *end != ',') || link < -2 || link > LINK_MAX)
			return "has something that is no number of links";
		selves += link == -1;
		p = end;
	}
	if (selves == 1)
		return NULL;
	return selves ? "has -1 twice" : "has no -1, which stands for the GPU itself";
}

static void check_links(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *links = lw_slurmconf_value(line, "Links");
	const char *wrong;

	if (!links)
		links = lw_slurmconf_value(line, "Link");
	wrong = links ? judge_links(links) : NULL;
	if (wrong)
		lw_check_add(check, LW_CHECK_WARNING, "gres-links", lw_check_at(line),
			     "Links=%s %s: Slurm goes on without\nsuch as Links=-1,4,4,4 for the "
			     "first of four GPUs",
			     links, wrong);
}

static void check_name(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *name = lw_slurmconf_value(line, "Name");
	const char *types = lw_check_global(check, "GresTypes", NULL);

	if (!name && !lw_slurmconf_value(line, "AutoDetect") && line->pair_count)
		lw_check_add(check, LW_CHECK_WARNING, "gres-name", lw_check_at(line),
			     "the line has no Name: Slurm goes on without it\nName=gpu");
	/* GPUs have a finding of their own */
	else if (name && strcasecmp(name, "gpu") && !lw_check_listed(types, name) &&
		 !check->incomplete)
		lw_check_add(check, LW_CHECK_WARNING, "gres-name", lw_check_at(line),
			     "Name=%s is not in GresTypes of slurm.conf: Slurm goes on without "
			     "the line\nGresTypes=%s%s%s",
			     name, types ? types : "", types ? "," : "", name);
}

/* Behind a number: "k", "M", "gib"; and what is no unit is a mistake. */
static bool is_unit(const char *text)
{
	return !*text ||
	       (strchr("kKmMgGtTpP", *text) &&
		(!text[1] || !strcasecmp(text + 1, "b") || !strcasecmp(text + 1, "ib")));
}

/* Are there several of Name for one device? */
static bool greslines_are_parts(const struct lw_slurmconf_line *line)
{
	const char *name = lw_slurmconf_value(line, "Name");

	return name && (!strcasecmp(name, "mps") || !strcasecmp(name, "shard"));
}

static void check_count(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *text = lw_slurmconf_value(line, "Count");
	const char *files = lw_slurmconf_value(line, "File");
	const char *several = lw_slurmconf_value(line, "MultipleFiles");
	uint32_t devices = files ? lw_check_count_files(files) : several ? 1 : 0;
	long long count;
	char *end;

	if (several && lw_check_count_files(several) == 1)
		lw_check_add(check, LW_CHECK_WARNING, "gres-files", lw_check_at(line),
			     "MultipleFiles=%s is one file: slurmd does not start\nFile=%s",
			     several, several);
	if (!text)
		return;
	errno = 0;
	count = strtoll(text, &end, 10);
	if (errno || !is_unit(end) || count < 0)
		lw_check_add(check, LW_CHECK_WARNING, "gres-files", lw_check_at(line),
			     "Count=%s is no number: slurmd does not start\ncorrect it", text);
	else if (devices && !*end && count != devices && !greslines_are_parts(line))
		lw_check_add(check, LW_CHECK_WARNING, "gres-files", lw_check_at(line),
			     "Count=%s, and there are %u devices: slurmd does not start\n"
			     "leave Count out",
			     text, devices);
}

/* The first node of the cloud among NAMES, or of all (NULL): such nodes cannot be looked at. */
static const struct lw_check_node *find_cloud(const struct lw_check *check, const char *names)
{
	const struct lw_check_node *found = NULL;
	struct lw_hosts hosts;

	lw_hosts_init(&hosts);
	if (names && lw_hosts_add(&hosts, names))
		hosts.count = 0;
	for (uint32_t i = 0; !found && i < (names ? hosts.count : check->node_count); i++) {
		const struct lw_check_node *node =
			names ? lw_check_find_node(check, hosts.names[i]) : &check->nodes[i];
		const char *state =
			node ? lw_slurmconf_value(&check->slurm.lines[node->line], "State")
			     : NULL;

		if (state && node->gres && !strncasecmp(state, "CLOUD", 5))
			found = node;
	}
	lw_hosts_fini(&hosts);
	return found;
}

static void check_cloud(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *value = lw_slurmconf_value(line, "AutoDetect");
	const struct lw_check_node *node;

	if (!value || !strcasecmp(value, "off"))
		return;
	node = find_cloud(check, lw_slurmconf_value(line, "NodeName"));
	if (node)
		lw_check_add(check, LW_CHECK_ERROR, "gres-cloud", lw_check_at(line),
			     "AutoDetect=%s for %s, which has State=CLOUD: slurmctld cannot look "
			     "there, and 22.05 does not start\n"
			     "NodeName=%s Name=gpu File=..., with AutoDetect=off",
			     value, node->name, node->name);
}

/* ---- lines of the same node ---- */

static bool greslines_same(const char *a, const char *b)
{
	return a && b ? !strcasecmp(a, b) : a == b;
}

/* Is a node in both lines? One without NodeName is for all of them. */
static bool share_node(const struct lw_slurmconf_line *a, const struct lw_slurmconf_line *b)
{
	const char *left = lw_slurmconf_value(a, "NodeName");
	const char *right = lw_slurmconf_value(b, "NodeName");
	struct lw_hosts one, other;
	bool found = false;

	if (!left || !right || !strcmp(left, right))
		return true;
	lw_hosts_init(&one);
	lw_hosts_init(&other);
	if (!lw_hosts_add(&one, left) && !lw_hosts_add(&other, right))
		for (uint32_t i = 0; i < one.count && !found; i++)
			for (uint32_t j = 0; j < other.count && !found; j++)
				found = !strcmp(one.names[i], other.names[j]);
	lw_hosts_fini(&one);
	lw_hosts_fini(&other);
	return found;
}

/* A device that FILES and OTHER have both, into BUF, or NULL. */
static const char *find_same_file(const char *files, const char *other, char *buf, size_t size)
{
	struct lw_hosts one, two;
	const char *found = NULL;

	lw_hosts_init(&one);
	lw_hosts_init(&two);
	if (files && other && !lw_hosts_add(&one, files) && !lw_hosts_add(&two, other))
		for (uint32_t i = 0; i < one.count && !found; i++)
			for (uint32_t j = 0; j < two.count && !found; j++)
				if (!strcmp(one.names[i], two.names[j]))
					found = one.names[i];
	if (found)
		snprintf(buf, size, "both have %s", found);
	lw_hosts_fini(&one);
	lw_hosts_fini(&two);
	return found ? buf : NULL;
}

static bool has_devices(const struct lw_slurmconf_line *line)
{
	return lw_slurmconf_value(line, "File") || lw_slurmconf_value(line, "Files") ||
	       lw_slurmconf_value(line, "MultipleFiles");
}

static void check_both(struct lw_check *check, const struct lw_slurmconf_line *line,
		       const struct lw_slurmconf_line *before)
{
	const char *type = lw_slurmconf_value(line, "Type");
	const char *flags = lw_slurmconf_value(line, "Flags");
	char buf[300];
	const char *why = find_same_file(lw_slurmconf_value(line, "File"),
					 lw_slurmconf_value(before, "File"), buf, sizeof(buf));

	if (!lw_slurmconf_value(line, "Cores") != !lw_slurmconf_value(before, "Cores"))
		lw_check_add(check, LW_CHECK_WARNING, "gres-cores", lw_check_at(line),
			     "Name=%s is in %s:%u, too, for the same node, and one has Cores and "
			     "one has not: Slurm calls that an error\nCores for both, or none",
			     lw_slurmconf_value(line, "Name"), before->file, before->number);
	if (!why && has_devices(line) != has_devices(before))
		why = "one has File and one has not";
	else if (!why && !type != !lw_slurmconf_value(before, "Type"))
		why = "one has Type and one has not";
	else if (!why && !has_devices(line) && !type)
		why = "neither has File or Type";
	else if (!why && flags && !greslines_same(flags, lw_slurmconf_value(before, "Flags")))
		why = "their Flags differ";
	if (why)
		lw_check_add(
			check, LW_CHECK_WARNING, "gres-lines", lw_check_at(line),
			"Name=%s is in %s:%u, too, for the same node, and %s: slurmd does not "
			"start\nwrite both alike",
			lw_slurmconf_value(line, "Name"), before->file, before->number, why);
}

/* The nearest line before INDEX that has the same KEY and a node of it, or NULL. */
static const struct lw_slurmconf_line *find_before(const struct lw_slurmconf *conf,
						   uint32_t index, const char *key, bool same)
{
	const struct lw_slurmconf_line *line = &conf->lines[index];
	const char *value = lw_slurmconf_value(line, key);

	for (uint32_t i = index; value && i-- > 0 && index - i <= GRESLINES_BACK;) {
		const char *other = lw_slurmconf_value(&conf->lines[i], key);

		if (other && greslines_same(value, other) == same &&
		    share_node(line, &conf->lines[i]))
			return &conf->lines[i];
	}
	return NULL;
}

static void check_pair(struct lw_check *check, const struct lw_slurmconf *conf, uint32_t index)
{
	const struct lw_slurmconf_line *line = &conf->lines[index];
	const struct lw_slurmconf_line *same = find_before(conf, index, "Name", true);
	const struct lw_slurmconf_line *other;

	/* check_parts.c has parts of GPUs */
	if (same && !greslines_are_parts(line))
		check_both(check, line, same);
	if (!lw_slurmconf_value(line, "NodeName"))
		return;
	other = find_before(conf, index, "AutoDetect", false);
	if (other && lw_slurmconf_value(other, "NodeName"))
		lw_check_add(check, LW_CHECK_WARNING, "gres-lines", lw_check_at(line),
			     "AutoDetect=%s, and %s in %s:%u for the same node: slurmd does not "
			     "start\ntake one of them out",
			     lw_slurmconf_value(line, "AutoDetect"),
			     lw_slurmconf_value(other, "AutoDetect"), other->file, other->number);
}

void lw_check_greslines(struct lw_check *check, const struct lw_slurmconf *conf)
{
	lw_check_rows(check, conf, LW_SLURMKEY_GRES);
	for (uint32_t i = 0; i < conf->line_count; i++) {
		check_links(check, &conf->lines[i]);
		check_name(check, &conf->lines[i]);
		check_count(check, &conf->lines[i]);
		check_cloud(check, &conf->lines[i]);
		check_pair(check, conf, i);
	}
}
