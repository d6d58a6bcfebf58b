/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: the text of a trained net, printed and read again, and what the net says. */
#include "fuzz/fuzz.h"

#include "lab/sim/model_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Printed and read back it is the same net. */
static void print_and_parse(const struct lw_model *model)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct lw_model back;
	const char *payload;

	fuzz_check(!lw_model_print(model, &text));
	payload = strchr(lw_strbuf_text(&text), '\n') + 1;
	fuzz_check(!lw_model_parse("back", payload, &back, &err));
	fuzz_check(!memcmp(model, &back, sizeof(back)));
	lw_strbuf_fini(&text);
}

static void ask(const struct lw_net *net, const uint8_t *data, size_t size)
{
	struct lw_net_facts facts = { 0 };
	float inputs[LW_NET_INPUTS_MAX];

	memcpy(&facts, data, size < sizeof(facts) ? size : sizeof(facts));
	lw_net_read(net, &facts, inputs);
	for (unsigned i = 0; i < LW_NET_INPUTS_MAX; i++)
		fuzz_check(inputs[i] >= 0 && inputs[i] <= 1);
	fuzz_check(isfinite(lw_net_run(net, inputs)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct lw_error err = { "" };
	struct lw_model model;

	if (lw_model_parse("model", text, &model, &err)) {
		fuzz_check_told(err.text);
	} else {
		print_and_parse(&model);
		ask(&model.net, data, size);
	}
	free(text);
	return 0;
}
