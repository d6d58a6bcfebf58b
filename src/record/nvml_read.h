/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read one device through NVML, whatever it can count. */
#ifndef LW_RECORD_NVML_READ_H
#define LW_RECORD_NVML_READ_H

#include "record/nvml_abi.h"
#include "record/record.h"
#include "record/sampler.h"

/* A counter that only grows, with its value at the start of the job. */
struct lw_nvml_counter {
	bool known;
	unsigned long long value;
	long long time_us;
};

/* NVLink and PCIe, each out and in. */
#define LW_NVML_COUNTERS 4

/* One device, or one MIG instance of a device. */
struct lw_nvml_unit {
	lw_nvml_device device; /* NULL: not found, nothing to read */
	lw_nvml_device parent; /* the whole device of a MIG instance, else NULL */
	unsigned instance;     /* of the parent */
	bool split;            /* a whole device in MIG mode: nothing of it belongs to one job */
	bool has_slow;         /* the slow values were read at slow_s */
	int64_t slow_s;
	struct lw_gpu_sample held; /* their values, until they are read again */
	bool has_gpm;
	bool gpm_has_earlier;
	unsigned gpm_turn; /* which of the two samples the next reading uses */
	unsigned gpm_ids;  /* how many metrics the device is asked for */
	unsigned gpm_id[LW_NVML_GPM_ASKED];
	lw_nvml_gpm_sample gpm[2];
	struct lw_nvml_counter counter[LW_NVML_COUNTERS]; /* at the start of the job */
	unsigned long long processes_us; /* time of the last sample of processes that was read */
};

/*
 * Prepare UNIT, with device, parent, instance and split set, for reading. Never fails: what the
 * library or the device lacks is left out of the readings.
 */
void lw_nvml_unit_init(const struct lw_nvml *nvml, struct lw_nvml_unit *unit);
void lw_nvml_unit_fini(const struct lw_nvml *nvml, struct lw_nvml_unit *unit);
/* One reading, at NOW_S. SAMPLE is zeroed by the caller. */
void lw_nvml_unit_read(const struct lw_nvml *nvml, struct lw_nvml_unit *unit, int64_t now_s,
		       struct lw_gpu_sample *sample);
/*
 * What the device has used since the driver was loaded, in mJ; takes 3 to 13 ms. False: it does
 * not count that, or not for one job alone.
 */
bool lw_nvml_unit_energy(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			 uint64_t *ret_mj);
/*
 * Values that are known only for the whole time since init, at its end: the mean traffic of a
 * device without GPM. SAMPLE is zeroed by the caller, and may stay so.
 */
void lw_nvml_unit_read_end(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
			   struct lw_gpu_sample *sample);

/*
 * The processes on the device, as in lw_sampler_ops. The use by each is a mean over the driver's
 * periods since the last call. -ENOTSUP: MIG, or the driver does not tell.
 */
int lw_nvml_unit_processes(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
			   struct lw_gpu_process *list);

#endif
