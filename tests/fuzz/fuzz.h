/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: what the fuzz targets share. */
#ifndef LW_TESTS_FUZZ_H
#define LW_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What libFuzzer calls; each target has one. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Something that must hold: a finding if not. */
#define fuzz_check(condition) \
	((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))
__attribute__((noreturn)) void fuzz_fail(const char *what, const char *file, int line);

/* An error that people can read: it says something, in one plain line (base/plain.h). */
void fuzz_check_told(const char *text);

/* The first byte of what is left, which says how to go on; 0 at the end. */
uint8_t fuzz_take(const uint8_t **data, size_t *size);
/* A copy with a NUL behind it, to be freed; it may hold others. */
char *fuzz_text(const uint8_t *data, size_t size);

/*
 * A folder in memory, of this process alone, that goes away with it. NAME in it; valid until the
 * next call but seven.
 */
const char *fuzz_path(const char *name);
/* Write SIZE bytes to NAME in the folder, making folders of its path; its path. */
const char *fuzz_write(const char *name, const void *data, size_t size);
/* Remove NAME from the folder, with all that is in it. */
void fuzz_remove(const char *name);

/*
 * DATA is files, each behind a line "=== NAME": write those whose NAMES are in the NULL-terminated
 * list into the folder below DIR, and take away the others of the list.
 */
void fuzz_unpack(const char *dir, const char *const *names, const uint8_t *data, size_t size);

/* A command of the tools with the NULL-terminated WORDS; its exit code. */
int fuzz_call(int (*command)(int argc, char **argv), const char *const *words);

#endif
