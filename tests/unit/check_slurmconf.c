/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of how leeway check reads Slurm's files, lists of hosts and plugins. */
#include "cli/check/elf.h"
#include "cli/check/slurmkeys.h"
#include "cli/common/slurmconf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hosts.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "unit/scratch.h"
#include "unit/unit.h"

static const struct {
	const char *text;
	const char *names; /* NULL: no list */
} lists[] = {
	{ "n1", "n1" },
	{ "n1,n2", "n1 n2" },
	{ "n[1-3]", "n1 n2 n3" },
	{ "n[08-11,20]", "n08 n09 n10 n11 n20" },
	{ "n[1,3]-ib,gpu[1-2]", "n1-ib n3-ib gpu1 gpu2" },
	{ "r[1-2]n[1-2]", "r1n1 r1n2 r2n1 r2n2" },
	{ "/dev/nvidia[0-1]", "/dev/nvidia0 /dev/nvidia1" },
	{ "", NULL },
	{ "n[", NULL },
	{ "n[]", NULL },
	{ "n[1", NULL },
	{ "n]", NULL },
	{ "n[1-]", NULL },
	{ "n[3-1]", NULL },
	{ "n[1-2", NULL },
	{ "n[a-b]", NULL },
	{ "n[1;2]", NULL },
	{ "n1,", NULL },
	{ "n[1-99999999999]", NULL },
	{ "n[0-2000000]", NULL },
	{ "n[1-1000]n[1-1000]n[1-1000]", NULL },
};

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(a_list_of_hosts, LW_COUNT_OF(lists))
{
	struct lw_strbuf names = LW_STRBUF_INIT;
	struct lw_hosts hosts;
	int rc;

	lw_hosts_init(&hosts);
	rc = lw_hosts_add(&hosts, lists[_i].text);
	ck_assert_msg(!rc == !!lists[_i].names, "\"%s\": %d", lists[_i].text, rc);
	for (uint32_t i = 0; !rc && i < hosts.count; i++)
		lw_strbuf_add(&names, "%s%s", i ? " " : "", hosts.names[i]);
	if (!rc)
		ck_assert_str_eq(lw_strbuf_text(&names), lists[_i].names);
	lw_strbuf_fini(&names);
	lw_hosts_fini(&hosts);
}

static const struct {
	const char *file;
	const char *lines; /* as NUMBER:KEY=VALUE;... */
} files[] = {
	{ "", "" },
	{ "# nothing\n\n   \n", "" },
	{ "A=1\n", "1:A=1;" },
	{ "A=1", "1:A=1;" },
	{ " A = 1 # why\n", "1:A=1;" },
	{ "A=1 B=2\tC=3\n", "1:A=1;B=2;C=3;" },
	{ "A=\"two words\" B=2\n", "1:A=two words;B=2;" },
	{ "A=\"open\n", "1:A=\"open;" },
	{ "A=1\\\n2\nB=3\n", "1:A=12;3:B=3;" },
	{ "A=1,\\\n2 \\\nB=3\n", "1:A=1,2;B=3;" },
	{ "A=1\\", "1:A=1;" },
	{ "A=a\\#b # c\n", "1:A=a#b;" },
	{ "A=\n", "1:?A=" },
	{ "A =\t\"\" B=\"\n", "1:A=;B=\";" },
	{ "A=\"b\"c B=2\n", "1:A=\"b\"c;B=2;" },
	{ "A=\"b\"c\"\n", "1:A=\"b\"c\";" },
	{ "A=b\"c d\"\n", "1:A=b\"c;?d\"" },
	{ "A=a\\\\# b\n", "1:A=a\\;" },
	{ "A=a\\\\\nB=\\b\n", "1:A=a\\;2:B=b;" },
	{ "A=1 \\ # on\n2\n", "1:A=1;?2" },
	{ " Include other.conf\n", "1:?Include1:O=1;" },
	{ "Include other.conf A=1 B=2\n", "1:?A=11:O=1;" },
	{ "A+=1 B -= 2\n", "1:A=1;B=2;" },
	{ "A word =\n", "1:?A" },
	{ "A=b=c\n", "1:A=b=c;" },
	{ "A=1\r\nB=2\r\n", "1:A=1;2:B=2;" },
	{ "=\n", "1:?=" },
	{ "includes=1\n", "1:includes=1;" },
};

static void print_lines(const struct lw_slurmconf *conf, struct lw_strbuf *out)
{
	for (uint32_t i = 0; i < conf->line_count; i++) {
		const struct lw_slurmconf_line *line = &conf->lines[i];

		lw_strbuf_add(out, "%u:", line->number);
		for (uint32_t j = 0; j < line->pair_count; j++)
			lw_strbuf_add(out, "%s=%s;", line->pairs[j].key, line->pairs[j].value);
		if (line->stray)
			lw_strbuf_add(out, "?%s", line->stray);
	}
}

static int read_slurm_conf(struct lw_slurmconf *conf, struct lw_slurmconf_fault *fault)
{
	return lw_slurmconf_read(conf, LW_SLURMCONF_PAIRS, scratch_dir, "/slurm.conf", fault);
}

TEST_EACH(lines_of_a_file, LW_COUNT_OF(files))
{
	struct lw_strbuf lines = LW_STRBUF_INIT;
	struct lw_slurmconf_fault fault;
	struct lw_slurmconf conf;

	scratch_write("slurm.conf", files[_i].file);
	scratch_write("other.conf", "O=1\n");
	ck_assert_int_eq(read_slurm_conf(&conf, &fault), 0);
	print_lines(&conf, &lines);
	ck_assert_str_eq(lw_strbuf_text(&lines), files[_i].lines);
	lw_slurmconf_fini(&conf);
	lw_strbuf_fini(&lines);
}

TEST(an_include_is_read_in_its_place)
{
	struct lw_strbuf lines = LW_STRBUF_INIT;
	struct lw_slurmconf_fault fault;
	struct lw_slurmconf conf;

	scratch_write("slurm.conf",
		      "ClusterName=Mini\nINCLUDE other.conf\nInclude %c-%c.conf\nZ=1\n");
	scratch_write("other.conf", "\nA=1\n");
	scratch_write("mini-mini.conf", "B=2\n");
	ck_assert_int_eq(read_slurm_conf(&conf, &fault), 0);
	print_lines(&conf, &lines);
	ck_assert_str_eq(lw_strbuf_text(&lines), "1:ClusterName=Mini;2:A=1;1:B=2;4:Z=1;");
	ck_assert_str_eq(conf.lines[1].file, "/other.conf");
	lw_slurmconf_fini(&conf);
	lw_strbuf_fini(&lines);
}

TEST(an_include_that_is_not_there_is_kept)
{
	struct lw_strbuf lines = LW_STRBUF_INIT;
	struct lw_slurmconf_fault fault;
	struct lw_slurmconf conf;

	scratch_write("slurm.conf", "A=1\nInclude /none/x.conf\nB=2\n");
	ck_assert_int_eq(read_slurm_conf(&conf, &fault), 0);
	print_lines(&conf, &lines);
	ck_assert_str_eq(lw_strbuf_text(&lines), "1:A=1;2:3:B=2;");
	ck_assert_str_eq(conf.lines[1].absent, "/none/x.conf");
	ck_assert_int_eq(conf.lines[1].why, -ENOENT);
	lw_slurmconf_fini(&conf);
	lw_strbuf_fini(&lines);
}

TEST(files_that_include_each_other)
{
	struct lw_slurmconf_fault fault;
	struct lw_slurmconf conf;

	scratch_write("slurm.conf", "A=1\nInclude other.conf\n");
	scratch_write("other.conf", "Include slurm.conf\n");
	ck_assert_int_eq(read_slurm_conf(&conf, &fault), -ELOOP);
	ck_assert_int_ne(fault.line, 0);
	lw_slurmconf_fini(&conf);
}

TEST(names_by_release)
{
	const struct lw_slurmkey *key = lw_slurmkey_find(LW_SLURMKEY_PARAM, "BF_YIELD_RPC_CNT", 0);

	ck_assert_ptr_nonnull(key);
	ck_assert(lw_slurmkey_known(key, 0));
	ck_assert(!lw_slurmkey_known(key, 0x180b05));
	ck_assert(lw_slurmkey_known(key, 0x190500));
	ck_assert(lw_slurmkey_known(key, 0x1b0501));
	ck_assert_ptr_null(lw_slurmkey_find(LW_SLURMKEY_GLOBAL, "bf_window", 0));
	key = lw_slurmkey_nearest(LW_SLURMKEY_GLOBAL, "schedularparameters", 0);
	ck_assert_str_eq(key->name, "SchedulerParameters");
	ck_assert_ptr_null(lw_slurmkey_nearest(LW_SLURMKEY_GLOBAL, "x", 0));
}

/* This program itself, cut off anywhere and with bytes changed: refused or read, no more. */
TEST(a_damaged_plugin_is_survived)
{
	const char *path = scratch_path("plugin.so");
	static char data[1 << 22];
	struct lw_elf_plugin plugin;
	struct lw_error err;
	size_t size = 0;
	int fd = open("/proc/self/exe", O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(lw_read_all(fd, data, sizeof(data), &size), 0);
	close(fd);
	ck_assert_int_eq(lw_elf_read_plugin("/proc/self/exe", &plugin, &err), 0);
	for (size_t i = 0; i < 200; i++) {
		size_t at = i < 64 ? i : size * i / 200;

		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		ck_assert_int_eq(lw_write_all(fd, data, i % 2 ? size : at), 0);
		ck_assert_int_eq(pwrite(fd, "\377\377\377\177", 4, (off_t)(at / 4 * 4)), 4);
		close(fd);
		if (lw_elf_read_plugin(path, &plugin, &err))
			ck_assert_ptr_nonnull(strchr(err.text, ' '));
	}
	ck_assert_int_eq(lw_elf_read_plugin("/dev/none", &plugin, &err), -ENOENT);
	ck_assert_int_eq(lw_elf_read_plugin("/dev/null", &plugin, &err), -EINVAL);
}

/* Sections where no linker puts them, 4 bytes off: their numbers cannot be read there. */
TEST(a_misaligned_plugin_is_refused)
{
	static char data[1 << 22];
	struct lw_elf_plugin plugin;
	struct lw_error err;
	Elf64_Ehdr head;
	size_t size = 0;
	int fd = open("/proc/self/exe", O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(lw_read_all(fd, data, sizeof(data) - 8, &size), 0);
	close(fd);
	memcpy(&head, data, sizeof(head));
	memmove(data + head.e_shoff + 4, data + head.e_shoff, size - head.e_shoff);
	head.e_shoff += 4;
	memcpy(data, &head, sizeof(head));
	fd = open(scratch_path("plugin.so"), O_WRONLY | O_CREAT, 0600);
	ck_assert_int_eq(lw_write_all(fd, data, size + 4), 0);
	close(fd);
	ck_assert_int_eq(lw_elf_read_plugin(scratch_path("plugin.so"), &plugin, &err), -EINVAL);
}
