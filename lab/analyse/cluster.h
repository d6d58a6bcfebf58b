/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: leeway analyse --cluster: what sacct says of the cluster it is called on. */
#ifndef LW_LAB_ANALYSE_CLUSTER_H
#define LW_LAB_ANALYSE_CLUSTER_H

#include "base/error.h"

#include <stdint.h>

/* A file without a name that holds it, at its begin. */
struct lw_ana_cluster {
	int fd;
};

/*
 * Ask sacct, found in BIN or, "", in PATH, for the jobs that ended within SINCE_S seconds. What
 * it complains of goes to standard error. -errno with ERR; -EIO when it fails.
 */
int lw_ana_cluster_ask(struct lw_ana_cluster *cluster, const char *bin, int64_t since_s,
		       struct lw_error *err);
void lw_ana_cluster_fini(struct lw_ana_cluster *cluster);

#endif
