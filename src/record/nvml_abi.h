/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the few calls of NVIDIA's management library (NVML) that Leeway makes. */
#ifndef LW_RECORD_NVML_ABI_H
#define LW_RECORD_NVML_ABI_H

/*
 * Declarations of our own for a binary interface that NVIDIA keeps stable: every change gets a
 * new name (_v2). So nothing of NVIDIA's is needed to build, and a node without a GPU needs no
 * library. Names and numbers are those of the NVML API reference.
 */

#define LW_NVML_OK                0
#define LW_NVML_NOT_SUPPORTED     3
#define LW_NVML_NOT_FOUND         6
#define LW_NVML_INSUFFICIENT_SIZE 7
#define LW_NVML_TEMPERATURE_GPU   0
#define LW_NVML_NO_INSTANCE       0xffffffffu

typedef void *lw_nvml_device;
typedef void *lw_nvml_gpm_sample;

struct lw_nvml_utilization {
	unsigned gpu; /* % of the last period in which a kernel ran */
	unsigned memory;
};

struct lw_nvml_memory {
	unsigned long long total;
	unsigned long long free;
	unsigned long long used; /* with the driver's own part */
};

/* nvmlDeviceGetMemoryInfo_v2 separates the driver's part from the rest. */
struct lw_nvml_memory_v2 {
	unsigned version;
	unsigned long long total;
	unsigned long long reserved;
	unsigned long long free;
	unsigned long long used;
};
#define LW_NVML_MEMORY_V2 ((unsigned)sizeof(struct lw_nvml_memory_v2) | 2u << 24)

/* Fields of nvmlDeviceGetFieldValues, counted since the driver was loaded. */
enum lw_nvml_field_id {
	LW_NVML_FIELD_NVLINK_TX_KIB = 138, /* scope: a link, or all */
	LW_NVML_FIELD_NVLINK_RX_KIB = 139,
	LW_NVML_FIELD_PCIE_TX_BYTES = 197,
	LW_NVML_FIELD_PCIE_RX_BYTES = 198,
};
#define LW_NVML_ALL_LINKS 0xffffffffu

/* The types of values with 64 bits; shorter ones wrap within seconds. */
enum lw_nvml_value_type {
	LW_NVML_UNSIGNED_LONG = 2,
	LW_NVML_UNSIGNED_LONG_LONG = 3,
};

struct lw_nvml_field {
	unsigned id;
	unsigned scope;
	long long timestamp_us;
	long long latency_us;
	int type;
	int result;
	unsigned long long value;
};

/* GPU performance monitoring (GPM), on Hopper and later, also of MIG instances. */
enum lw_nvml_gpm_id {
	LW_NVML_GPM_GRAPHICS_UTIL = 1, /* %, as lw_nvml_utilization.gpu */
	LW_NVML_GPM_SM_UTIL = 2,       /* % of the multiprocessors that were busy */
	LW_NVML_GPM_TENSOR_UTIL = 5,   /* % of what the tensor cores could do, of all kinds */
	LW_NVML_GPM_DRAM_UTIL = 10,    /* % of the memory's bandwidth */
	LW_NVML_GPM_PCIE_TX_MIB_S = 20,
	LW_NVML_GPM_PCIE_RX_MIB_S = 21,
	LW_NVML_GPM_NVLINK_RX_MIB_S = 60,
	LW_NVML_GPM_NVLINK_TX_MIB_S = 61,
};
#define LW_NVML_GPM_ASKED 8

struct lw_nvml_gpm_metric {
	unsigned id;
	int result;
	double value;
	const char *names[3];
};

/* The library reads the first metric_count only, so this array may be shorter. */
struct lw_nvml_gpm_metrics {
	unsigned version; /* 1 */
	unsigned metric_count;
	lw_nvml_gpm_sample earlier;
	lw_nvml_gpm_sample later;
	struct lw_nvml_gpm_metric metric[LW_NVML_GPM_ASKED];
};

struct lw_nvml_gpm_support {
	unsigned version; /* 1 */
	unsigned supported;
};

/* A process that has the device open. */
struct lw_nvml_process {
	unsigned pid;
	unsigned long long used; /* bytes; LW_NVML_NO_VALUE: not known */
	unsigned instance;
	unsigned compute_instance;
};
#define LW_NVML_NO_VALUE 0xffffffffffffffffull

/* The use by a process in one of the driver's periods. An idle process has none. */
struct lw_nvml_process_sample {
	unsigned pid;
	unsigned long long time_us;
	unsigned sm; /* % of the period in which a kernel of it ran */
	unsigned memory;
	unsigned encoder;
	unsigned decoder;
};

/* Required functions, name and type. */
#define LW_NVML_REQUIRED(F)                                                                      \
	F(init, "nvmlInit_v2", int (*)(void))                                                    \
	F(shutdown, "nvmlShutdown", int (*)(void))                                               \
	F(count, "nvmlDeviceGetCount_v2", int (*)(unsigned *))                                   \
	F(by_index, "nvmlDeviceGetHandleByIndex_v2", int (*)(unsigned, lw_nvml_device *))        \
	F(uuid, "nvmlDeviceGetUUID", int (*)(lw_nvml_device, char *, unsigned))                  \
	F(memory, "nvmlDeviceGetMemoryInfo", int (*)(lw_nvml_device, struct lw_nvml_memory *))   \
	F(utilization, "nvmlDeviceGetUtilizationRates",                                          \
	  int (*)(lw_nvml_device, struct lw_nvml_utilization *))

/* Functions that an old library may lack; then they are NULL. */
#define LW_NVML_OPTIONAL(F)                                                                      \
	F(minor, "nvmlDeviceGetMinorNumber", int (*)(lw_nvml_device, unsigned *))                \
	F(by_uuid, "nvmlDeviceGetHandleByUUID", int (*)(const char *, lw_nvml_device *))         \
	F(mig_mode, "nvmlDeviceGetMigMode", int (*)(lw_nvml_device, unsigned *, unsigned *))     \
	F(mig_parent, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle",                            \
	  int (*)(lw_nvml_device, lw_nvml_device *))                                             \
	F(mig_instance, "nvmlDeviceGetGpuInstanceId", int (*)(lw_nvml_device, unsigned *))       \
	F(memory_v2, "nvmlDeviceGetMemoryInfo_v2",                                               \
	  int (*)(lw_nvml_device, struct lw_nvml_memory_v2 *))                                   \
	F(power_mw, "nvmlDeviceGetPowerUsage", int (*)(lw_nvml_device, unsigned *))              \
	F(energy_mj, "nvmlDeviceGetTotalEnergyConsumption",                                      \
	  int (*)(lw_nvml_device, unsigned long long *))                                         \
	F(temperature, "nvmlDeviceGetTemperature",                                               \
	  int (*)(lw_nvml_device, unsigned, unsigned *))                                         \
	F(processes, "nvmlDeviceGetComputeRunningProcesses_v3",                                  \
	  int (*)(lw_nvml_device, unsigned *, struct lw_nvml_process *))                         \
	F(process_samples, "nvmlDeviceGetProcessUtilization",                                    \
	  int (*)(lw_nvml_device, struct lw_nvml_process_sample *, unsigned *,                   \
		  unsigned long long))                                                           \
	F(fields, "nvmlDeviceGetFieldValues",                                                    \
	  int (*)(lw_nvml_device, int, struct lw_nvml_field *))                                  \
	F(gpm_support, "nvmlGpmQueryDeviceSupport",                                              \
	  int (*)(lw_nvml_device, struct lw_nvml_gpm_support *))                                 \
	F(gpm_alloc, "nvmlGpmSampleAlloc", int (*)(lw_nvml_gpm_sample *))                        \
	F(gpm_free, "nvmlGpmSampleFree", int (*)(lw_nvml_gpm_sample))                            \
	F(gpm_sample, "nvmlGpmSampleGet", int (*)(lw_nvml_device, lw_nvml_gpm_sample))           \
	F(gpm_mig_sample, "nvmlGpmMigSampleGet",                                                 \
	  int (*)(lw_nvml_device, unsigned, lw_nvml_gpm_sample))                                 \
	F(gpm_metrics, "nvmlGpmMetricsGet", int (*)(struct lw_nvml_gpm_metrics *))

/* The library, opened. */
struct lw_nvml {
	void *handle;
#define LW_NVML_MEMBER(field, symbol, type) __typeof__(type) field;
	LW_NVML_REQUIRED(LW_NVML_MEMBER)
	LW_NVML_OPTIONAL(LW_NVML_MEMBER)
#undef LW_NVML_MEMBER
};

#endif
