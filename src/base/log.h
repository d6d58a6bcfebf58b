/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the log writer that a caller passes; the library has no default. */
#ifndef LW_BASE_LOG_H
#define LW_BASE_LOG_H

enum lw_log_level {
	LW_LOG_ERROR,
	LW_LOG_WARN,
	LW_LOG_INFO,
	LW_LOG_DEBUG,
};

/* LINE has no newline and is lent for the call. */
typedef void (*lw_log_write_f)(void *arg, enum lw_log_level level, const char *line);

struct lw_log {
	lw_log_write_f write;
	void *arg;
	enum lw_log_level level; /* less important lines are not even formatted */
};

/* Format one plain line (base/plain.h) and pass it to LOG's writer. A NULL log drops it. */
void lw_log_write(const struct lw_log *log, enum lw_log_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define lw_log_error(log, ...) lw_log_write(log, LW_LOG_ERROR, __VA_ARGS__)
#define lw_log_warn(log, ...)  lw_log_write(log, LW_LOG_WARN, __VA_ARGS__)
#define lw_log_info(log, ...)  lw_log_write(log, LW_LOG_INFO, __VA_ARGS__)
#define lw_log_debug(log, ...) lw_log_write(log, LW_LOG_DEBUG, __VA_ARGS__)

#endif
