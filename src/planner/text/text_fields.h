/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fields of records, job.def's and others, in the lines of lw-snapshot(5). */
#ifndef LW_PLANNER_TEXT_FIELDS_H
#define LW_PLANNER_TEXT_FIELDS_H

#include "base/strbuf.h"
#include "planner/model/snapshot.h"
#include "planner/text/text_scan.h"

/* Printer and parser both walk the table, so that neither can forget a field. */

enum lw_text_kind {
	LW_TEXT_U32,
	LW_TEXT_U16,
	LW_TEXT_TIME,
	LW_TEXT_SPAN,  /* two uint32_t, low and high: "2" or "2-4" */
	LW_TEXT_HIGH,  /* the second of them, which has no text of its own */
	LW_TEXT_FLAG,  /* a bool: the bare key, or nothing */
	LW_TEXT_STATE, /* enum lw_readiness */
	LW_TEXT_TYPE,  /* int8_t: name of a GPU type */
	LW_TEXT_MASK,  /* uint64_t, a bit each: "0,2-5" */
	LW_TEXT_STAYS, /* uint64_t, a byte each, up to the last above 0: "255,12" */
	LW_TEXT_GPUS,  /* a count for each type of GPU: "gpu:a100=2 gpu:h100=1" */
	LW_TEXT_TIMES, /* uint32_t for each: "expect:a100=600 expect:v100=1300" */
};

struct lw_text_field {
	const char *key;
	size_t offset;  /* into the record */
	int64_t absent; /* the value that is not printed, or LW_TEXT_REQUIRED */
	enum lw_text_kind kind;
};

#define LW_TEXT_REQUIRED INT64_MAX

#define LW_TEXT_FIELDS_MAX 64

struct lw_text_table {
	const struct lw_text_field *fields;
	unsigned count;
};

extern const struct lw_text_table lw_text_running; /* of struct lw_running */
extern const struct lw_text_table lw_text_waiting; /* of struct lw_waiting */
extern const struct lw_text_table lw_text_need;    /* of struct lw_need */
extern const struct lw_text_table lw_text_resv_window; /* of struct lw_resv_window */
extern const struct lw_text_table lw_text_size;	   /* of struct lw_mix_size */

/* Append " key=value" for all that RECORD says. */
void lw_text_add_fields(struct lw_strbuf *out, const struct lw_text_table *table,
			const void *record, const struct lw_snapshot *snap);
/* Give the fields of RECORD, all 0, the values that they have when nothing is said. */
void lw_text_absent_fields(const struct lw_text_table *table, void *record);
/*
 * Store WORD, a "key=value", in RECORD; *SEEN has one bit a field. -EINVAL with IN's
 * error for an unknown key, a second value, or one out of bounds.
 */
int lw_text_get_field(const struct lw_text_in *in, const struct lw_text_table *table,
		      const struct lw_text_word *word, const struct lw_snapshot *snap,
		      void *record, uint64_t *seen);
/* Is every required field in SEEN? -EINVAL with IN's error. */
int lw_text_check_fields(const struct lw_text_in *in, const struct lw_text_table *table,
			 uint64_t seen);

#endif
