/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what is written: the GPUs a job asks for, and the tag in its admin comment. */
#include "base/words.h"
#include "tagger/tag.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SURE 100

static const char *const class_names[LW_TAG_CLASS_COUNT] = {
	[LW_TAG_NONE] = "none",         [LW_TAG_TRAINING] = "training",
	[LW_TAG_SWEEP] = "sweep",       [LW_TAG_INFERENCE] = "inference",
	[LW_TAG_NOTEBOOK] = "notebook",
};

/* All of TEXT .. END as a number, at most UINT32_MAX; false when it has anything but digits. */
static bool tag_read_count(const char *text, const char *end, uint32_t *ret_count)
{
	uint64_t count = 0;

	for (; text < end && *text >= '0' && *text <= '9'; text++) {
		count = count * 10 + (uint64_t)(*text - '0');
		if (count > UINT32_MAX)
			count = UINT32_MAX;
	}
	*ret_count = (uint32_t)count;
	return text == end;
}

/* The length of FRONT, if TEXT begins with it, or 0. */
static size_t tag_begins(const char *text, const char *front)
{
	size_t len = strlen(front);

	return strncmp(text, front, len) ? 0 : len;
}

/* ---- GPU requests ---- */

/*
 * One item of the list, up to END: [gres/]NAME[:TYPE][:COUNT][(...)], with ':' or '='
 * between. A type without a count is one.
 */
static uint32_t tag_item_gpus(const char *item, const char *end)
{
	const char *last = NULL;
	uint32_t count = 1;
	size_t len;

	if (tag_begins(item, "gres") && (item[4] == ':' || item[4] == '/'))
		item += 5;
	len = tag_begins(item, "gpu") + tag_begins(item, "shard") + tag_begins(item, "mps");
	if (!len || strcspn(item + len, ":=,("))
		return 0;
	for (const char *p = item + len; p < end; p++) {
		if (*p == '(')
			end = p;
		else if (*p == ':' || *p == '=')
			last = p + 1;
	}
	return last && tag_read_count(last, end, &count) ? count : 1;
}

uint32_t lw_tag_gpus(const char *tres)
{
	uint64_t total = 0;

	while (tres && *tres) {
		const char *end = tres + strcspn(tres, ",;");

		total += tag_item_gpus(tres, end);
		tres = *end ? end + 1 : end;
	}
	return total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
}

bool lw_tag_wants_gpu(const struct lw_tag_request *job)
{
	return lw_tag_gpus(job->tres_per_node) || lw_tag_gpus(job->tres_per_job) ||
	       lw_tag_gpus(job->tres_per_task) || lw_tag_gpus(job->tres_per_socket);
}

/* ---- tags ---- */

const char *lw_tag_class_name(enum lw_tag_class class)
{
	return (unsigned)class < LW_TAG_CLASS_COUNT ? class_names[class] : "none";
}

int lw_tag_class_parse(const char *text, size_t len)
{
	for (int i = 0; i < LW_TAG_CLASS_COUNT; i++)
		if (strlen(class_names[i]) == len && !memcmp(class_names[i], text, len))
			return i;
	return -EINVAL;
}

size_t lw_tag_encode(const struct lw_tag *tag, char *buf, size_t size)
{
	int len = snprintf(buf, size, LW_TAG_PREFIX "%s,gang=%d,conf=%d,ev=%s",
			   lw_tag_class_name(tag->class), tag->gang,
			   tag->confidence <= SURE ? tag->confidence : SURE,
			   tag->evidence[0] ? tag->evidence : "-");

	return len < (int)size ? (size_t)len : size - 1;
}

/* Parse one key=value of LEN bytes. */
static int tag_parse_item(const char *item, size_t len, struct lw_tag *tag)
{
	const char *value = memchr(item, '=', len), *end = item + len;
	size_t key = value ? (size_t)(++value - item) : 0, left = len - key;
	uint32_t number;

	if (!key || !left)
		return 0;
	if (!strncmp(item, "gang=", key)) {
		if (left != 1 || (*value != '0' && *value != '1'))
			return -EINVAL;
		tag->gang = *value == '1';
	} else if (!strncmp(item, "conf=", key)) {
		if (left > 3 || !tag_read_count(value, end, &number) || number > SURE)
			return -EINVAL;
		tag->confidence = (uint8_t)number;
	} else if (!strncmp(item, "ev=", key)) {
		if (left >= sizeof(tag->evidence))
			return -EINVAL;
		if (left == 1 && *value == '-')
			left = 0;
		memcpy(tag->evidence, value, left);
		tag->evidence[left] = '\0';
	}
	return 0;
}

int lw_tag_decode(const char *admin_comment, struct lw_tag *ret_tag)
{
	struct lw_tag tag = { .class = LW_TAG_NONE };
	size_t left = 0, len;
	const char *p = lw_words_find(admin_comment, LW_TAG_PREFIX, &left);
	int rc;

	if (!p)
		return -ENOENT;
	p += strlen(LW_TAG_PREFIX);
	left -= strlen(LW_TAG_PREFIX);
	len = strcspn(p, ", ");
	rc = lw_tag_class_parse(p, len);
	if (rc < 0)
		return rc;
	tag.class = (enum lw_tag_class)rc;
	for (rc = 0; !rc && len < left; rc = tag_parse_item(p, len, &tag)) {
		p += len + 1;
		left -= len + 1;
		len = strcspn(p, ", ");
	}
	if (!rc)
		*ret_tag = tag;
	return rc;
}
