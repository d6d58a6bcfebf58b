/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway check: what in Slurm's and our own files will not work or will surprise. */
#include "cli/check/check.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hosts.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/tools.h"

/* Exit codes of its own, beside those of every subcommand. */
#define EXIT_WARNED 1
#define EXIT_ERRORS 2

struct options {
	const char *conf;
	const char *root;
	const char *release;
	bool strict;
	const char *json;
};

static int read_options(struct options *o, int argc, char **argv, struct lw_error *err)
{
	const struct lw_option options[] = {
#include "cli/check/check_options.def"
	};
	int rc = lw_options_read(options, NULL, argc, argv, err);

	if (!rc && optind < argc)
		return lw_error_set(err, -EINVAL, "it takes options only, not \"%s\"",
				    argv[optind]);
	return rc;
}

/* "24.11.5", "24.11" and a package's "24.11.5-1+deb13u1" */
static bool parse_release(const char *text, uint32_t *ret_release)
{
	unsigned major, minor, micro = LW_SLURM_ANY_MICRO;
	int end = 0;

	if (sscanf(text, "%2u.%2u%n", &major, &minor, &end) != 2)
		return false;
	text += end;
	if (*text == '.' && sscanf(text, ".%3u%n", &micro, &end) == 1)
		text += end;
	if ((*text && !strchr("-+~", *text)) || micro > LW_SLURM_ANY_MICRO)
		return false;
	*ret_release = major << 16 | minor << 8 | micro;
	return true;
}

/* Its names would be taken for mistakes, and others' for none. */
static int check_supported(const struct options *options, uint32_t release)
{
	char releases[128];

	if (!options->release || lw_slurmkey_supports(release))
		return 0;
	return lw_tools_usage("check", "--release: Slurm %s is not supported: %s are",
			      options->release, lw_slurmkey_releases(releases, sizeof(releases)));
}

/* The directory of slurm.conf: as told, or of SLURM_CONF, or Slurm's own. */
static const char *choose_conf(const struct options *options, char *buf)
{
	const char *env = getenv("SLURM_CONF");
	char *slash;

	if (options->conf)
		return options->conf;
	snprintf(buf, PATH_MAX, "%s", env && !*options->root ? env : "/etc/slurm/slurm.conf");
	slash = strrchr(buf, '/');
	if (slash)
		*slash = '\0';
	return buf;
}

/* A relative DIR would not be what the findings call it. */
static const char *absolute(const char *dir, char *buf)
{
	char here[PATH_MAX];

	if (*dir == '/' || !getcwd(here, sizeof(here)) ||
	    snprintf(buf, PATH_MAX, "%s/%s", here, dir) >= PATH_MAX)
		snprintf(buf, PATH_MAX, "%s", dir);
	while (strlen(buf) > 1 && buf[strlen(buf) - 1] == '/')
		buf[strlen(buf) - 1] = '\0';
	return buf;
}

void lw_check_unreadable(struct lw_check *check, int rc, const struct lw_slurmconf_fault *fault)
{
	struct lw_check_place place = { fault->file, fault->line };

	if (rc == -ENOMEM)
		check->error = rc;
	else
		lw_check_add(check, LW_CHECK_ERROR, "conf-unreadable", place, "%s\ncorrect it",
			     fault->err.text);
}

/* open() has no word for it: a folder, say */
static const char *why_absent(const struct lw_slurmconf_line *line)
{
	return line->why == -EINVAL ? "is no file" : strerror(-line->why);
}

static void report_absent(struct lw_check *check, const struct lw_slurmconf_line *line,
			  enum lw_check_severity severity, const char *daemon)
{
	const char *remedy =
		*check->root ? "write it, also below --root"
			     : "write it; if these files are another machine's, use --root "
			       "with a copy of its disk";

	if (daemon)
		lw_check_add(
			check, severity, "conf-unreadable", lw_check_at(line),
			"Include %s: %s: %s does not start without it, and what stands there "
			"is not checked\n%s",
			line->absent, why_absent(line), daemon, remedy);
	else
		lw_check_add(check, severity, "conf-unreadable", lw_check_at(line),
			     "include %s: %s: nothing is read from it\n%s", line->absent,
			     why_absent(line), remedy);
}

bool lw_check_absent(struct lw_check *check, const struct lw_slurmconf *conf,
		     enum lw_check_severity severity, const char *daemon)
{
	bool any = false;

	for (uint32_t i = 0; i < conf->line_count; i++) {
		if (!conf->lines[i].absent)
			continue;
		any = true;
		report_absent(check, &conf->lines[i], severity, daemon);
	}
	return any;
}

void lw_check_no_nodes(struct lw_check *check, int rc, enum lw_check_severity severity,
		       struct lw_check_place place, const char *key, const char *names)
{
	const char *then = severity == LW_CHECK_FATAL ? ": slurmctld does not start" : "";

	if (rc == -ENOMEM)
		check->error = rc;
	else if (rc == -E2BIG)
		lw_check_add(check, LW_CHECK_ERROR, "node-name", place,
			     "%s=%.80s names more than %d nodes\nname fewer", key, names,
			     LW_HOSTS_MAX);
	else
		lw_check_add(check, severity, "node-name", place,
			     "%s=%s is no list of nodes%s\nwrite such as n[01-16],gpu[1-2]", key,
			     names, then);
}

static void report_fault(struct lw_check *check, const struct lw_slurmconf_fault *fault)
{
	struct lw_check_place place = { fault->file, fault->line };

	lw_check_add(check, LW_CHECK_FATAL, "conf-unreadable", place, "%s\n%s", fault->err.text,
		     fault->line ? "correct it: Slurm does not start with it"
				 : "Slurm does not start without it; name its directory with "
				   "--conf if it is elsewhere");
}

static void run_checks(struct lw_check *check)
{
	struct lw_slurmconf_fault fault = { .file = "" };
	int rc = lw_slurmconf_read(&check->slurm, LW_SLURMCONF_PAIRS, check->root,
				   check->slurm_conf, &fault);

	if (rc == -ENOMEM) {
		check->error = rc;
		return;
	}
	if (rc) {
		report_fault(check, &fault);
		return;
	}
	check->readable = true;
	check->incomplete = lw_check_absent(check, &check->slurm, LW_CHECK_FATAL, "slurmctld");
	lw_check_access(check);
	lw_check_plugins(check);
	lw_check_settings(check);
	lw_check_keys(check);
	lw_check_values(check);
	lw_check_pairs(check);
	lw_check_params(check);
	lw_check_scheduler(check);
	lw_check_chains(check);
	lw_check_recover(check);
	lw_check_stop(check);
	lw_check_share(check);
	lw_check_guests(check);
	lw_check_nodes(check);
	lw_check_stop_share(check);
	lw_check_lines(check);
	lw_check_guards(check);
	lw_check_slurm_rows(check);
	lw_check_cluster(check);
	lw_check_energy(check);
	lw_check_types(check);
	lw_check_share_nodes(check);
	lw_check_canary(check);
	lw_check_gres(check);
	lw_check_cgroup(check);
	lw_check_topology(check);
	lw_check_spank(check);
}

static void check_fini(struct lw_check *check)
{
	for (uint32_t i = 0; i < check->finding_count; i++) {
		free(check->findings[i].file);
		free(check->findings[i].what);
		free(check->findings[i].remedy);
	}
	for (uint32_t i = 0; i < check->node_count; i++)
		free(check->nodes[i].name);
	free(check->findings);
	free(check->nodes);
	lw_config_fini(&check->config);
	lw_slurmconf_fini(&check->slurm);
}

static int check_judge(const struct lw_check *check, bool strict)
{
	if (lw_check_count(check, LW_CHECK_ERROR))
		return EXIT_ERRORS;
	return strict && lw_check_count(check, LW_CHECK_WARNING) ? EXIT_WARNED : LW_TOOLS_OK;
}

static int check_run(const struct options *options, uint32_t release)
{
	char root[PATH_MAX], conf[PATH_MAX], env[PATH_MAX];
	struct lw_error err = { "" };
	struct lw_check check = {
		.root = options->root[strspn(options->root, "/")] ? absolute(options->root, root)
								  : "",
		.conf_dir = absolute(choose_conf(options, env), conf),
		.release = release,
	};
	int rc = 0;

	lw_config_default(&check.config);
	if (snprintf(check.slurm_conf, PATH_MAX, "%s/slurm.conf", check.conf_dir) < PATH_MAX)
		run_checks(&check);
	else
		check.error = -ENAMETOOLONG;
	if (check.error)
		rc = lw_error_set(&err, check.error, "%s",
				  check.error == -ENOMEM ? "out of memory"
							 : "--conf: the name is too long");
	else if (options->json)
		rc = lw_check_print_json(&check, options->json, &err);
	else
		rc = lw_check_print(&check, &err);
	rc = lw_output_flush(rc, &err);
	rc = rc ? lw_tools_failed("check", &err) : check_judge(&check, options->strict);
	check_fini(&check);
	return rc;
}

/* A slip in it would read as if nothing was there to be found. */
static int check_root(const char *root, struct lw_error *err)
{
	struct stat st;
	int rc = !*root || !stat(root, &st) ? 0 : -errno;

	if (!rc && *root && !S_ISDIR(st.st_mode))
		rc = -ENOTDIR;
	return rc ? lw_error_set(err, rc, "--root: %s: %s", root, strerror(-rc)) : 0;
}

int lw_tools_check(int argc, char **argv)
{
	struct options options = { .root = "" };
	struct lw_error err = { "" };
	uint32_t release = 0;
	int rc;

	rc = read_options(&options, argc, argv, &err);
	if (rc)
		return lw_options_refused("check", rc, &err);
	if (options.release && !parse_release(options.release, &release))
		return lw_tools_usage("check", "--release: \"%s\" is not such as 24.11.5",
				      options.release);
	rc = check_supported(&options, release);
	if (rc)
		return rc;
	if (check_root(options.root, &err))
		return lw_tools_usage("check", "%s", err.text);
	return check_run(&options, release);
}
