/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: fields of records, job.def's and others, in the lines of lw-snapshot(5). */
#include "planner/text/text_fields.h"

#include "planner/text/text_amounts.h"
#include "planner/text/text_names.h"
#include "predictor/survival.h"

#include <inttypes.h>
#include <string.h>

static const char *const states[] = {
	[LW_READY] = "ready",
	[LW_NOT_READY] = "not-ready",
	[LW_REFUSED] = "refused",
};
#define STATE_COUNT (sizeof(states) / sizeof(*states))

#define REQUIRED LW_TEXT_REQUIRED
/* A field of a struct, itself or in one of its members. */
#define FIELD(record, type, member, key, absent)                                                   \
	{ key, offsetof(struct record, member), absent, LW_TEXT_##type },

static const struct lw_text_field running_fields[] = {
#define LW_RUNNING(type, name, key, absent, ...) FIELD(lw_running, type, name, key, absent)
#include "planner/model/job.def"
};

#define WAITING(type, member, key, absent) FIELD(lw_waiting, type, member, key, absent)

static const struct lw_text_field waiting_fields[] = {
#define LW_WAITING(type, name, key, absent, ...)  WAITING(type, name, key, absent)
#define LW_CLASS(type, name, key, absent, ...)	  WAITING(type, name, key, absent)
#define LW_EXPECTED(type, name, key, absent, ...) WAITING(type, expected.name, key, absent)
#define LW_CONSTRAINTS(type, name, key, absent, ...) WAITING(type, constraints.name, key, absent)
#define LW_REQUEST(type, name, key, absent, ...)  WAITING(type, request.name, key, absent)
#include "planner/model/job.def"
};

static const struct lw_text_field need_fields[] = {
#define LW_NEED(type, name, key, absent, ...)	 FIELD(lw_need, type, name, key, absent)
#define LW_REQUEST(type, name, key, absent, ...) FIELD(lw_need, type, request.name, key, absent)
#include "planner/model/job.def"
};

static const struct lw_text_field resv_window_fields[] = {
	FIELD(lw_resv_window, TIME, from_s, "from", REQUIRED)
		FIELD(lw_resv_window, TIME, until_s, "until", REQUIRED)
};

static const struct lw_text_field size_fields[] = {
	FIELD(lw_mix_size, U32, weight, "weight", REQUIRED)
	FIELD(lw_mix_size, U32, nodes, "nodes", 1)
	FIELD(lw_mix_size, U32, cpus, "cpus", 0)
	FIELD(lw_mix_size, U32, mem_mib, "mem", 0)
	FIELD(lw_mix_size, U16, gpus, "gpus", REQUIRED)
	FIELD(lw_mix_size, TYPE, gpu_type, "gpu-type", LW_GPU_ANY)
};

#define TABLE(fields)                                                                    \
	{                                                                                \
		fields, sizeof(fields) / sizeof(*(fields))                               \
	}
const struct lw_text_table lw_text_running = TABLE(running_fields);
const struct lw_text_table lw_text_waiting = TABLE(waiting_fields);
const struct lw_text_table lw_text_need = TABLE(need_fields);
const struct lw_text_table lw_text_resv_window = TABLE(resv_window_fields);
const struct lw_text_table lw_text_size = TABLE(size_fields);

_Static_assert(sizeof(waiting_fields) / sizeof(*waiting_fields) <= LW_TEXT_FIELDS_MAX,
	       "one bit a field in a uint64_t");
_Static_assert(offsetof(struct lw_request, nodes_max) ==
		       offsetof(struct lw_request, nodes_min) + sizeof(uint32_t),
	       "a span is two neighbours");

/* memcpy, since a record is addressed by byte offset and its members by type. */
static int64_t text_fields_field_load(const struct lw_text_field *field, const void *record)
{
	const char *at = (const char *)record + field->offset;
	enum lw_readiness state;
	int64_t time_s;
	uint32_t u32;
	uint16_t u16;
	int8_t type;
	bool flag;

	switch (field->kind) {
	case LW_TEXT_U16:
		memcpy(&u16, at, sizeof(u16));
		return u16;
	case LW_TEXT_TIME:
	case LW_TEXT_MASK:
	case LW_TEXT_STAYS:
		memcpy(&time_s, at, sizeof(time_s));
		return time_s;
	case LW_TEXT_FLAG:
		memcpy(&flag, at, sizeof(flag));
		return flag;
	case LW_TEXT_STATE:
		memcpy(&state, at, sizeof(state));
		return state;
	case LW_TEXT_TYPE:
		memcpy(&type, at, sizeof(type));
		return type;
	case LW_TEXT_GPUS:
	case LW_TEXT_TIMES:
		return 0;
	case LW_TEXT_U32:
	case LW_TEXT_SPAN:
	case LW_TEXT_HIGH:
		break;
	}
	memcpy(&u32, at, sizeof(u32));
	return u32;
}

static void text_fields_field_store(const struct lw_text_field *field, void *record,
				    int64_t value)
{
	char *at = (char *)record + field->offset;
	enum lw_readiness state = (enum lw_readiness)value;
	uint32_t u32 = (uint32_t)value;
	uint16_t u16 = (uint16_t)value;
	int8_t type = (int8_t)value;
	bool flag = value;

	switch (field->kind) {
	case LW_TEXT_U16:
		memcpy(at, &u16, sizeof(u16));
		break;
	case LW_TEXT_TIME:
	case LW_TEXT_MASK:
	case LW_TEXT_STAYS:
		memcpy(at, &value, sizeof(value));
		break;
	case LW_TEXT_FLAG:
		memcpy(at, &flag, sizeof(flag));
		break;
	case LW_TEXT_STATE:
		memcpy(at, &state, sizeof(state));
		break;
	case LW_TEXT_TYPE:
		memcpy(at, &type, sizeof(type));
		break;
	case LW_TEXT_U32:
	case LW_TEXT_SPAN:
	case LW_TEXT_HIGH:
		memcpy(at, &u32, sizeof(u32));
		break;
	case LW_TEXT_GPUS:
	case LW_TEXT_TIMES:
		break;
	}
}

static uint32_t text_fields_load_high(const struct lw_text_field *field, const void *record)
{
	uint32_t high;

	memcpy(&high, (const char *)record + field->offset + sizeof(high), sizeof(high));
	return high;
}

/* Append "0,2-5" for the bits of MASK. */
static void text_fields_add_mask(struct lw_strbuf *out, uint64_t mask)
{
	const char *separator = "";

	for (int first = 0; first < 64; first++) {
		int last = first;

		if (!(mask >> first & 1))
			continue;
		while (last < 63 && (mask >> (last + 1) & 1))
			last++;
		lw_strbuf_add(out, "%s%d", separator, first);
		if (last > first)
			lw_strbuf_add(out, "-%d", last);
		separator = ",";
		first = last;
	}
}

static void text_fields_add_survival(struct lw_strbuf *out, uint64_t survival)
{
	const char *separator = "";

	for (; survival; survival >>= 8) {
		lw_strbuf_add(out, "%s%u", separator, (unsigned)(survival & 0xff));
		separator = ",";
	}
}

static void text_fields_add_gpus(struct lw_strbuf *out, const struct lw_text_field *field,
				 const void *record, const struct lw_snapshot *snap)
{
	struct lw_res res = { 0 };

	memcpy(res.gpus, (const char *)record + field->offset, sizeof(res.gpus));
	lw_text_add_amounts(out, ' ', ' ', &res, snap);
}

static void text_fields_add_times(struct lw_strbuf *out, const struct lw_text_field *field,
				  const void *record, const struct lw_snapshot *snap)
{
	lw_gpu_times times;

	memcpy(times, (const char *)record + field->offset, sizeof(times));
	lw_text_add_times(out, field->key, times, snap);
}

static void text_fields_add_value(struct lw_strbuf *out, const struct lw_text_field *field,
				  const void *record, const struct lw_snapshot *snap)
{
	int64_t value = text_fields_field_load(field, record);

	switch (field->kind) {
	case LW_TEXT_HIGH:
	case LW_TEXT_GPUS:
	case LW_TEXT_TIMES:
	case LW_TEXT_FLAG:
		break;
	case LW_TEXT_STATE:
		lw_strbuf_add(out, "=%s",
			      value >= 0 && value < (int64_t)STATE_COUNT ? states[value]
									 : "?");
		break;
	case LW_TEXT_TYPE:
		lw_strbuf_add(out, "=");
		lw_text_add_name(out, snap->gpu_types[value]);
		break;
	case LW_TEXT_MASK:
		lw_strbuf_add(out, "=");
		text_fields_add_mask(out, (uint64_t)value);
		break;
	case LW_TEXT_STAYS:
		lw_strbuf_add(out, "=");
		text_fields_add_survival(out, (uint64_t)value);
		break;
	case LW_TEXT_U32:
	case LW_TEXT_U16:
	case LW_TEXT_TIME:
	case LW_TEXT_SPAN:
		lw_strbuf_add(out, "=%" PRId64, value);
		if (field->kind == LW_TEXT_SPAN && text_fields_load_high(field, record) != value)
			lw_strbuf_add(out, "-%" PRIu32, text_fields_load_high(field, record));
		break;
	}
}

static void text_fields_add_field(struct lw_strbuf *out, const struct lw_text_field *field,
				  const void *record, const struct lw_snapshot *snap)
{
	if (field->kind == LW_TEXT_GPUS) {
		text_fields_add_gpus(out, field, record, snap);
	} else if (field->kind == LW_TEXT_TIMES) {
		text_fields_add_times(out, field, record, snap);
	} else if (field->kind != LW_TEXT_HIGH &&
		   (field->absent == LW_TEXT_REQUIRED ||
		    text_fields_field_load(field, record) != field->absent)) {
		lw_strbuf_add(out, " %s", field->key);
		text_fields_add_value(out, field, record, snap);
	}
}

void lw_text_add_fields(struct lw_strbuf *out, const struct lw_text_table *table,
			const void *record, const struct lw_snapshot *snap)
{
	for (unsigned i = 0; i < table->count; i++)
		text_fields_add_field(out, &table->fields[i], record, snap);
}

void lw_text_absent_fields(const struct lw_text_table *table, void *record)
{
	for (unsigned i = 0; i < table->count; i++) {
		if (table->fields[i].absent != LW_TEXT_REQUIRED)
			text_fields_field_store(&table->fields[i], record,
						table->fields[i].absent);
	}
}

static bool text_fields_get_span(const struct lw_text_field *field,
				 const struct lw_text_word *text, void *record)
{
	uint32_t low, high;

	if (!lw_text_range(text, UINT32_MAX, &low, &high))
		return false;
	text_fields_field_store(field, record, low);
	memcpy((char *)record + field->offset + sizeof(high), &high, sizeof(high));
	return true;
}

/* Ascending ranges, so that a mask has one text. */
static bool text_fields_get_mask(struct lw_text_word text, int64_t *ret_value)
{
	uint32_t first, last, next = 0;
	struct lw_text_word range;
	uint64_t mask = 0;
	bool more;

	do {
		more = lw_text_cut(&text, ',', &range);
		if (!lw_text_range(&range, 63, &first, &last) || first < next)
			return false;
		for (next = first; next <= last; next++)
			mask |= UINT64_C(1) << next;
	} while (more);
	*ret_value = (int64_t)mask;
	return true;
}

/* No chance is above the one before, and the last is not 0, so that it has one text. */
static bool text_fields_get_survival(struct lw_text_word text, int64_t *ret_value)
{
	uint64_t survival = 0, chance, before = LW_SURVIVAL_ONE;
	struct lw_text_word word;
	unsigned point = 0;
	bool more;

	do {
		more = lw_text_cut(&text, ',', &word);
		if (point == LW_SURVIVAL_POINTS || !lw_text_number(&word, before, &chance) ||
		    !chance)
			return false;
		survival |= chance << (8 * point++);
		before = chance;
	} while (more);
	*ret_value = (int64_t)survival;
	return true;
}

static bool text_fields_get_state(const struct lw_text_word *text, int64_t *ret_value)
{
	for (unsigned i = 0; i < STATE_COUNT; i++) {
		if (lw_text_is(text, states[i])) {
			*ret_value = i;
			return true;
		}
	}
	return false;
}

static bool text_fields_get_value(const struct lw_text_field *field,
				  const struct lw_text_word *text, const struct lw_snapshot *snap,
				  void *record)
{
	uint64_t number = 0;
	int64_t value = 1;
	bool ok = true;

	switch (field->kind) {
	case LW_TEXT_SPAN:
		return text_fields_get_span(field, text, record);
	case LW_TEXT_TIME:
		ok = lw_text_time(text, &value);
		break;
	case LW_TEXT_MASK:
		ok = text_fields_get_mask(*text, &value);
		break;
	case LW_TEXT_STAYS:
		ok = text_fields_get_survival(*text, &value);
		break;
	case LW_TEXT_STATE:
		ok = text_fields_get_state(text, &value);
		break;
	case LW_TEXT_TYPE:
		value = lw_text_gpu_type(text, snap);
		ok = value >= 0;
		break;
	case LW_TEXT_U32:
	case LW_TEXT_U16:
		ok = lw_text_number(text,
				    field->kind == LW_TEXT_U16 ? UINT16_MAX : UINT32_MAX,
				    &number);
		value = (int64_t)number;
		break;
	case LW_TEXT_FLAG:
	case LW_TEXT_HIGH:
	case LW_TEXT_GPUS:
	case LW_TEXT_TIMES:
		break;
	}
	if (ok)
		text_fields_field_store(field, record, value);
	return ok;
}

/* "gpu:a100=2", and a type at a time: the amounts of others were said before. */
static int text_fields_get_gpus(const struct lw_text_in *in, const struct lw_text_field *field,
				const struct lw_text_word *word, const struct lw_snapshot *snap,
				void *record)
{
	char *at = (char *)record + field->offset;
	struct lw_res res = { 0 };
	int rc;

	memcpy(res.gpus, at, sizeof(res.gpus));
	rc = lw_text_get_amount(in, word, snap, &res);
	memcpy(at, res.gpus, sizeof(res.gpus));
	return rc;
}

/* "expect:a100=600", and a type at a time. */
static int text_fields_get_times(const struct lw_text_in *in, const struct lw_text_field *field,
				 const struct lw_text_word *word, const struct lw_snapshot *snap,
				 void *record)
{
	char *at = (char *)record + field->offset;
	lw_gpu_times times;
	int rc;

	memcpy(times, at, sizeof(times));
	rc = lw_text_get_time_of_type(in, field->key, word, snap, times);
	memcpy(at, times, sizeof(times));
	return rc;
}

/* Fields of which a line may say several things begin with their key. */
static bool text_fields_is_of(const struct lw_text_field *field, const struct lw_text_word *key)
{
	struct lw_text_word rest = *key;

	return field->kind == LW_TEXT_GPUS || field->kind == LW_TEXT_TIMES
		       ? lw_text_skip(&rest, field->key)
		       : lw_text_is(key, field->key);
}

int lw_text_get_field(const struct lw_text_in *in, const struct lw_text_table *table,
		      const struct lw_text_word *word, const struct lw_snapshot *snap,
		      void *record, uint64_t *seen)
{
	const struct lw_text_field *field = NULL;
	struct lw_text_word value = *word, key;
	bool has_value = lw_text_cut(&value, '=', &key);
	unsigned i;

	for (i = 0; i < table->count && !field; i++) {
		if (text_fields_is_of(&table->fields[i], &key))
			field = &table->fields[i];
	}
	if (!field)
		return lw_text_fail(in, "line", "unknown field", &key);
	if (field->kind == LW_TEXT_GPUS)
		return text_fields_get_gpus(in, field, word, snap, record);
	if (field->kind == LW_TEXT_TIMES)
		return text_fields_get_times(in, field, word, snap, record);
	if (*seen & UINT64_C(1) << (i - 1))
		return lw_text_fail(in, field->key, "given twice", NULL);
	if (has_value != (field->kind != LW_TEXT_FLAG))
		return lw_text_fail(in, field->key,
				    has_value ? "takes no value" : "needs a value", NULL);
	if (!text_fields_get_value(field, &value, snap, record))
		return lw_text_fail(in, field->key, "bad value", &value);
	*seen |= UINT64_C(1) << (i - 1);
	return 0;
}

int lw_text_check_fields(const struct lw_text_in *in, const struct lw_text_table *table,
			 uint64_t seen)
{
	for (unsigned i = 0; i < table->count; i++) {
		if (table->fields[i].absent == LW_TEXT_REQUIRED &&
		    !(seen & UINT64_C(1) << i))
			return lw_text_fail(in, table->fields[i].key, "missing", NULL);
	}
	return 0;
}
