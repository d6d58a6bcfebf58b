/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the one table of what a job's line in lw-snapshot(5) may say. */
#include "planner/text/text_fields.h"

#include "predictor/stay.h"
#include "planner/text/text_names.h"

#include <inttypes.h>
#include <string.h>

static const char *const states[] = {
	[LW_READY] = "ready",
	[LW_NOT_READY] = "not-ready",
	[LW_REFUSED] = "refused",
};
#define STATE_COUNT (sizeof(states) / sizeof(*states))

#define RUNNING(member) offsetof(struct lw_running, member)
#define WAITING(member) offsetof(struct lw_waiting, member)
#define NEED(member)    offsetof(struct lw_need, member)

static const struct lw_text_field running_fields[] = {
	{ "user", RUNNING(user_id), 0, LW_TEXT_U32, false },
	{ "kind", RUNNING(kind), 0, LW_TEXT_U32, false },
	{ "priority", RUNNING(priority), 0, LW_TEXT_U32, false },
	{ "start", RUNNING(start_s), 0, LW_TEXT_TIME, true },
	{ "end", RUNNING(end_s), 0, LW_TEXT_TIME, true },
	{ "stays", RUNNING(stays), 0, LW_TEXT_STAYS, false },
	{ "expect", RUNNING(expect_s), 0, LW_TEXT_TIME, false },
};

static const struct lw_text_field waiting_fields[] = {
	{ "variant", WAITING(variant), 0, LW_TEXT_U32, false },
	{ "user", WAITING(user_id), 0, LW_TEXT_U32, false },
	{ "set", WAITING(set), 0, LW_TEXT_U32, true },
	{ "tasks", WAITING(tasks), 1, LW_TEXT_U32, false },
	{ "priority", WAITING(priority), 0, LW_TEXT_U32, false },
	{ "state", WAITING(readiness), LW_READY, LW_TEXT_STATE, false },
	{ "submit", WAITING(submit_s), 0, LW_TEXT_TIME, true },
	{ "begin", WAITING(begin_s), LW_NO_TIME, LW_TEXT_TIME, false },
	{ "limit", WAITING(limit_s), 0, LW_TEXT_TIME, true },
	{ "expect", WAITING(expect_s), 0, LW_TEXT_TIME, false },
	{ "rank", WAITING(rank_s), 0, LW_TEXT_TIME, false },
	{ "tail-ms", WAITING(tail_ms), 0, LW_TEXT_TIME, false },
	{ "stays", WAITING(stays), 0, LW_TEXT_STAYS, false },
	{ "promise", WAITING(promise_s), LW_NO_TIME, LW_TEXT_TIME, false },
	{ "planned", WAITING(planned_s), 0, LW_TEXT_TIME, false },
	{ "earliest", WAITING(terms.earliest_s), 0, LW_TEXT_TIME, false },
	{ "closed", WAITING(terms.closed), 0, LW_TEXT_MASK, false },
	{ "preempts", WAITING(terms.preempts), 0, LW_TEXT_MASK, false },
	{ "preempts-lower", WAITING(terms.preempts_lower), 0, LW_TEXT_MASK, false },
	{ "lower-than", WAITING(terms.lower_than), 0, LW_TEXT_U32, false },
	{ "kind", WAITING(terms.kind), 0, LW_TEXT_U16, false },
	{ "tier", WAITING(terms.tier), 0, LW_TEXT_U16, false },
	{ "with", WAITING(terms.bundle), 0, LW_TEXT_U32, false },
	{ "now-only", WAITING(terms.now_only), 0, LW_TEXT_FLAG, false },
	{ "sheltered", WAITING(terms.sheltered), 0, LW_TEXT_FLAG, false },
	{ "talks", WAITING(terms.talks), 0, LW_TEXT_FLAG, false },
	{ "nodes", WAITING(request.nodes_min), 0, LW_TEXT_SPAN, true },
	{ "cpus", WAITING(request.cpus_per_node), 0, LW_TEXT_U32, false },
	{ "mem", WAITING(request.mem_per_node_mib), 0, LW_TEXT_U32, false },
	{ "mem-per-cpu", WAITING(request.mem_per_cpu_mib), 0, LW_TEXT_U32, false },
	{ "mem-per-gpu", WAITING(request.mem_per_gpu_mib), 0, LW_TEXT_U32, false },
	{ "parts", WAITING(request.parts_per_node), 0, LW_TEXT_U32, false },
	{ "cap", WAITING(request.cap), 0, LW_TEXT_U16, false },
	{ "gpus", WAITING(request.gpus_per_node), 0, LW_TEXT_U16, false },
	{ "total-cpus", WAITING(request.cpus_total), 0, LW_TEXT_U32, false },
	{ "total-gpus", WAITING(request.gpus_total), 0, LW_TEXT_U32, false },
	{ "task-cpus", WAITING(request.cpus_per_task), 0, LW_TEXT_U32, false },
	{ "task-gpus", WAITING(request.gpus_per_task), 0, LW_TEXT_U16, false },
	{ "gpu-type", WAITING(request.gpu_type), LW_GPU_ANY, LW_TEXT_TYPE, false },
	{ "exclusive", WAITING(request.exclusive), 0, LW_TEXT_FLAG, false },
};

static const struct lw_text_field need_fields[] = {
	{ "set", NEED(set), 0, LW_TEXT_U32, true },
	{ "nodes", NEED(request.nodes_min), 0, LW_TEXT_SPAN, true },
	{ "cpus", NEED(request.cpus_per_node), 0, LW_TEXT_U32, false },
	{ "mem", NEED(request.mem_per_node_mib), 0, LW_TEXT_U32, false },
	{ "mem-per-cpu", NEED(request.mem_per_cpu_mib), 0, LW_TEXT_U32, false },
	{ "mem-per-gpu", NEED(request.mem_per_gpu_mib), 0, LW_TEXT_U32, false },
	{ "parts", NEED(request.parts_per_node), 0, LW_TEXT_U32, false },
	{ "cap", NEED(request.cap), 0, LW_TEXT_U16, false },
	{ "gpus", NEED(request.gpus_per_node), 0, LW_TEXT_U16, false },
	{ "total-cpus", NEED(request.cpus_total), 0, LW_TEXT_U32, false },
	{ "total-gpus", NEED(request.gpus_total), 0, LW_TEXT_U32, false },
	{ "task-cpus", NEED(request.cpus_per_task), 0, LW_TEXT_U32, false },
	{ "task-gpus", NEED(request.gpus_per_task), 0, LW_TEXT_U16, false },
	{ "gpu-type", NEED(request.gpu_type), LW_GPU_ANY, LW_TEXT_TYPE, false },
	{ "exclusive", NEED(request.exclusive), 0, LW_TEXT_FLAG, false },
};

static const struct lw_text_field closure_fields[] = {
	{ "from", offsetof(struct lw_closure, from_s), 0, LW_TEXT_TIME, true },
	{ "until", offsetof(struct lw_closure, until_s), 0, LW_TEXT_TIME, true },
};

#define SIZE(member) offsetof(struct lw_mix_size, member)

static const struct lw_text_field size_fields[] = {
	{ "weight", SIZE(weight), 0, LW_TEXT_U32, true },
	{ "nodes", SIZE(nodes), 1, LW_TEXT_U32, false },
	{ "cpus", SIZE(cpus), 0, LW_TEXT_U32, false },
	{ "mem", SIZE(mem_mib), 0, LW_TEXT_U32, false },
	{ "gpus", SIZE(gpus), 0, LW_TEXT_U16, true },
	{ "gpu-type", SIZE(gpu_type), LW_GPU_ANY, LW_TEXT_TYPE, false },
};

#define TABLE(fields)                                                                    \
	{                                                                                \
		fields, sizeof(fields) / sizeof(*(fields))                               \
	}
const struct lw_text_table lw_text_running = TABLE(running_fields);
const struct lw_text_table lw_text_waiting = TABLE(waiting_fields);
const struct lw_text_table lw_text_need = TABLE(need_fields);
const struct lw_text_table lw_text_closure = TABLE(closure_fields);
const struct lw_text_table lw_text_size = TABLE(size_fields);

_Static_assert(sizeof(waiting_fields) / sizeof(*waiting_fields) <= LW_TEXT_FIELDS_MAX,
	       "one bit a field in a uint64_t");
_Static_assert(offsetof(struct lw_request, nodes_max) ==
		       offsetof(struct lw_request, nodes_min) + sizeof(uint32_t),
	       "a span is two neighbours");

/* memcpy, since a record is addressed by byte offset and its members by type. */
static int64_t load(const struct lw_text_field *field, const void *record)
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
	case LW_TEXT_U32:
	case LW_TEXT_SPAN:
		break;
	}
	memcpy(&u32, at, sizeof(u32));
	return u32;
}

static void store(const struct lw_text_field *field, void *record, int64_t value)
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
		memcpy(at, &u32, sizeof(u32));
		break;
	}
}

static uint32_t load_high(const struct lw_text_field *field, const void *record)
{
	uint32_t high;

	memcpy(&high, (const char *)record + field->offset + sizeof(high), sizeof(high));
	return high;
}

void lw_text_add_mask(struct lw_strbuf *out, uint64_t mask)
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

static void add_stays(struct lw_strbuf *out, uint64_t stays)
{
	const char *separator = "";

	for (; stays; stays >>= 8) {
		lw_strbuf_add(out, "%s%u", separator, (unsigned)(stays & 0xff));
		separator = ",";
	}
}

static void add_field(struct lw_strbuf *out, const struct lw_text_field *field,
		      const void *record, const struct lw_snapshot *snap)
{
	int64_t value = load(field, record);

	if (!field->required && value == field->absent)
		return;
	lw_strbuf_add(out, " %s", field->key);
	switch (field->kind) {
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
		lw_text_add_mask(out, (uint64_t)value);
		break;
	case LW_TEXT_STAYS:
		lw_strbuf_add(out, "=");
		add_stays(out, (uint64_t)value);
		break;
	case LW_TEXT_U32:
	case LW_TEXT_U16:
	case LW_TEXT_TIME:
	case LW_TEXT_SPAN:
		lw_strbuf_add(out, "=%" PRId64, value);
		if (field->kind == LW_TEXT_SPAN && load_high(field, record) != value)
			lw_strbuf_add(out, "-%" PRIu32, load_high(field, record));
		break;
	}
}

void lw_text_add_fields(struct lw_strbuf *out, const struct lw_text_table *table,
			const void *record, const struct lw_snapshot *snap)
{
	for (unsigned i = 0; i < table->count; i++)
		add_field(out, &table->fields[i], record, snap);
}

void lw_text_absent_fields(const struct lw_text_table *table, void *record)
{
	for (unsigned i = 0; i < table->count; i++)
		store(&table->fields[i], record, table->fields[i].absent);
}

int lw_text_gpu_type(const struct lw_text_word *word, const struct lw_snapshot *snap)
{
	char name[LW_TEXT_NAME_MAX];

	if (!lw_text_get_name(word, name))
		return -1;
	for (uint32_t i = 0; i < snap->gpu_type_count; i++) {
		if (!strcmp(name, snap->gpu_types[i]))
			return (int)i;
	}
	return -1;
}

static bool get_span(const struct lw_text_field *field, const struct lw_text_word *text,
		     void *record)
{
	uint32_t low, high;

	if (!lw_text_range(text, UINT32_MAX, &low, &high))
		return false;
	store(field, record, low);
	memcpy((char *)record + field->offset + sizeof(high), &high, sizeof(high));
	return true;
}

/* Ascending ranges, so that a mask has one text. */
static bool get_mask(struct lw_text_word text, int64_t *ret_value)
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
static bool get_stays(struct lw_text_word text, int64_t *ret_value)
{
	uint64_t stays = 0, chance, before = LW_STAY_ONE;
	struct lw_text_word word;
	unsigned point = 0;
	bool more;

	do {
		more = lw_text_cut(&text, ',', &word);
		if (point == LW_STAY_POINTS || !lw_text_number(&word, before, &chance) || !chance)
			return false;
		stays |= chance << (8 * point++);
		before = chance;
	} while (more);
	*ret_value = (int64_t)stays;
	return true;
}

static bool get_state(const struct lw_text_word *text, int64_t *ret_value)
{
	for (unsigned i = 0; i < STATE_COUNT; i++) {
		if (lw_text_is(text, states[i])) {
			*ret_value = i;
			return true;
		}
	}
	return false;
}

static bool get_value(const struct lw_text_field *field, const struct lw_text_word *text,
		      const struct lw_snapshot *snap, void *record)
{
	uint64_t number = 0;
	int64_t value = 1;
	bool ok = true;

	switch (field->kind) {
	case LW_TEXT_SPAN:
		return get_span(field, text, record);
	case LW_TEXT_TIME:
		ok = lw_text_time(text, &value);
		break;
	case LW_TEXT_MASK:
		ok = get_mask(*text, &value);
		break;
	case LW_TEXT_STAYS:
		ok = get_stays(*text, &value);
		break;
	case LW_TEXT_STATE:
		ok = get_state(text, &value);
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
		break;
	}
	if (ok)
		store(field, record, value);
	return ok;
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
		if (lw_text_is(&key, table->fields[i].key))
			field = &table->fields[i];
	}
	if (!field)
		return lw_text_fail(in, "line", "unknown field", &key);
	if (*seen & UINT64_C(1) << (i - 1))
		return lw_text_fail(in, field->key, "given twice", NULL);
	if (has_value != (field->kind != LW_TEXT_FLAG))
		return lw_text_fail(in, field->key,
				    has_value ? "takes no value" : "needs a value", NULL);
	if (!get_value(field, &value, snap, record))
		return lw_text_fail(in, field->key, "bad value", &value);
	*seen |= UINT64_C(1) << (i - 1);
	return 0;
}

int lw_text_check_fields(const struct lw_text_in *in, const struct lw_text_table *table,
			 uint64_t seen)
{
	for (unsigned i = 0; i < table->count; i++) {
		if (table->fields[i].required && !(seen & UINT64_C(1) << i))
			return lw_text_fail(in, table->fields[i].key, "missing", NULL);
	}
	return 0;
}
