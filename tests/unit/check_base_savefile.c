/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of base/savefile: nothing damaged is ever taken for whole. */
#include "base/crc32.h"
#include "base/io.h"
#include "base/savefile.h"

#include "unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KIND	"test"
#define VERSION 2

static char dir[64];
static char path[96];

static void make_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/lw-savefile-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/state", dir);
}

static void remove_dir(void)
{
	char name[128];

	unlink(path);
	snprintf(name, sizeof(name), "%s.leeway-new", path);
	unlink(name);
	ck_assert_int_eq(rmdir(dir), 0);
}

static void put(const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static size_t get(char *bytes, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t got;

	ck_assert_ptr_nonnull(file);
	got = fread(bytes, 1, size, file);
	fclose(file);
	return got;
}

/* Read PATH, expecting RC, and a message that starts with the path on failure. */
static void expect(int rc, const char *data, size_t size)
{
	struct lw_error err = { "" };
	char *found = NULL;
	size_t found_size = 77;

	ck_assert_int_eq(lw_savefile_read(path, KIND, VERSION, &found, &found_size, &err), rc);
	if (rc) {
		ck_assert_ptr_null(found);
		ck_assert_uint_eq(found_size, 77);
		ck_assert_int_eq(strncmp(err.text, path, strlen(path)), 0);
		return;
	}
	ck_assert_uint_eq(found_size, size);
	ck_assert_mem_eq(found, data, size);
	ck_assert_int_eq(found[size], '\0');
	free(found);
}

static const struct {
	const char *text;
	uint32_t crc;
} crcs[] = {
	{ "", 0 },
	{ "a", 0xe8b7be43 },
	{ "abc", 0x352441c2 },
	{ "123456789", 0xcbf43926 },
	{ "The quick brown fox jumps over the lazy dog", 0x414fa339 },
};

FIXTURE(make_dir, remove_dir);

TEST_EACH(crc32_gives_the_vector, LW_COUNT_OF(crcs))
{
	ck_assert_uint_eq(lw_crc32(crcs[_i].text, strlen(crcs[_i].text)), crcs[_i].crc);
}

/* Payloads that a careless reader would trip over. */
static const struct {
	const char *data;
	size_t size;
} payloads[] = {
	{ "", 0 },
	{ "x", 1 },
	{ "\n", 1 },
	{ "line\nline\n", 10 },
	{ "nul\0inside", 10 },
	{ "lw-test 2 0 00000000\n", 21 },
	{ "\xff\xfe\x80", 3 },
};

TEST_EACH(round_trip, LW_COUNT_OF(payloads))
{
	struct lw_error err = { "" };
	struct stat st;

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, payloads[_i].data,
					   payloads[_i].size, &err),
			 0);
	expect(0, payloads[_i].data, payloads[_i].size);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
}

TEST(write_replaces_the_old_and_its_leftovers)
{
	struct lw_error err = { "" };
	char temp[128];
	struct stat st;
	int fd;

	/* what a crash in the middle of a write leaves behind */
	snprintf(temp, sizeof(temp), "%s.leeway-new", path);
	fd = open(temp, O_WRONLY | O_CREAT, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, 0644), 0);
	close(fd);
	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "first", 5, &err), 0);
	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "2nd", 3, &err), 0);
	expect(0, "2nd", 3);
	ck_assert_int_eq(access(temp, F_OK), -1);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
}

static void *write_often(void *text)
{
	struct lw_error err = { "" };
	size_t failed = 0;

	for (int i = 0; i < 50; i++)
		failed += lw_savefile_write(path, KIND, VERSION, text, strlen(text), &err) != 0;
	return failed ? (void *)text : NULL;
}

/* As two imports of one history, or one beside slurmctld: the file is always one's or other's. */
TEST(two_writers_at_once_do_not_mix)
{
	static char texts[2][8192];
	struct lw_error err = { "" };
	pthread_t writers[2];
	void *failed;
	char *data;
	size_t size;

	for (int i = 0; i < 2; i++) {
		memset(texts[i], 'a' + i, sizeof(texts[i]) - 1 - (size_t)i);
		ck_assert_int_eq(pthread_create(&writers[i], NULL, write_often, texts[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(pthread_join(writers[i], &failed), 0);
		ck_assert_ptr_null(failed);
	}
	ck_assert_msg(!lw_savefile_read(path, KIND, VERSION, &data, &size, &err), "%s", err.text);
	ck_assert(!strcmp(data, texts[0]) || !strcmp(data, texts[1]));
	free(data);
}

/* Whoever still writes has its file locked. */
TEST(what_another_writes_is_left_alone)
{
	struct lw_error err = { "" };
	char temp[PATH_MAX], again[PATH_MAX];
	int fd = lw_create_beside(path, 0600, temp, sizeof(temp));

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "mine", 4, &err), 0);
	ck_assert_int_eq(access(temp, F_OK), 0);
	ck_assert_int_eq(rename(temp, path), 0);
	/* so its name is free again */
	ck_assert_int_eq(close(lw_create_beside(path, 0600, again, sizeof(again))), 0);
	ck_assert_str_eq(again, temp);
	close(fd);
}

TEST(an_older_version_is_read)
{
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION - 1, "old", 3, &err), 0);
	expect(0, "old", 3);
}

/* Ours begin with 1. */
TEST(version_0_is_refused)
{
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_savefile_write(path, KIND, 0, "none", 4, &err), 0);
	expect(-EBADMSG, NULL, 0);
}

TEST(a_newer_version_is_refused)
{
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION + 1, "new", 3, &err), 0);
	expect(-ENOTSUP, NULL, 0);
}

TEST(another_kind_is_refused)
{
	struct lw_error err = { "" };

	ck_assert_int_eq(lw_savefile_write(path, "tests", VERSION, "x", 1, &err), 0);
	expect(-EBADMSG, NULL, 0);
	ck_assert_int_eq(lw_savefile_write(path, "tes", VERSION, "x", 1, &err), 0);
	expect(-EBADMSG, NULL, 0);
}

/* Every byte, the header's too, each with every bit flipped and as a few likely bytes. */
TEST(damage_of_every_byte_is_seen)
{
	static const char payload[] = "7781 1700000000\n7782 1700003600\n";
	static const char others[] = " \t\n0123456789abcdefABCDEF+-x\0";
	char whole[256], bytes[256];
	struct lw_error err = { "" };
	size_t size;

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, payload, strlen(payload), &err),
			 0);
	size = get(whole, sizeof(whole));
	for (size_t at = 0; at < size; at++) {
		for (size_t n = 0; n < 8 + sizeof(others); n++) {
			char *found = NULL;
			size_t found_size;
			int rc;

			memcpy(bytes, whole, size);
			if (n < 8)
				bytes[at] = (char)(bytes[at] ^ 1 << n);
			else
				bytes[at] = others[n - 8];
			if (bytes[at] == whole[at])
				continue;
			put(bytes, size);
			rc = lw_savefile_read(path, KIND, VERSION, &found, &found_size, &err);
			free(found);
			ck_assert_msg(rc == -EBADMSG,
				      "byte %zu as %#x: read as whole (%d)", at,
				      (unsigned char)bytes[at], rc);
		}
	}
	put(whole, size);
	expect(0, payload, strlen(payload));
}

TEST(every_shorter_file_is_seen)
{
	char whole[256];
	struct lw_error err = { "" };
	size_t size;

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "a\nb\nc\n", 6, &err), 0);
	size = get(whole, sizeof(whole) - 1);
	for (size_t cut = 0; cut < size; cut++) {
		put(whole, cut);
		expect(-EBADMSG, NULL, 0);
	}
	whole[size] = 'x';
	put(whole, size + 1);
	expect(-EBADMSG, NULL, 0);
}

/* Headers that nobody of ours wrote. */
static const char *const headers[] = {
	"lw-test 2 1\n",
	"lw-test 2 1 \nx",
	"lw-test 2 99999999999999999999999999 00000000\nx",
	"lw-test 99999999999999999999 0 00000000\n",
	"lw-test -1 0 00000000\n",
	"lw-test 2 -1 00000000\nx",
	"lw-test 2 0 00000000",
	"lw-test 2 0 00000000 \n",
	"lw-test  2 0 00000000\n",
	"lw-test 02 0 00000000\n",
	"\n",
	"lw-test\n",
};

TEST_EACH(a_foreign_header_is_refused, LW_COUNT_OF(headers))
{
	put(headers[_i], strlen(headers[_i]));
	expect(-EBADMSG, NULL, 0);
}

TEST(no_file_is_told_from_a_bad_one)
{
	expect(-ENOENT, NULL, 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	expect(-EBADMSG, NULL, 0);
	ck_assert_int_eq(rmdir(path), 0);
	/* nobody writes to it: a blocking open would hang here */
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	expect(-EBADMSG, NULL, 0);
}

TEST(a_missing_directory_is_reported)
{
	struct lw_error err = { "" };
	char missing[128];

	snprintf(missing, sizeof(missing), "%s/no/state", dir);
	ck_assert_int_eq(lw_savefile_write(missing, KIND, VERSION, "x", 1, &err), -ENOENT);
	ck_assert_int_eq(strncmp(err.text, missing, strlen(missing)), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
}

TEST(a_failed_write_keeps_the_old)
{
	struct lw_error err = { "" };
	char temp[128];

	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "old", 3, &err), 0);
	/* a directory in the way cannot be removed by unlink() */
	snprintf(temp, sizeof(temp), "%s.leeway-new", path);
	ck_assert_int_eq(mkdir(temp, 0700), 0);
	ck_assert_int_lt(lw_savefile_write(path, KIND, VERSION, "new", 3, &err), 0);
	expect(0, "old", 3);
	ck_assert_int_eq(rmdir(temp), 0);
}

/* Also what was set aside in the same second before. */
TEST(set_aside_keeps_each_damaged_file)
{
	struct lw_error err = { "" };
	int64_t stamp;
	char aside[128];
	struct stat st;

	for (int i = 0; i < 3; i++) {
		stamp = 1700000000;
		put("damaged", 7 - (size_t)i);
		ck_assert_int_eq(lw_savefile_set_aside(path, "damaged", &stamp, &err), 0);
		ck_assert_int_eq(stamp, 1700000000 + i);
		expect(-ENOENT, NULL, 0);
	}
	ck_assert_int_eq(lw_savefile_set_aside(path, "damaged", &stamp, &err), -ENOENT);
	ck_assert_int_eq(strncmp(err.text, path, strlen(path)), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(aside, sizeof(aside), "%s.damaged-%d", path, 1700000000 + i);
		ck_assert_int_eq(stat(aside, &st), 0);
		ck_assert_int_eq(st.st_size, 7 - i);
		unlink(aside);
	}
}

TEST(too_long_a_path_is_refused)
{
	struct lw_error err = { "" };
	char name[5000] = "";
	int64_t stamp = 1;

	memset(name, '/', sizeof(name) - 1);
	ck_assert_int_eq(lw_savefile_write(name, KIND, VERSION, "x", 1, &err), -ENAMETOOLONG);
	ck_assert_int_eq(lw_savefile_set_aside(name, "damaged", &stamp, &err), -ENAMETOOLONG);
}

/* Root may rename in /dev: a mistyped name must not cost the machine its /dev/null. */
TEST(only_files_are_replaced)
{
	struct lw_error err = { "" };
	struct stat st;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "x", 1, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "not a regular file"));
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISFIFO(st.st_mode));
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(lw_savefile_write(path, KIND, VERSION, "x", 1, &err), -EINVAL);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(symlink("/dev/null", path), 0);
	ck_assert_msg(!lw_savefile_write(path, KIND, VERSION, "x", 1, &err), "%s", err.text);
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_int_eq(stat("/dev/null", &st), 0);
	ck_assert(S_ISCHR(st.st_mode));
}

/* Who can make links there must not have others' files written by them. */
TEST(no_link_is_followed)
{
	struct lw_error err = { "" };
	char beside[128], theirs[128];
	struct stat st;

	snprintf(beside, sizeof(beside), "%s.leeway-new", path);
	snprintf(theirs, sizeof(theirs), "%s/theirs", dir);
	ck_assert_int_eq(symlink(theirs, path), 0);
	ck_assert_int_eq(symlink(theirs, beside), 0);
	ck_assert_msg(!lw_savefile_write(path, KIND, VERSION, "x", 1, &err), "%s", err.text);
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_int_eq(lstat(beside, &st), -1);
	ck_assert_int_eq(lstat(theirs, &st), -1);
}

static const struct {
	const char *path, *folder;
} folders[] = {
	{ "/a/b/c", "/a/b" }, { "a/c", "a" }, { "/c", "/" }, { "c", "." }, { "/a/", "/a" },
	{ "", "." },          { "/", "/" },   { "123/5", "123" },
};

TEST_EACH(the_folder_of_a_path, LW_COUNT_OF(folders))
{
	char folder[5];

	ck_assert_int_eq(lw_dir_of(folders[_i].path, folder, sizeof(folder)), 0);
	ck_assert_str_eq(folder, folders[_i].folder);
	ck_assert_int_eq(lw_dir_of("12345/6", folder, sizeof(folder)), -ENAMETOOLONG);
}
