/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fuzz target: the payload of a share file, what it says, and what it learns. */
#include "fuzz/fuzz.h"

#include "share/known.h"
#include "share/request.h"

#include <stdlib.h>
#include <string.h>

/* Printed, parsed and printed again it must be the same bytes. */
static void print_and_parse(const struct lw_share_known *known)
{
	struct lw_strbuf text = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct lw_share_known read = { 0 };
	struct lw_error err = { "" };

	fuzz_check(!lw_share_known_print(known, &text));
	fuzz_check(!lw_share_known_parse(text.text, text.len, &read, &err));
	fuzz_check(!lw_share_known_print(&read, &again));
	fuzz_check(text.len == again.len && !memcmp(text.text, again.text, text.len));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&again);
	lw_share_known_fini(&read);
}

/* Of each key what it needs: if anything, two of the least that there can be find room. */
static void ask(const struct lw_share_known *known, uint8_t how)
{
	const struct lw_share_terms terms = {
		.rule = lw_share_rule_default(how & 1 ? LW_SHARE_MPS : LW_SHARE_SLICE),
		.mem_mib = 40960,
		.parts = 10u + how,
	};
	const struct lw_share_use none = { true, true, true, 0, 0, 0 };

	for (uint32_t i = 0; i < known->count; i++) {
		struct lw_share_record record, entry;
		uint32_t parts;

		fuzz_check(lw_share_known_find(known, &known->entries[i]->key, INT64_MIN,
					       &record));
		fuzz_check(lw_share_entry_record(known->entries[i], INT64_MIN, &entry));
		fuzz_check(entry.runs && entry.runs <= record.runs);
		parts = lw_share_parts(&terms, &record.use);
		fuzz_check(!parts || parts + lw_share_parts(&terms, &none) <= terms.parts);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = fuzz_take(&data, &size);
	struct lw_share_known known = { 0 };
	const struct lw_share_run run = { .use = { how & 1, how & 2, how & 4, how, how, how },
					  .end_s = how };
	struct lw_error err = { "" };
	char *text = fuzz_text(data, size), name[80];
	struct lw_share_key key;

	if (lw_share_known_parse(text, size, &known, &err))
		fuzz_check_told(err.text);
	else
		print_and_parse(&known);
	/* any bytes are a name */
	memset(name, 0, sizeof(name));
	memcpy(name, text, size < sizeof(name) - 1 ? size : sizeof(name) - 1);
	key = lw_share_key(how, how, name, name);
	fuzz_check(!lw_share_known_add(&known, &key, &run));
	print_and_parse(&known);
	ask(&known, how);
	lw_share_known_fini(&known);
	free(text);
	return 0;
}
