/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read one device through NVML, whatever it can count. */
#ifndef LW_RECORD_NVML_READ_H
#define LW_RECORD_NVML_READ_H

#include "record/nvml_abi.h"
#include "record/record.h"

/* A counter that only grows, as it was at the last reading. */
struct lw_nvml_counter {
	bool known;
	unsigned long long value;
	long long time_us;
};

/* One device, or one MIG instance of a device. */
struct lw_nvml_unit {
	lw_nvml_device device; /* NULL: not found, nothing to read */
	lw_nvml_device parent; /* of a MIG instance the whole device, else NULL */
	unsigned instance;     /* of the parent */
	bool split;            /* a whole device in MIG mode: nothing of it is one job's */
	bool has_gpm;
	bool gpm_has_earlier;
	unsigned gpm_turn; /* which of the two the next reading goes to */
	lw_nvml_gpm_sample gpm[2];
	struct lw_nvml_counter counter[4]; /* NVLink and PCIe, each out and in */
};

/*
 * Get UNIT, with device, parent, instance and split set, ready to be read. Never fails:
 * what the library or the device lacks is left out of the readings.
 */
void lw_nvml_unit_init(const struct lw_nvml *nvml, struct lw_nvml_unit *unit);
void lw_nvml_unit_fini(const struct lw_nvml *nvml, struct lw_nvml_unit *unit);
/* One reading. SAMPLE is zeroed by the caller. */
void lw_nvml_unit_read(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
		       struct lw_gpu_sample *sample);

#endif
