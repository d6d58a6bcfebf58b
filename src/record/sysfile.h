/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: small files in which the kernel's drivers say one thing, a word or a number. */
#ifndef LW_RECORD_SYSFILE_H
#define LW_RECORD_SYSFILE_H

#include "record/record.h"

/* The first word of the file at PATH, into BUF of SIZE bytes. False if there is none. */
bool lw_sysfile_word(const char *path, char *buf, size_t size);

/* That word as a number of 0 to UINT64_MAX. False if it is none; then nothing has changed. */
bool lw_sysfile_number(const char *path, uint64_t *ret_value);

/*
 * A reading of METRIC into SAMPLE: the number in the file at PATH divided by DIVISOR, which
 * converts it to the metric's unit, rounded. A value that is missing, no number or impossible is
 * left out.
 */
void lw_sysfile_sample(const char *path, enum lw_metric metric, uint64_t divisor,
		       struct lw_gpu_sample *sample);

#endif
