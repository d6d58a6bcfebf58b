/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which metrics there are, and whether an expression of PromQL asks for them. */
#include "unit/monitoring.h"

#include <check.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A family, or a label of the last one; text NULL: of any value. */
struct entry {
	const char *family, *type, *label, *text;
};

/* Labels that Prometheus adds, and variables of alerts never are in an expression. */
#define EVERYWHERE                                                                               \
	{ .label = "instance" },                                                                 \
	{                                                                                        \
		.label = "job"                                                                   \
	}
#define OF_GPU                                                                                   \
	EVERYWHERE, { .label = "jobid" }, { .label = "user" }, { .label = "node" },              \
		{ .label = "gpu" },                                                              \
	{                                                                                        \
		.label = "uuid"                                                                  \
	}

static const struct entry entries[] = {
#define LW_FAMILY(name, type_, help)          { .family = name, .type = #type_ }, EVERYWHERE,
#define LW_VALUE(symbol, unit, label_, text_) { .label = label_, .text = text_ },
#include "slurm/keep/meter.def"
#define LW_GAUGE(metric, name, help, factor) { .family = name, .type = "gauge" }, OF_GPU,
#include "cli/gpu/gpu_prometheus.def"
	{ .family = "leeway_gpu_idle_seconds_total", .type = "counter" },
	OF_GPU,
	/* node_exporter's own: when a textfile was written */
	{ .family = "node_textfile_mtime_seconds", .type = "gauge" },
	EVERYWHERE,
	{ .label = "file" },
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

static bool is_ours(const struct entry *entry)
{
	return entry->family && !strncmp(entry->family, "leeway_", 7);
}

size_t monitoring_families(void)
{
	size_t count = 0;

	for (size_t i = 0; i < ENTRIES; i++)
		count += is_ours(&entries[i]);
	return count;
}

const char *monitoring_family(size_t number)
{
	for (size_t i = 0; i < ENTRIES; i++)
		if (is_ours(&entries[i]) && !number--)
			return entries[i].family;
	return NULL;
}

/* Where an expression is being read, and what it has told so far. */
struct judge {
	const char *at;
	const struct entry *metric; /* the last one */
	bool rates;                 /* within rate() or increase() */
	int open;                   /* brackets */
	unsigned metrics;
	char *complaint;
	size_t size;
};

static int complain(struct judge *judge, const char *what, const char *why)
{
	snprintf(judge->complaint, judge->size, "%s%s%s", what, *what ? ": " : "", why);
	return -EINVAL;
}

static void skip_blanks(struct judge *judge)
{
	judge->at += strspn(judge->at, " \n\t");
}

static void take_word(struct judge *judge, char word[128])
{
	size_t len = 0;

	for (; isalnum((unsigned char)*judge->at) || *judge->at == '_'; judge->at++)
		if (len + 1 < 128)
			word[len++] = *judge->at;
	word[len] = '\0';
	skip_blanks(judge);
}

/* A string behind an operator, or nothing. */
static bool take_matcher(struct judge *judge, char op[4], char text[128])
{
	size_t len = strspn(judge->at, "=!~");
	const char *end;

	if (!len || len > 2 || judge->at[len] != '"')
		return false;
	snprintf(op, 4, "%.*s", (int)len, judge->at);
	judge->at += len + 1;
	end = strchr(judge->at, '"');
	if (!end)
		return false;
	snprintf(text, 128, "%.*s", (int)(end - judge->at), judge->at);
	judge->at = end + 1;
	skip_blanks(judge);
	return true;
}

static bool has_label(const struct entry *metric, const char *label, const char *text)
{
	for (const struct entry *entry = metric + 1; entry < entries + ENTRIES && !entry->family;
	     entry++)
		if (entry->label && !strcmp(entry->label, label) &&
		    (!text || !entry->text || !strcmp(entry->text, text)))
			return true;
	return false;
}

static int judge_label(struct judge *judge)
{
	char label[128], op[4], text[128], what[300];

	take_word(judge, label);
	if (!take_matcher(judge, op, text))
		return complain(judge, label, "no end");
	if (!has_label(judge->metric, label, NULL))
		return complain(judge, label, "no such label");
	snprintf(what, sizeof(what), "%s=\"%s\"", label, text);
	if (!strchr(op, '~') && !has_label(judge->metric, label, text))
		return complain(judge, what, "no such value");
	return 0;
}

/* {LABEL="TEXT",...} behind a metric. */
static int judge_labels(struct judge *judge)
{
	int rc = 0;

	do {
		judge->at++;
		skip_blanks(judge);
		rc = judge_label(judge);
	} while (!rc && *judge->at == ',');
	if (!rc && *judge->at != '}')
		return complain(judge, judge->metric->family, "no end");
	if (!rc)
		judge->at++;
	return rc;
}

static int judge_metric(struct judge *judge, const char *name)
{
	judge->metric = NULL;
	for (size_t i = 0; i < ENTRIES; i++)
		if (entries[i].family && !strcmp(entries[i].family, name))
			judge->metric = &entries[i];
	if (!judge->metric)
		return complain(judge, name, "no such metric");
	if (judge->rates && strcmp(judge->metric->type, "counter"))
		return complain(judge, name, "no counter");
	judge->metrics++;
	judge->rates = false;
	return *judge->at == '{' ? judge_labels(judge) : 0;
}

static bool is_one_of(const char *word, const char *words)
{
	const char *found = strstr(words, word);
	size_t len = strlen(word);

	return found && (found == words || found[-1] == ' ') &&
	       (found[len] == ' ' || !found[len]);
}

static int judge_word(struct judge *judge)
{
	char word[128];

	take_word(judge, word);
	if (is_one_of(word, "by without on ignoring group_left group_right")) {
		/* a list of labels, which is not asked by */
		if (*judge->at == '(')
			judge->at += strcspn(judge->at, ")") + 1;
		return 0;
	}
	if (is_one_of(word, "and or unless bool offset"))
		return 0;
	if (is_one_of(word, "sum min max avg count") || *judge->at == '(') {
		judge->rates = is_one_of(word, "rate increase irate");
		return 0;
	}
	return judge_metric(judge, word);
}

static int judge_sign(struct judge *judge)
{
	if (*judge->at == '(')
		judge->open++;
	if (*judge->at == ')' && !judge->open--)
		return complain(judge, "", "no end");
	if (*judge->at == '[')
		judge->at += strcspn(judge->at, "]");
	if (isdigit((unsigned char)*judge->at))
		judge->at += strspn(judge->at, "0123456789.");
	else if (*judge->at)
		judge->at++;
	return 0;
}

int monitoring_judge(const char *expr, char *complaint, size_t size)
{
	struct judge judge = { .at = expr, .complaint = complaint, .size = size };
	int rc = 0;

	while (!rc && *judge.at) {
		skip_blanks(&judge);
		rc = isalpha((unsigned char)*judge.at) ? judge_word(&judge) : judge_sign(&judge);
	}
	if (!rc && judge.open)
		rc = complain(&judge, "", "no end");
	if (!rc && !judge.metrics)
		rc = complain(&judge, "", "asks for no metric");
	return rc;
}

const char *monitoring_path(const char *file, char *buf, size_t size)
{
	const char *top = getenv("top_srcdir");

	snprintf(buf, size, "%s/%s", top ? top : ".", file);
	return buf;
}

char *monitoring_read(const char *file)
{
	const size_t most = 262144;
	char path[1024], *text = calloc(1, most);
	FILE *stream = fopen(monitoring_path(file, path, sizeof(path)), "r");

	ck_assert_ptr_nonnull(text);
	ck_assert_msg(stream != NULL, "%s cannot be read", path);
	ck_assert_uint_gt(fread(text, 1, most - 1, stream), 0);
	ck_assert(feof(stream));
	fclose(stream);
	return text;
}
