/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: lists of hosts, domains, islands, durations, and options. */
#include "fuzz/fuzz.h"

#include "base/nodelist.h"
#include "base/duration.h"
#include "base/hosts.h"
#include "base/spell.h"
#include "cli/common/options.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/sim.h"
#include "record/sampler.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void read_hosts(const char *text)
{
	struct lw_hosts hosts;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, text);
	fuzz_check(hosts.count <= LW_HOSTS_MAX);
	for (uint32_t i = 0; !rc && i < hosts.count && i < 100; i++)
		fuzz_check(*hosts.names[i] && !strpbrk(hosts.names[i], "[],"));
	fuzz_check(rc || hosts.count);
	lw_hosts_fini(&hosts);
}

static void read_duration(const char *text)
{
	char exact[64], shown[64];
	int64_t s, again;

	if (lw_duration_parse(text, &s))
		return;
	fuzz_check(s >= 0);
	lw_duration_print(s, shown, sizeof(shown));
	lw_duration_print_exact(s, exact, sizeof(exact));
	fuzz_check(!lw_duration_parse(exact, &again) && again == s);
}

/* A million names take seconds to sort, and are no finding. */
static bool names_many(const char *nodes)
{
	for (; *nodes; nodes++)
		if (strspn(nodes, "0123456789") >= 6)
			return true;
	return false;
}

/* Lines "NAME NODES". */
static void read_domains(char *text)
{
	struct lw_node_list domains = { 0 };
	struct lw_node_list islands = { 0 };
	struct lw_error err = { "" };
	unsigned number = 0, line;
	char *rest = text;

	while (rest && number < 50) {
		char *nodes = strsep(&rest, "\n"), *name = strsep(&nodes, " ");

		number++;
		if (!nodes || names_many(nodes))
			continue;
		lw_node_list_add(&domains, &(struct lw_node_line){
						   .line = number, .name = name, .nodes = nodes });
		lw_node_list_add(&islands, &(struct lw_node_line){ .line = number,
								   .nodes = nodes,
								   .gpus = 2 + number % 8 });
	}
	if (lw_node_list_check_domains(&domains, &line, &err))
		fuzz_check(*err.text);
	if (lw_node_list_check_islands(&islands, &line, &err))
		fuzz_check(*err.text);
	lw_node_list_fini(&domains);
	lw_node_list_fini(&islands);
}

static void read_numbers(const char *text)
{
	struct lw_error err = { "" };
	const struct lw_sampler_ops *ops;
	const char *arg;
	uint32_t count;
	double real;
	int64_t s;

	if (!lw_tools_read_count("n", text, 1, 1000, &count, &err))
		fuzz_check(count >= 1 && count <= 1000);
	if (!lw_tools_read_real("n", text, 0, 2, &real, &err))
		fuzz_check(real >= 0 && real <= 2);
	lw_tools_read_duration("n", text, &s, &err);
	lw_tools_is_row(text);
	lw_sampler_choose(text, &ops, &arg, &err);
}

static void read_policies(const char *text)
{
	struct lw_simbase base = { .set_count = 0 };
	struct lw_simspecs specs = { .count = 0 };
	struct lw_error err = { "" };

	if (*text == '@')
		return;
	lw_simsettings_default(&base.settings);
	if (lw_simspecs_add_run(&specs, &base, text, &err))
		fuzz_check(*err.text);
}

/* A line a word. */
static void read_options(char *text)
{
	static const char *const names[] = { "one", "two", NULL };
	const char *value = NULL, *word;
	uint32_t count = 0, range[2] = { 0 }, choice = 0;
	bool given = false;
	int64_t s = 0;
	double real = 0;
	const struct lw_option options[] = {
		{ "text", 't', .text = &value },
		{ "count", 'c', .count = &count, .most = 10 },
		{ "real", .real = &real, .most = 1 },
		{ "time", .duration_s = &s },
		{ "range", .range = range },
		{ "choice", .choice = &choice, .names = names },
		{ "flag", 'f', .given = &given },
		{ "json", .text = &value, .bare = "-" },
		{ NULL },
	};
	char *argv[10] = { (char *)"tool" }, *rest = text;
	struct lw_error err = { "" };
	int argc = 1, rc;

	while (rest && argc < 9)
		argv[argc++] = strsep(&rest, "\n");
	optind = 0;
	rc = lw_options_read(options, NULL, argc, argv, &err);
	fuzz_check(rc == 0 || rc == -ECANCELED || *err.text);
	fuzz_check(rc || (count <= 10 && real <= 1 && s >= 0 && choice < 2));
	lw_options_word("word", argc, argv, &word, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	char *text = fuzz_text(data, size);

	switch (how % 7) {
	case 0:
		read_hosts(text);
		break;
	case 1:
		read_duration(text);
		break;
	case 2:
		read_domains(text);
		break;
	case 3:
		read_numbers(text);
		break;
	case 4:
		read_policies(text);
		break;
	case 5:
		read_options(text);
		break;
	default:
		lw_spell_distance(text, "abcdefgh");
		lw_spell_distance("sched.policy", text);
	}
	free(text);
	return 0;
}
