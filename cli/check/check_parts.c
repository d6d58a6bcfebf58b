/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: parts of GPUs in gres.conf, against Gres= of the nodes. */

/*
 * What slurmd does, by its source of 22.05 and 24.11: where gres.conf has no line for parts, or
 * one of all that Gres= has, it gives each GPU of the node as many. Lines may stand in any order.
 * Of more than Gres= has it takes as many as that. Of fewer it makes a second entry of the rest,
 * and dies of there being two. So it does of two lines without File=, or of one with and one
 * without.
 */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/number.h"
#include "cli/common/gres.h"

/* What gres.conf says of the parts of one node. */
struct told {
	const struct lw_slurmconf_line *line, *second; /* the first; one too many; or NULL */
	uint64_t parts;
	bool files, named; /* the first line has File=; one has NodeName= */
	bool odd;          /* one has a count that is not judged */
};

static bool has_file(const struct lw_slurmconf_line *line)
{
	return lw_slurmconf_value(line, "File") || lw_slurmconf_value(line, "Files") ||
	       lw_slurmconf_value(line, "MultipleFiles");
}

/* Without Count it is as many as there are files, or one. */
static uint64_t count_of(const struct lw_slurmconf_line *line)
{
	const char *count = lw_slurmconf_value(line, "Count");
	const char *files = lw_slurmconf_value(line, "File") ?: lw_slurmconf_value(line, "Files");
	struct lw_hosts hosts;
	uint64_t parts = 1;

	if (count)
		return lw_number_begins(count, LW_GRES_PARTS_MAX, 0);
	lw_hosts_init(&hosts);
	if (files && !lw_hosts_add(&hosts, files))
		parts = hosts.count;
	lw_hosts_fini(&hosts);
	return parts;
}

/* "80", and Slurm's "1K" */
static bool is_plain(const struct lw_slurmconf_line *line)
{
	const char *count = lw_slurmconf_value(line, "Count");

	return !count || !count[strspn(count, "0123456789")];
}

static void take_line(struct told *told, const struct lw_slurmconf_line *line)
{
	bool files = has_file(line);

	if (!told->line) {
		told->line = line;
		told->files = files;
	} else if ((!files || files != told->files) && !told->second) {
		told->second = line;
	}
	told->parts += count_of(line);
	told->named |= lw_slurmconf_value(line, "NodeName") != NULL;
	told->odd |= !is_plain(line);
}

/* A line without NodeName is for all; names that are none are told elsewhere. */
static void read_line(struct lw_check *check, const struct lw_slurmconf_line *line,
		      struct told *told)
{
	const char *names = lw_slurmconf_value(line, "NodeName");
	struct lw_hosts hosts;

	for (uint32_t i = 0; !names && i < check->node_count; i++)
		take_line(&told[i], line);
	if (!names)
		return;
	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, names) == -ENOMEM)
		check->error = -ENOMEM;
	for (uint32_t i = 0; i < hosts.count; i++) {
		const struct lw_check_node *node = lw_check_find_node(check, hosts.names[i]);

		if (node)
			take_line(&told[node - check->nodes], line);
	}
	lw_hosts_fini(&hosts);
}

static void report_second(struct lw_check *check, const struct told *told, const char *name,
			  const struct lw_check_node *node)
{
	lw_check_add(check, LW_CHECK_ERROR, "gres-parts", lw_check_at(told->second),
		     "node %s has a line for %s in %s:%u already, and one of them is without "
		     "File=: slurmd does not start\none line with Count= and without File=",
		     node->name, name, told->line->file, told->line->number);
}

static void report_count(struct lw_check *check, const struct told *told, const char *name,
			 const struct lw_check_node *node, uint64_t parts)
{
	struct lw_check_place declared = lw_check_at(&check->slurm.lines[node->line]);
	bool fewer = told->parts < parts;

	lw_check_add(check, fewer ? LW_CHECK_ERROR : LW_CHECK_WARNING, "gres-parts",
		     lw_check_at(told->line),
		     "node %s has %llu %s here, and %llu in slurm.conf (%s:%u): %s\n"
		     "make both the same",
		     node->name, (unsigned long long)told->parts, name, (unsigned long long)parts,
		     declared.file, declared.line,
		     fewer ? "slurmd does not start" : "Slurm takes those of slurm.conf");
}

enum parts_trouble { PARTS_FINE, PARTS_TWO_LINES, PARTS_OTHER_COUNT };

static enum parts_trouble judge_parts(const struct told *told, uint64_t parts)
{
	if (!told->line || !parts || told->odd)
		return PARTS_FINE;
	if (told->second)
		return PARTS_TWO_LINES;
	return told->parts == parts ? PARTS_FINE : PARTS_OTHER_COUNT;
}

/* Lines without NodeName that fit one node may be the file of that host alone. */
static bool fits_some(const struct lw_check *check, const char *name, const struct told *told)
{
	for (uint32_t i = 0; i < check->node_count; i++) {
		uint64_t parts = lw_gres_count_parts(check->nodes[i].gres, name);

		if (parts && told[i].line && !told[i].named &&
		    judge_parts(&told[i], parts) == PARTS_FINE)
			return true;
	}
	return false;
}

/* One finding for each line of gres.conf: of the first node. */
static void judge_all(struct lw_check *check, const char *name, const struct told *told)
{
	bool of_host = fits_some(check, name, told);
	const struct lw_slurmconf_line *said = NULL;

	for (uint32_t i = 0; i < check->node_count; i++) {
		const struct lw_check_node *node = &check->nodes[i];
		uint64_t parts = lw_gres_count_parts(node->gres, name);
		enum parts_trouble trouble = judge_parts(&told[i], parts);

		if (trouble == PARTS_FINE || (of_host && !told[i].named) || told[i].line == said)
			continue;
		said = told[i].line;
		if (trouble == PARTS_TWO_LINES)
			report_second(check, &told[i], name, node);
		else
			report_count(check, &told[i], name, node, parts);
	}
}

static void check_kind(struct lw_check *check, const struct lw_slurmconf *conf, const char *name)
{
	struct told *told = calloc(check->node_count + 1, sizeof(*told));

	if (!told) {
		check->error = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < conf->line_count; i++) {
		const char *of = lw_slurmconf_value(&conf->lines[i], "Name");

		if (of && !strcasecmp(of, name))
			read_line(check, &conf->lines[i], told);
	}
	judge_all(check, name, told);
	free(told);
}

void lw_check_parts(struct lw_check *check, const struct lw_slurmconf *conf)
{
	check_kind(check, conf, "shard");
	check_kind(check, conf, "mps");
}
