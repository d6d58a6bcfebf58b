/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of cli/common/output.h and progress.h: what is written is whole, or told. */
#include "cli/common/field.h"
#include "cli/common/output.h"

#include "cli/common/origin.h"
#include "cli/common/tools.h"
#include "lab/cli_sim/progress.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Write LENGTH bytes to PATH, of which the disk takes LIMIT. */
static int write_bytes(const char *path, int length, rlim_t limit, struct lw_error *err)
{
	struct rlimit old, small;
	struct lw_strbuf text = LW_STRBUF_INIT;
	int rc;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ limit, old.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	lw_strbuf_add(&text, "%0*d", length, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	rc = lw_output_text(path, &text, err);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	return rc;
}

static bool is_there(const char *name)
{
	struct stat st;

	return !lstat(scratch_path(name), &st);
}

static int count_files(void)
{
	DIR *dir = opendir(scratch_dir);
	int count = 0;

	ck_assert_ptr_nonnull(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

FIXTURE(scratch_setup, scratch_teardown);

TEST(a_full_disk_leaves_what_was_there)
{
	struct lw_error err = { "" };
	char *text;

	scratch_write("old", "as it was");
	ck_assert_int_eq(write_bytes(scratch_path("old"), 100000, 5000, &err), -EIO);
	ck_assert_msg(strstr(err.text, "old: cannot write all of it: File too large") != NULL,
		      "%s", err.text);
	text = scratch_read(scratch_path("old"));
	ck_assert_str_eq(text, "as it was");
	free(text);
	ck_assert_int_eq(write_bytes(scratch_path("new"), 100000, 5000, &err), -EIO);
	ck_assert(!is_there("new"));
	ck_assert_int_eq(count_files(), 1);
}

TEST(a_file_keeps_its_mode_and_a_link_its_aim)
{
	struct lw_error err = { "" };
	struct stat st;

	scratch_write("file", "old");
	ck_assert_int_eq(chmod(scratch_path("file"), 0640), 0);
	ck_assert_int_eq(symlink("file", scratch_path("link")), 0);
	ck_assert_msg(!write_bytes(scratch_path("link"), 10, RLIM_INFINITY, &err), "%s", err.text);
	ck_assert_int_eq(lstat(scratch_path("link"), &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(lstat(scratch_path("file"), &st), 0);
	ck_assert_int_eq(st.st_size, 10);
	ck_assert_uint_eq(st.st_mode & 07777, 0640);
}

/* Neither may rename what the other has written half of. */
TEST(two_that_write_one_file_do_not_mix)
{
	const char *path = scratch_path("file");
	struct lw_output first, second;
	struct lw_error err = { "" };
	char *text;

	ck_assert_int_eq(lw_output_open(path, &first, &err), 0);
	fputs("first, ", first.to);
	ck_assert_int_eq(lw_output_open(path, &second, &err), 0);
	fputs("half of the seco", second.to);
	fflush(second.to);
	fputs("all of it", first.to);
	ck_assert_msg(!lw_output_close(&first, 0, &err), "%s", err.text);
	text = scratch_read(path);
	ck_assert_str_eq(text, "first, all of it");
	free(text);
	fputs("nd", second.to);
	ck_assert_msg(!lw_output_close(&second, 0, &err), "%s", err.text);
	text = scratch_read(path);
	ck_assert_str_eq(text, "half of the second");
	free(text);
	ck_assert_int_eq(count_files(), 1);
}

TEST(what_a_killed_one_left_is_taken_away)
{
	struct lw_error err = { "" };

	scratch_write("file.leeway-new", "half of");
	ck_assert_msg(!write_bytes(scratch_path("file"), 10, RLIM_INFINITY, &err), "%s", err.text);
	ck_assert_int_eq(count_files(), 1);
}

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXFSZ };

/* In the midst of it, with some of it on the disk. */
TEST_EACH(an_interrupted_one_leaves_nothing, LW_COUNT_OF(ends))
{
	struct lw_error err = { "" };
	struct lw_output first, second;
	int status;
	char *text;

	scratch_write("old", "as it was");
	switch (fork()) {
	case -1:
		ck_abort();
		break;
	case 0:
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		/* check handles some itself */
		signal(ends[_i], SIG_DFL);
		if (lw_output_open(scratch_path("old"), &first, &err) ||
		    lw_output_open(scratch_path("new"), &second, &err))
			_exit(1);
		fputs("half of it", first.to);
		fflush(first.to);
		raise(ends[_i]);
		_exit(2);
	default:
		break;
	}
	ck_assert_int_gt(wait(&status), 0);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == ends[_i]);
	text = scratch_read(scratch_path("old"));
	ck_assert_str_eq(text, "as it was");
	free(text);
	ck_assert_int_eq(count_files(), 1);
}

/* Under nohup it goes on. */
TEST(who_ignores_a_signal_goes_on)
{
	struct lw_error err = { "" };
	struct lw_output output;

	signal(SIGHUP, SIG_IGN);
	ck_assert_int_eq(lw_output_open(scratch_path("file"), &output, &err), 0);
	raise(SIGHUP);
	signal(SIGHUP, SIG_DFL);
	ck_assert_msg(!lw_output_close(&output, 0, &err), "%s", err.text);
	ck_assert(is_there("file"));
}

/* As somebody who may write the file, but not its folder: what is there stays, whole. */
TEST(an_unwritable_folder_loses_nothing)
{
	struct lw_error err = { "" };
	int status;
	char *text;

	scratch_write("old", "as it was");
	ck_assert_int_eq(chmod(scratch_path("old"), 0666), 0);
	ck_assert_int_eq(chmod(scratch_dir, 0555), 0);
	switch (fork()) {
	case -1:
		ck_abort();
		break;
	case 0:
		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(1);
		if (lw_output_check(scratch_path("old"), &err) != -EACCES)
			_exit(2);
		if (write_bytes(scratch_path("old"), 10, RLIM_INFINITY, &err) != -EACCES)
			_exit(3);
		_exit(strstr(err.text, "what is there is kept") ? 0 : 4);
	default:
		break;
	}
	ck_assert_int_gt(wait(&status), 0);
	ck_assert_int_eq(status, 0);
	text = scratch_read(scratch_path("old"));
	ck_assert_str_eq(text, "as it was");
	free(text);
}

TEST(links_are_followed_to_their_end)
{
	struct lw_error err = { "" };
	struct stat st;

	ck_assert_int_eq(mkdir(scratch_path("sub"), 0755), 0);
	ck_assert_int_eq(symlink("sub/second", scratch_path("first")), 0);
	ck_assert_int_eq(symlink("../file", scratch_path("sub/second")), 0);
	ck_assert_int_eq(symlink("round", scratch_path("round")), 0);
	/* the first time there is no file yet */
	for (int i = 0; i < 2; i++) {
		ck_assert_msg(!write_bytes(scratch_path("first"), 10, RLIM_INFINITY, &err), "%s",
			      err.text);
		ck_assert(!lstat(scratch_path("first"), &st) && S_ISLNK(st.st_mode));
		ck_assert(!lstat(scratch_path("sub/second"), &st) && S_ISLNK(st.st_mode));
		ck_assert(!lstat(scratch_path("file"), &st) && S_ISREG(st.st_mode));
	}
	ck_assert_int_eq(write_bytes(scratch_path("round"), 10, RLIM_INFINITY, &err), -ELOOP);
}

TEST(a_private_file_is_private)
{
	struct lw_strbuf text = LW_STRBUF_INIT;
	struct lw_error err = { "" };
	struct stat st;

	lw_strbuf_add(&text, "x");
	ck_assert_msg(!lw_output_private(scratch_path("file"), &text, &err), "%s", err.text);
	ck_assert(!lstat(scratch_path("file"), &st));
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
}

TEST(what_is_no_plain_file_is_written_to)
{
	struct lw_error err = { "" };

	ck_assert_msg(!write_bytes("/dev/null", 10, RLIM_INFINITY, &err), "%s", err.text);
	ck_assert_int_eq(write_bytes("/dev/full", 10, RLIM_INFINITY, &err), -EIO);
	ck_assert_int_eq(write_bytes(scratch_dir, 10, RLIM_INFINITY, &err), -EISDIR);
	ck_assert_int_eq(write_bytes("/no/such/dir/x", 10, RLIM_INFINITY, &err), -ENOENT);
	/* through a link that leads nowhere yet */
	ck_assert_int_eq(symlink("later", scratch_path("link")), 0);
	ck_assert_msg(!write_bytes(scratch_path("link"), 10, RLIM_INFINITY, &err), "%s", err.text);
	ck_assert(is_there("later"));
}

/* What one byte, and what follows, is taken for. */
static const struct {
	const char *text, *shown;
} names[] = {
	{ "", "" },
	{ "a b.swf", "a b.swf" },
	{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80",
	  "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x80" },
	{ "caf\xe9.swf", "caf?.swf" },
	{ "\xc3", "?" },
	{ "\xe2\x82", "??" },
	{ "\xc0\xaf\xe0\x80\xaf", "?????" }, /* longer than need be */
	{ "\xed\xa0\x80\xef\xbf\xbf", "??????" }, /* no characters */
	{ "\xf4\x90\x80\x80\xf8\x88\x80\x80\x80\xff", "??????????" },
	{ "tab\tline\nbell\a", "tab\tline\nbell?" },
	/* to a terminal these are commands, too */
	{ "del\x7f csi\xc2\x9b" "31m osc\xc2\x9d", "del? csi??31m osc??" },
};

TEST_EACH(names_of_any_bytes_become_json, LW_COUNT_OF(names))
{
	json_t *string = lw_output_string(names[_i].text);

	ck_assert_ptr_nonnull(string);
	ck_assert_str_eq(json_string_value(string), names[_i].shown);
	json_decref(string);
}

/* Two names of one file, of which one is written over the other; "-" and devices may be so. */
static const struct {
	const char *one, *other;
	int rc;
} pairs[] = {
	{ "file", "file", -EINVAL },	{ "file", "./file", -EINVAL },
	{ "file", "link", -EINVAL },	{ "new", "new", -EINVAL },
	{ "new", "./new", -EINVAL },	{ "file", "new", 0 },
	{ "/dev/null", "/dev/null", 0 }, { "nowhere/x", "nowhere/y", 0 },
	{ "file", NULL, 0 },
};

TEST_EACH(two_outputs_are_two_files, LW_COUNT_OF(pairs))
{
	const char *paths[] = { pairs[_i].one, NULL, pairs[_i].other };
	struct lw_error err = { "" };
	bool taken;

	ck_assert_int_eq(chdir(scratch_dir), 0);
	scratch_write("file", "x");
	ck_assert_int_eq(symlink("file", "link"), 0);
	ck_assert_int_eq(lw_output_shared(paths, 3, &taken, &err), pairs[_i].rc);
	if (pairs[_i].rc)
		ck_assert_msg(strstr(err.text, "two outputs go there") != NULL, "%s", err.text);
	ck_assert_int_eq(chdir("/"), 0);
}

TEST(what_was_read_is_kept)
{
	struct lw_error err = { "" };
	char *argv[] = { "x", NULL }, *text;

	lw_origin_begin(1, argv);
	scratch_write("trace", "as it was");
	ck_assert_int_eq(symlink("trace", scratch_path("link")), 0);
	lw_origin_add(scratch_path("trace"), NULL);
	lw_origin_add("/dev/null", NULL);
	ck_assert_int_eq(write_bytes(scratch_path("trace"), 10, RLIM_INFINITY, &err), -EEXIST);
	ck_assert_msg(strstr(err.text, "trace: it is one of the inputs") != NULL, "%s", err.text);
	ck_assert_int_eq(write_bytes(scratch_path("link"), 10, RLIM_INFINITY, &err), -EEXIST);
	text = scratch_read(scratch_path("trace"));
	ck_assert_str_eq(text, "as it was");
	free(text);
	ck_assert_int_eq(write_bytes("/dev/null", 10, RLIM_INFINITY, &err), 0);
	ck_assert_int_eq(write_bytes(scratch_path("other"), 10, RLIM_INFINITY, &err), 0);
	lw_origin_begin(1, argv);
}

/* Whose words are lost must not say that all is well. */
TEST(a_full_standard_output_is_told)
{
	int saved = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	struct lw_error err = { "" };
	int good, bad;

	ck_assert_int_ge(saved, 0);
	ck_assert_int_ge(full, 0);
	fflush(stdout);
	good = lw_output_flush(0, &err);
	dup2(full, STDOUT_FILENO);
	printf("a table\n");
	bad = lw_output_flush(0, &err);
	dup2(saved, STDOUT_FILENO);
	clearerr(stdout);
	close(saved);
	close(full);
	ck_assert_int_eq(good, 0);
	ck_assert_int_eq(bad, -EIO);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
}

/* The error has its reason, too. */
TEST(a_workload_on_a_full_disk_is_a_failure)
{
	char *argv[] = { "generate", "--model", "dl",	    "--jobs", "900", "--span",
			 "1d",	     "-q",	"-o",	    "/dev/full", NULL };
	int saved = dup(STDERR_FILENO), out, rc;
	char *said;

	out = open(scratch_path("said"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
	dup2(out, STDERR_FILENO);
	optind = 0;
	rc = lw_tools_generate(10, argv);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(out);
	said = scratch_read(scratch_path("said"));
	ck_assert_int_eq(rc, LW_TOOLS_FAILED);
	ck_assert_msg(strstr(said, "/dev/full: cannot write") != NULL, "%s", said);
	free(said);
}

/* What is drawn, ten seconds on and at a half, on a terminal TERM of so many columns. */
static void draw(const char *term, unsigned short columns, const struct lw_progress_step *step,
		 char drawn[512])
{
	struct winsize size = { .ws_row = 5, .ws_col = columns };
	int saved = dup(STDERR_FILENO), terminal, screen;
	struct lw_progress progress;

	screen = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert(screen >= 0 && !grantpt(screen) && !unlockpt(screen));
	terminal = open(ptsname(screen), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(terminal, 0);
	ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
	dup2(terminal, STDERR_FILENO);
	setenv("TERM", term, 1);
	lw_progress_begin(&progress, "a run");
	progress.begun_s -= 10;
	if (step)
		lw_progress_set_step(&progress, step);
	lw_progress_show(&progress, 0.5, "of 1000 jobs");
	dup2(saved, STDERR_FILENO);
	memset(drawn, 0, 512);
	ck_assert_int_gt(read(screen, drawn, 511), 0);
	close(saved);
	close(terminal);
	close(screen);
}

/* On a terminal of 20 columns, of which the last would wrap. */
TEST(a_bar_stays_in_its_line)
{
	char drawn[512];

	draw("xterm", 20, NULL, drawn);
	ck_assert_str_eq(drawn, "\r\033[Ka run [############");
}

TEST(a_bar_says_how_long_it_will_take)
{
	char drawn[512];

	draw("xterm", 200, NULL, drawn);
	ck_assert_msg(strstr(drawn, "]  50 % of 1000 jobs, 10s left") != NULL, "%s", drawn);
}

/* The third of fifteen at a half: a sixth of all is done. */
TEST(a_bar_says_which_of_several_it_is)
{
	struct lw_progress_step step = { "policy", 3, 15, lw_progress_clock_s() - 100 };
	char drawn[512];

	draw("xterm", 200, &step, drawn);
	ck_assert_msg(strstr(drawn, "\033[Kpolicy 3 of 15: a run [") != NULL, "%s", drawn);
	ck_assert_msg(strstr(drawn, ", 8m20s left") != NULL, "%s", drawn);
}

TEST_EACH(a_dumb_terminal_gets_no_escapes, 2)
{
	static const char *const constraints[] = { "dumb", "" };
	char drawn[512];

	draw(constraints[_i], 200, NULL, drawn);
	ck_assert_ptr_null(strchr(drawn, '\033'));
	ck_assert_int_eq(strncmp(drawn, "a run [", 7), 0);
	ck_assert_ptr_nonnull(strchr(drawn, '\n'));
}

static const struct {
	int width;
	enum lw_field_form form;
	const char *text, *row;
} cells[] = {
	{ -6, LW_FIELD_TEXT, "ab", "ab     |" },
	{ -6, LW_FIELD_TEXT, "caf\303\251", "caf\303\251   |" },
	{ 6, LW_FIELD_TEXT, "caf\303\251", "  caf\303\251 |" },
	{ -4, LW_FIELD_TEXT, "longer", "longer |" },
	{ -4, LW_FIELD_CUT, "longer", "long |" },
	{ -4, LW_FIELD_CUT, "caf\303\251s", "caf\303\251 |" },
};

TEST_EACH(a_column_is_as_wide_with_characters_of_two_bytes, LW_COUNT_OF(cells))
{
	const struct lw_fields fields = { { { .title = "name",
					      .width = cells[_i].width,
					      .form = cells[_i].form,
					      .text = cells[_i].text },
					    { .title = "|", .form = LW_FIELD_TEXT, .text = "|" },
					    { 0 } } };
	struct lw_strbuf row = LW_STRBUF_INIT;

	lw_fields_row(&fields, &row);
	ck_assert_str_eq(lw_strbuf_text(&row), cells[_i].row);
	lw_strbuf_fini(&row);
}
