/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the log writer that a caller passes; the library has no default. */
#include "base/log.h"

#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>

void lw_log_write(const struct lw_log *log, enum lw_log_level level, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	if (!log || !log->write || level > log->level)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	lw_plain_line(line);
	log->write(log->arg, level, line);
}
