/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: as a table for each kind of jobs. */
#include "cli/types/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fold.h"
#include "cli/common/tools.h"

/* More kinds of jobs than a person reads; JSON has all. */
#define KINDS_MOST 20
#define TYPE_WIDTH 14

static void print_asked(const struct lw_types_kind *kind)
{
	printf("%s, %" PRIu32 " GPU%s", *kind->name ? lw_tools_plain(kind->name) : "(no name)",
	       kind->gpus, kind->gpus == 1 ? "" : "s");
	if (kind->nodes > 1)
		printf(" on %" PRIu32 " nodes", kind->nodes);
	printf(", partition %s: ", lw_tools_plain(kind->partition));
	if (!kind->asked)
		printf("asked for a type that accounting does not keep, or none");
	else if (*kind->asked)
		printf("asked for %s", lw_tools_plain(kind->asked));
	else
		printf("asked for any type");
	if (*kind->constraint)
		printf(", with --constraint=%s", lw_tools_plain(kind->constraint));
	printf("\n");
}

struct lw_fields lw_types_fields(const struct lw_types_kind *kind,
				 const struct lw_types_here *here, const struct lw_types_row *row,
				 char left[LW_TYPES_LEFT_TEXT])
{
	const struct lw_types_place *place = lw_types_find(kind, here, row->type);
	const struct lw_runs *runs = &row->runs;
	double half_s = runs->count ? (double)lw_runs_ended_by(runs, 50) : -1;
	double joules = row->metered ? row->joules / row->metered : -1;

	if (place)
		snprintf(left, LW_TYPES_LEFT_TEXT, "%" PRIu32 " of %" PRIu32, place->free,
			 place->gpus);
	return (struct lw_fields){ {
		{ "type", "type", -TYPE_WIDTH, LW_FIELD_TEXT, .text = row->type },
		{ "runs", "runs", 5, .value = runs->count },
		{ "p50_s", "half by", 10, LW_FIELD_LIMIT, .value = half_s },
		{ NULL, "energy", 9, LW_FIELD_ENERGY, .value = joules },
		{ "energy_j", .form = LW_FIELD_REAL, .value = joules },
		{ NULL, "free", 12, LW_FIELD_TEXT, .text = place ? left : NULL },
		{ "waiting", "waiting", 7, .value = lw_types_waiting(here, row->type) },
		{ "failed", .value = row->failed },
		{ "ended_by_limit", .value = row->cut },
		{ "on_several_types", .value = row->mixed },
		{ "metered", .value = row->metered },
		{ "partition", .form = LW_FIELD_TEXT, .text = place ? place->partition : NULL },
		{ "gpus", .value = place ? place->gpus : 0 },
		{ "free", .value = place ? place->free : 0 },
	} };
}

/* What is to be said of ROW; each part begins with a comma and a blank. */
static void add_note(const struct lw_types_kind *kind, const struct lw_types_here *here,
		     const struct lw_types_row *row, bool is_new, struct lw_strbuf *note)
{
	const struct lw_types_place *place = lw_types_find(kind, here, row->type);

	if (is_new)
		lw_strbuf_add(note, ", never tried");
	if (row->failed)
		lw_strbuf_add(note, ", %" PRIu32 " failed", row->failed);
	if (row->cut)
		lw_strbuf_add(note, ", %" PRIu32 " ended by the limit", row->cut);
	if (row->mixed)
		lw_strbuf_add(note, ", %" PRIu32 " on it and others", row->mixed);
	if (!place)
		lw_strbuf_add(note, ", not there now");
	else
		lw_types_has_room(kind, place, note);
	if (place && strcmp(place->partition, kind->partition) != 0)
		lw_strbuf_add(note, ", in partition %s", lw_tools_plain(place->partition));
}

static void print_row(const struct lw_types_kind *kind, const struct lw_types_here *here,
		      const struct lw_types_row *row, bool is_new)
{
	struct lw_strbuf text = LW_STRBUF_INIT, note = LW_STRBUF_INIT;
	char left[LW_TYPES_LEFT_TEXT];
	struct lw_fields fields = lw_types_fields(kind, here, row, left);

	lw_strbuf_add(&text, "  ");
	/* a long type takes a line of its own */
	if (strlen(lw_tools_plain(row->type)) > TYPE_WIDTH) {
		lw_strbuf_add(&text, "%s\n  ", lw_tools_plain(row->type));
		fields.field[0].text = "";
	}
	lw_fields_row(&fields, &text);
	add_note(kind, here, row, is_new, &note);
	if (note.len)
		lw_fold(lw_strbuf_text(&note) + 2, "      ", lw_tools_width(), &text);
	puts(lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&note);
}

static void print_folded(const char *head, const struct lw_strbuf *words)
{
	struct lw_strbuf text = LW_STRBUF_INIT;

	lw_strbuf_add(&text, "  %-8s", head);
	lw_fold(lw_strbuf_text(words), "           ", lw_tools_width(), &text);
	puts(lw_strbuf_text(&text));
	lw_strbuf_fini(&text);
}

static void print_advice(const struct lw_types_kind *kind, const struct lw_types_here *here)
{
	struct lw_strbuf why = LW_STRBUF_INIT, request = LW_STRBUF_INIT;
	struct lw_types_told told;

	lw_types_advise(kind, here, &told);
	lw_types_words(kind, here, &told, &why, &request);
	print_folded("why", &why);
	print_folded("ask for", &request);
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&request);
}

static void print_kind(const struct lw_types_kind *kind, const struct lw_types_here *here)
{
	const struct lw_types_row none = { .type = kind->name };
	char left[LW_TYPES_LEFT_TEXT];

	print_asked(kind);
	printf("  ");
	lw_fields_print_titles(lw_types_fields(kind, here, &none, left), "");
	for (uint32_t i = 0; i < kind->count; i++)
		print_row(kind, here, &kind->rows[i], false);
	for (uint32_t i = 0; i < here->place_count; i++) {
		const struct lw_types_row row = { .type = here->places[i].type };

		if (lw_types_is_new(kind, here, i))
			print_row(kind, here, &row, true);
	}
	if (kind->unknown)
		printf("  %" PRIu32 " more on several types, or of which accounting keeps no "
		       "type\n",
		       kind->unknown);
	print_advice(kind, here);
}

static void print_none(const struct lw_types_kinds *kinds)
{
	printf("no job");
	if (kinds->wanted)
		printf(" %s", lw_tools_plain(kinds->wanted));
	printf(" of %s%s with GPUs of its own ended in that time\n",
	       kinds->user ? "user " : "yours", kinds->user ? lw_tools_plain(kinds->user) : "");
}

void lw_types_print(const struct lw_types_kinds *kinds, const struct lw_types_here *here)
{
	if (!kinds->count)
		print_none(kinds);
	for (uint32_t i = 0; i < kinds->count && i < KINDS_MOST; i++) {
		print_kind(&kinds->kinds[i], here);
		printf("\n");
	}
	if (kinds->count > KINDS_MOST)
		printf("and %" PRIu32 " more with fewer jobs: leeway types NAME, or --json\n",
		       kinds->count - KINDS_MOST);
	if (kinds->count)
		printf("Ask in place of the lines --gres, --gpus and --nodes of the script.\n");
	if (kinds->count && here->any)
		printf("waiting for GPUs of any type: %" PRIu32 " job%s\n", here->any,
		       here->any == 1 ? "" : "s");
}
