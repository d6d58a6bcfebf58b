/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: as a table for each kind of jobs. */
#include "cli/types/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fold.h"
#include "cli/common/energy.h"
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

/* What stands in the columns of a row before what there is now; a long TYPE takes a line. */
static void add_columns(const char *type, uint32_t runs, const char *half, const char *energy,
			struct lw_strbuf *row)
{
	type = lw_tools_plain(type);
	if (strlen(type) > TYPE_WIDTH) {
		lw_strbuf_add(row, "  %s\n", type);
		type = "";
	}
	lw_strbuf_add(row, "  %-*s %5" PRIu32 " %10s %9s", TYPE_WIDTH, type, runs, half, energy);
}

/*
 * End ROW by what TYPE has now, and by NOTE, to which is added where that is not where the jobs
 * of KIND go. Parts of NOTE begin with a comma and a blank.
 */
static void print_rest(const struct lw_types_kind *kind, const struct lw_types_here *here,
		       const char *type, struct lw_strbuf *row, struct lw_strbuf *note)
{
	const struct lw_types_place *place = lw_types_find(kind, here, type);
	char text[32] = "-";

	if (place)
		snprintf(text, sizeof(text), "%" PRIu32 " of %" PRIu32, place->free, place->gpus);
	lw_strbuf_add(row, " %12s %7" PRIu32, text, lw_types_waiting(here, type));
	if (!place)
		lw_strbuf_add(note, ", not there now");
	else
		lw_types_has_room(kind, place, note);
	if (place && strcmp(place->partition, kind->partition) != 0)
		lw_strbuf_add(note, ", in partition %s", lw_tools_plain(place->partition));
	if (note->len)
		lw_fold(lw_strbuf_text(note) + 2, "      ", lw_tools_width(), row);
	puts(lw_strbuf_text(row));
	lw_strbuf_fini(row);
	lw_strbuf_fini(note);
}

static void print_row(const struct lw_types_kind *kind, const struct lw_types_here *here,
		      const struct lw_types_row *row)
{
	char half[LW_RUNS_LIMIT_TEXT] = "-", energy[LW_ENERGY_TEXT_MAX] = "-";
	struct lw_strbuf text = LW_STRBUF_INIT, note = LW_STRBUF_INIT;

	if (row->runs.count)
		lw_runs_limit(lw_runs_ended_by(&row->runs, 50), half);
	if (row->metered)
		lw_energy_print(row->joules / row->metered, energy, sizeof(energy));
	add_columns(row->type, row->runs.count, half, energy, &text);
	if (row->failed)
		lw_strbuf_add(&note, ", %" PRIu32 " failed", row->failed);
	if (row->cut)
		lw_strbuf_add(&note, ", %" PRIu32 " ended by the limit", row->cut);
	if (row->mixed)
		lw_strbuf_add(&note, ", %" PRIu32 " on it and others", row->mixed);
	print_rest(kind, here, row->type, &text, &note);
}

static void print_new(const struct lw_types_kind *kind, const struct lw_types_here *here,
		      const char *type)
{
	struct lw_strbuf text = LW_STRBUF_INIT, note = LW_STRBUF_INIT;

	add_columns(type, 0, "-", "-", &text);
	lw_strbuf_add(&note, ", never tried");
	print_rest(kind, here, type, &text, &note);
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
	print_asked(kind);
	printf("  %-*s %5s %10s %9s %12s %7s\n", TYPE_WIDTH, "type", "runs", "half by", "energy",
	       "free", "waiting");
	for (uint32_t i = 0; i < kind->count; i++)
		print_row(kind, here, &kind->rows[i]);
	for (uint32_t i = 0; i < here->place_count; i++)
		if (lw_types_is_new(kind, here, i))
			print_new(kind, here, here->places[i].type);
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
