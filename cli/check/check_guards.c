/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what slurmctld itself refuses, or does without, in slurm.conf. */

/*
 * Each follows a fatal() or an error() of Slurm that a file alone can cause: read_config.c,
 * node_conf.c, gres.c, backfill.c, power_save.c, partition_mgr.c, from 22.05 on.
 */
#include "cli/check/check.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"

/* ---- nodes that are named and not declared ---- */

static void check_named_nodes(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	const char *down = lw_slurmconf_value(line, "DownNodes");
	const char *set = lw_slurmconf_value(line, "NodeSet");
	const char *nodes = lw_slurmconf_value(line, "Nodes");
	char name[256];

	if (down && lw_check_undeclared(check, down, false, name, sizeof(name)))
		lw_check_add(check, LW_CHECK_WARNING, "down-node", lw_check_at(line),
			     "DownNodes has the node %s, which no NodeName= declares: Slurm goes "
			     "on without the line\ntake it out, or declare it",
			     name);
	if (set && nodes && lw_check_undeclared(check, nodes, false, name, sizeof(name)))
		lw_check_add(check, LW_CHECK_FATAL, "node-set", lw_check_at(line),
			     "NodeSet %s has the node %s, which no NodeName= declares: slurmctld "
			     "does not start\ntake it out of Nodes=, or declare it",
			     set, name);
}

/* ---- weights of TRES ---- */

/* Is the LEN letters at NAME a TRES that every cluster has? */
static bool is_plain_tres(const char *name, size_t len)
{
	static const char *const plain[] = { "cpu", "mem", "energy", "node", "billing", "vmem",
					     "pages", "fs/disk" };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strlen(plain[i]) == len && !strncasecmp(plain[i], name, len))
			return true;
	return false;
}

/* TRES that only slurmdbd keeps. */
static bool is_kept_tres(const char *name, size_t len)
{
	static const char *const kinds[] = { "gres/", "license/", "bb/", "ic/", "interconnect/",
					     "fs/" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (len > strlen(kinds[i]) && !strncasecmp(kinds[i], name, strlen(kinds[i])))
			return true;
	return false;
}

static bool is_weight(const char *text, size_t len)
{
	char copy[64], *end;

	if (!len || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	(void)strtod(copy, &end);
	return end > copy && (!*end || (strchr("kKmMgGtTpP", *end) && !end[1]));
}

static bool has_dbd(const struct lw_check *check)
{
	const char *type = lw_check_global(check, "AccountingStorageType", NULL);

	return (type && strcasestr(type, "slurmdbd")) || (!type && check->incomplete);
}

/* One item, TRES=WEIGHT, of LEN letters. */
static void check_weight(struct lw_check *check, struct lw_check_place place, const char *key,
			 const char *item, size_t len)
{
	size_t name = strcspn(item, "=,");
	bool known = is_plain_tres(item, name) || is_kept_tres(item, name);

	if (name >= len || !is_weight(item + name + 1, len - name - 1))
		lw_check_add(check, LW_CHECK_FATAL, "tres-weight", place,
			     "%s: \"%.*s\" is no weight: slurmctld does not start\n"
			     "write such as CPU=1.0,Mem=0.25G",
			     key, (int)len, item);
	else if (!known)
		lw_check_add(check, LW_CHECK_FATAL, "tres-weight", place,
			     "%s: there is no TRES \"%.*s\": slurmctld does not start\n"
			     "one of CPU, Mem, Node, Energy, GRES/NAME, License/NAME",
			     key, (int)name, item);
	else if (!is_plain_tres(item, name) && !has_dbd(check))
		lw_check_add(check, LW_CHECK_FATAL, "tres-weight", place,
			     "%s: only slurmdbd keeps %.*s, and there is none: slurmctld does not "
			     "start\nAccountingStorageType=accounting_storage/slurmdbd, or take "
			     "it out",
			     key, (int)name, item);
}

static void check_weights(struct lw_check *check, struct lw_check_place place, const char *key,
			  const char *value)
{
	while (value && *value) {
		size_t len = strcspn(value, ",");

		if (len)
			check_weight(check, place, key, value, len);
		value += len + (value[len] == ',');
	}
}

/* ---- partitions ---- */

static void check_allow(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	static const struct {
		const char *allow, *deny;
	} both[] = { { "AllowAccounts", "DenyAccounts" }, { "AllowQos", "DenyQos" } };

	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		const char *allow = lw_slurmconf_value(line, both[i].allow);

		if (allow && strcasecmp(allow, "ALL") && lw_slurmconf_value(line, both[i].deny))
			lw_check_add(check, LW_CHECK_WARNING, "allow-deny", lw_check_at(line),
				     "partition %s has both %s and %s: Slurm ignores the second\n"
				     "take one of them out",
				     line->pairs[0].value, both[i].allow, both[i].deny);
	}
}

/* VALUE in MiB; 0: none. */
static uint64_t guards_mib(const char *value)
{
	uint64_t mib = 0;

	return value && lw_number_read(value, UINT64_MAX, &mib) ? mib : 0;
}

static void check_def_memory(struct lw_check *check, struct lw_check_place place,
			     const char *(*value_of)(const void *from, const char *key),
			     const void *from)
{
	static const char *const per[] = { "PerCPU", "PerNode" };

	for (size_t i = 0; i < sizeof(per) / sizeof(per[0]); i++) {
		char def[32], max[32];
		uint64_t def_mib, max_mib;

		snprintf(def, sizeof(def), "DefMem%s", per[i]);
		snprintf(max, sizeof(max), "MaxMem%s", per[i]);
		def_mib = guards_mib(value_of(from, def));
		max_mib = guards_mib(value_of(from, max));
		if (max_mib && def_mib > max_mib)
			lw_check_add(check, LW_CHECK_WARNING, "def-max-mem", place,
				     "%s=%llu is above %s=%llu: a job that asks for no memory "
				     "never starts, or holds more CPUs than it asked for\n"
				     "make the default smaller",
				     def, (unsigned long long)def_mib, max,
				     (unsigned long long)max_mib);
	}
}

static const char *value_of_line(const void *from, const char *key)
{
	return lw_slurmconf_value(from, key);
}

static const char *value_of_all(const void *from, const char *key)
{
	return lw_check_global(from, key, NULL);
}

/* Few have built Slurm for front ends, and from 25.05 on it cannot be. */
static void check_front_end(struct lw_check *check, const struct lw_slurmconf_line *line)
{
	if (lw_slurmconf_value(line, "FrontendName"))
		lw_check_add(check, LW_CHECK_FATAL, "front-end", lw_check_at(line),
			     "FrontendName: slurmctld does not start, unless Slurm was built for "
			     "front ends\ntake the line out");
}

static void guards_check_lines(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->slurm.line_count; i++) {
		const struct lw_slurmconf_line *line = &check->slurm.lines[i];

		check_front_end(check, line);
		if (lw_check_scope(line) == LW_CHECK_PARTITION) {
			check_allow(check, line);
			check_def_memory(check, lw_check_at(line), value_of_line, line);
			check_weights(check, lw_check_at(line), "TRESBillingWeights",
				      lw_slurmconf_value(line, "TRESBillingWeights"));
		} else if (lw_check_scope(line) == LW_CHECK_OTHER) {
			check_named_nodes(check, line);
		}
	}
}

/* ---- numbers of SchedulerParameters ---- */

/* What backfill.c takes; another number is an error, and the default counts. */
static const struct {
	const char *key;
	long least, most;
} ranges[] = {
	{ "bf_interval", 1, 10800 },
	{ "bf_job_part_count_reserve", 0, 100000 },
	{ "bf_max_job_array_resv", 0, 1000 },
	{ "bf_max_job_start", 0, 10000 },
	{ "bf_max_job_test", 1, 1000000 },
	{ "bf_max_time", 1, 3600 },
	{ "bf_min_age_reserve", 0, 2592000 },
	{ "bf_node_space_size", 2, 2000000 },
	{ "bf_resolution", 1, 3600 },
	{ "bf_window", 1, 43200 },
	{ "bf_yield_interval", 1, 10000000 },
};

static void check_ranges(struct lw_check *check)
{
	struct lw_check_place place;

	if (!lw_check_global(check, "SchedulerParameters", &place))
		return;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		long value = lw_check_param(check, ranges[i].key, ranges[i].least);
		/* switches backfill off from 23.02 on */
		bool off = value == -1 && !strcmp(ranges[i].key, "bf_interval");

		if (!off && value <= INT32_MAX &&
		    (value < ranges[i].least || value > ranges[i].most))
			lw_check_add(check, LW_CHECK_WARNING, "param-range", place,
				     "SchedulerParameters: %s=%ld: Slurm takes %ld to %ld and goes "
				     "on with its default\ncorrect it",
				     ranges[i].key, value, ranges[i].least, ranges[i].most);
	}
}

/* ---- the rest ---- */

static void check_shared_gres(struct lw_check *check)
{
	struct lw_check_place place;
	const char *types = lw_check_global(check, "GresTypes", &place);

	for (const char *item = types; item && *item; item += *item == ',') {
		const char *rest = item + strcspn(item, ",");
		char name[64];

		snprintf(name, sizeof(name), "%.*s", (int)(rest - item), item);
		if (*rest && *name && lw_check_listed(rest + 1, name))
			lw_check_add(check, LW_CHECK_WARNING, "gres-types", place,
				     "GresTypes=%s has %s twice: Slurm ignores the second\n"
				     "take it out",
				     types, name);
		item = rest;
	}

	if ((lw_check_listed(types, "shard") || lw_check_listed(types, "mps")) &&
	    !lw_check_listed(types, "gpu"))
		lw_check_add(check, LW_CHECK_FATAL, "gres-types", place,
			     "GresTypes=%s has parts of GPUs and no gpu: slurmctld does not start\n"
			     "GresTypes=gpu,%s",
			     types, types);
}

/* select/linear allocates nodes, and memory of them at most. */
static void check_linear(struct lw_check *check)
{
	const char *type = lw_check_global(check, "SelectType", NULL);
	struct lw_check_place place;
	const char *params = lw_check_global(check, "SelectTypeParameters", &place);

	if (type && strcasestr(type, "linear") && params &&
	    (strcasestr(params, "CR_CPU") || strcasestr(params, "CR_Core") ||
	     strcasestr(params, "CR_Socket")))
		lw_check_add(check, LW_CHECK_FATAL, "select-params", place,
			     "SelectTypeParameters=%s: select/linear allocates whole nodes: "
			     "slurmctld does not start\nSelectTypeParameters=CR_Memory",
			     params);
}

static void check_power(struct lw_check *check)
{
	struct lw_check_place place;
	const char *suspend = lw_check_global(check, "SuspendProgram", &place);

	if (suspend && !lw_check_global(check, "ResumeProgram", NULL) && !check->incomplete)
		lw_check_add(check, LW_CHECK_ERROR, "power-save", place,
			     "SuspendProgram without ResumeProgram: Slurm saves no power\n"
			     "ResumeProgram=PATH");
}

static void check_slice(struct lw_check *check)
{
	struct lw_check_place place;
	const char *slice = lw_check_global(check, "SchedulerTimeSlice", &place);
	uint64_t value;

	if (slice && lw_number_read(slice, UINT16_MAX, &value) && value < 5)
		lw_check_add(check, LW_CHECK_WARNING, "time-slice", place,
			     "SchedulerTimeSlice=%s: Slurm takes 5 s or more and goes on with 30\n"
			     "SchedulerTimeSlice=5",
			     slice);
}

void lw_check_guards(struct lw_check *check)
{
	struct lw_check_place place;
	const char *weights = lw_check_global(check, "PriorityWeightTRES", &place);

	if (weights)
		check_weights(check, place, "PriorityWeightTRES", weights);
	guards_check_lines(check);
	check_def_memory(check, lw_check_at_slurm_conf(check), value_of_all, check);
	check_ranges(check);
	check_shared_gres(check);
	check_linear(check);
	check_power(check);
	check_slice(check);
}
