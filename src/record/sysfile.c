/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: small files in which the kernel's drivers say one thing, a word or a number. */
#include "record/sysfile.h"

#include "base/number.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool lw_sysfile_word(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, buf, size - 1);
	close(fd);
	if (got <= 0)
		return false;
	buf[got] = '\0';
	buf[strcspn(buf, " \t\n")] = '\0';
	return *buf != '\0';
}

bool lw_sysfile_number(const char *path, uint64_t *ret_value)
{
	char word[32];

	return lw_sysfile_word(path, word, sizeof(word)) &&
	       lw_number_read(word, UINT64_MAX, ret_value);
}

void lw_sysfile_sample(const char *path, enum lw_metric metric, uint64_t divisor,
		       struct lw_gpu_sample *sample)
{
	uint64_t value;

	if (!lw_sysfile_number(path, &value))
		return;
	value = value / divisor + (value % divisor >= (divisor + 1) / 2);
	if (value > (metric == LW_METRIC_UTIL ? 100 : UINT32_MAX - 1))
		return;
	sample->has |= 1u << metric;
	sample->value[metric] = (uint32_t)value;
}
