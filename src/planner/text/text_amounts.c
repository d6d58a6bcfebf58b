/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: amounts in texts: cpus=4, mem=16000, gpu:a100=2. */
#include "planner/text/text_amounts.h"

#include "planner/text/text_names.h"

#include <inttypes.h>
#include <string.h>

void lw_text_add_amounts(struct lw_strbuf *out, char before, char between,
			 const struct lw_res *res, const struct lw_snapshot *snap)
{
	char separator = before;

	if (res->cpus) {
		lw_strbuf_add(out, "%ccpus=%" PRIu32, separator, res->cpus);
		separator = between;
	}
	if (res->mem_mib) {
		lw_strbuf_add(out, "%cmem=%" PRIu32, separator, res->mem_mib);
		separator = between;
	}
	if (res->parts) {
		lw_strbuf_add(out, "%cparts=%" PRIu32, separator, res->parts);
		separator = between;
	}
	for (int cap = 0; cap < LW_CAPS_MAX; cap++) {
		if (!res->capped[cap])
			continue;
		lw_strbuf_add(out, "%ccap:%d=%u", separator, cap + 1, res->capped[cap]);
		separator = between;
	}
	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		if (!res->gpus[type])
			continue;
		lw_strbuf_add(out, "%cgpu:", separator);
		lw_text_add_name(out, snap->gpu_types[type]);
		lw_strbuf_add(out, "=%u", res->gpus[type]);
		separator = between;
	}
}

int lw_text_gpu_type(const struct lw_text_word *word, const struct lw_snapshot *snap)
{
	char name[LW_TEXT_NAME_MAX];

	return lw_text_get_name(word, name) ? lw_snapshot_find_gpu_type(snap, name) : -1;
}

static int text_amounts_get_number(const struct lw_text_in *in, const char *field,
				   const struct lw_text_word *word, uint64_t max, uint64_t old,
				   uint64_t *ret_value)
{
	uint64_t value;

	if (old)
		return lw_text_fail(in, field, "given twice", NULL);
	/* nothing is said by leaving it out, so 0 has one spelling only */
	if (!lw_text_number(word, max, &value) || !value)
		return lw_text_fail(in, field, "bad amount", word);
	*ret_value = value;
	return 0;
}

static int text_amounts_get_cap(const struct lw_text_in *in, const struct lw_text_word *name,
				const struct lw_text_word *amount, struct lw_res *res)
{
	uint64_t number, value;
	int rc;

	if (!lw_text_number(name, LW_CAPS_MAX, &number) || !number)
		return lw_text_fail(in, "cap", "no such cap", name);
	rc = text_amounts_get_number(in, "cap", amount, UINT16_MAX, res->capped[number - 1],
				     &value);
	if (!rc)
		res->capped[number - 1] = (uint16_t)value;
	return rc;
}

int lw_text_get_amount(const struct lw_text_in *in, const struct lw_text_word *word,
		       const struct lw_snapshot *snap, struct lw_res *res)
{
	struct lw_text_word amount = *word, key;
	uint64_t value;
	int type, rc;

	if (!lw_text_cut(&amount, '=', &key))
		return lw_text_fail(in, "line", "not an amount", word);
	if (lw_text_is(&key, "cpus")) {
		rc = text_amounts_get_number(in, "cpus", &amount, UINT32_MAX, res->cpus, &value);
		if (!rc)
			res->cpus = (uint32_t)value;
		return rc;
	}
	if (lw_text_is(&key, "mem")) {
		rc = text_amounts_get_number(in, "mem", &amount, UINT32_MAX, res->mem_mib,
					     &value);
		if (!rc)
			res->mem_mib = (uint32_t)value;
		return rc;
	}
	if (lw_text_is(&key, "parts")) {
		rc = text_amounts_get_number(in, "parts", &amount, UINT32_MAX, res->parts,
					     &value);
		if (!rc)
			res->parts = (uint32_t)value;
		return rc;
	}
	if (lw_text_skip(&key, "cap:"))
		return text_amounts_get_cap(in, &key, &amount, res);
	if (!lw_text_skip(&key, "gpu:"))
		return lw_text_fail(in, "line", "unknown amount", &key);
	type = lw_text_gpu_type(&key, snap);
	if (type < 0)
		return lw_text_fail(in, "gpu", "unknown GPU type", &key);
	rc = text_amounts_get_number(in, "gpu", &amount, UINT16_MAX, res->gpus[type], &value);
	if (!rc)
		res->gpus[type] = (uint16_t)value;
	return rc;
}

void lw_text_add_times(struct lw_strbuf *out, const char *key, const uint32_t *times,
		       const struct lw_snapshot *snap)
{
	for (uint32_t type = 0; type < snap->gpu_type_count; type++) {
		if (!times[type])
			continue;
		lw_strbuf_add(out, " %s", key);
		lw_text_add_name(out, snap->gpu_types[type]);
		lw_strbuf_add(out, "=%" PRIu32, times[type]);
	}
}

int lw_text_get_time_of_type(const struct lw_text_in *in, const char *key,
			     const struct lw_text_word *word, const struct lw_snapshot *snap,
			     uint32_t *times)
{
	struct lw_text_word value = *word, name;
	uint64_t number;
	int type, rc;

	if (!lw_text_cut(&value, '=', &name) || !lw_text_skip(&name, key))
		return lw_text_fail(in, "line", "not a time", word);
	type = lw_text_gpu_type(&name, snap);
	if (type < 0)
		return lw_text_fail(in, "expect", "unknown GPU type", &name);
	rc = text_amounts_get_number(in, "expect", &value, UINT32_MAX, times[type], &number);
	if (!rc)
		times[type] = (uint32_t)number;
	return rc;
}

int lw_text_get_weight(const struct lw_text_in *in, const struct lw_text_word *value,
		       uint32_t *weight)
{
	uint64_t number;

	/* 1 is said by leaving it out */
	if (*weight != 1 || !lw_text_number(value, UINT32_MAX, &number) || number == 1)
		return lw_text_fail(in, "weight", "bad weight", value);
	*weight = (uint32_t)number;
	return 0;
}

bool lw_text_get_count(struct lw_text_word word, const char *name, uint16_t *count)
{
	struct lw_text_word key;
	uint64_t number;

	if (!lw_text_cut(&word, '=', &key) || !lw_text_is(&key, name) || *count ||
	    !lw_text_number(&word, UINT16_MAX, &number) || !number)
		return false;
	*count = (uint16_t)number;
	return true;
}
