/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: a state file that is cut or damaged is told from a whole one, and never half read. */
#include "property/keepers.h"
#include "property/prng.h"
#include "property/tap.h"

#include "base/io.h"
#include "base/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL 3
#define BIG   3000

static char dir[64] = "/tmp/leeway-torn-XXXXXX";
static char last_error[1024];

static void keep_error(void *arg, enum lw_log_level level, const char *line)
{
	(void)arg;
	if (level == LW_LOG_ERROR)
		snprintf(last_error, sizeof(last_error), "%s", line);
}

static const struct lw_log torn_log = { .write = keep_error, .level = LW_LOG_INFO };

struct bytes {
	char *data;
	size_t size;
};

/* One file of one keeper, whole, and where its damaged likeness is tried. */
struct torn {
	const struct keeper *keeper;
	struct bytes whole;
	char path[128], aside[192];
	unsigned tried;
};

static int read_bytes(const char *path, struct bytes *ret_bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;

	*ret_bytes = (struct bytes){ 0 };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		rc = -errno;
	else if (!(ret_bytes->data = malloc((size_t)st.st_size + 1)))
		rc = -ENOMEM;
	else
		rc = lw_read_all(fd, ret_bytes->data, (size_t)st.st_size, &ret_bytes->size);
	close(fd);
	return rc;
}

static int write_bytes(const char *path, const struct bytes *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), rc;

	if (fd < 0)
		return -errno;
	rc = lw_write_all(fd, bytes->data, bytes->size);
	close(fd);
	return rc;
}

static int begin(struct torn *torn, const struct keeper *keeper, uint32_t entries,
		 struct lw_strbuf *why)
{
	int64_t found;
	int rc;

	torn->keeper = keeper;
	snprintf(torn->path, sizeof(torn->path), "%s/%s", dir, keeper->name);
	snprintf(torn->aside, sizeof(torn->aside), "%s.damaged-%d", torn->path, KEEPER_NOW_S);
	rc = keeper->make(torn->path, entries);
	if (!rc)
		rc = read_bytes(torn->path, &torn->whole);
	if (rc)
		return BROKEN(why, "%s: cannot be made: %s\n", keeper->name, strerror(-rc));
	last_error[0] = '\0';
	found = keeper->load(torn->path, &torn_log);
	if (found != keeper_entries(keeper, entries) || *last_error)
		return BROKEN(why, "%s: whole, and read as %lld: %s\n", keeper->name,
			      (long long)found, last_error);
	return 0;
}

static void end(struct torn *torn)
{
	free(torn->whole.data);
	unlink(torn->path);
}

/* BYTES must be refused, said, and still be there. */
static int refused(const struct torn *torn, const struct bytes *bytes, struct lw_strbuf *why)
{
	const char *kept = torn->keeper->stays ? torn->path : torn->aside;
	int64_t found;
	struct bytes after;
	int rc = write_bytes(torn->path, bytes);

	if (rc)
		return BROKEN(why, "cannot write: %s\n", strerror(-rc));
	last_error[0] = '\0';
	found = torn->keeper->load(torn->path, &torn_log);
	if (found != (torn->keeper->stays ? -EBADMSG : 0))
		return BROKEN(why, "read as %lld\n", (long long)found);
	if (!strstr(last_error, torn->path))
		return BROKEN(why, "said only: %s\n", last_error);
	if (read_bytes(kept, &after))
		return BROKEN(why, "%s is not there\n", kept);
	if (after.size != bytes->size || memcmp(after.data, bytes->data, bytes->size))
		rc = BROKEN(why, "%s is another\n", kept);
	free(after.data);
	unlink(kept);
	return rc;
}

/* ---- every cut, every bit, of small files ---- */

/* What of it was tried, for who reads a table of it. */
static void tell(const struct torn *torn, const char *what, size_t count)
{
	printf("# %s: %zu bytes, %zu %s\n", torn->keeper->name, torn->whole.size, count, what);
}

static int every_cut(const struct torn *torn, struct lw_strbuf *why)
{
	int rc = 0;

	for (size_t size = 0; !rc && size < torn->whole.size; size++) {
		const struct bytes cut = { torn->whole.data, size };

		rc = refused(torn, &cut, why);
		if (rc)
			lw_strbuf_add(why, "%s cut to %zu of %zu bytes\n", torn->keeper->name,
				      size, torn->whole.size);
	}
	tell(torn, "cuts", torn->whole.size);
	return rc;
}

static int every_bit(const struct torn *torn, struct lw_strbuf *why)
{
	int rc = 0;

	for (size_t bit = 0; !rc && bit < torn->whole.size * 8; bit++) {
		torn->whole.data[bit / 8] ^= (char)(1 << bit % 8);
		rc = refused(torn, &torn->whole, why);
		torn->whole.data[bit / 8] ^= (char)(1 << bit % 8);
		if (rc)
			lw_strbuf_add(why, "%s, bit %zu of byte %zu\n", torn->keeper->name,
				      bit % 8, bit / 8);
	}
	tell(torn, "bits", torn->whole.size * 8);
	return rc;
}

static int of_each_small(int (*try)(const struct torn *torn, struct lw_strbuf *why),
			 struct lw_strbuf *why)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < keeper_count; i++) {
		struct torn torn = { 0 };

		if (keepers[i].lines)
			continue;
		rc = begin(&torn, &keepers[i], SMALL, why);
		if (!rc)
			rc = try(&torn, why);
		end(&torn);
	}
	return rc;
}

static int cuts(uint64_t seed, struct lw_strbuf *why)
{
	(void)seed;
	return of_each_small(every_cut, why);
}

static int bits(uint64_t seed, struct lw_strbuf *why)
{
	(void)seed;
	return of_each_small(every_bit, why);
}

/* ---- what disks and people do to big ones ---- */

#define BLOCK 4096

static size_t some_place(struct prng *prng, size_t size)
{
	return prng_between(prng, 0, (uint32_t)size - 1);
}

static size_t up_to_block(const struct bytes *bytes, size_t from)
{
	return bytes->size - from < BLOCK ? bytes->size - from : BLOCK;
}

static void cut_off(struct prng *prng, struct bytes *bytes)
{
	bytes->size = some_place(prng, bytes->size);
}

/* A block that never reached the disk. */
static void lose_block(struct prng *prng, struct bytes *bytes)
{
	size_t from = some_place(prng, bytes->size) / BLOCK * BLOCK;

	memset(bytes->data + from, 0, up_to_block(bytes, from));
}

static void swap_blocks(struct prng *prng, struct bytes *bytes)
{
	size_t a = some_place(prng, bytes->size), b = some_place(prng, bytes->size);
	size_t len = up_to_block(bytes, a > b ? a : b);

	for (size_t i = 0; i < len; i++) {
		char c = bytes->data[a + i];

		bytes->data[a + i] = bytes->data[b + i];
		bytes->data[b + i] = c;
	}
}

static void change_bytes(struct prng *prng, struct bytes *bytes)
{
	for (uint32_t n = prng_between(prng, 1, 20); n; n--)
		bytes->data[some_place(prng, bytes->size)] = (char)prng_between(prng, 0, 255);
}

/* A line is gone, as by an editor. */
static void lose_line(struct prng *prng, struct bytes *bytes)
{
	char *from = bytes->data + some_place(prng, bytes->size);
	char *line_end = memchr(from, '\n', (size_t)(bytes->data + bytes->size - from));

	if (!line_end)
		line_end = bytes->data + bytes->size - 1;
	memmove(from, line_end + 1, (size_t)(bytes->data + bytes->size - line_end - 1));
	bytes->size -= (size_t)(line_end + 1 - from);
}

static void (*const damages[])(struct prng *prng, struct bytes *bytes) = {
	cut_off, lose_block, swap_blocks, change_bytes, lose_line,
};

static int damage_one(const struct torn *torn, uint64_t seed, struct lw_strbuf *why)
{
	struct prng prng = { seed };
	struct bytes bytes = { malloc(torn->whole.size + 1), torn->whole.size };
	unsigned how = prng_between(&prng, 0, sizeof(damages) / sizeof(damages[0]) - 1);
	int rc = 0;

	if (!bytes.data)
		return BROKEN(why, "out of memory\n");
	memcpy(bytes.data, torn->whole.data, bytes.size);
	damages[how](&prng, &bytes);
	if (bytes.size != torn->whole.size ||
	    memcmp(bytes.data, torn->whole.data, bytes.size) != 0)
		rc = refused(torn, &bytes, why);
	if (rc)
		lw_strbuf_add(why, "%s, damage %u\n", torn->keeper->name, how);
	free(bytes.data);
	return rc;
}

/* Of all keepers in turn; the whole files are made once. */
static int damaged(uint64_t seed, struct lw_strbuf *why)
{
	static struct torn big[16];
	struct torn *torn = &big[seed % keeper_count];

	if (keepers[seed % keeper_count].lines)
		return 0;
	if (!torn->keeper && begin(torn, &keepers[seed % keeper_count], BIG, why))
		return -1;
	if (!torn->tried++)
		tell(torn, "bytes to be damaged", torn->whole.size);
	return damage_one(torn, seed, why);
}

/* ---- a file of a later version ---- */

static int later(uint64_t seed, struct lw_strbuf *why)
{
	const struct keeper *keeper = &keepers[seed % keeper_count];
	static const char text[] = "a later Leeway wrote this\n";
	struct torn torn = { 0 };
	struct bytes after;
	struct lw_error err;
	int64_t found;
	int rc;

	if (keeper->lines)
		return 0;
	rc = begin(&torn, keeper, SMALL, why);
	if (!rc)
		rc = lw_savefile_write(torn.path, keeper->kind, 99, text, strlen(text), &err);
	last_error[0] = '\0';
	found = keeper->load(torn.path, &torn_log);
	if (!rc && (found != (keeper->stays ? -ENOTSUP : 0) ||
		    !strstr(last_error, "version 99 is newer than ours")))
		rc = BROKEN(why, "%s: %lld, %s\n", keeper->name, (long long)found, last_error);
	snprintf(torn.aside, sizeof(torn.aside), "%s.newer-%d", torn.path, KEEPER_NOW_S);
	if (!rc && read_bytes(keeper->stays ? torn.path : torn.aside, &after))
		rc = BROKEN(why, "%s: %s is not there\n", keeper->name, torn.aside);
	else if (!rc)
		free(after.data);
	unlink(torn.aside);
	end(&torn);
	return rc;
}

static const struct property properties[] = {
	{ "a state file cut at any length is refused, said, and kept", cuts, 1 },
	{ "and so is one with any bit turned", bits, 1 },
	{ "and a big one with lost, swapped or changed pieces", damaged, 20000 },
	{ "one of a later version is named as such, and kept for it", later, 10 },
};

int main(void)
{
	char beside[128];
	int rc;

	if (!mkdtemp(dir)) {
		perror(dir);
		return EXIT_FAILURE;
	}
	rc = run_properties(properties, sizeof(properties) / sizeof(properties[0]));
	for (unsigned i = 0; i < keeper_count; i++) {
		char path[128];

		snprintf(path, sizeof(path), "%s/%s", dir, keepers[i].name);
		unlink(path);
	}
	snprintf(beside, sizeof(beside), "%s/last", dir);
	unlink(beside);
	rmdir(dir);
	return rc;
}
