/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the reader of subcommands' options. */
#include "cli/common/options.h"

#include "unit/scratch.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

#define WORDS 8

/* Where the values of the table below go. */
static struct values {
	const char *text, *bare;
	uint32_t count, range[2], choice;
	double real;
	int64_t duration_s;
	bool flag, counted;
	const char *set_name, *set_value;
} got;

static int take(void *request, const char *name, const char *value, struct lw_error *err)
{
	struct values *values = request;

	if (strcmp(value, "bad") == 0)
		return lw_error_set(err, -EINVAL, "--%s: not that", name);
	values->set_name = name;
	values->set_value = value;
	return 0;
}

static const char *const colours[] = { "red", "green", "blue", NULL };

static const struct lw_option options[] = {
	LW_TEXT("")
	{ "text", 't', .text = &got.text },
	{ "count", 'n', .count = &got.count, .most = 9, .given = &got.counted },
	{ "some", .count = &got.count, .least = 1, .most = 9 },
	{ "real", .real = &got.real, .least = 0.5, .most = 2 },
	{ "time", .duration_s = &got.duration_s },
	{ "range", .range = got.range },
	{ "colour", .choice = &got.choice, .names = colours },
	{ "bare", .text = &got.bare, .bare = "-" },
	{ "set", .set = take },
	{ "any", .text = &got.text, .may_be_empty = true },
	{ "flag", 'f', .given = &got.flag },
	{ NULL },
};

/* Reads words, of which the first is the subcommand's own; how many there are. */
static int read_words(const char *const *words, int *ret_rc, struct lw_error *err)
{
	static char *argv[WORDS + 2];
	int argc = 0;

	memset(&got, 0, sizeof(got));
	argv[argc++] = "test";
	while (argc <= WORDS && words[argc - 1]) {
		argv[argc] = (char *)words[argc - 1];
		argc++;
	}
	argv[argc] = NULL;
	optind = 0; /* getopt begins anew */
	*ret_rc = lw_options_read(options, &got, argc, argv, err);
	return argc;
}

static const struct {
	const char *words[WORDS];
	struct values want;
	int left;
} good[] = {
	{ { NULL }, { .text = NULL }, 0 },
	{ { "--text", "a", "b" }, { .text = "a" }, 1 },
	{ { "b", "-ta" }, { .text = "a" }, 1 },
	{ { "--count=9" }, { .count = 9, .counted = true }, 0 },
	{ { "--some", "1" }, { .count = 1 }, 0 },
	{ { "-fn", "3" }, { .count = 3, .counted = true, .flag = true }, 0 },
	{ { "--real", "0.5" }, { .real = 0.5 }, 0 },
	{ { "--time", "2h" }, { .duration_s = 7200 }, 0 },
	{ { "--range", "2:7" }, { .range = { 2, 7 } }, 0 },
	{ { "--range", "3:3" }, { .range = { 3, 3 } }, 0 },
	{ { "--colour", "blue" }, { .choice = 2 }, 0 },
	{ { "--set", "x" }, { .set_name = "set", .set_value = "x" }, 0 },
	{ { "--bare" }, { .bare = "-" }, 0 },
	/* the next word is what is worked on: it is not to be written */
	{ { "--bare", "file" }, { .bare = "-" }, 1 },
	{ { "--bare=file" }, { .bare = "file" }, 0 },
	{ { "--bare", "-" }, { .bare = "-" }, 0 },
	{ { "--bare", "--flag" }, { .bare = "-", .flag = true }, 0 },
	{ { "--flag", "--", "--text" }, { .flag = true }, 1 },
	{ { "--any=" }, { .text = "" }, 0 },
	/* the last one holds */
	{ { "--text", "a", "--text", "b" }, { .text = "b" }, 0 },
};

static void check_text(const char *text, const char *want)
{
	if (want)
		ck_assert_str_eq(text, want);
	else
		ck_assert_ptr_null(text);
}

FIXTURE(scratch_setup, scratch_teardown);

TEST_EACH(values_go_where_the_table_says, LW_COUNT_OF(good))
{
	const struct values *want = &good[_i].want;
	struct lw_error err = { "" };
	int rc, argc = read_words(good[_i].words, &rc, &err);

	ck_assert_msg(!rc, "%s", err.text);
	ck_assert_int_eq(argc - optind, good[_i].left);
	check_text(got.text, want->text);
	check_text(got.bare, want->bare);
	check_text(got.set_name, want->set_name);
	check_text(got.set_value, want->set_value);
	ck_assert_uint_eq(got.count, want->count);
	ck_assert_uint_eq(got.range[0], want->range[0]);
	ck_assert_uint_eq(got.range[1], want->range[1]);
	ck_assert_uint_eq(got.choice, want->choice);
	ck_assert_double_eq(got.real, want->real);
	ck_assert_int_eq(got.duration_s, want->duration_s);
	ck_assert_int_eq(got.flag, want->flag);
	ck_assert_int_eq(got.counted, want->counted);
}

static const struct {
	const char *words[WORDS];
	const char *text; /* NULL: help is asked for */
} bad[] = {
	{ { "--nothing" }, "--nothing: no such option" },
	/* a text of --help is no option, and has no name that one may mean */
	{ { "--=" }, "--=: no such option" },
	{ { "--x" }, "--x: no such option" },
	{ { "a", "--nothing=b", "c" }, "--nothing=b: no such option" },
	{ { "--tume", "1h" }, "--tume: no such option; did you mean --time?" },
	{ { "--coulor=red" }, "--coulor=red: no such option; did you mean --colour?" },
	{ { "-x" }, "-x: no such option" },
	{ { "-fxt" }, "-x: no such option" },
	{ { "--flag=yes" }, "--flag=yes: it takes no value" },
	{ { "--text" }, "--text: its value is missing" },
	{ { "-ft" }, "-t: its value is missing" },
	{ { "--count", "10" }, "--count: \"10\" is not a whole number of 0 to 9" },
	{ { "--some", "0" }, "--some: \"0\" is not a whole number of 1 to 9" },
	{ { "--some", "10" }, "--some: \"10\" is not a whole number of 1 to 9" },
	{ { "--real", "0.4" }, "--real: \"0.4\" is not a number of 0.5 to 2" },
	{ { "--real", "0x1" }, "--real: \"0x1\" is not a number of 0.5 to 2" },
	{ { "--real", " 1" }, "--real: \" 1\" is not a number of 0.5 to 2" },
	{ { "--time", "soon" },
	  "--time: \"soon\" is not a time such as 90s, 2h30m or 1-00:00:00" },
	{ { "--range", "0:2" }, "--range: \"0:2\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--range", "3:2" }, "--range: \"3:2\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--range", "4294967297:4294968298" },
	  "--range: \"4294967297:4294968298\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--range", "1:99999999999" },
	  "--range: \"1:99999999999\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--range", "+1:2" }, "--range: \"+1:2\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--range", "1:2x" }, "--range: \"1:2x\" is not A:B with 1 <= A <= B <= 4294967295" },
	{ { "--colour", "bleu" }, "--colour: \"bleu\" is not red, green or blue" },
	{ { "--set", "bad" }, "--set: not that" },
	/* "$FILE" where FILE is not set */
	{ { "--text=" }, "--text: its value is empty" },
	{ { "--text", "" }, "--text: its value is empty" },
	{ { "-t", "" }, "--text: its value is empty" },
	{ { "--bare=" }, "--bare: its value is empty" },
	{ { "--set", "" }, "--set: its value is empty" },
	{ { "a", "" }, "a name is empty" },
	/* the first mistake is told */
	{ { "--count", "x", "--set", "bad" }, "--count: \"x\" is not a whole number of 0 to 9" },
	{ { "--help" }, NULL },
	{ { "-fh", "--nothing" }, NULL },
};

/* Options behind an operand are options, whatever the shell has exported. */
TEST(posix_changes_nothing)
{
	const char *const words[WORDS] = { "word", "--count", "3" };
	struct lw_error err = { "" };
	int rc;

	setenv("POSIXLY_CORRECT", "1", 1);
	read_words(words, &rc, &err);
	unsetenv("POSIXLY_CORRECT");
	ck_assert_msg(!rc, "%s", err.text);
	ck_assert_uint_eq(got.count, 3);
}

TEST_EACH(mistakes_are_told, LW_COUNT_OF(bad))
{
	struct lw_error err = { "" };
	int rc;

	read_words(bad[_i].words, &rc, &err);
	ck_assert_int_eq(rc, bad[_i].text ? -EINVAL : -ECANCELED);
	ck_assert_str_eq(err.text, bad[_i].text ? bad[_i].text : "");
}

/* A command whose options are all that it has. */
static int command(int argc, char **argv)
{
	const struct lw_option table[] = {
		LW_TEXT("usage: test\n\n")
		LW_OPTION("text", 't', "FILE", "what is read", .text = &got.text)
		LW_OPTION("bare", 0, "[=SECONDS]",
			  "a sentence of which the line is full at the eightieth column, no later",
			  .text = &got.bare, .bare = "-")
		LW_OPTION("of-one-too-long-for-it", 0, "N", "a line of its own",
			  .count = &got.count)
		LW_OPTION("flag", 'f', NULL,
			  "with a,list,that,is,longer,than,the,width,of,one,row,of,the,help,or,so",
			  .given = &got.flag)
		LW_TEXT("in between:\n")
		{ "hidden", .given = &got.counted },
		LW_OPTIONS_END("\nExit code: 0.\n")
	};
	struct lw_error err = { "" };
	int rc = lw_options_read(table, NULL, argc, argv, &err);

	return rc ? lw_options_refused("test", rc, &err) : 0;
}

static const struct {
	const char *line, *want;
} told[] = {
	{ "test --help",
	  "usage: test\n\n"
	  "  -t, --text FILE       what is read\n"
	  "  --bare[=SECONDS]      a sentence of which the line is full at the eightieth\n"
	  "                        column, no later\n"
	  "  --of-one-too-long-for-it N\n"
	  "                        a line of its own\n"
	  "  -f, --flag            with a,list,that,is,longer,than,the,width,of,one,row,of,\n"
	  "                        the,help,or,so\n"
	  "in between:\n"
	  "  -h, --help            print this\n"
	  "\nExit code: 0.\n" },
	{ "test --list-options",
	  "--text\tvalue\t\n--bare\toptional\t\n"
	  "--of-one-too-long-for-it\tvalue\t\n"
	  "--flag\tflag\t\n--hidden\tflag\t\n--help\tflag\t\n" },
};

TEST_EACH(the_table_is_printed, LW_COUNT_OF(told))
{
	char *text;

	ck_assert_int_eq(scratch_call(command, told[_i].line), 0);
	text = scratch_read(scratch_path("out"));
	ck_assert_str_eq(text, told[_i].want);
	free(text);
}

TEST(one_word_is_left)
{
	char *argv[] = { "test", "a", "b", NULL };
	const char *word = "untouched";
	struct lw_error err = { "" };

	optind = 1;
	ck_assert_int_eq(lw_options_word("file", 1, argv, &word, &err), -EINVAL);
	ck_assert_str_eq(err.text, "which file?");
	ck_assert_int_eq(lw_options_word("file", 3, argv, &word, &err), -EINVAL);
	ck_assert_str_eq(err.text, "more than one file: \"a\" and \"b\" (the file of --json is "
				   "written --json=FILE)");
	ck_assert_str_eq(word, "untouched");
	ck_assert_int_eq(lw_options_word("file", 2, argv, &word, &err), 0);
	ck_assert_str_eq(word, "a");
}
