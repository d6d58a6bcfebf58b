/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the nodes of the jobs of a replay, judged as the simulator judges its own. */
#include "cli/report/places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hosts.h"
#include "base/lookup.h"
#include "cli/common/slurmconf.h"

#define NAME_ROOM 24
#define NO_NODE	  UINT32_MAX

/* The order of events in the same second. */
enum kind {
	KIND_END,
	KIND_SUBMIT,
	KIND_START,
};

struct event {
	int64_t at_s;
	enum kind kind;
	uint32_t job; /* index into the run's */
};

struct places {
	const struct lw_run *run;
	struct lw_slurmconf topology;
	struct lw_snapshot snap;
	struct lw_lookup by_name; /* its nodes */
	struct lw_locality locality;
	struct event *events;
	uint32_t event_count;
	bool *queued; /* by job of the run: it was submitted, and waits */
	struct lw_alloc *allocs; /* room for one job */
	struct lw_error *err;
};

/* The first key of NAME in the lookup; names with the same hash use further keys. */
static uint64_t key_of(const char *name)
{
	return lw_hash_mix_bytes(LW_HASH_BEGIN, name, strlen(name));
}

/* The number of the node NAME, or NO_NODE with the free key for it. */
static uint32_t find_node(const struct places *places, const char *name, uint64_t *ret_key)
{
	uint64_t key = key_of(name);
	uint32_t node;

	while (lw_lookup_get(&places->by_name, key, &node)) {
		if (!strcmp(places->snap.nodes[node].name, name))
			return node;
		key = lw_hash_mix(key, 1);
	}
	*ret_key = key;
	return NO_NODE;
}

/* One more node, unless there is one of that name. */
static int add_node(struct places *places, const char *name)
{
	const struct lw_run *run = places->run;
	struct lw_res total = { .cpus = (uint32_t)run->cpus_per_node,
				.mem_mib = (uint32_t)run->mem_mib_per_node,
				.gpus = { (uint16_t)run->gpus_per_node } };
	uint32_t number = places->snap.node_count;
	uint64_t key;

	if (find_node(places, name, &key) != NO_NODE)
		return 0;
	if (lw_lookup_put(&places->by_name, key, number))
		return -ENOMEM;
	return lw_snapshot_add_node(&places->snap, name, &total, true, places->err);
}

/* The nodes of a switch or block, or NULL: it has none, or all, which says nothing. */
static const char *list_of(const struct lw_slurmconf_line *line)
{
	const char *list = lw_slurmconf_value(line, "Nodes");

	return list && strcasecmp(list, "ALL") ? list : NULL;
}

/* The nodes of LIST; those of HOSTS are the caller's to free, also when it fails. */
static int read_list(struct places *places, const char *list, struct lw_hosts *hosts)
{
	int rc;

	lw_hosts_init(hosts);
	rc = lw_hosts_add(hosts, list);
	if (rc == -E2BIG)
		return lw_error_set(places->err, rc, "\"%.80s\" names more than %d nodes", list,
				    LW_HOSTS_MAX);
	return rc ? lw_error_set(places->err, rc, "\"%.80s\" is no list of nodes", list) : 0;
}

/* Put the file and the line before an error. */
static void at_line(struct places *places, const struct lw_slurmconf_line *line)
{
	lw_error_prefix(places->err, 0, "%s%s:%" PRIu32 ": ", places->run->dir, line->file,
			line->number);
}

static void at_job(struct places *places, const struct lw_run_job *job)
{
	lw_error_prefix(places->err, 0, "%s/sacct.psv: job %.40s: ", places->run->dir, job->id);
}

static int add_nodes(struct places *places, const char *list)
{
	struct lw_hosts hosts;
	int rc = read_list(places, list, &hosts);

	for (uint32_t i = 0; i < hosts.count && !rc; i++)
		rc = add_node(places, hosts.names[i]);
	lw_hosts_fini(&hosts);
	return rc;
}

/* Add all named nodes, and the nodes that no job ran on, up to the size of the machine. */
static int add_all_nodes(struct places *places)
{
	const struct lw_run *run = places->run;
	char name[NAME_ROOM];
	int rc = 0;

	for (uint32_t i = 0; i < places->topology.line_count && !rc; i++) {
		const char *list = list_of(&places->topology.lines[i]);

		rc = list ? add_nodes(places, list) : 0;
		if (rc)
			at_line(places, &places->topology.lines[i]);
	}
	for (uint32_t i = 0; i < run->job_count && !rc; i++) {
		if (run->jobs[i].start_s != LW_RUN_NONE && *run->jobs[i].node_list)
			rc = add_nodes(places, run->jobs[i].node_list);
		if (rc)
			at_job(places, &run->jobs[i]);
	}
	for (uint32_t i = places->snap.node_count; i < run->nodes && !rc; i++) {
		snprintf(name, sizeof(name), " unused %u", i);
		rc = add_node(places, name);
	}
	return rc;
}

static int add_domain(struct places *places, const char *name, const char *list)
{
	struct lw_snapshot *snap = &places->snap;
	struct lw_bitset nodes;
	struct lw_hosts hosts;
	uint64_t key;
	int rc = read_list(places, list, &hosts);

	if (!rc)
		rc = lw_bitset_init(&nodes, snap->node_count);
	if (!rc) {
		for (uint32_t i = 0; i < hosts.count; i++)
			lw_bitset_set(&nodes, find_node(places, hosts.names[i], &key));
		rc = lw_snapshot_add_domain(snap, name, LW_NO_DOMAIN, &nodes, places->err);
		lw_bitset_fini(&nodes);
	}
	lw_hosts_fini(&hosts);
	return rc;
}

/* Add the domains with nodes; domains above these do not change the figures. */
static int add_domains(struct places *places)
{
	int rc = 0;

	for (uint32_t i = 0; i < places->topology.line_count && !rc; i++) {
		const struct lw_slurmconf_line *line = &places->topology.lines[i];
		const char *list = list_of(line);

		rc = list ? add_domain(places, line->pairs[0].value, list) : 0;
		if (rc)
			at_line(places, line);
	}
	return rc;
}

static int read_topology(struct places *places)
{
	struct lw_slurmconf_fault fault = { .file = "" };
	int rc = lw_slurmconf_read(&places->topology, LW_SLURMCONF_PAIRS, places->run->dir,
				   "/etc/topology.conf", &fault);

	if (!rc || (rc == -ENOENT && !fault.line))
		return 0;
	if (!fault.line)
		return lw_error_set(places->err, rc, "%s%s: %s", places->run->dir, fault.file,
				    fault.err.text);
	return lw_error_set(places->err, rc, "%s%s:%u: %s", places->run->dir, fault.file,
			    fault.line, fault.err.text);
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

static void add_event(struct places *places, uint32_t job, enum kind kind, int64_t at_s)
{
	if (at_s != LW_RUN_NONE)
		places->events[places->event_count++] = (struct event){ at_s, kind, job };
}

static int list_events(struct places *places)
{
	const struct lw_run *run = places->run;

	places->events = calloc(3 * (size_t)run->job_count + 1, sizeof(*places->events));
	places->queued = calloc((size_t)run->job_count + 1, sizeof(*places->queued));
	places->allocs = calloc((size_t)places->snap.node_count + 1, sizeof(*places->allocs));
	if (!places->events || !places->queued || !places->allocs)
		return -ENOMEM;
	for (uint32_t i = 0; i < run->job_count; i++) {
		add_event(places, i, KIND_SUBMIT, run->jobs[i].submit_s);
		add_event(places, i, KIND_START, run->jobs[i].start_s);
		add_event(places, i, KIND_END, run->jobs[i].end_s);
	}
	qsort(places->events, places->event_count, sizeof(*places->events), compare_events);
	return 0;
}

static uint32_t divide_up(int64_t a, int64_t b)
{
	return b > 0 ? (uint32_t)((a + b - 1) / b) : 0;
}

/* What the job asked for, on the fewest nodes; without a request, what it got. */
static struct lw_sim_job asked_by(const struct lw_run *run, const struct lw_run_job *job)
{
	bool said = job->asked_gpus > 0;
	int64_t gpus = said ? job->asked_gpus : job->gpus;
	int64_t nodes = said ? job->asked_nodes : job->nodes;
	struct lw_sim_job asked = { .request = { .gpu_type = LW_GPU_ANY } };
	struct lw_request *request = &asked.request;

	if (nodes < divide_up(gpus, run->gpus_per_node))
		nodes = divide_up(gpus, run->gpus_per_node);
	if (nodes < 1)
		nodes = 1;
	request->nodes_min = request->nodes_max = (uint32_t)nodes;
	request->gpus_per_node = (uint16_t)divide_up(gpus, nodes);
	request->cpus_per_node = divide_up(said ? job->asked_cpus : job->cpus, nodes);
	if (run->mem_mib_per_node > 0)
		request->mem_per_node_mib = divide_up(job->asked_mem_mib, nodes);
	return asked;
}

/* What the job holds, in equal parts; a remainder goes to the first nodes. */
static int places_hold(struct places *places, const struct lw_run_job *job, uint32_t *ret_count)
{
	struct lw_hosts hosts;
	int rc = read_list(places, job->node_list, &hosts);
	int64_t gpus = job->gpus;
	uint64_t key;

	/* allocs has room for each node once */
	if (!rc && hosts.count > places->snap.node_count)
		rc = lw_error_set(places->err, -EINVAL, "\"%.80s\" names a node twice",
				  job->node_list);
	if (rc)
		at_job(places, job);
	for (uint32_t i = 0; i < hosts.count && !rc; i++) {
		int64_t left = hosts.count - i;
		uint32_t here = divide_up(gpus, left);

		gpus -= here;
		places->allocs[i] = (struct lw_alloc){
			.node = find_node(places, hosts.names[i], &key),
			.res = { .cpus = divide_up(job->cpus, hosts.count),
				 .mem_mib = divide_up(job->mem_mib, hosts.count),
				 .gpus = { (uint16_t)here } },
		};
	}
	*ret_count = hosts.count;
	lw_hosts_fini(&hosts);
	return rc;
}

static int places_start(struct places *places, const struct lw_run_job *job)
{
	struct lw_sim_job asked = asked_by(places->run, job);
	uint32_t count;
	int rc = places_hold(places, job, &count);

	if (rc)
		return rc;
	lw_locality_placed(&places->locality, &places->snap, &asked, places->allocs, count);
	for (uint32_t i = 0; i < count && job->end_s != job->start_s; i++)
		lw_res_add(&places->snap.used[places->allocs[i].node], &places->allocs[i].res);
	return 0;
}

static int places_finish(struct places *places, const struct lw_run_job *job)
{
	uint32_t count;
	int rc = places_hold(places, job, &count);

	for (uint32_t i = 0; i < count && !rc && job->end_s != job->start_s; i++)
		lw_res_sub(&places->snap.used[places->allocs[i].node], &places->allocs[i].res);
	return rc;
}

/* The first waiting job that wants GPUs, else the next one to be submitted. */
static bool find_next(const struct places *places, struct lw_sim_job *ret_next)
{
	const struct lw_run *run = places->run;
	const struct lw_run_job *next = NULL;
	bool waits = false;

	for (uint32_t i = 0; i < run->job_count; i++) {
		const struct lw_run_job *job = &run->jobs[i];
		bool queued = places->queued[i];

		if ((job->asked_gpus <= 0 && job->gpus <= 0) || (waits && !queued) ||
		    (!queued && job->submit_s <= places->snap.now_s))
			continue;
		if (!next || (queued && !waits) || job->submit_s < next->submit_s)
			next = job;
		waits = waits || queued;
	}
	if (next)
		*ret_next = asked_by(run, next);
	return next;
}

static int happen(struct places *places, const struct event *event)
{
	const struct lw_run_job *job = &places->run->jobs[event->job];
	bool ran = job->start_s != LW_RUN_NONE && *job->node_list;

	/* a job that ends in the second of its submission never waited: its end comes first */
	places->queued[event->job] = event->kind == KIND_SUBMIT && job->end_s != job->submit_s;
	if (event->kind == KIND_SUBMIT || !ran)
		return 0;
	return event->kind == KIND_START ? places_start(places, job) : places_finish(places, job);
}

static int go_through(struct places *places)
{
	struct lw_sim_job next;
	int rc = 0;

	for (uint32_t i = 0; i < places->event_count && !rc; i++) {
		int64_t at_s = places->events[i].at_s;

		if (i && at_s > places->snap.now_s && find_next(places, &next))
			lw_locality_rested(&places->locality, &places->snap, &next, at_s);
		places->snap.now_s = at_s;
		rc = happen(places, &places->events[i]);
	}
	return rc;
}

static bool is_known(const struct lw_run *run)
{
	bool placed = false;

	for (uint32_t i = 0; i < run->job_count && !placed; i++)
		placed = run->jobs[i].gpus > 0 && *run->jobs[i].node_list;
	return placed && run->nodes > 0 && run->gpus_per_node > 0;
}

static int places_judge(struct places *places)
{
	int rc;

	if (lw_snapshot_gpu_type(&places->snap, "gpu") < 0)
		return -ENOMEM;
	rc = read_topology(places);
	if (!rc)
		rc = add_all_nodes(places);
	if (!rc)
		rc = add_domains(places);
	if (!rc)
		rc = list_events(places);
	return rc ? rc : go_through(places);
}

int lw_places_judge(const struct lw_run *run, struct lw_locality *ret_locality, bool *ret_known,
		    struct lw_error *err)
{
	struct places places = { .run = run, .err = err };
	bool known = is_known(run);
	int rc;

	lw_snapshot_init(&places.snap, 0);
	rc = known ? places_judge(&places) : 0;
	if (!rc) {
		*ret_locality = places.locality;
		*ret_known = known;
	} else if (rc == -ENOMEM) {
		lw_error_set(err, rc, "out of memory");
	}
	lw_slurmconf_fini(&places.topology);
	lw_lookup_fini(&places.by_name);
	lw_snapshot_fini(&places.snap);
	free(places.events);
	free(places.queued);
	free(places.allocs);
	return rc;
}
