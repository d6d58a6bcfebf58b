/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: numbers of a node's line that do not go together. */

/* As read_config.c, node_conf.c and gres.c of Slurm compare them, from 22.05 on. */
#include "cli/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/number.h"

/* More hosts in one range are refused (MAX_RANGE of Slurm's hostlist). */
#define RANGE_MAX 65536

/* The number of KEY; 0: it is not given, or none. */
static uint64_t lines_number(const struct lw_check_node_line *node, const char *key)
{
	const char *text = lw_check_node_value(node, key);
	uint64_t value = 0;

	return text && lw_number_read(text, UINT32_MAX, &value) ? value : 0;
}

/* ---- as many addresses as nodes ---- */

/* How many hosts TEXT names; 0: it is no list, or NULL. */
static uint32_t count_hosts(const char *text)
{
	struct lw_hosts hosts;
	uint32_t count;

	if (!text)
		return 0;
	lw_hosts_init(&hosts);
	count = lw_hosts_add(&hosts, text) ? 0 : hosts.count;
	lw_hosts_fini(&hosts);
	return count;
}

/* One for all is right where Slurm was built for several slurmd on a host, as Debian's is. */
static void check_addresses(const struct lw_check_node_line *node, uint32_t names)
{
	static const char *const keys[] = { "NodeAddr", "NodeHostname", "BcastAddr" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *value = lw_slurmconf_value(node->line, keys[i]);
		uint32_t count = count_hosts(value);

		if (count > 1 && count != names)
			lw_check_add(node->check, LW_CHECK_FATAL, "node-count",
				     lw_check_at(node->line),
				     "%s=%s is %u of %u nodes: slurmctld does not start\n"
				     "give one for each node",
				     keys[i], value, count, names);
	}
}

/* "7001", or one for each node: "[7001-7004]", also without brackets */
static void check_ports(const struct lw_check_node_line *node, uint32_t names)
{
	const char *value = lw_slurmconf_value(node->line, "Port");
	char list[256];
	uint32_t count;

	if (!value)
		return;
	snprintf(list, sizeof(list), *value == '[' ? "p%.200s" : "p[%.200s]", value);
	count = count_hosts(list);
	if (count > 1 && count != names)
		lw_check_add(node->check, LW_CHECK_FATAL, "node-count", lw_check_at(node->line),
			     "Port=%s is %u of %u nodes: slurmctld does not start\n"
			     "give one for each node, or one for all",
			     value, count, names);
}

/* ---- what a node has, and what is taken from it ---- */

struct sizes {
	uint64_t cpus, boards, sockets, cores, threads;
};

static uint64_t at_least_1(uint64_t value)
{
	return value ? value : 1;
}

/* As Slurm infers what is not given. */
static struct sizes sizes_of(const struct lw_check_node_line *node)
{
	struct sizes s = { .cpus = lines_number(node, "CPUs"),
			   .boards = at_least_1(lines_number(node, "Boards")),
			   .sockets = lines_number(node, "Sockets"),
			   .cores = at_least_1(lines_number(node, "CoresPerSocket")),
			   .threads = at_least_1(lines_number(node, "ThreadsPerCore")) };
	uint64_t per_board = lines_number(node, "SocketsPerBoard");

	if (!s.cpus)
		s.cpus = lines_number(node, "Procs");
	if (per_board)
		s.sockets = s.boards * per_board;
	else if (!s.sockets && s.cpus && s.cpus % (s.cores * s.threads) == 0)
		s.sockets = s.cpus / (s.cores * s.threads);
	else if (!s.sockets)
		s.sockets = s.boards;
	return s;
}

static void check_cpus(const struct lw_check_node_line *node, const struct sizes *s)
{
	if (s->boards > s->sockets)
		lw_check_add(node->check, LW_CHECK_WARNING, "node-cpus", lw_check_at(node->line),
			     "Boards=%llu is more than %llu sockets: Slurm goes on with 1\n"
			     "let slurmd -C on the node say them",
			     (unsigned long long)s->boards, (unsigned long long)s->sockets);
	if (!s->cpus || s->cpus == s->sockets || s->cpus == s->sockets * s->cores ||
	    s->cpus == s->sockets * s->cores * s->threads)
		return;
	lw_check_add(node->check, LW_CHECK_WARNING, "node-cpus", lw_check_at(node->line),
		     "CPUs=%llu is none of %llu sockets, %llu cores, %llu threads: Slurm goes on "
		     "with %llu\nlet slurmd -C on the node say them",
		     (unsigned long long)s->cpus, (unsigned long long)s->sockets,
		     (unsigned long long)(s->sockets * s->cores),
		     (unsigned long long)(s->sockets * s->cores * s->threads),
		     (unsigned long long)(s->sockets * s->cores * s->threads));
}

/* The highest number of a list such as 0-3,8; 0: it is none. */
static uint64_t highest(const char *list)
{
	uint64_t most = 0, value;

	while (*list) {
		if (!lw_number_take(&list, UINT32_MAX, &value))
			return 0;
		most = value > most ? value : most;
		list += *list == '-' || *list == ',';
	}
	return most;
}

static void check_specialized(const struct lw_check_node_line *node, const struct sizes *s)
{
	uint64_t cores = lines_number(node, "CoreSpecCount");
	uint64_t mib = lines_number(node, "MemSpecLimit");
	uint64_t real_mib = at_least_1(lines_number(node, "RealMemory"));
	uint64_t cpus = s->cpus ? s->cpus : s->sockets * s->cores * s->threads;
	const char *list = lw_check_node_value(node, "CpuSpecList");

	if (cores && cores >= s->sockets * s->cores)
		lw_check_add(node->check, LW_CHECK_WARNING, "node-spec", lw_check_at(node->line),
			     "CoreSpecCount=%llu leaves no core of %llu to jobs: Slurm goes on "
			     "with 1\nmake it smaller",
			     (unsigned long long)cores,
			     (unsigned long long)(s->sockets * s->cores));
	if (mib && mib >= real_mib)
		lw_check_add(node->check, LW_CHECK_WARNING, "node-spec", lw_check_at(node->line),
			     "MemSpecLimit=%llu leaves no memory of RealMemory=%llu to jobs: "
			     "Slurm goes on without it\nmake it smaller",
			     (unsigned long long)mib, (unsigned long long)real_mib);
	if (list && highest(list) >= cpus)
		lw_check_add(node->check, LW_CHECK_WARNING, "node-spec", lw_check_at(node->line),
			     "CpuSpecList=%s names a CPU beyond the %llu of the node: Slurm goes "
			     "on without it\nCPUs are counted from 0",
			     list, (unsigned long long)cpus);
}

/* Without RealMemory a node has 1 MiB, which the first job takes. */
static void check_real_memory(const struct lw_check_node_line *node)
{
	const char *params = lw_check_global(node->check, "SelectTypeParameters", NULL);

	if (params && strcasestr(params, "memory") && !lw_check_node_value(node, "RealMemory"))
		lw_check_add(node->check, LW_CHECK_WARNING, "node-memory", lw_check_at(node->line),
			     "%s has no RealMemory, and memory is allocated: Slurm takes it for "
			     "1 MiB, so that one job fills a node and a job with --mem never "
			     "starts\nlet slurmd -C on the node say it",
			     node->line->pairs[0].value);
}

/* ---- all lines ---- */

/* "q[1-70000]" */
static bool has_long_range(const char *names)
{
	for (const char *dash = strchr(names, '-'); dash; dash = strchr(dash + 1, '-')) {
		const char *from = dash, *to = dash + 1;
		uint64_t first, last;

		while (from > names && from[-1] >= '0' && from[-1] <= '9')
			from--;
		if (lw_number_take(&from, UINT32_MAX, &first) && from == dash &&
		    lw_number_take(&to, UINT32_MAX, &last) && last >= first + RANGE_MAX)
			return true;
	}
	return false;
}

static void check_name(const struct lw_check_node_line *node, const char *name)
{
	if (!strcasecmp(name, "ALL"))
		lw_check_add(node->check, LW_CHECK_FATAL, "node-name", lw_check_at(node->line),
			     "NodeName=%s is a word for all nodes: slurmctld does not start\n"
			     "give it another name",
			     name);
	if (*name == '[' || (*name >= '0' && *name <= '9'))
		lw_check_add(node->check, LW_CHECK_WARNING, "node-name", lw_check_at(node->line),
			     "NodeName=%.80s begins with a number: Slurm calls that an error\n"
			     "NodeName=n%.80s",
			     name, name);
}

/* Several slurmd on a host are possible where Slurm was built for them, as Debian's is. */
static void check_hostnames(const struct lw_check_node_line *node)
{
	const char *text = lw_slurmconf_value(node->line, "NodeHostname");
	struct lw_hosts hosts;
	bool twice = false;

	lw_hosts_init(&hosts);
	if (text && !lw_hosts_add(&hosts, text))
		for (uint32_t i = 1; i < hosts.count; i++)
			twice |= !strcmp(hosts.names[i], hosts.names[i - 1]);
	lw_hosts_fini(&hosts);
	if (twice)
		lw_check_add(node->check, LW_CHECK_WARNING, "node-host", lw_check_at(node->line),
			     "NodeHostname=%s has a host twice: Slurm goes on without the second, "
			     "unless it was built for several slurmd on a host\n"
			     "one name for each node",
			     text);
}

static void lines_check_node(const struct lw_check_node_line *node)
{
	const char *name = node->line->pairs[0].value;
	struct sizes sizes = sizes_of(node);
	uint32_t names;

	if (has_long_range(name)) {
		lw_check_add(node->check, LW_CHECK_FATAL, "node-range", lw_check_at(node->line),
			     "NodeName=%.80s has a range of more than %d nodes: slurmctld does "
			     "not start\nwrite several ranges",
			     name, RANGE_MAX);
		return;
	}
	names = count_hosts(name);
	if (names) {
		check_addresses(node, names);
		check_ports(node, names);
	}
	check_name(node, name);
	check_hostnames(node);
	check_cpus(node, &sizes);
	check_specialized(node, &sizes);
	check_real_memory(node);
	lw_check_node_gres(node);
}

void lw_check_lines(struct lw_check *check)
{
	lw_check_each_node_line(check, lines_check_node);
}
