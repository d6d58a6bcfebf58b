/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: snapshots survive their text form, and no text makes the reader stumble. */
#include "planner/policies/policy.h"
#include "planner/text/text.h"
#include "planner/text/text_policy.h"
#include "property/random.h"
#include "property/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Print what TEXT says; -EINVAL when it cannot be read. */
static int print_again(const char *text, struct lw_strbuf *out, struct lw_error *err)
{
	struct lw_policy_params params;
	struct lw_snapshot snap;
	int rc;

	lw_policy_params_default(&params);
	rc = lw_snapshot_parse(&snap, "x.snap", text, err);
	if (rc)
		return rc;
	rc = lw_policy_params_parse("x.snap", text, err, &params);
	if (!rc) {
		lw_snapshot_print(&snap, out);
		lw_policy_params_print(&params, out);
	}
	lw_snapshot_fini(&snap);
	return rc;
}

static int random_text(struct prng *prng, struct lw_strbuf *out)
{
	struct random_shape shape = *random_shape_of(prng->state);
	struct lw_policy_params params;
	struct lw_snapshot snap;
	int rc;

	shape.strict = true;
	random_params(prng, &params);
	rc = random_snapshot(prng, &shape, &snap);
	if (!rc) {
		lw_snapshot_print(&snap, out);
		lw_policy_params_print(&params, out);
	}
	lw_snapshot_fini(&snap);
	return rc;
}

static int printed_twice_is_the_same(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf once = LW_STRBUF_INIT, twice = LW_STRBUF_INIT;
	struct prng prng = { seed };
	struct lw_error err = { "" };
	int rc = random_text(&prng, &once);

	if (!rc)
		rc = print_again(lw_strbuf_text(&once), &twice, &err);
	if (rc)
		rc = BROKEN(why, "%s\n", err.text);
	else if (strcmp(lw_strbuf_text(&once), lw_strbuf_text(&twice)))
		rc = BROKEN(why, "once:\n%stwice:\n%s", lw_strbuf_text(&once),
			    lw_strbuf_text(&twice));
	lw_strbuf_fini(&once);
	lw_strbuf_fini(&twice);
	return rc;
}

/* What the live controller decided is what a replay of its dump decides. */
static int replay_decides_the_same(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf text = LW_STRBUF_INIT, live = LW_STRBUF_INIT, again = LW_STRBUF_INIT;
	struct prng prng = { seed };
	struct lw_policy_params params;
	struct lw_policy *policy = NULL;
	struct lw_snapshot snap, read = { 0 };
	struct lw_error err = { "" };
	struct lw_plan plan;
	int rc;

	lw_plan_init(&plan);
	random_params(&prng, &params);
	rc = random_snapshot(&prng, random_shape_of(seed), &snap);
	lw_snapshot_print(&snap, &text);
	if (!rc)
		rc = lw_policy_create(&params, NULL, &policy);
	if (!rc)
		rc = lw_policy_cycle(policy, &snap, &plan);
	lw_plan_print(&plan, &snap, &live);
	if (!rc)
		rc = lw_snapshot_parse(&read, "x.snap", lw_strbuf_text(&text), &err);
	if (!rc)
		rc = lw_policy_cycle(policy, &read, &plan);
	lw_plan_print(&plan, &read, &again);
	if (rc || strcmp(lw_strbuf_text(&live), lw_strbuf_text(&again)))
		rc = BROKEN(why, "%s\n%slive:\n%sreplayed:\n%s", err.text, lw_strbuf_text(&text),
			    lw_strbuf_text(&live), lw_strbuf_text(&again));
	lw_plan_fini(&plan);
	lw_policy_destroy(policy);
	lw_snapshot_fini(&snap);
	lw_snapshot_fini(&read);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&live);
	lw_strbuf_fini(&again);
	return rc;
}

/* Bytes that mean something to the reader, more often than any others. */
static char odd_byte(struct prng *prng)
{
	static const char special[] = " \n\t=:,-0189%[]#ndsrwaxg\r\x01\x7f\xff";

	return special[prng_between(prng, 0, sizeof(special) - 2)];
}

/* Change, drop, double or cut a few bytes or lines of TEXT[*len], which has room. */
static void damage(struct prng *prng, char *text, size_t *len)
{
	uint32_t at, size;

	if (!*len)
		return;
	at = prng_between(prng, 0, (uint32_t)*len - 1);
	size = prng_between(prng, 1, (uint32_t)(*len - at < 20 ? *len - at : 20));
	switch (prng_between(prng, 0, 4)) {
	case 0:
		*len = at;
		break;
	case 1:
		memmove(text + at, text + at + size, *len - at - size);
		*len -= size;
		break;
	case 2:
		memmove(text + at + size, text + at, *len - at);
		*len += size;
		break;
	default:
		text[at] = odd_byte(prng);
		break;
	}
	text[*len] = '\0';
}

static int damaged_text_is_refused_or_read(uint64_t seed, struct lw_strbuf *why)
{
	struct lw_strbuf text = LW_STRBUF_INIT, once = LW_STRBUF_INIT, twice = LW_STRBUF_INIT;
	struct prng prng = { seed };
	struct lw_error err = { "" };
	uint32_t count = prng_between(&prng, 1, 4);
	char *copy;
	size_t len;
	int rc;

	if (random_text(&prng, &text))
		return -1;
	len = text.len;
	/* as large as it can get, and no larger, so that the sanitizer sees a step beyond */
	copy = malloc(len + 20 * count + 1);
	if (!copy)
		return -1;
	memcpy(copy, lw_strbuf_text(&text), len + 1);
	for (uint32_t i = 0; i < count; i++)
		damage(&prng, copy, &len);
	rc = print_again(copy, &once, &err);
	if (rc == -EINVAL)
		rc = strncmp(err.text, "x.snap:", 7) ? BROKEN(why, "message '%s'\n", err.text)
						     : 0;
	else if (!rc && (print_again(lw_strbuf_text(&once), &twice, &err) ||
			 strcmp(lw_strbuf_text(&once), lw_strbuf_text(&twice))))
		rc = BROKEN(why, "%s\nread:\n%sonce:\n%s", err.text, copy, lw_strbuf_text(&once));
	free(copy);
	lw_strbuf_fini(&text);
	lw_strbuf_fini(&once);
	lw_strbuf_fini(&twice);
	return rc;
}

static const struct property properties[] = {
	{ "a snapshot printed, read and printed is the same", printed_twice_is_the_same, 800 },
	{ "a plan is the same after the text form", replay_decides_the_same, 500 },
	{ "damaged text is refused with its place, or read", damaged_text_is_refused_or_read,
	  3000 },
};

int main(void)
{
	return run_properties(properties, sizeof(properties) / sizeof(*properties));
}
