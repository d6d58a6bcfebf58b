/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: runs a property over many seeds and says in TAP which seed broke it. */
#include "property/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
	const char *text = getenv(variable);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

static void print_why(const struct lw_strbuf *why)
{
	const char *line = lw_strbuf_text(why);
	size_t len;

	while (*line) {
		len = strcspn(line, "\n");
		printf("# %.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static int run_property(const struct property *property, unsigned number)
{
	uint64_t seed = number_from("LW_SEED", 1), rounds;
	struct lw_strbuf why = LW_STRBUF_INIT;
	int rc = 0;

	rounds = number_from("LW_ROUNDS", property->rounds);
	if (number_from("LW_QUICK", 0))
		rounds = rounds / 10 + 1;
	for (uint64_t i = 0; i < rounds && !rc; i++, seed++) {
		rc = property->round_f(seed, &why);
		if (rc)
			printf("not ok %u - %s\n# again: LW_SEED=%" PRIu64 " LW_ROUNDS=1\n",
			       number, property->name, seed);
	}
	if (rc)
		print_why(&why);
	else
		printf("ok %u - %s (%" PRIu64 " rounds)\n", number, property->name, rounds);
	fflush(stdout);
	lw_strbuf_fini(&why);
	return rc;
}

int run_properties(const struct property *properties, unsigned count)
{
	int failed = 0;

	printf("1..%u\n", count);
	for (unsigned i = 0; i < count; i++)
		failed |= run_property(&properties[i], i + 1);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
