/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lists of hosts as Slurm's files write them, spelt out. */
#include "base/hosts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* longer than a name in DNS */
#define NAME_BYTES 256
/* digits of a number in a range */
#define DIGITS_MAX 9

static int hosts_expand(struct lw_hosts *hosts, char *name, size_t len, const char *rest);

static int hosts_add_name(struct lw_hosts *hosts, const char *name)
{
	char *copy;

	if (hosts->count == LW_HOSTS_MAX)
		return -E2BIG;
	if (lw_grow((void **)&hosts->names, &hosts->room, hosts->count + 1,
		    sizeof(*hosts->names)))
		return -ENOMEM;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	hosts->names[hosts->count++] = copy;
	return 0;
}

/* Digits at *p into *ret_value; how many there are, or 0. */
static int hosts_read_number(const char **p, uint32_t *ret_value)
{
	uint32_t value = 0;
	int digits = 0;

	while (isdigit((unsigned char)**p) && digits <= DIGITS_MAX) {
		value = value * 10 + (uint32_t)(*(*p)++ - '0');
		digits++;
	}
	*ret_value = value;
	return digits > DIGITS_MAX ? 0 : digits;
}

/* One "3" or "01-16" at *p, with what follows the brackets in REST. */
static int hosts_expand_range(struct lw_hosts *hosts, char *name, size_t len, const char **p,
			      const char *rest)
{
	uint32_t first, last;
	int width = hosts_read_number(p, &first), rc = 0;

	if (!width)
		return -EINVAL;
	last = first;
	if (**p == '-') {
		(*p)++;
		if (!hosts_read_number(p, &last) || last < first)
			return -EINVAL;
	}
	if (last - first >= LW_HOSTS_MAX)
		return -E2BIG;
	for (uint32_t n = first; !rc && n <= last; n++) {
		int more = snprintf(name + len, NAME_BYTES - len, "%0*u", width, n);

		if ((size_t)more >= NAME_BYTES - len)
			return -EINVAL;
		rc = hosts_expand(hosts, name, len + (size_t)more, rest);
	}
	return rc;
}

static int hosts_expand_brackets(struct lw_hosts *hosts, char *name, size_t len, const char *open)
{
	const char *close = strchr(open, ']'), *p = open + 1;
	int rc = close ? 0 : -EINVAL;

	while (!rc) {
		rc = hosts_expand_range(hosts, name, len, &p, close + 1);
		if (rc || p == close)
			break;
		if (*p++ != ',')
			rc = -EINVAL;
	}
	return rc;
}

/* NAME holds LEN bytes that are settled; REST is what is still to be read of one name. */
static int hosts_expand(struct lw_hosts *hosts, char *name, size_t len, const char *rest)
{
	size_t plain = strcspn(rest, "[");

	if (len + plain >= NAME_BYTES)
		return -EINVAL;
	memcpy(name + len, rest, plain);
	len += plain;
	name[len] = '\0';
	if (rest[plain] == '[')
		return hosts_expand_brackets(hosts, name, len, rest + plain);
	return strchr(name, ']') || !len ? -EINVAL : hosts_add_name(hosts, name);
}

/* The length of the first name of a list: up to a comma outside brackets. */
static size_t hosts_first_len(const char *text)
{
	size_t len = 0;
	int depth = 0;

	for (; text[len] && (depth || text[len] != ','); len++) {
		depth += text[len] == '[';
		depth -= text[len] == ']';
	}
	return len;
}

void lw_hosts_init(struct lw_hosts *hosts)
{
	memset(hosts, 0, sizeof(*hosts));
}

void lw_hosts_fini(struct lw_hosts *hosts)
{
	for (uint32_t i = 0; i < hosts->count; i++)
		free(hosts->names[i]);
	free(hosts->names);
	lw_hosts_init(hosts);
}

int lw_hosts_add(struct lw_hosts *hosts, const char *text)
{
	char name[NAME_BYTES];
	int rc = 0;

	do {
		size_t len = hosts_first_len(text);
		char *one = strndup(text, len);

		if (!one)
			return -ENOMEM;
		rc = hosts_expand(hosts, name, 0, one);
		free(one);
		text += len;
	} while (!rc && *text++ == ',');
	return rc;
}
