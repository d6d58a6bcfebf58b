/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: rules of tag recognition from the words of a file. */
#include "tagger/tag.h"

#include <errno.h>
#include <string.h>

static const char *const places[LW_TAG_PLACE_COUNT] = {
	[LW_TAG_PROGRAM] = "program",     [LW_TAG_MODULE] = "module",
	[LW_TAG_ENTRY] = "entry",         [LW_TAG_ARGUMENT] = "argument",
	[LW_TAG_IMPORT] = "import",       [LW_TAG_IMAGE] = "image",
	[LW_TAG_LOADED] = "loaded",       [LW_TAG_ENVIRONMENT] = "environment",
	[LW_TAG_VARIABLE] = "variable",   [LW_TAG_JOB_NAME] = "job-name",
	[LW_TAG_PARTITION] = "partition",
};

static int tag_read_place(const char *text, enum lw_tag_place *ret_place, struct lw_error *err)
{
	int i = 0;

	while (i < LW_TAG_PLACE_COUNT && (!text || strcmp(text, places[i]) != 0))
		i++;
	*ret_place = (enum lw_tag_place)i;
	if (i < LW_TAG_PLACE_COUNT)
		return 0;
	return lw_error_set(
		err, -EINVAL,
		"place: \"%.40s\" is none of program, module, entry, argument, import, "
		"image, loaded, environment, variable, job-name, partition",
		text ? text : "");
}

static int tag_read_kind(const char *text, enum lw_tag_class *ret_class, struct lw_error *err)
{
	int class = text ? lw_tag_class_parse(text, strlen(text)) : LW_TAG_NONE;

	if (class < 0)
		return lw_error_set(
			err, -EINVAL,
			"kind: \"%.40s\" is none of none, training, sweep, inference, "
			"notebook",
			text);
	*ret_class = (enum lw_tag_class) class;
	return 0;
}

/* -100 to 100, with nothing around it. */
static int tag_read_points(const char *text, int8_t *ret_points, struct lw_error *err)
{
	const char *p = text ? text : "";
	bool minus = *p == '-';
	int value = 0, digits = 0;

	for (p += minus; *p >= '0' && *p <= '9' && digits < 4; p++, digits++)
		value = value * 10 + (*p - '0');
	if (!digits || *p || value > 100)
		return lw_error_set(err, -EINVAL,
				    "points: \"%.40s\" is no whole number of -100 to 100",
				    text ? text : "");
	*ret_points = (int8_t)(minus ? -value : value);
	return 0;
}

static int tag_take(struct lw_tag_rules *rules, const struct lw_rule_line *line,
		    struct lw_error *err)
{
	const char *off = line->text[LW_RULE_OFF];
	struct lw_tag_rule rule = { .name = line->text[LW_RULE_NAME],
				    .patterns = line->text[LW_RULE_PATTERNS] };
	int rc;

	if (!rule.name)
		return lw_error_set(err, -EINVAL, "name: a rule needs one");
	if (off && strcmp(off, "yes") != 0 && strcmp(off, "no") != 0)
		return lw_error_set(err, -EINVAL, "off: \"%.40s\" is neither yes nor no", off);
	if (off && !strcmp(off, "yes")) {
		rc = lw_tag_rules_disable(rules, rule.name);
		return rc ? lw_error_set(
				    err, rc,
				    "name: no rule is called \"%.40s\"; \"leeway tag\" shows "
				    "the names of those that hold",
				    rule.name)
			  : 0;
	}
	rc = tag_read_place(line->text[LW_RULE_PLACE], &rule.place, err);
	if (!rc)
		rc = tag_read_kind(line->text[LW_RULE_KIND], &rule.class, err);
	if (!rc)
		rc = tag_read_points(line->text[LW_RULE_POINTS], &rule.weight, err);
	return rc ? rc : lw_tag_rules_add(rules, &rule, err);
}

uint32_t lw_tag_rules_take(struct lw_tag_rules *rules, const struct lw_rule_list *list,
			   lw_tag_complain_f complain, void *arg)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < list->rules; i++) {
		struct lw_error err = { "" };

		if (tag_take(rules, &list->rule[i], &err))
			complain(arg, list->rule[i].line, err.text);
		else
			taken++;
	}
	return taken;
}
