/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: read one device through NVML, whatever it can count. */
/*
 * A MIG instance counts memory and processes of its own; its utilisation comes from GPM
 * (Hopper and later) or not at all. Power and temperature are the whole device's, which
 * others share, and are left out. Traffic comes from GPM, or from counters of 64 bits, of
 * which the whole job's mean is made: a 32-bit counter of bytes may wrap several times.
 *
 * A reading makes cheap calls alone. nvmlDeviceGetFieldValues takes 0.8 ms for the counters
 * and 3 to 13 ms for the energy, which is read at a job's begin and end alone;
 * nvmlDeviceGetPcieThroughput blocks 20 ms.
 */
#include "record/nvml_read.h"

#include <string.h>

#define MIB (1024 * 1024)

enum { NVLINK_TX, NVLINK_RX, PCIE_TX, PCIE_RX };

static void nvml_read_put(struct lw_gpu_sample *sample, enum lw_metric metric, double value)
{
	if (!(value >= 0) || value > UINT32_MAX - 1)
		return;
	sample->has |= 1u << metric;
	sample->value[metric] = (uint32_t)(value + 0.5);
}

static void nvml_read_put_percent(struct lw_gpu_sample *sample, enum lw_metric metric,
				  double value)
{
	nvml_read_put(sample, metric, value > 100 ? 100 : value);
}

/* ---- GPM ---- */

static bool nvml_read_gpm_is_complete(const struct lw_nvml *nvml, bool for_mig)
{
	return nvml->gpm_support && nvml->gpm_alloc && nvml->gpm_free && nvml->gpm_metrics &&
	       (for_mig ? nvml->gpm_mig_sample != NULL : nvml->gpm_sample != NULL);
}

static void nvml_read_init_gpm(const struct lw_nvml *nvml, struct lw_nvml_unit *unit)
{
	struct lw_nvml_gpm_support support = { .version = 1 };
	lw_nvml_device device = unit->parent ? unit->parent : unit->device;

	if (!nvml_read_gpm_is_complete(nvml, unit->parent != NULL) ||
	    nvml->gpm_support(device, &support) != LW_NVML_OK || !support.supported ||
	    nvml->gpm_alloc(&unit->gpm[0]) != LW_NVML_OK)
		return;
	if (nvml->gpm_alloc(&unit->gpm[1]) != LW_NVML_OK) {
		nvml->gpm_free(unit->gpm[0]);
		return;
	}
	unit->has_gpm = true;
}

/* The metrics that are asked for; of a whole device the utilisation has a cheaper call. */
static void nvml_read_choose_gpm_metrics(struct lw_nvml_unit *unit)
{
	static const enum lw_nvml_gpm_id ids[LW_NVML_GPM_ASKED] = {
		LW_NVML_GPM_GRAPHICS_UTIL,   LW_NVML_GPM_SM_UTIL,
		LW_NVML_GPM_TENSOR_UTIL,     LW_NVML_GPM_DRAM_UTIL,
		LW_NVML_GPM_PCIE_TX_MIB_S,   LW_NVML_GPM_PCIE_RX_MIB_S,
		LW_NVML_GPM_NVLINK_RX_MIB_S, LW_NVML_GPM_NVLINK_TX_MIB_S,
	};

	unit->gpm_ids = 0;
	for (size_t i = 0; i < LW_NVML_GPM_ASKED; i++)
		if (unit->parent || ids[i] != LW_NVML_GPM_GRAPHICS_UTIL)
			unit->gpm_id[unit->gpm_ids++] = ids[i];
}

/* What the device does not have, as one without NVLink, is not asked for again. */
static void nvml_read_keep_supported(struct lw_nvml_unit *unit,
				     const struct lw_nvml_gpm_metrics *asked)
{
	unit->gpm_ids = 0;
	for (unsigned i = 0; i < asked->metric_count; i++)
		if (asked->metric[i].result != LW_NVML_NOT_SUPPORTED)
			unit->gpm_id[unit->gpm_ids++] = asked->metric[i].id;
}

/* Traffic is known when both ways are. */
struct traffic {
	double mib_s;
	unsigned parts;
};

static void nvml_read_add_traffic(struct traffic *traffic, double mib_s)
{
	traffic->mib_s += mib_s;
	traffic->parts++;
}

static void nvml_read_put_gpm(struct lw_nvml_unit *unit, const struct lw_nvml_gpm_metrics *asked,
			      struct lw_gpu_sample *sample)
{
	struct traffic pcie = { 0 }, nvlink = { 0 };

	for (unsigned i = 0; i < asked->metric_count; i++) {
		const struct lw_nvml_gpm_metric *metric = &asked->metric[i];

		if (metric->result != LW_NVML_OK || !(metric->value >= 0))
			continue;
		if (metric->id == LW_NVML_GPM_SM_UTIL)
			nvml_read_put_percent(sample, LW_METRIC_SM, metric->value);
		else if (metric->id == LW_NVML_GPM_TENSOR_UTIL)
			nvml_read_put_percent(sample, LW_METRIC_TENSOR, metric->value);
		else if (metric->id == LW_NVML_GPM_DRAM_UTIL)
			nvml_read_put_percent(sample, LW_METRIC_MEMBW, metric->value);
		else if (metric->id == LW_NVML_GPM_GRAPHICS_UTIL)
			nvml_read_put_percent(&unit->held, LW_METRIC_UTIL, metric->value);
		else
			nvml_read_add_traffic(metric->id < LW_NVML_GPM_NVLINK_RX_MIB_S ? &pcie
										       : &nvlink,
					      metric->value);
	}
	if (pcie.parts == 2)
		nvml_read_put(sample, LW_METRIC_PCIE, pcie.mib_s);
	if (nvlink.parts == 2)
		nvml_read_put(sample, LW_METRIC_NVLINK, nvlink.mib_s);
}

/* GPM tells of the time between two of its samples: the first one tells nothing yet. */
static void read_gpm(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
		     struct lw_gpu_sample *sample)
{
	struct lw_nvml_gpm_metrics asked = { .version = 1, .metric_count = unit->gpm_ids };
	lw_nvml_gpm_sample now = unit->gpm[unit->gpm_turn];
	int rc = unit->parent ? nvml->gpm_mig_sample(unit->parent, unit->instance, now)
			      : nvml->gpm_sample(unit->device, now);

	if (rc != LW_NVML_OK) {
		unit->gpm_has_earlier = false;
		return;
	}
	if (unit->gpm_has_earlier && unit->gpm_ids) {
		asked.earlier = unit->gpm[!unit->gpm_turn];
		asked.later = now;
		for (unsigned i = 0; i < unit->gpm_ids; i++)
			asked.metric[i].id = unit->gpm_id[i];
		if (nvml->gpm_metrics(&asked) == LW_NVML_OK) {
			nvml_read_put_gpm(unit, &asked, sample);
			nvml_read_keep_supported(unit, &asked);
		}
	}
	unit->gpm_has_earlier = true;
	unit->gpm_turn = !unit->gpm_turn;
}

/* ---- counters ---- */

/* Units a second since COUNTER was noted; negative when that cannot be said. */
static double nvml_read_rate(const struct lw_nvml_counter *before,
			     const struct lw_nvml_counter *now)
{
	if (!before->known || !now->known || now->value < before->value ||
	    now->time_us <= before->time_us)
		return -1;
	return (double)(now->value - before->value) * 1e6 /
	       (double)(now->time_us - before->time_us);
}

static struct lw_nvml_counter nvml_read_note_counter(const struct lw_nvml_field *field)
{
	if (field->result != LW_NVML_OK ||
	    (field->type != LW_NVML_UNSIGNED_LONG && field->type != LW_NVML_UNSIGNED_LONG_LONG))
		return (struct lw_nvml_counter){ .known = false };
	return (struct lw_nvml_counter){ true, field->value, field->timestamp_us };
}

/* As long as four of the cheap calls together: so at a job's begin and end alone. */
static void read_counters(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			  struct lw_nvml_counter *counters)
{
	struct lw_nvml_field fields[LW_NVML_COUNTERS] = {
		[NVLINK_TX] = { .id = LW_NVML_FIELD_NVLINK_TX_KIB, .scope = LW_NVML_ALL_LINKS },
		[NVLINK_RX] = { .id = LW_NVML_FIELD_NVLINK_RX_KIB, .scope = LW_NVML_ALL_LINKS },
		[PCIE_TX] = { .id = LW_NVML_FIELD_PCIE_TX_BYTES },
		[PCIE_RX] = { .id = LW_NVML_FIELD_PCIE_RX_BYTES },
	};

	memset(counters, 0, LW_NVML_COUNTERS * sizeof(*counters));
	if (nvml->fields(unit->device, LW_NVML_COUNTERS, fields) != LW_NVML_OK)
		return;
	for (int i = 0; i < LW_NVML_COUNTERS; i++)
		counters[i] = nvml_read_note_counter(&fields[i]);
}

static bool nvml_read_has_counters(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit)
{
	return unit->device && !unit->split && !unit->parent && !unit->has_gpm && nvml->fields;
}

static void nvml_read_put_counters(const struct lw_nvml_counter *before,
				   const struct lw_nvml_counter *now,
				   struct lw_gpu_sample *sample)
{
	double rates[LW_NVML_COUNTERS];

	for (int i = 0; i < LW_NVML_COUNTERS; i++)
		rates[i] = nvml_read_rate(&before[i], &now[i]);
	if (rates[NVLINK_TX] >= 0 && rates[NVLINK_RX] >= 0)
		nvml_read_put(sample, LW_METRIC_NVLINK,
			      (rates[NVLINK_TX] + rates[NVLINK_RX]) / 1024);
	if (rates[PCIE_TX] >= 0 && rates[PCIE_RX] >= 0)
		nvml_read_put(sample, LW_METRIC_PCIE, (rates[PCIE_TX] + rates[PCIE_RX]) / MIB);
}

/* ---- everything ---- */

static void nvml_read_read_memory(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
				  struct lw_gpu_sample *sample)
{
	struct lw_nvml_memory_v2 newer = { .version = LW_NVML_MEMORY_V2 };
	struct lw_nvml_memory memory;

	if (nvml->memory_v2 && nvml->memory_v2(unit->device, &newer) == LW_NVML_OK)
		nvml_read_put(sample, LW_METRIC_MEM, (double)(newer.used / MIB));
	else if (nvml->memory(unit->device, &memory) == LW_NVML_OK)
		nvml_read_put(sample, LW_METRIC_MEM, (double)(memory.used / MIB));
}

/* Asked for none of them, the library says how many there are. */
static void read_processes(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			   struct lw_gpu_sample *sample)
{
	unsigned count = 0;
	int rc = nvml->processes(unit->device, &count, NULL);

	if (rc == LW_NVML_OK || rc == LW_NVML_INSUFFICIENT_SIZE)
		nvml_read_put(sample, LW_METRIC_PROC, count);
}

static void read_whole_device(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			      struct lw_gpu_sample *sample)
{
	struct lw_nvml_utilization utilization;
	unsigned value;

	if (nvml->utilization(unit->device, &utilization) == LW_NVML_OK)
		nvml_read_put_percent(sample, LW_METRIC_UTIL, utilization.gpu);
	if (nvml->power_mw && nvml->power_mw(unit->device, &value) == LW_NVML_OK)
		nvml_read_put(sample, LW_METRIC_POWER, value / 1000.0);
	if (nvml->temperature &&
	    nvml->temperature(unit->device, LW_NVML_TEMPERATURE_GPU, &value) == LW_NVML_OK)
		nvml_read_put(sample, LW_METRIC_TEMP, value);
}

void lw_nvml_unit_init(const struct lw_nvml *nvml, struct lw_nvml_unit *unit)
{
	unit->has_gpm = false;
	unit->gpm_has_earlier = false;
	unit->gpm_turn = 0;
	unit->has_slow = false;
	memset(&unit->held, 0, sizeof(unit->held));
	unit->processes_us = 0;
	memset(unit->counter, 0, sizeof(unit->counter));
	nvml_read_choose_gpm_metrics(unit);
	if (unit->device && !unit->split)
		nvml_read_init_gpm(nvml, unit);
	if (nvml_read_has_counters(nvml, unit))
		read_counters(nvml, unit, unit->counter);
}

void lw_nvml_unit_fini(const struct lw_nvml *nvml, struct lw_nvml_unit *unit)
{
	if (!unit->has_gpm)
		return;
	nvml->gpm_free(unit->gpm[0]);
	nvml->gpm_free(unit->gpm[1]);
	unit->has_gpm = false;
}

/* A clock that was set back must not keep us from it. */
static bool nvml_read_is_slow_due(const struct lw_nvml_unit *unit, int64_t now_s)
{
	return !unit->has_slow || now_s < unit->slow_s ||
	       now_s - unit->slow_s >= LW_RECORD_SLOW_EVERY_S;
}

static void read_slow(const struct lw_nvml *nvml, struct lw_nvml_unit *unit, int64_t now_s,
		      struct lw_gpu_sample *sample)
{
	unit->has_slow = true;
	unit->slow_s = now_s;
	memset(&unit->held, 0, sizeof(unit->held));
	if (nvml->processes)
		read_processes(nvml, unit, &unit->held);
	if (unit->has_gpm)
		read_gpm(nvml, unit, sample);
}

static void nvml_read_put_held(const struct lw_nvml_unit *unit, struct lw_gpu_sample *sample)
{
	for (int m = 0; m < LW_METRIC_COUNT; m++)
		if (unit->held.has & 1u << m)
			sample->value[m] = unit->held.value[m];
	sample->has |= unit->held.has;
}

void lw_nvml_unit_read(const struct lw_nvml *nvml, struct lw_nvml_unit *unit, int64_t now_s,
		       struct lw_gpu_sample *sample)
{
	if (!unit->device || unit->split)
		return;
	nvml_read_read_memory(nvml, unit, sample);
	if (!unit->parent)
		read_whole_device(nvml, unit, sample);
	if (nvml_read_is_slow_due(unit, now_s))
		read_slow(nvml, unit, now_s, sample);
	nvml_read_put_held(unit, sample);
}

bool lw_nvml_unit_energy(const struct lw_nvml *nvml, const struct lw_nvml_unit *unit,
			 uint64_t *ret_mj)
{
	unsigned long long mj;

	if (!unit->device || unit->split || unit->parent || !nvml->energy_mj ||
	    nvml->energy_mj(unit->device, &mj) != LW_NVML_OK)
		return false;
	*ret_mj = mj;
	return true;
}

void lw_nvml_unit_read_end(const struct lw_nvml *nvml, struct lw_nvml_unit *unit,
			   struct lw_gpu_sample *sample)
{
	struct lw_nvml_counter now[LW_NVML_COUNTERS];

	if (!nvml_read_has_counters(nvml, unit))
		return;
	read_counters(nvml, unit, now);
	nvml_read_put_counters(unit->counter, now, sample);
}
