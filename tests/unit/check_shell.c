/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of tagger/shell.h: the commands of a script. */
#include "tagger/shell.h"

#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

struct seen {
	char text[256];
};

static void note_command(void *arg, const struct lw_shell_command *command)
{
	struct seen *seen = arg;

	for (uint32_t i = 0; i < command->words; i++) {
		size_t used = strlen(seen->text);

		snprintf(seen->text + used, sizeof(seen->text) - used, "%.*s%s",
			 (int)command->word[i].len, command->word[i].text,
			 i + 1 < command->words ? " " : ";");
	}
}

static const struct {
	const char *script, *want;
} shells[] = {
	{ "a b", "a b;" },
	{ "a; b && c || d | e & f", "a;b;c;d;e;f;" },
	{ "a 'b c' \"d e\" f\\ g", "a b c d e f g;" },
	{ "a >x 2>&1 <y &>z b", "a b;" },
	{ "a <<X b\nbody\nX\nc", "a b;c;" },
	{ "a # comment\n#c\nb#d", "a;b#d;" },
	{ "a \\\n b\n", "a b;" },
	{ "x=$(b c) d", "b c;x=$ d;" },
	{ "a `b c` d", "b c;a  d;" },
	{ "(a; b) | c", "a;b;c;" },
	{ "a ${x:-y} z", "a ${x:-y} z;" },
	{ "a <<< word b", "a b;" },
	{ "\"$(a)\"", "$(a);" },
	{ "a \"x\ny\" b", "a x\ny b;" },
	{ "f() { a; }", "{ a;};" },
	{ "case x in y) b;; esac", "case x in;b;" },
	{ "case x in a|b) c;; (d) e;; *) esac; f", "case x in;c;e;esac;f;" },
	{ "case x in\n# a) b\nc) d\nesac\ne", "case x in;d;esac;e;" },
	{ "case x in a) case y in b) c;; esac;; d) e;; esac; f", "case x in;case y in;c;e;f;" },
	{ "if a; then case x in b) c;; esac; fi", "if a;then case x in;c;fi;" },
	{ "echo case x in; b) c", "echo case x in;c;" },
	{ "a \"b c\"d 'e'", "a b cd e;" },
	{ "a \"b\\\"c\"", "a b\"c;" },
	{ "a \"b \\\n c\"", "a b  c;" },
};

/* Where '#' begins a comment, and where it is a letter. */
static const struct {
	const char *script, *want;
} hashes[] = {
	{ "x a; b", "x a;b;" },
	{ "x $#; b", "x $#;b;" },
	{ "x $# && b", "x $#;b;" },
	{ "x a$# c && b", "x a$# c;b;" },
	{ "x ${#a} ${a#c} && b", "x ${#a} ${a#c};b;" },
	{ "x 'a'#c && b", "x a#c;b;" },
	{ "x \"a\"#c && b", "x a#c;b;" },
	{ "x $(a)#c && b", "a;x $#c;b;" },
	{ "x `a`#c && b", "a;x #c;b;" },
	{ "x a\\ #c && b", "x a #c;b;" },
	{ "x a#c && b", "x a#c;b;" },
	{ "x #c && b\nd", "x;d;" },
	{ "x a #c && b\nd", "x a;d;" },
	{ "x $ #c && b\nd", "x $;d;" },
	{ "x 'a' #c && b\nd", "x a;d;" },
	{ "x;#c && b\nd", "x;d;" },
	{ "x a \\\n#c && b\nd", "x a;d;" },
};

TEST_EACH(comments_are_told_from_letters, LW_COUNT_OF(hashes))
{
	struct seen seen = { "" };
	struct lw_shell_reader reader = { .found = note_command, .arg = &seen };

	lw_shell_scan(hashes[_i].script, strlen(hashes[_i].script), &reader);
	ck_assert_str_eq(seen.text, hashes[_i].want);
}

TEST_EACH(shell_commands_are_found, LW_COUNT_OF(shells))
{
	struct seen seen = { "" };
	struct lw_shell_reader reader = { .found = note_command, .arg = &seen };

	lw_shell_scan(shells[_i].script, strlen(shells[_i].script), &reader);
	ck_assert_str_eq(seen.text, shells[_i].want);
}
