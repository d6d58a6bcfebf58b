/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: lists of hosts as Slurm's files write them, "n[01-16],gpu[1-2]-a", spelt out. */
#ifndef LW_BASE_HOSTS_H
#define LW_BASE_HOSTS_H

#include <stdint.h>

/* More hosts than any cluster has; a longer list is a mistake. */
#define LW_HOSTS_MAX 1000000

struct lw_hosts {
	char **names;
	uint32_t count;
	uint32_t room;
};

void lw_hosts_init(struct lw_hosts *hosts);
void lw_hosts_fini(struct lw_hosts *hosts);

/*
 * Append the hosts of TEXT in the order written. Several ranges in a name stand for all
 * combinations, and leading zeros are kept. -EINVAL: TEXT is no such list; -E2BIG: above
 * LW_HOSTS_MAX; -ENOMEM. After a failure HOSTS may have grown.
 */
int lw_hosts_add(struct lw_hosts *hosts, const char *text);

#endif
