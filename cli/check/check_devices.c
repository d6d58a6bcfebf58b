/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what slurmd dies of in gres.conf, which slurmctld does not read. */
#include "cli/check/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hosts.h"
#include "cli/common/tools.h"

static bool is_gpu(const struct lw_slurmconf_line *line)
{
	const char *name = lw_slurmconf_value(line, "Name");

	return name && !strcasecmp(name, "gpu");
}

/* Does LINE have slurmd look for GPUs? */
static const char *detection(const struct lw_slurmconf_line *line)
{
	const char *value = lw_slurmconf_value(line, "AutoDetect");

	return value && strcasecmp(value, "off") && strcasecmp(value, "none") ? value : NULL;
}

/* Both say which GPUs there are, and need not agree. */
static void check_detection(struct lw_check *check, const struct lw_slurmconf *conf)
{
	const struct lw_slurmconf_line *gpus = NULL, *detects = NULL;

	for (uint32_t i = 0; i < conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &conf->lines[i];

		if (!gpus && is_gpu(line) && !lw_slurmconf_value(line, "AutoDetect"))
			gpus = line;
		if (!detects && detection(line) && !lw_slurmconf_value(line, "NodeName"))
			detects = line;
	}
	if (gpus && detects)
		lw_check_add(check, LW_CHECK_WARNING, "gres-autodetect-lines", lw_check_at(gpus),
			     "Name=gpu beside AutoDetect=%s (%s:%u): slurmd does not start where "
			     "the two tell of other GPUs\n"
			     "take one of them out, or write AutoDetect=off into this line",
			     detection(detects), detects->file, detects->number);
}

/* The highest number in "0-3,8,12-15"; -1: there is none. */
static long devices_highest(const char *list)
{
	long most = -1;

	while (*list) {
		char *end;
		long number = strtol(list, &end, 10);

		if (end == list) {
			list++;
			continue;
		}
		if (number > most)
			most = number;
		list = end + (*end == '-');
	}
	return most;
}

/* Does LINE apply to the node NAME? */
static bool is_for(const struct lw_slurmconf_line *line, const char *name)
{
	const char *names = lw_slurmconf_value(line, "NodeName");
	struct lw_hosts hosts;
	bool found = !names;

	lw_hosts_init(&hosts);
	if (names && !lw_hosts_add(&hosts, names)) {
		for (uint32_t i = 0; i < hosts.count && !found; i++)
			found = !strcmp(hosts.names[i], name);
	}
	lw_hosts_fini(&hosts);
	return found;
}

static void check_cores(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *cores = lw_slurmconf_value(line, "Cores");
	const char *names = lw_slurmconf_value(line, "NodeName");
	long most = cores ? devices_highest(cores) : -1;

	/* without names it may be the file of one host, whichever that is */
	for (uint32_t i = 0; i < check->node_count && most >= 0 && names; i++) {
		const struct lw_check_node *node = &check->nodes[i];

		if (!node->cores || most < (long)node->cores || !is_for(line, node->name))
			continue;
		lw_check_add(check, LW_CHECK_WARNING, "gres-cores", lw_check_at(line),
			     "Cores=%s: node %s has %u cores by slurm.conf, which count from 0: "
			     "slurmd does not start\ncorrect either",
			     cores, node->name, node->cores);
		return;
	}
}

/* The same where every node that there is has fewer. */
static void check_cores_of_all(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *cores = lw_slurmconf_value(line, "Cores");
	long most = cores && !lw_slurmconf_value(line, "NodeName") ? devices_highest(cores) : -1;

	for (uint32_t i = 0; i < check->node_count; i++) {
		if (!check->nodes[i].cores || most < (long)check->nodes[i].cores)
			return;
	}
	if (check->node_count)
		lw_check_add(check, LW_CHECK_WARNING, "gres-cores", lw_check_at(line),
			     "Cores=%s: no node has as many cores by slurm.conf; they count from "
			     "0: slurmd does not start\ncorrect either",
			     cores);
}

/* The short name of the machine with the checked disk, into BUF; false: not known. */
static bool host_name(const struct lw_check *check, char *buf, size_t size)
{
	char real[PATH_MAX];
	FILE *stream = NULL;
	bool known;

	*buf = '\0';
	if (!*check->root) {
		known = !gethostname(buf, size);
		buf[size - 1] = '\0';
	} else {
		(void)lw_tools_open_plain(lw_check_path(check, "/etc/hostname", real), &stream);
		known = stream && fgets(buf, (int)size, stream);
		if (stream)
			fclose(stream);
	}
	buf[strcspn(buf, ".\n")] = '\0';
	return known && *buf;
}

/* The first of FILES that is not there. */
static void check_files(struct lw_check *check, const struct lw_slurmconf_line *line,
			const char *host, const char *files)
{
	struct lw_hosts hosts;
	char real[PATH_MAX];
	struct stat st;

	lw_hosts_init(&hosts);
	if (lw_hosts_add(&hosts, files) == -ENOMEM)
		check->error = -ENOMEM;
	for (uint32_t i = 0; i < hosts.count; i++) {
		if (!stat(lw_check_path(check, hosts.names[i], real), &st))
			continue;
		lw_check_add(
			check, LW_CHECK_WARNING, "gres-file", lw_check_at(line),
			"this is node %s, and %s is not there: slurmd waits for it, and then "
			"does not start\ncorrect File=, or see to the driver",
			host, hosts.names[i]);
		break;
	}
	lw_hosts_fini(&hosts);
}

void lw_check_devices(struct lw_check *check, const struct lw_slurmconf *conf)
{
	char host[256];
	bool is_node = host_name(check, host, sizeof(host)) && lw_check_find_node(check, host);

	check_detection(check, conf);
	for (uint32_t i = 0; i < conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &conf->lines[i];
		const char *files = lw_slurmconf_value(line, "File");

		if (!files)
			files = lw_slurmconf_value(line, "Files");
		if (!files)
			files = lw_slurmconf_value(line, "MultipleFiles");
		check_cores(check, line);
		check_cores_of_all(check, line);
		if (is_node && files && is_for(line, host))
			check_files(check, line, host, files);
	}
}
