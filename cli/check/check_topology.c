/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: the topology, Slurm's or ours, against the nodes of slurm.conf. */
#include "cli/check/check.h"
#include "cli/check/check_topoyaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <yaml.h>

#include "base/hosts.h"
#include "base/strbuf.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "config/yamlline.h"

/* topology.yaml is read from 25.05 on */
#define YAML_RELEASE 0x190500
/* jobs can want segments of blocks from 24.11 on */
#define SEGMENT_RELEASE 0x180b00

struct topology {
	struct lw_slurmconf conf;
	bool *seen; /* one a node of the check: some switch or block has it */
	bool any;   /* of them */
	bool flat;  /* one without switches or blocks has all */
	bool block; /* it is made of blocks */
	char path[PATH_MAX];
};

/* NAMES belong to one switch or block, as PLACE says. */
static void see(struct lw_check *check, struct topology *topology, struct lw_check_place place,
		const char *names)
{
	struct lw_hosts hosts;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, names);
	topology->any = true;
	for (uint32_t i = 0; !rc && i < hosts.count; i++) {
		const struct lw_check_node *node = lw_check_find_node(check, hosts.names[i]);

		if (node) {
			topology->seen[node - check->nodes] = true;
			continue;
		}
		if (check->incomplete)
			break;
		lw_check_add(check, LW_CHECK_WARNING, "topology-node-unknown", place,
			     "node %s is not in slurm.conf\ncorrect the name, or take it out",
			     hosts.names[i]);
		break;
	}
	lw_hosts_fini(&hosts);
	if (rc == -ENOMEM)
		check->error = rc;
	else if (rc == -E2BIG)
		lw_check_add(check, LW_CHECK_ERROR, "node-name", place,
			     "%.80s names more than %d nodes\nname fewer", names, LW_HOSTS_MAX);
	else if (rc && strcasecmp(names, "ALL"))
		lw_check_add(check, LW_CHECK_ERROR, "node-name", place,
			     "%s is no list of nodes\nwrite such as n[01-16],gpu[1-2]", names);
	else if (rc)
		topology->flat = true;
}

static void report_missing(struct lw_check *check, const struct topology *topology)
{
	struct lw_check_place place = { topology->path, 0 };
	const char *first = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; !topology->flat && i < check->node_count; i++) {
		if (!topology->seen[i] && !count++)
			first = check->nodes[i].name;
	}
	if (count > 1)
		lw_check_add(check, LW_CHECK_WARNING, "topology-node-missing", place,
			     "node %s and %u more are in no switch or block: no job gets them "
			     "together with others\nadd them",
			     first, count - 1);
	else if (count)
		lw_check_add(
			check, LW_CHECK_WARNING, "topology-node-missing", place,
			"node %s is in no switch or block: no job gets it together with others\n"
			"add it",
			first);
}

/* Does this TopologyPlugin read topology.conf? */
static bool reads_conf(const char *plugin)
{
	return plugin && (strcasestr(plugin, "tree") || strcasestr(plugin, "block") ||
			  strcasestr(plugin, "hypercube"));
}

static void check_rules(struct lw_check *check, const struct topology *topology, bool blocks)
{
	const char *key = blocks ? "BlockName" : "SwitchName";
	bool any = false;

	for (uint32_t i = 0; i < topology->conf.line_count; i++)
		any |= topology->conf.lines[i].absent ||
		       lw_slurmconf_value(&topology->conf.lines[i], key);
	if (!any && !check->incomplete)
		lw_check_add(check, LW_CHECK_ERROR, "topology-empty",
			     (struct lw_check_place){ topology->path, 0 },
			     "has no %s: Slurm knows no topology\n%s=NAME Nodes=...", key, key);
	lw_check_table(check, &topology->conf, blocks ? LW_SLURMKEY_BLOCK : LW_SLURMKEY_SWITCH,
		       LW_CHECK_FATAL, "slurmctld");
	lw_check_toporules(check, &topology->conf, blocks);
}

static void read_conf(struct lw_check *check, struct topology *topology)
{
	struct lw_check_place place;
	const char *plugin = lw_check_global(check, "TopologyPlugin", &place);
	struct lw_slurmconf_fault fault = { .file = "" };
	int rc = lw_slurmconf_read(&topology->conf, LW_SLURMCONF_PAIRS, check->root,
				   topology->path, &fault);

	if (rc == -ENOENT && !fault.line && reads_conf(plugin)) {
		lw_check_add(check, LW_CHECK_FATAL, "topology-missing", place,
			     "TopologyPlugin=%s, and there is no %s: slurmctld does not start\n"
			     "write it, or take TopologyPlugin out",
			     plugin, topology->path);
	} else if (rc && !(rc == -ENOENT && !fault.line)) {
		lw_check_unreadable(check, rc, &fault);
	} else if (!rc && !reads_conf(plugin)) {
		lw_check_add(
			check, LW_CHECK_WARNING, "topology-unused",
			(struct lw_check_place){ topology->path, 0 },
			"is not read: TopologyPlugin is %s\nTopologyPlugin=topology/tree, or "
			"topology/block for blocks",
			plugin ? plugin : "not set");
		return;
	}
	lw_check_absent(check, &topology->conf, LW_CHECK_FATAL, "slurmctld");
	topology->block = plugin && strcasestr(plugin, "block");
	if (reads_conf(plugin) && rc != -ENOENT)
		check_rules(check, topology, topology->block);
	for (uint32_t i = 0; i < topology->conf.line_count; i++) {
		const struct lw_slurmconf_line *line = &topology->conf.lines[i];
		const char *names = lw_slurmconf_value(line, "Nodes");

		if (names)
			see(check, topology, lw_check_at(line), names);
	}
}

/* One topology of the file is judged as topology.conf is. */
static void judge_yaml(struct lw_check *check, struct topology *topology,
		       struct lw_topoyaml *topo)
{
	topology->block |= topo->blocks.line_count > 0;
	if (topo->tree.line_count)
		lw_check_toporules(check, &topo->tree, false);
	if (topo->blocks.line_count)
		lw_check_toporules(check, &topo->blocks, true);
	lw_topoyaml_clear(topo);
}

/* All events of the file: what stands behind a key "nodes", and whether one is "flat". */
static bool read_events(struct lw_check *check, struct topology *topology,
			struct lw_topoyaml *topo, yaml_parser_t *parser)
{
	bool end = false, is_names = false;
	yaml_event_t event;

	while (!end) {
		struct lw_check_place place = { topology->path, 0 };
		const char *text;

		if (!yaml_parser_parse(parser, &event))
			return false;
		end = event.type == YAML_STREAM_END_EVENT;
		if (lw_topoyaml_take(topo, &event))
			judge_yaml(check, topology, topo);
		place.line = (uint32_t)event.start_mark.line + 1;
		text = event.type == YAML_SCALAR_EVENT ? (const char *)event.data.scalar.value
						       : "";
		if (is_names && *text)
			see(check, topology, place, text);
		topology->flat |= !is_names && !strcmp(text, "flat");
		is_names = !is_names && !strcmp(text, "nodes");
		yaml_event_delete(&event);
	}
	return true;
}

static void parse_yaml(struct lw_check *check, struct topology *topology,
		       const struct lw_strbuf *text)
{
	struct lw_topoyaml topo = { .path = topology->path };
	yaml_parser_t parser;

	if (!yaml_parser_initialize(&parser)) {
		check->error = -ENOMEM;
		return;
	}
	yaml_parser_set_input_string(&parser, (const unsigned char *)lw_strbuf_text(text),
				     text->len);
	if (!read_events(check, topology, &topo, &parser))
		lw_check_add(check, LW_CHECK_ERROR, "topology-yaml",
			     (struct lw_check_place){
				     topology->path,
				     lw_yaml_error_line(&parser, lw_strbuf_text(text), text->len) },
			     "is not valid YAML: %s\ncorrect it",
			     parser.problem ? parser.problem : "cannot be read");
	yaml_parser_delete(&parser);
	if (topo.error)
		check->error = topo.error;
	lw_topoyaml_fini(&topo);
}

static void read_yaml(struct lw_check *check, struct topology *topology, FILE *stream)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	char buf[8192];
	size_t size;

	while ((size = fread(buf, 1, sizeof(buf), stream)) > 0)
		lw_strbuf_add_bytes(&text, buf, size);
	if (text.error)
		check->error = text.error;
	else
		parse_yaml(check, topology, &text);
	lw_strbuf_fini(&text);
}

/* True when there is a topology.yaml that this Slurm reads; it then reads nothing else. */
static bool check_yaml(struct lw_check *check, struct topology *topology)
{
	char real[PATH_MAX];
	FILE *stream;
	int rc;

	snprintf(topology->path, PATH_MAX, "%.4000s/topology.yaml", check->conf_dir);
	rc = lw_tools_open_plain(lw_check_path(check, topology->path, real), &stream);
	if (rc == -EINVAL)
		lw_check_add(check, LW_CHECK_ERROR, "topology-yaml",
			     (struct lw_check_place){ topology->path, 0 },
			     "is no file\nwrite one, or take it away");
	if (rc)
		return false;
	if (check->release && check->release < YAML_RELEASE) {
		lw_check_add(check, LW_CHECK_WARNING, "topology-unused",
			     (struct lw_check_place){ topology->path, 0 },
			     "is not read: Slurm knows it from 25.05 on\nwrite topology.conf");
		fclose(stream);
		return false;
	}
	read_yaml(check, topology, stream);
	fclose(stream);
	lw_origin_add_file(real);
	return true;
}

/*
 * The partition that names a topology, or NULL: there is none, so that all have the default
 * one. Only then does our plugin know it (doc/admin/releases.md).
 */
static const struct lw_slurmconf_line *partition_of_its_own(const struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];

		if (lw_check_scope(line) == LW_CHECK_PARTITION &&
		    lw_slurmconf_value(line, "Topology"))
			return line;
	}
	return NULL;
}

/* Slurm has a topology of its own: does it go before our domains, or is it unknown to us? */
static void check_own_topology(struct lw_check *check, struct lw_check_place domains)
{
	const struct lw_slurmconf_line *own = partition_of_its_own(check);
	bool ours = check->config.topology_domains.lines;

	if (ours && !own)
		lw_check_add(check, LW_CHECK_WARNING, "topology-unused", domains,
			     "topology.domains: is not used: Slurm has a topology of its own\n"
			     "take the domains out, or TopologyPlugin out of slurm.conf");
	else if (!ours && own && check->loads)
		lw_check_add(check, LW_CHECK_NOTE, "topology-partition", lw_check_at(own),
			     "partition %s names a topology: unless all partitions have the "
			     "default one, Leeway places gangs without any\n"
			     "topology.domains in leeway.yaml",
			     own->pairs[0].value);
}

/* A gang waits for a nearer domain: that takes gangs and domains. check_unused() has the policy. */
static void check_gang_wait(struct lw_check *check, bool slurm_has)
{
	const struct lw_config *config = &check->config;
	const char *submit = lw_check_global(check, "JobSubmitPlugins", NULL);
	const char *why = NULL;

	if (!config->select_gang_wait_s || !lw_check_policy_has(check, LW_GANGS))
		return;
	if (!config->topology_domains.lines && !(slurm_has && !partition_of_its_own(check)))
		why = "without racks or switches\ntopology.domains in leeway.yaml";
	else if (!config->sched_predict && !lw_check_listed(submit, "leeway") &&
		 !lw_check_listed(submit, "job_submit/leeway"))
		why = "without JobSubmitPlugins=leeway or sched.predict, which tell gangs\n"
		      "add the plugin to slurm.conf";
	if (why)
		lw_check_add(check, LW_CHECK_WARNING, "yaml-unused",
			     lw_check_at_setting(check, "gang_wait"),
			     "select.gang_wait: no job waits %s", why);
}

/* The domains of leeway.yaml, beside the topology of Slurm. */
static void check_domains(struct lw_check *check, const struct topology *own)
{
	const struct lw_node_list *list = &check->config.topology_domains;
	struct topology topology = { .seen = calloc(check->node_count + 1, sizeof(bool)) };
	struct lw_check_place place = { check->yaml_path, list->lines ? list->line[0].line : 0 };
	bool slurm_has = own->any && !own->flat;

	if (!topology.seen) {
		check->error = -ENOMEM;
		return;
	}
	if (slurm_has)
		check_own_topology(check, place);
	check_gang_wait(check, slurm_has);
	for (uint32_t i = 0; i < list->lines; i++) {
		place.line = list->line[i].line;
		see(check, &topology, place, list->line[i].nodes);
	}
	free(topology.seen);
}

/* The nodes of LINE of topology.islands are SEEN. */
static void judge_islands(struct lw_check *check, struct lw_check_place place,
			  const struct lw_node_line *line, const bool *seen)
{
	const struct lw_check_node *linked = NULL, *small = NULL;

	for (uint32_t i = 0; i < check->node_count; i++) {
		if (!seen[i])
			continue;
		if (!linked && check->nodes[i].links)
			linked = &check->nodes[i];
		if (!small && check->nodes[i].gpus <= line->gpus)
			small = &check->nodes[i];
	}
	if (linked)
		lw_check_add(check, LW_CHECK_WARNING, "islands-unused", place,
			     "topology.islands: is not used for node %s: gres.conf has Links for "
			     "its GPUs\ntake the node out here, or the Links there",
			     linked->name);
	if (small)
		lw_check_add(check, LW_CHECK_WARNING, "islands-gpus", place,
			     "topology.islands: node %s has %u GPUs in slurm.conf, no more than "
			     "the %u of one island\ncorrect the number, or take the node out",
			     small->name, small->gpus, line->gpus);
}

static void check_islands(struct lw_check *check)
{
	const struct lw_node_list *list = &check->config.topology_islands;

	for (uint32_t i = 0; i < list->lines; i++) {
		struct topology topology = { .seen = calloc(check->node_count + 1,
							    sizeof(bool)) };
		struct lw_check_place place = { check->yaml_path, list->line[i].line };

		if (!topology.seen) {
			check->error = -ENOMEM;
			return;
		}
		see(check, &topology, place, list->line[i].nodes);
		judge_islands(check, place, &list->line[i], topology.seen);
		free(topology.seen);
	}
}

static void note_segments(struct lw_check *check, const struct topology *topology)
{
	if (topology->block && check->loads && check->release >= SEGMENT_RELEASE)
		lw_check_add(
			check, LW_CHECK_NOTE, "segments",
			(struct lw_check_place){ topology->path, 0 },
			"Leeway plans no segments: a job with --segment is promised no start, "
			"and Slurm says where it runs\ntell users of large jobs");
}

void lw_check_topology(struct lw_check *check)
{
	struct topology topology = { .seen = calloc(check->node_count + 1, sizeof(bool)) };

	if (!topology.seen) {
		check->error = -ENOMEM;
		return;
	}
	if (!check_yaml(check, &topology)) {
		snprintf(topology.path, PATH_MAX, "%.4000s/topology.conf", check->conf_dir);
		read_conf(check, &topology);
	}
	if (topology.any)
		report_missing(check, &topology);
	note_segments(check, &topology);
	check_domains(check, &topology);
	check_islands(check);
	lw_slurmconf_fini(&topology.conf);
	free(topology.seen);
}
