/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: as a table for each kind of jobs. */
#include "tools/types/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/energy.h"
#include "tools/tools.h"

static void print_asked(const struct tools_types_kind *kind)
{
	printf("%s, %" PRIu32 " GPU%s", lw_tools_plain(kind->name), kind->gpus,
	       kind->gpus == 1 ? "" : "s");
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

/* What TYPE has now, and, in *RET_NOTE, where that is not where the jobs of KIND go. */
static void print_now(const struct tools_types_kind *kind, const struct tools_types_here *here,
		      const char *type, struct lw_strbuf *note)
{
	const struct tools_types_place *place = tools_types_find(kind, here, type);
	char text[32] = "-";

	if (place)
		snprintf(text, sizeof(text), "%" PRIu32 " of %" PRIu32, place->free, place->gpus);
	printf(" %12s %7" PRIu32, text, tools_types_waiting(here, type));
	if (!place)
		lw_strbuf_add(note, ", not there now");
	else
		tools_types_has_room(kind, place, note);
	if (place && strcmp(place->partition, kind->partition) != 0)
		lw_strbuf_add(note, ", in partition %s", lw_tools_plain(place->partition));
}

static void print_note(struct lw_strbuf *note)
{
	/* they begin with a comma */
	printf("%s\n", note->len ? lw_strbuf_text(note) + 1 : "");
	lw_strbuf_fini(note);
}

static void print_row(const struct tools_types_kind *kind, const struct tools_types_here *here,
		      const struct tools_types_row *row)
{
	char half[LW_RUNS_LIMIT_TEXT] = "-", energy[LW_ENERGY_TEXT_MAX] = "-";
	struct lw_strbuf note = LW_STRBUF_INIT;

	if (row->runs.count)
		lw_runs_limit(lw_runs_ended_by(&row->runs, 50), half);
	if (row->metered)
		lw_energy_print(row->joules / row->metered, energy, sizeof(energy));
	printf("  %-20s %5" PRIu32 " %11s %9s", lw_tools_plain(row->type), row->runs.count, half,
	       energy);
	if (row->failed)
		lw_strbuf_add(&note, ", %" PRIu32 " failed", row->failed);
	if (row->cut)
		lw_strbuf_add(&note, ", %" PRIu32 " ended by the limit", row->cut);
	if (row->mixed)
		lw_strbuf_add(&note, ", %" PRIu32 " on it and others", row->mixed);
	print_now(kind, here, row->type, &note);
	print_note(&note);
}

static void print_new(const struct tools_types_kind *kind, const struct tools_types_here *here,
		      const char *type)
{
	struct lw_strbuf note = LW_STRBUF_INIT;

	printf("  %-20s %5d %11s %9s", lw_tools_plain(type), 0, "-", "-");
	lw_strbuf_add(&note, ", never tried");
	print_now(kind, here, type, &note);
	print_note(&note);
}

static void print_advice(const struct tools_types_kind *kind, const struct tools_types_here *here)
{
	struct lw_strbuf why = LW_STRBUF_INIT, request = LW_STRBUF_INIT;
	struct tools_types_told told;

	tools_types_advise(kind, here, &told);
	tools_types_words(kind, here, &told, &why, &request);
	printf("  why      %s\n  ask for  %s\n", lw_strbuf_text(&why), lw_strbuf_text(&request));
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&request);
}

static void print_kind(const struct tools_types_kind *kind, const struct tools_types_here *here)
{
	print_asked(kind);
	printf("  %-20s %5s %11s %9s %12s %7s\n", "type", "runs", "half by", "energy", "free",
	       "waiting");
	for (uint32_t i = 0; i < kind->count; i++)
		print_row(kind, here, &kind->rows[i]);
	for (uint32_t i = 0; i < here->place_count; i++)
		if (tools_types_is_new(kind, here, i))
			print_new(kind, here, here->places[i].type);
	if (kind->unknown)
		printf("  %" PRIu32 " more on several types, or of which accounting keeps no "
		       "type\n",
		       kind->unknown);
	print_advice(kind, here);
}

static void print_none(const struct tools_types_kinds *kinds)
{
	printf("no job");
	if (kinds->wanted)
		printf(" %s", lw_tools_plain(kinds->wanted));
	printf(" of %s%s with GPUs of its own ended in that time\n",
	       kinds->user ? "user " : "yours", kinds->user ? lw_tools_plain(kinds->user) : "");
}

void tools_types_print(const struct tools_types_kinds *kinds, const struct tools_types_here *here)
{
	if (!kinds->count)
		print_none(kinds);
	for (uint32_t i = 0; i < kinds->count; i++) {
		print_kind(&kinds->kinds[i], here);
		printf("\n");
	}
	if (kinds->count)
		printf("Ask in place of the lines --gres, --gpus and --nodes of the script.\n");
	if (kinds->count && here->any)
		printf("waiting for GPUs of any type: %" PRIu32 " job%s\n", here->any,
		       here->any == 1 ? "" : "s");
}
