/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway nodes: on which nodes jobs fare worse than their like elsewhere. */
#include "cli/nodes/nodes.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

#define NODES_SINCE_S (30 * 86400)
#define NODES_NOT_SAID -1

static int nodes_add_dir(void *arg, const char *name, const char *value, struct lw_error *err)
{
	struct lw_nodes_request *request = arg;

	if (request->dir_count == LW_NODES_DIRS_MAX)
		return lw_error_set(err, -EINVAL, "--%s: more than %d", name, LW_NODES_DIRS_MAX);
	request->dirs[request->dir_count++] = value;
	return 0;
}

static int nodes_options(struct lw_nodes_request *request, int argc, char **argv,
			 struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/nodes/nodes_options.def"
	};
	int rc = lw_options_read(options, request, argc, argv, err);

	if (!rc && request->sacct && request->since_s != NODES_NOT_SAID)
		rc = lw_error_set(err, -EINVAL,
				  "--since does not go with --sacct: all of the file counts");
	if (request->since_s == NODES_NOT_SAID)
		request->since_s = NODES_SINCE_S;
	if (!rc && request->since_s < 1)
		rc = lw_error_set(err, -EINVAL, "--since: at least a second");
	if (!rc && request->all && request->suspect)
		rc = lw_error_set(err, -EINVAL, "give one of --all and --suspect");
	for (int i = optind; !rc && i < argc; i++) {
		rc = lw_hosts_add(&request->names, argv[i]);
		if (rc)
			rc = lw_error_set(err, rc == -ENOMEM ? rc : -EINVAL,
					  "%s: no node, and no list of nodes", argv[i]);
	}
	return rc;
}

/* What some records lacked is in ERR, though all went well. */
static int nodes_run(const struct lw_nodes_request *request, struct lw_nodes_judged *judged,
		     struct lw_nodes_log *log, struct lw_error *err)
{
	int rc = lw_output_check(request->json, err);

	if (!rc)
		rc = lw_nodes_read(log, request, err);
	if (!rc && request->dir_count)
		rc = lw_nodes_read_records(log, request, err);
	if (!rc && lw_nodes_judge(log, judged))
		rc = lw_error_set(err, -ENOMEM, "out of memory");
	if (!rc && request->json)
		rc = lw_nodes_json(request, log, judged, err);
	else if (!rc)
		lw_nodes_print(request, judged);
	return rc;
}

static int nodes_ended(const struct lw_nodes_request *request,
		       const struct lw_nodes_judged *judged, uint32_t unread,
		       const struct lw_error *err)
{
	if (err->text[0])
		fprintf(stderr, "leeway nodes: left out what cannot be read: %s\n", err->text);
	if (unread)
		fprintf(stderr, "leeway nodes: left out jobs with no list of nodes: %u\n",
			unread);
	return request->suspect && lw_nodes_count_found(request, judged) ? LW_TOOLS_FOUND
									 : LW_TOOLS_OK;
}

int lw_tools_nodes(int argc, char **argv)
{
	struct lw_nodes_request request = { .since_s = NODES_NOT_SAID };
	struct lw_nodes_judged judged = { .count = 0 };
	struct lw_nodes_log log = { .count = 0 };
	struct lw_error err = { "" };
	int rc = nodes_options(&request, argc, argv, &err);

	if (rc) {
		lw_hosts_fini(&request.names);
		return lw_options_refused("nodes", rc, &err);
	}
	rc = nodes_run(&request, &judged, &log, &err);
	/* what Slurm's commands refuse is no wrong usage of ours */
	rc = rc ? lw_tools_ended("nodes", rc == -EINVAL ? -EIO : rc, &err)
		: nodes_ended(&request, &judged, log.unread, &err);
	lw_nodes_judged_fini(&judged);
	lw_nodes_log_fini(&log);
	lw_hosts_fini(&request.names);
	return rc;
}
