/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: which metrics there are, and whether an expression of PromQL asks for them. */
#ifndef LW_TESTS_UNIT_MONITORING_H
#define LW_TESTS_UNIT_MONITORING_H

#include <stddef.h>

/* The families of the scheduler and of GPUs, by number. */
size_t monitoring_families(void);
const char *monitoring_family(size_t i);

/*
 * Is EXPR made of metrics that there are, asked by labels and values that they have, and rates of
 * counters alone? What is not: -EINVAL, with a COMPLAINT of at most SIZE bytes. It is no parser of
 * PromQL: of operators and functions nothing is known but how they look.
 */
int monitoring_judge(const char *expr, char *complaint, size_t size);

/* The path of FILE in the source, into BUF of SIZE bytes, which is returned. */
const char *monitoring_path(const char *file, char *buf, size_t size);
/* What is in it; the caller frees it. */
char *monitoring_read(const char *file);

#endif
