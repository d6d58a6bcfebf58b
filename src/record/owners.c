/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the jobs of the processes on a shared device, and the part of one job. */
#include "record/owners.h"

#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of proc(5)'s stat: how many words lie between the name, in brackets, and the start time. */
#define WORDS_BEFORE_START 19

/* When PID started, in the kernel's ticks. -ESRCH: it is gone. */
static int owners_find_start(uint32_t pid, uint64_t *ret_start)
{
	char path[64], text[1024];
	const char *at;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -ESRCH;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got <= 0)
		return -ESRCH;
	text[got] = '\0';
	at = strrchr(text, ')'); /* the name may have brackets and blanks of its own */
	for (int i = 0; at && i <= WORDS_BEFORE_START; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && lw_number_take(&at, UINT64_MAX, ret_start) ? 0 : -ESRCH;
}

static void owners_keep(struct lw_owners *owners, uint32_t pid, uint64_t start, uint32_t job_id)
{
	uint32_t at = owners->next;

	owners->kept[at].pid = pid;
	owners->kept[at].start = start;
	owners->kept[at].job_id = job_id;
	owners->next = (at + 1) % LW_OWNERS_KEPT;
	if (owners->count < LW_OWNERS_KEPT)
		owners->count++;
}

/* -ESRCH: the process is gone. -errno: its job is not known now. */
static int owners_find_owner(struct lw_owners *owners, uint32_t pid, uint32_t *ret_job)
{
	uint64_t start;
	int rc = owners_find_start(pid, &start);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < owners->count; i++) {
		if (owners->kept[i].pid != pid || owners->kept[i].start != start)
			continue;
		*ret_job = owners->kept[i].job_id;
		return 0;
	}
	rc = owners->ask ? owners->ask(owners->arg, pid, ret_job) : -ENOSYS;
	if (!rc)
		owners_keep(owners, pid, start, *ret_job);
	return rc == -ESRCH ? -EIO : rc;
}

/* Sums over the processes of our job, of other jobs, and of no job. */
struct sums {
	uint32_t own, strange, others;
	uint64_t mem, util, others_util;
	bool has_mem, has_util; /* of all of its own */
	bool strange_works;
};

/* False: the job of one of them is not known. */
static bool owners_add_up(struct lw_owners *owners, const struct lw_gpu_process *list, int count,
			  struct sums *sums)
{
	for (int i = 0; i < count; i++) {
		uint32_t owner = 0;
		int rc = owners_find_owner(owners, list[i].pid, &owner);

		if (rc == -ESRCH)
			continue;
		if (rc)
			return false;
		if (!owner) {
			sums->strange++;
			sums->strange_works |= !list[i].has_util || list[i].util;
		}
		if (owner && owner != owners->job_id) {
			sums->others++;
			sums->others_util += list[i].util;
		}
		if (owner != owners->job_id)
			continue;
		sums->own++;
		sums->mem += list[i].mem_mib;
		sums->util += list[i].util;
		sums->has_mem &= list[i].has_mem;
		sums->has_util &= list[i].has_util;
	}
	return true;
}

static void owners_put_value(struct lw_gpu_sample *sample, enum lw_metric metric, uint64_t value)
{
	sample->has |= 1u << metric;
	sample->value[metric] = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void owners_put_of_device(const struct lw_gpu_sample *device, enum lw_metric from,
				 enum lw_metric to, struct lw_gpu_sample *own)
{
	if (device->has & 1u << from)
		owners_put_value(own, to, device->value[from]);
}

static void owners_put_own(const struct sums *sums, struct lw_gpu_sample *own)
{
	owners_put_value(own, LW_METRIC_PROC, sums->own);
	if (sums->has_mem)
		owners_put_value(own, LW_METRIC_MEM, sums->mem);
	if (sums->has_util && !sums->strange_works)
		owners_put_value(own, LW_METRIC_UTIL, sums->util < 100 ? sums->util : 100);
}

void lw_owners_split(struct lw_owners *owners, const struct lw_gpu_process *list, int count,
		     uint32_t neighbours, const struct lw_gpu_sample *device,
		     struct lw_gpu_sample *own)
{
	struct sums sums = { .has_mem = true, .has_util = true };
	bool known = count >= 0 && owners_add_up(owners, list, count, &sums);

	memset(own, 0, sizeof(*own));
	owners->others_util = 0;
	if (known)
		owners->others_util = sums.others_util < 100 ? (uint32_t)sums.others_util : 100;
	owners_put_of_device(device, LW_METRIC_MEM, LW_METRIC_DMEM, own);
	if (known && !neighbours && !sums.others) {
		owners_put_of_device(device, LW_METRIC_SM, LW_METRIC_SM, own);
	} else {
		owners_put_of_device(device, LW_METRIC_UTIL, LW_METRIC_DUTIL, own);
		owners_put_of_device(device, LW_METRIC_SM, LW_METRIC_DSM, own);
	}
	/* a process without a job may work for ours */
	if (known && (sums.own || !sums.strange))
		owners_put_own(&sums, own);
}
