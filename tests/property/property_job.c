/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: no field of a job is forgotten: not by equality, by classes, or by the text form. */
#include "planner/text/text_fields.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <string.h>

/* What must tell two jobs apart that differ in a field, besides their texts. */
enum told_by { BY_TEXT, BY_CLASS, BY_TERMS, BY_REQUEST };

static const struct {
	const char *name;
	size_t offset, size;
	enum lw_text_kind type;
	enum told_by told_by;
} fields[] = {
#define FIELD(type, member, told_by)                                                               \
	{ #member, offsetof(struct lw_waiting, member),                                            \
	  sizeof(((struct lw_waiting *)NULL)->member), LW_TEXT_##type, told_by },
#define LW_WAITING(type, name, ...)  FIELD(type, name, BY_TEXT)
#define LW_CLASS(type, name, ...)    FIELD(type, name, BY_CLASS)
#define LW_EXPECTED(type, name, ...) FIELD(type, expected.name, BY_TEXT)
#define LW_CONSTRAINTS(type, name, ...) FIELD(type, constraints.name, BY_TERMS)
#define LW_REQUEST(type, name, ...)  FIELD(type, request.name, BY_REQUEST)
#include "planner/model/job.def"
};
#define FIELD_COUNT (sizeof(fields) / sizeof(*fields))

static const char *const gpu_types[] = { "a100", "h100", "l4" };
#define TYPES 3

/* Another value of the SIZE bytes at FIELD; texts know only some values of some types. */
static void change(struct prng *prng, enum lw_text_kind type, void *field, size_t size)
{
	uint32_t bit = prng_between(prng, 0, (uint32_t)size * 8 - 1), by;
	enum lw_readiness state;
	unsigned char *bytes = field;
	int8_t gpu_type;

	switch (type) {
	case LW_TEXT_FLAG:
		bit = 0;
		break;
	case LW_TEXT_GPUS:
		bit %= 16 * TYPES;
		break;
	case LW_TEXT_TIMES:
		bit %= 32 * TYPES;
		break;
	case LW_TEXT_STATE:
		memcpy(&state, field, sizeof(state));
		state = (enum lw_readiness)((state + prng_between(prng, 1, 2)) % 3);
		memcpy(field, &state, sizeof(state));
		return;
	case LW_TEXT_TYPE:
		memcpy(&gpu_type, field, sizeof(gpu_type));
		by = prng_between(prng, 1, TYPES);
		gpu_type = (int8_t)((gpu_type + 1 + (int)by) % (TYPES + 1) - 1);
		memcpy(field, &gpu_type, sizeof(gpu_type));
		return;
	default:
		break;
	}
	bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

static bool is_one_class(const struct lw_waiting *jobs)
{
	struct lw_queue queue = { 0 };
	bool is_one = !lw_queue_add(&queue, jobs, 0) && !lw_queue_add(&queue, jobs, 1) &&
		      queue.class_of[0] == queue.class_of[1];

	lw_queue_fini(&queue);
	return is_one;
}

/* JOBS are two that differ in one field, which TOLD_BY tells apart. */
static int compare(const struct lw_waiting *jobs, enum told_by told_by, const char *name,
		   struct lw_strbuf *why)
{
	const struct lw_waiting *a = &jobs[0], *b = &jobs[1];
	bool same_hash = lw_waiting_class_hash(a) == lw_waiting_class_hash(b);

	if (lw_request_equal(&a->request, &b->request) != (told_by != BY_REQUEST))
		return BROKEN(why, "%s: are the requests equal?\n", name);
	if (lw_constraints_equal(&a->constraints, &b->constraints) != (told_by != BY_TERMS))
		return BROKEN(why, "%s: are the terms equal?\n", name);
	if (same_hash != (told_by == BY_TEXT))
		return BROKEN(why, "%s: are the hashes equal?\n", name);
	if (is_one_class(jobs) != (told_by == BY_TEXT))
		return BROKEN(why, "%s: are they of one class?\n", name);
	return 0;
}

static int compare_texts(const struct lw_waiting *jobs, const char *name,
			 const struct lw_snapshot *snap, struct lw_strbuf *why)
{
	struct lw_strbuf a = LW_STRBUF_INIT, b = LW_STRBUF_INIT;
	int rc = 0;

	lw_text_add_fields(&a, &lw_text_waiting, &jobs[0], snap);
	lw_text_add_fields(&b, &lw_text_waiting, &jobs[1], snap);
	if (!strcmp(lw_strbuf_text(&a), lw_strbuf_text(&b)))
		rc = BROKEN(why, "%s: both are%s\n", name, lw_strbuf_text(&a));
	lw_strbuf_fini(&a);
	lw_strbuf_fini(&b);
	return rc;
}

/* A snapshot with all types of GPU, and one of its jobs. */
static int random_job(struct prng *prng, struct lw_snapshot *snap, struct lw_waiting *ret_job)
{
	int rc;

	do {
		rc = random_snapshot(prng, &random_odd, snap);
		if (!rc && snap->waiting_count)
			break;
		lw_snapshot_fini(snap);
	} while (!rc);
	for (int i = 0; i < TYPES; i++)
		lw_snapshot_gpu_type(snap, gpu_types[i]);
	/* those it had may be others */
	lw_snapshot_drop_gpu_types(snap, TYPES);
	if (!rc)
		*ret_job = snap->waiting[prng_between(prng, 0, snap->waiting_count - 1)];
	return rc;
}

static int each_field_tells_jobs_apart(uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	struct lw_waiting jobs[2];
	struct lw_snapshot snap;
	int rc = random_job(&prng, &snap, &jobs[0]);

	jobs[0].readiness = LW_READY;
	for (size_t i = 0; i < FIELD_COUNT && !rc; i++) {
		jobs[1] = jobs[0];
		change(&prng, fields[i].type, (char *)&jobs[1] + fields[i].offset, fields[i].size);
		rc = compare(jobs, fields[i].told_by, fields[i].name, why);
		if (!rc)
			rc = compare_texts(jobs, fields[i].name, &snap, why);
	}
	lw_snapshot_fini(&snap);
	return rc;
}

static const struct property properties[] = {
	{ "jobs that differ in one field are told apart", each_field_tells_jobs_apart, 500 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
