/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway types: as JSON. */
#include "cli/types/types.h"

#include <jansson.h>

#include "cli/common/json.h"
#include "cli/common/output.h"

static json_t *type_or_null(const char *type)
{
	return type ? lw_output_string(type) : json_null();
}

static json_t *make_type(const struct lw_types_kind *kind, const struct lw_types_here *here,
			 const struct lw_types_row *row)
{
	char left[LW_TYPES_LEFT_TEXT];

	return lw_fields_json(lw_types_fields(kind, here, row, left), true);
}

static json_t *make_types(const struct lw_types_kind *kind, const struct lw_types_here *here)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < kind->count; i++)
		json_array_append_new(list, make_type(kind, here, &kind->rows[i]));
	for (uint32_t i = 0; i < here->place_count; i++) {
		const struct lw_types_row row = { .type = here->places[i].type };

		if (lw_types_is_new(kind, here, i))
			json_array_append_new(list, make_type(kind, here, &row));
	}
	return list;
}

static json_t *make_kind(const struct lw_types_kind *kind, const struct lw_types_here *here)
{
	struct lw_strbuf why = LW_STRBUF_INIT, request = LW_STRBUF_INIT;
	struct lw_types_told told;
	json_t *o;

	lw_types_advise(kind, here, &told);
	lw_types_words(kind, here, &told, &why, &request);
	o = json_pack("{s:o, s:I, s:I, s:o, s:o, s:o, s:I, s:o, s:s, s:b, s:o, s:o, s:o}", "name",
		      lw_output_string(kind->name), "gpus", (json_int_t)kind->gpus, "nodes",
		      (json_int_t)kind->nodes, "partition", lw_output_string(kind->partition),
		      "asked_type", type_or_null(kind->asked), "constraint",
		      lw_output_string(kind->constraint), "type_unknown",
		      (json_int_t)kind->unknown, "types", make_types(kind, here), "advice",
		      lw_types_advice_name(told.advice), "advised_any", (int)told.open,
		      "advised_type", type_or_null(told.type ? told.type->type : NULL), "why",
		      lw_output_string(lw_strbuf_text(&why)), "ask_for",
		      lw_output_string(lw_strbuf_text(&request)));
	lw_strbuf_fini(&why);
	lw_strbuf_fini(&request);
	return o;
}

int lw_types_json(const char *path, const struct lw_types_kinds *kinds,
		  const struct lw_types_here *here, struct lw_error *err)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < kinds->count; i++)
		json_array_append_new(list, make_kind(&kinds->kinds[i], here));
	return lw_output_json(
		path,
		lw_json_named("leeway.types", json_pack("{s:o, s:I}", "kinds", list,
							"waiting_any", (json_int_t)here->any)),
		err);
}
