/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: does a job script handle a signal, and requeue its own job? */
#include "tagger/handler.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define BLANKS " \t"
/* What ends a word of a shell's line. */
#define ENDS " \t;&|()'\"\r"

/* That --signal takes by name. */
static const struct {
	int number;
	const char *name;
} handler_signals[] = {
	{ SIGHUP, "HUP" },   { SIGINT, "INT" },   { SIGQUIT, "QUIT" }, { SIGABRT, "ABRT" },
	{ SIGUSR1, "USR1" }, { SIGUSR2, "USR2" }, { SIGALRM, "ALRM" }, { SIGTERM, "TERM" },
	{ SIGCONT, "CONT" }, { SIGXCPU, "XCPU" }, { SIGURG, "URG" },
};

const char *lw_handler_name(uint16_t signal, char name[LW_HANDLER_NAME_MAX])
{
	for (size_t i = 0; i < sizeof(handler_signals) / sizeof(handler_signals[0]); i++)
		if (handler_signals[i].number == signal)
			return handler_signals[i].name;
	snprintf(name, LW_HANDLER_NAME_MAX, "%u", (unsigned)signal);
	return name;
}

/* The next word of the line at *AT, of *RET_LEN bytes; NULL: there is none. */
static const char *handler_word(const char **at, size_t *ret_len)
{
	const char *word = *at + strspn(*at, ENDS);

	*ret_len = strcspn(word, ENDS);
	*at = word + *ret_len;
	return *ret_len ? word : NULL;
}

static bool handler_is(const char *word, size_t len, const char *wanted)
{
	return strlen(wanted) == len && !memcmp(word, wanted, len);
}

/* "USR1", "SIGUSR1" or "10" */
static bool handler_is_signal(const char *word, size_t len, uint16_t signal)
{
	char digits[LW_HANDLER_NAME_MAX], room[LW_HANDLER_NAME_MAX];
	const char *name = lw_handler_name(signal, room);

	snprintf(digits, sizeof(digits), "%u", (unsigned)signal);
	return handler_is(word, len, name) || handler_is(word, len, digits) ||
	       (len > 3 && !memcmp(word, "SIG", 3) && handler_is(word + 3, len - 3, name));
}

/* A line, without what it begins with. */
static void handler_read_line(const char *line, uint16_t signal, struct lw_handler *handler)
{
	bool traps = false, scontrol = false;
	size_t len, number = 0;
	const char *word;

	while ((word = handler_word(&line, &len)) && *word != '#') {
		traps |= !number++ && handler_is(word, len, "trap");
		handler->traps |= traps && handler_is_signal(word, len, signal);
		handler->requeues |= scontrol && handler_is(word, len, "requeue");
		scontrol = handler_is(word, len, "scontrol");
	}
}

void lw_handler_find(const char *script, size_t len, uint16_t signal,
		     struct lw_handler *ret_handler)
{
	struct lw_handler handler = { false, false };
	const char *end = script + (len < LW_HANDLER_SCRIPT_MAX ? len : LW_HANDLER_SCRIPT_MAX);
	char line[512];

	/* of a longer line the rest is not looked at */
	while (script < end && !(handler.traps && handler.requeues)) {
		const char *next = memchr(script, '\n', (size_t)(end - script));
		size_t size = (size_t)((next ? next : end) - script);

		snprintf(line, sizeof(line), "%.*s", (int)size, script);
		handler_read_line(line + strspn(line, BLANKS), signal, &handler);
		script += size + 1;
	}
	*ret_handler = handler;
}
