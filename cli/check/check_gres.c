/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: gres.conf against the GPUs that slurm.conf gives the nodes. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/number.h"
#include "cli/common/gres.h"

/* More types than a node has; of others nothing is said. */
#define TYPES_MAX 8

/* What gres.conf says of one node. */
struct given {
	struct {
		const char *name;
		uint32_t gpus; /* with a device file each */
	} types[TYPES_MAX];
	uint32_t type_count;
	uint32_t gpus;                        /* with a device file each */
	uint32_t bare;                        /* by Count alone */
	bool links;                           /* between them */
	bool named;                           /* by a line with NodeName */
	bool found;                           /* AutoDetect searches for them */
	const struct lw_slurmconf_line *line; /* of its GPUs, or NULL */
};

struct gres {
	struct lw_slurmconf conf;
	struct given *given; /* one a node of the check */
	bool found_everywhere;
	const struct lw_check_node *host; /* the node that the file may belong to */
	char path[PATH_MAX];
};

bool lw_check_has_type(const struct lw_check *check, const char *type)
{
	struct lw_gres_gpus item;

	for (uint32_t i = 0; i < check->node_count; i++)
		for (const char *at = check->nodes[i].gres; at && lw_gres_next(&at, &item);)
			if (!item.type_len || (item.type_len == strlen(type) &&
					       !strncasecmp(item.type, type, item.type_len)))
				return true;
	return false;
}

uint32_t lw_check_count_files(const char *files)
{
	struct lw_hosts hosts;
	uint32_t count;

	lw_hosts_init(&hosts);
	count = lw_hosts_add(&hosts, files) ? 0 : hosts.count;
	lw_hosts_fini(&hosts);
	return count;
}

static bool detects(const char *value)
{
	return value && strcasecmp(value, "off") && strcasecmp(value, "none");
}

static void give_typed(struct given *given, const char *type, uint32_t gpus)
{
	uint32_t i = 0;

	while (i < given->type_count && strcasecmp(given->types[i].name, type))
		i++;
	if (i == TYPES_MAX)
		return;
	if (i == given->type_count) {
		given->types[i].name = type;
		given->types[i].gpus = 0;
		given->type_count++;
	}
	given->types[i].gpus += gpus;
}

/* Take over what LINE says of the GPUs of one node. */
static void give(struct given *given, const struct lw_slurmconf_line *line)
{
	const char *files = lw_slurmconf_value(line, "File");
	const char *count = lw_slurmconf_value(line, "Count");
	const char *type = lw_slurmconf_value(line, "Type");
	uint32_t before = given->gpus;

	given->line = line;
	if (detects(lw_slurmconf_value(line, "AutoDetect")))
		given->found = true;
	if (lw_slurmconf_value(line, "Links"))
		given->links = true;
	if (files)
		given->gpus += lw_check_count_files(files);
	else if (lw_slurmconf_value(line, "MultipleFiles"))
		given->gpus++;
	else
		given->bare += (uint32_t)lw_number_begins(count, LW_GRES_GPUS_MAX, count ? 0 : 1);
	if (type)
		give_typed(given, type, given->gpus - before);
}

static void report_unknown(struct lw_check *check, const struct lw_slurmconf_line *line,
			   const char *name)
{
	if (check->incomplete)
		return;
	lw_check_add(check, LW_CHECK_WARNING, "gres-node-unknown", lw_check_at(line),
		     "node %s is not in slurm.conf: the line has no effect\n"
		     "correct the name, or take it out",
		     name);
}

/* A line with NodeName= is for those nodes, another one for all. */
static void read_nodes(struct lw_check *check, struct gres *gres,
		       const struct lw_slurmconf_line *line, const char *names, bool gpus)
{
	struct lw_hosts hosts;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, names);
	for (uint32_t i = 0; !rc && i < hosts.count; i++) {
		const struct lw_check_node *node = lw_check_find_node(check, hosts.names[i]);

		if (!node) {
			report_unknown(check, line, hosts.names[i]);
			break;
		}
		gres->given[node - check->nodes].named = true;
		if (gpus)
			give(&gres->given[node - check->nodes], line);
		else if (detects(lw_slurmconf_value(line, "AutoDetect")))
			gres->given[node - check->nodes].found = true;
	}
	lw_hosts_fini(&hosts);
	if (rc)
		lw_check_no_nodes(check, rc, LW_CHECK_ERROR, lw_check_at(line), "NodeName", names);
}

/* Slurm looks for one of these words in it, and else detects nothing. */
/* Detection by WORD takes a plugin with the maker's library, often a package of its own. */
static void check_detector(struct lw_check *check, struct lw_check_place place, const char *word)
{
	char file[32], path[PATH_MAX];

	snprintf(file, sizeof(file), "gpu_%s.so", word);
	if (lw_check_find_plugin(check, "select_cons_tres.so", path) &&
	    !lw_check_find_plugin(check, file, path))
		lw_check_add(check, LW_CHECK_NOTE, "gres-detector", place,
			     "AutoDetect=%s needs Slurm's plugin %s, which is not here: a node "
			     "without it finds no GPUs and is INVALID\n"
			     "see that GPU nodes have it; it may be in a package of its own",
			     word, file);
}

static void check_detection(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	/* the first three are plugins with a library */
	static const char *const words[] = { "nvml", "rsmi", "oneapi", "nrt", "nvidia" };
	const char *value = lw_slurmconf_value(line, "AutoDetect");

	if (!detects(value))
		return;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasestr(value, words[i]))
			continue;
		if (i < 3)
			check_detector(check, lw_check_at(line), words[i]);
		return;
	}
	lw_check_add(check, LW_CHECK_ERROR, "gres-autodetect", lw_check_at(line),
		     "Slurm does not know AutoDetect=%s, and finds no GPUs by it\n"
		     "nvml, rsmi, oneapi, nrt, nvidia or off",
		     value);
}

static void read_line(struct lw_check *check, struct gres *gres,
		      const struct lw_slurmconf_line *line)
{
	const char *names = lw_slurmconf_value(line, "NodeName");
	const char *name = lw_slurmconf_value(line, "Name");
	bool gpus = name && !strcasecmp(name, "gpu");

	if (line->stray)
		lw_check_add(
			check, LW_CHECK_ERROR, "conf-syntax", lw_check_at(line),
			"\"%s\" is no \"Key=value\": slurmd does not start\nput a # before a "
			"comment, and values with blanks in quotes",
			line->stray);
	check_detection(check, line);
	if (names) {
		read_nodes(check, gres, line, names, gpus);
		return;
	}
	if (!name && detects(lw_slurmconf_value(line, "AutoDetect")))
		gres->found_everywhere = true;
	for (uint32_t i = 0; gpus && i < check->node_count; i++)
		give(&gres->given[i], line);
}

/* "n1" or "n1 and 15 more" into BUF. */
static const char *who(const struct lw_check_node *first, uint32_t count, char *buf, size_t size)
{
	if (count > 1)
		snprintf(buf, size, "%s and %u more", first->name, count - 1);
	else
		snprintf(buf, size, "%s", first->name);
	return buf;
}

enum trouble { FINE, NO_LINE, NO_FILE, OTHER_COUNT, OTHER_TYPE, NOT_DECLARED };

/*
 * The first of NODE's types of GPU of which gres.conf has less. Slurm takes files for a type
 * only where the line names it; where slurm.conf names none, any will do.
 */
static bool lacks_type(const struct lw_check_node *node, const struct given *given,
		       struct lw_gres_gpus *ret_item)
{
	const char *gres = node->gres ? node->gres : "";

	while (lw_gres_next(&gres, ret_item)) {
		uint32_t gpus = 0;

		if (!ret_item->type_len || given->type_count == TYPES_MAX)
			continue;
		for (uint32_t i = 0; i < given->type_count; i++) {
			const char *name = given->types[i].name;

			if (strlen(name) == ret_item->type_len &&
			    !strncasecmp(name, ret_item->type, ret_item->type_len))
				gpus = given->types[i].gpus;
		}
		if (gpus < ret_item->count)
			return true;
	}
	return false;
}

static enum trouble judge_one(const struct gres *gres, const struct lw_check_node *node,
			      const struct given *given)
{
	struct lw_gres_gpus ignored;

	if (gres->found_everywhere || given->found)
		return FINE;
	if (!node->gpus)
		return given->line ? NOT_DECLARED : FINE;
	if (!given->line)
		return NO_LINE;
	if (given->bare)
		return NO_FILE;
	if (given->gpus != node->gpus)
		return OTHER_COUNT;
	return lacks_type(node, given, &ignored) ? OTHER_TYPE : FINE;
}

/*
 * A file without NodeName that fits one node may be that host's own: it then says nothing of the
 * others, which have their own.
 */
static enum trouble gres_judge(const struct gres *gres, const struct lw_check_node *node,
			       const struct given *given)
{
	enum trouble trouble = judge_one(gres, node, given);

	return trouble != FINE && gres->host && given->line && !given->named ? FINE : trouble;
}

static void find_host(struct lw_check *check, struct gres *gres)
{
	const struct lw_check_node *fits = NULL, *other = NULL;
	const struct lw_slurmconf_line *line = NULL;

	for (uint32_t i = 0; i < check->node_count; i++) {
		const struct lw_check_node *node = &check->nodes[i];
		const struct given *given = &gres->given[i];

		if (!given->line || given->named || given->found || gres->found_everywhere)
			continue;
		if (judge_one(gres, node, given) != FINE) {
			other = other ? other : node;
			line = given->line;
		} else if (!fits) {
			fits = node;
		}
	}
	gres->host = fits;
	if (fits && other)
		lw_check_add(
			check, LW_CHECK_NOTE, "gres-host", lw_check_at(line),
			"the lines without NodeName fit node %s and not node %s: taken for the "
			"file of one host, which says nothing of the others\n"
			"if all hosts read this file, begin the line with NodeName=",
			fits->name, other->name);
}

static void report_type(struct lw_check *check, const struct given *given,
			const struct lw_check_node *node, const char *names,
			struct lw_check_place declared)
{
	struct lw_gres_gpus item;

	if (lacks_type(node, given, &item))
		lw_check_add(check, LW_CHECK_ERROR, "gres-type", lw_check_at(given->line),
			     "%s: slurm.conf (%s:%u) has %u GPUs of type %.*s, and gres.conf "
			     "names fewer device files of that Type: the nodes are INVALID\n"
			     "Type=%.*s, as in slurm.conf",
			     names, declared.file, declared.line, item.count, (int)item.type_len,
			     item.type, (int)item.type_len, item.type);
}

static void gres_report(struct lw_check *check, const struct gres *gres, enum trouble trouble,
			const struct lw_check_node *node, uint32_t count)
{
	const struct given *given = &gres->given[node - check->nodes];
	struct lw_check_place declared = lw_check_at(&check->slurm.lines[node->line]);
	char names[300];

	who(node, count, names, sizeof(names));
	if (trouble == NO_LINE)
		lw_check_add(
			check, LW_CHECK_ERROR, "gres-missing", declared,
			"%s: Gres has %u GPUs, and gres.conf says nothing of them: the nodes "
			"register with none and are INVALID\nNodeName=... Name=gpu "
			"File=/dev/nvidia[0-%u] in gres.conf, or AutoDetect=nvml",
			names, node->gpus, node->gpus - 1);
	else if (trouble == NO_FILE)
		lw_check_add(
			check, LW_CHECK_ERROR, "gres-no-file", lw_check_at(given->line),
			"%s: GPUs without File=: slurmd counts none, the nodes are INVALID, and "
			"jobs would get no CUDA_VISIBLE_DEVICES\nFile=/dev/nvidia[0-%u]",
			names, node->gpus - 1);
	else if (trouble == OTHER_COUNT)
		lw_check_add(check, LW_CHECK_ERROR, "gres-count", lw_check_at(given->line),
			     "%s: %u device files here, and %u GPUs in slurm.conf (%s:%u)\n"
			     "make both the same",
			     names, given->gpus, node->gpus, declared.file, declared.line);
	else if (trouble == OTHER_TYPE)
		report_type(check, given, node, names, declared);
	else
		lw_check_add(
			check, LW_CHECK_WARNING, "gres-not-declared", lw_check_at(given->line),
			"%s: GPUs here, and no Gres=gpu in slurm.conf (%s:%u): no job gets them\n"
			"Gres=gpu:%u in slurm.conf",
			names, declared.file, declared.line, given->gpus + given->bare);
}

/* One finding for all nodes of a line of slurm.conf that have the same trouble. */
static void gres_compare(struct lw_check *check, const struct gres *gres)
{
	for (uint32_t line = 0; line < check->slurm.line_count; line++) {
		for (int trouble = NO_LINE; trouble <= NOT_DECLARED; trouble++) {
			const struct lw_check_node *first = NULL;
			uint32_t count = 0;

			if (lw_check_scope(&check->slurm.lines[line]) != LW_CHECK_NODE)
				break;
			for (uint32_t i = 0; i < check->node_count; i++) {
				const struct lw_check_node *node = &check->nodes[i];

				if (node->line != line ||
				    (int)gres_judge(gres, node, &gres->given[i]) != trouble)
					continue;
				if (!count++)
					first = node;
			}
			if (first)
				gres_report(check, gres, (enum trouble)trouble, first, count);
		}
	}
}

/* Do nodes get this host's file? */
static bool configless(const struct lw_check *check)
{
	return lw_check_listed(lw_check_global(check, "SlurmctldParameters", NULL),
			       "enable_configless");
}

static void report_no_file(struct lw_check *check, const struct gres *gres)
{
	struct lw_check_place place = { gres->path, 0 };

	if (lw_check_has_gpus(check))
		lw_check_add(check, LW_CHECK_WARNING, "gres-missing", place,
			     "is not here: nodes with Gres=gpu that have none either register "
			     "without GPUs and are INVALID\n"
			     "see that GPU nodes have one");
}

static void check_conf(struct lw_check *check, struct gres *gres)
{
	struct lw_slurmconf_fault fault = { .file = "" };
	int rc = lw_slurmconf_read(&gres->conf, LW_SLURMCONF_PAIRS, check->root, gres->path,
				   &fault);

	if (rc && rc != -ENOENT) {
		lw_check_unreadable(check, rc, &fault);
		return;
	}
	/* only slurmd reads it */
	lw_check_absent(check, &gres->conf, LW_CHECK_WARNING, "slurmd");
	lw_check_table(check, &gres->conf, LW_SLURMKEY_GRES, LW_CHECK_WARNING, "slurmd");
	lw_check_greslines(check, &gres->conf);
	lw_check_devices(check, &gres->conf);
	lw_check_parts(check, &gres->conf);
	for (uint32_t i = 0; i < gres->conf.line_count; i++)
		read_line(check, gres, &gres->conf.lines[i]);
	for (uint32_t i = 0; i < check->node_count; i++)
		check->nodes[i].links = gres->given[i].links;
	find_host(check, gres);
	if (rc == -ENOENT && !configless(check))
		report_no_file(check, gres);
	else if (gres->conf.line_count || lw_check_has_gpus(check))
		gres_compare(check, gres);
}

void lw_check_gres(struct lw_check *check)
{
	struct gres gres = { .given = calloc(check->node_count + 1, sizeof(*gres.given)) };

	if (!gres.given) {
		check->error = -ENOMEM;
		return;
	}
	snprintf(gres.path, sizeof(gres.path), "%.4000s/gres.conf", check->conf_dir);
	check_conf(check, &gres);
	lw_slurmconf_fini(&gres.conf);
	free(gres.given);
}
