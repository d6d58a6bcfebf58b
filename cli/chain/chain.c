/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway chain: jobs of which each begins when the one before has ended. */
#include "cli/chain/chain.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/options.h"
#include "cli/common/origin.h"
#include "cli/common/tools.h"

#define DEFAULT_SINCE_S (INT64_C(30) * 86400)

/* An option that "submit" itself takes; all others are sbatch's. */
static const struct own_option {
	const char *name;
	bool takes_next; /* its value may be the next word */
} own_options[] = {
	{ "--links", true },    { "--after", true }, { "--signal", true },
	{ "--dry-run", false }, { "--json", false }, { "--since", true },
	{ "--now", true },      { "--help", false }, { "-h", false },
	{ "--overlap", true },
};

static int read_options(struct lw_chain_request *request, int argc, char **argv,
			struct lw_error *err)
{
	static const char *const afters[] = { "any", "ok", NULL };
	const struct lw_option options[] = {
#include "cli/chain/chain_options.def"
	};

	return lw_options_read(options, NULL, argc, argv, err);
}

static const struct own_option *find_own(const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < sizeof(own_options) / sizeof(own_options[0]); i++)
		if (strlen(own_options[i].name) == len &&
		    strncmp(word, own_options[i].name, len) == 0)
			return &own_options[i];
	return NULL;
}

/* How many words WORD, of which REST are left, is together with its value. */
static int own_length(const struct own_option *own, char *const *word, int rest)
{
	if (strchr(word[0], '=') || rest < 2)
		return 1;
	if (own->takes_next)
		return 2;
	return strcmp(own->name, "--json") == 0 && strcmp(word[1], "-") == 0 ? 2 : 1;
}

/*
 * Part ARGV, of which the first word is the verb, into OUR words, which begin with it, and those
 * of sbatch's line, THEIRS, each with room for all. Ours stand before the script, as sbatch's
 * options.
 */
static void part_words(int argc, char **argv, char **our, int *ret_ours, char **their,
		       int *ret_theirs)
{
	int ours = 1, theirs = 0, i = 1;

	our[0] = argv[0];
	while (i < argc) {
		const struct own_option *own = find_own(argv[i]);
		int length = own ? own_length(own, argv + i, argc - i) : 1;

		if (!own && (argv[i][0] != '-' || strcmp(argv[i], "--") == 0) &&
		    strcmp(argv[i], ":") != 0)
			break;
		if (!own && lw_chain_takes_next(argv[i]) && i + 1 < argc)
			length = 2;
		for (int k = 0; k < length; k++, i++)
			*(own ? &our[ours++] : &their[theirs++]) = argv[i];
	}
	while (i < argc)
		their[theirs++] = argv[i++];
	our[ours] = their[theirs] = NULL;
	*ret_ours = ours;
	*ret_theirs = theirs;
}

static const char *submit_misused(const struct lw_chain_request *request)
{
	if (!request->links)
		return "how many jobs? Give --links N";
	if (request->has_since || request->now_s)
		return "--since and --now belong to show";
	if (request->has_overlap && request->after == TOOLS_CHAIN_OK)
		return "with --overlap a job begins before it is known how the one before ends: "
		       "leave out --after ok";
	return NULL;
}

/* Of both, ARGV begins with the verb, and "chain" stands before it, as the origin tells. */
static int chain_submit(int argc, char **argv)
{
	struct lw_chain_request request = { 0 };
	struct lw_chain_line line;
	struct lw_error err = { "" };
	char **our = calloc(2 * ((size_t)argc + 1), sizeof(*our)), **their;
	int ours, theirs, rc, code;

	if (!our) {
		lw_error_set(&err, -ENOMEM, "out of memory");
		return lw_tools_failed("chain", &err);
	}
	their = our + argc + 1;
	part_words(argc, argv, our, &ours, their, &theirs);
	rc = read_options(&request, ours, our, &err);
	lw_origin_begin(argc + 1, argv - 1);
	if (rc)
		code = lw_options_refused("chain", rc, &err);
	else if (submit_misused(&request))
		code = lw_tools_usage("chain", "%s", submit_misused(&request));
	else {
		rc = lw_chain_read_line(their, theirs, &line, &err);
		if (!rc)
			rc = lw_chain_submit(&request, &line, &err);
		code = lw_tools_ended("chain", rc, &err);
	}
	free(our);
	return code;
}

static int chain_show(int argc, char **argv)
{
	struct lw_chain_request request = { .since_s = DEFAULT_SINCE_S };
	struct lw_error err = { "" };
	int rc = read_options(&request, argc, argv, &err);

	lw_origin_begin(argc + 1, argv - 1);
	if (rc)
		return lw_options_refused("chain", rc, &err);
	if (request.links || request.has_after || request.signal || request.has_overlap ||
	    request.dry_run)
		return lw_tools_usage("chain",
				      "--links, --after, --signal, --overlap and --dry-run "
				      "belong to submit");
	if (optind < argc)
		rc = lw_options_word("job", argc, argv, &request.job, &err);
	if (!rc)
		rc = (request.job ? lw_chain_show : lw_chain_list)(&request, &err);
	return lw_tools_ended("chain", rc, &err);
}

int lw_tools_chain(int argc, char **argv)
{
	struct lw_chain_request request = { 0 };
	const char *verb = argc > 1 ? argv[1] : "";
	struct lw_error err = { "" };
	int rc;

	if (strcmp(verb, "submit") == 0)
		return chain_submit(argc - 1, argv + 1);
	if (strcmp(verb, "show") == 0)
		return chain_show(argc - 1, argv + 1);
	rc = read_options(&request, argc, argv, &err);
	if (rc)
		return lw_options_refused("chain", rc, &err);
	if (optind == argc)
		return lw_tools_usage("chain", "say submit or show");
	return lw_tools_usage("chain", "\"%s\" is not submit or show: say it first",
			      argv[optind]);
}
