/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the SPANK plugin's options, and the list of GPUs Slurm gives a step. */
#include "record/watch.h"

#include "base/duration.h"

#include <errno.h>
#include <string.h>

#define INTERVAL_MAX_S 3600

static int watch_options_set_source(struct lw_watch_options *options, const char *value,
				    struct lw_error *err)
{
	const struct lw_sampler_ops *ops;
	const char *arg;
	int rc = lw_sampler_choose(value, &ops, &arg, err);

	if (!rc)
		options->source = value;
	return rc;
}

static int watch_options_read_path(const char *key, const char *value, const char **ret_path,
				   struct lw_error *err)
{
	if (*value != '/')
		return lw_error_set(err, -EINVAL, "%s=%s: needs an absolute path", key, value);
	*ret_path = value;
	return 0;
}

static int watch_options_set_dir(struct lw_watch_options *options, const char *value,
				 struct lw_error *err)
{
	return watch_options_read_path("dir", value, &options->dir, err);
}

static int watch_options_set_interval(struct lw_watch_options *options, const char *value,
				      struct lw_error *err)
{
	char why[LW_DURATION_WHY];
	int64_t seconds;

	if (!lw_duration_parse(value, &seconds)) {
		if (seconds < 1 || seconds > INTERVAL_MAX_S)
			return lw_error_set(err, -EINVAL, "interval=%s: use 1s to 1h", value);
	} else {
		lw_duration_refused(value, why, sizeof(why));
		return lw_error_set(err, -EINVAL, "interval=%s %s; use 1s to 1h", value, why);
	}
	options->interval_s = (uint32_t)seconds;
	return 0;
}

static int watch_options_read_switch(const char *key, const char *value, bool *ret_on,
				     struct lw_error *err)
{
	if (strcmp(value, "yes") && strcmp(value, "no"))
		return lw_error_set(err, -EINVAL, "%s=%s: use yes or no", key, value);
	*ret_on = value[0] == 'y';
	return 0;
}

static int watch_options_set_summary(struct lw_watch_options *options, const char *value,
				     struct lw_error *err)
{
	return watch_options_read_switch("summary", value, &options->summary, err);
}

static int watch_options_set_js1(struct lw_watch_options *options, const char *value,
				 struct lw_error *err)
{
	return watch_options_read_switch("js1", value, &options->js1, err);
}

static int watch_options_set_bin(struct lw_watch_options *options, const char *value,
				 struct lw_error *err)
{
	return watch_options_read_path("bin", value, &options->bin, err);
}

/* Whether there is one is asked on the node, when it is needed. */
static int watch_options_set_group(struct lw_watch_options *options, const char *value,
				   struct lw_error *err)
{
	if (!*value)
		return lw_error_set(err, -EINVAL, "group=: needs a group's name or number");
	options->group = value;
	return 0;
}

static const struct {
	const char *key;
	int (*set)(struct lw_watch_options *options, const char *value,
		   struct lw_error *err);
} keys[] = {
	{ "source=", watch_options_set_source },     { "dir=", watch_options_set_dir },
	{ "interval=", watch_options_set_interval }, { "summary=", watch_options_set_summary },
	{ "js1=", watch_options_set_js1 },           { "bin=", watch_options_set_bin },
	{ "group=", watch_options_set_group },
};

static int watch_options_read_word(struct lw_watch_options *options, const char *word,
				   struct lw_error *err)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t len = strlen(keys[i].key);

		if (!strncmp(word, keys[i].key, len))
			return keys[i].set(options, word + len, err);
	}
	return lw_error_set(
		err, -EINVAL,
		"%s: unknown; options are source=, dir=, interval=, summary=, js1=, bin=, group=",
		word);
}

void lw_watch_options_read(struct lw_watch_options *options, int count, char **words,
			   const struct lw_log *log)
{
	struct lw_error err;

	*options = (struct lw_watch_options){ .source = "auto",
					      .dir = "/var/spool/leeway",
					      .bin = "",
					      .group = "",
					      .interval_s = 10,
					      .summary = true };
	for (int i = 0; i < count; i++)
		if (watch_options_read_word(options, words[i], &err))
			lw_log_error(log, "plugstack.conf: %s (ignored)", err.text);
}

static bool watch_options_read_index(const char **text, uint32_t *ret_index)
{
	const char *p = *text;
	uint32_t value = 0;

	while (*p >= '0' && *p <= '9' && value < 100000)
		value = value * 10 + (uint32_t)(*p++ - '0');
	if (p == *text)
		return false;
	*text = p;
	*ret_index = value;
	return true;
}

int lw_watch_parse_gpus(const char *list, struct lw_gpu *gpus)
{
	int count = 0;

	do {
		uint32_t first, last;

		if (!watch_options_read_index(&list, &first))
			return -EINVAL;
		last = first;
		if (*list == '-' && (list++, !watch_options_read_index(&list, &last)))
			return -EINVAL;
		for (uint32_t i = first; i <= last; i++) {
			if (count == LW_RECORD_GPUS_MAX)
				return -EINVAL;
			gpus[count++].index = i;
		}
	} while (*list == ',' && *++list);
	return *list || !count ? -EINVAL : count;
}

/* Slurm names instances so, and no whole device: a name of one is the user's own. */
#define MIG "MIG-"

int lw_watch_parse_uuids(const char *list, struct lw_gpu *gpus, int count)
{
	struct lw_gpu found[LW_RECORD_GPUS_MAX];
	int named = 0;

	if (strncmp(list, MIG, strlen(MIG)))
		return count;
	memcpy(found, gpus, (size_t)count * sizeof(*gpus));
	while (*list) {
		size_t len = strcspn(list, ",");

		if (strncmp(list, MIG, strlen(MIG)) || len >= LW_GPU_ID_MAX ||
		    named == LW_RECORD_GPUS_MAX)
			return -EINVAL;
		if (named >= count)
			found[named] = (struct lw_gpu){ .index = (uint32_t)named };
		memcpy(found[named].id, list, len);
		found[named].id[len] = '\0';
		named++;
		list += len + (list[len] == ',');
	}
	if (named < count)
		return -EINVAL;
	memcpy(gpus, found, (size_t)named * sizeof(*gpus));
	return named;
}
