/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: simulations of whatever trace or workload the readers let through. */
#include "fuzz/fuzz.h"

#include "cli/common/tools.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define LINES_MAX 60

static bool is_long(const uint8_t *data, size_t size)
{
	size_t lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines > LINES_MAX;
}

/* Options by the bits of HOW and MORE, to WORDS[N]. */
static void add_options(const char **words, int n, uint8_t how, uint8_t more)
{
	static const char *const policies[] = { "fcfs",	   "easy",     "conservative",
						"relaxed", "adaptive", "leeway",
						"clairvoyant", "published" };

	words[n++] = "--run";
	words[n++] = policies[how & 7];
	if (how & 8) {
		words[n++] = "--nodes";
		words[n++] = "4";
		words[n++] = how & 16 ? "--gpus-per-node" : "--cpus-per-node";
		words[n++] = "4";
	}
	if (how & 32) {
		words[n++] = "--set";
		words[n++] = "cluster.main_loop=60s";
	}
	if (how & 64) {
		words[n++] = "--set";
		words[n++] = more & 1   ? "sim.runtime=last2"
			     : more & 2 ? "sim.runtime=predicted"
					: "sim.runtime=exact";
	}
	if (more & 4) {
		words[n++] = "--set";
		words[n++] = "shake.runs=2";
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size), more = fuzz_take(&data, &size);
	const char *trace = fuzz_write("trace", data, size), *json = fuzz_path("out.json");
	char as_json[4096];
	const char *words[24] = { "sim", trace, "--quiet", "--lenient", as_json };
	int code;

	/* an array may have a thousand tasks */
	if (is_long(data, size) || memmem(data, size, "#lw-workload", 12))
		return 0;
	snprintf(as_json, sizeof(as_json), "--json=%s", json);
	add_options(words, 5, how, more);
	code = fuzz_call(lw_tools_sim, words);
	fuzz_check(code <= 2);
	if (code == LW_TOOLS_OK) {
		json_t *root = json_load_file(json, 0, NULL);

		fuzz_check(root);
		json_decref(root);
	}
	return 0;
}
