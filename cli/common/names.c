/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse: names of users and others as numbers, and hashed. */
#include "cli/common/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/grow.h"
#include "cli/common/origin.h"
#include "measure/sha256.h"

#define HASH_DIGITS 10

/* Two names may have one hash: the later one uses the next key. */
int lw_ana_names_number(struct lw_ana_names *names, const char *text, uint32_t *ret_number)
{
	uint64_t key = lw_hash_mix_bytes(LW_HASH_BEGIN, text, strlen(text));
	uint32_t number;
	char *copy;

	for (; lw_lookup_get(&names->lookup, key, &number); key++) {
		if (strcmp(names->texts[number], text) != 0)
			continue;
		*ret_number = number;
		return 0;
	}
	if (lw_grow((void **)&names->texts, &names->room, names->count + 1,
		    sizeof(*names->texts)))
		return -ENOMEM;
	copy = strdup(text);
	if (!copy || lw_lookup_put(&names->lookup, key, names->count)) {
		free(copy);
		return -ENOMEM;
	}
	names->texts[names->count] = copy;
	*ret_number = names->count++;
	return 0;
}

void lw_ana_names_fini(struct lw_ana_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->texts[i]);
	free(names->texts);
	lw_lookup_fini(&names->lookup);
	memset(names, 0, sizeof(*names));
}

static int salt_read(struct lw_ana_salt *salt, const char *path, struct lw_error *err)
{
	FILE *from = fopen(path, "rb");
	int rc = 0;

	if (!from)
		return lw_error_set(err, -errno, "%s: %s", path, strerror(errno));
	salt->size = (uint32_t)fread(salt->bytes, 1, sizeof(salt->bytes), from);
	if (ferror(from))
		rc = lw_error_set(err, -errno, "%s: cannot read: %s", path, strerror(errno));
	fclose(from);
	if (rc)
		return rc;
	/* what it is stays its owner's */
	lw_origin_add(path, NULL);
	if (salt->size < ANA_SALT_MIN)
		return lw_error_set(err, -EIO,
				    "%s: %u bytes are too few for a salt: %d at least, as from "
				    "head -c 32 /dev/urandom",
				    path, salt->size, ANA_SALT_MIN);
	return 0;
}

int lw_ana_salt_make(struct lw_ana_salt *salt, const char *path, struct lw_error *err)
{
	memset(salt, 0, sizeof(*salt));
	if (path)
		return salt_read(salt, path, err);
	if (getrandom(salt->bytes, sizeof(salt->bytes), 0) != sizeof(salt->bytes))
		return lw_error_set(err, -EIO, "the kernel gave no random salt");
	salt->size = sizeof(salt->bytes);
	return 0;
}

int lw_ana_names_hash(struct lw_ana_names *names, const char *kind,
		      const struct lw_ana_salt *salt)
{
	for (uint32_t i = 0; i < names->count; i++) {
		char digest[LW_SHA256_TEXT], text[32];
		struct sha256_ctx sha;
		char *hashed;

		sha256_init(&sha);
		lw_sha256_add(&sha, salt->bytes, salt->size);
		lw_sha256_add(&sha, kind, strlen(kind) + 1);
		lw_sha256_add(&sha, names->texts[i], strlen(names->texts[i]));
		lw_sha256_text(&sha, digest);
		snprintf(text, sizeof(text), "%s-%.*s", kind, HASH_DIGITS, digest);
		hashed = strdup(text);
		if (!hashed)
			return -ENOMEM;
		free(names->texts[i]);
		names->texts[i] = hashed;
	}
	return 0;
}
