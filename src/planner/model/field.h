/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: the types of fields in job.def, in C. */
#ifndef LW_PLANNER_FIELD_H
#define LW_PLANNER_FIELD_H

#include "planner/model/resource.h"

/* An amount for each type of GPU. */
typedef uint16_t lw_gpu_counts[LW_GPU_TYPES_MAX];

/* A time for each, in seconds. */
typedef uint32_t lw_gpu_times[LW_GPU_TYPES_MAX];

/* How each is written and read is in planner/text/text_fields.c. */
#define LW_C_U32   uint32_t
#define LW_C_U16   uint16_t
#define LW_C_TIME  int64_t
#define LW_C_SPAN  uint32_t /* the low end of a span */
#define LW_C_HIGH  uint32_t /* its high end, which is the next field */
#define LW_C_FLAG  bool
#define LW_C_STATE enum lw_readiness
#define LW_C_TYPE  int8_t /* of GPU: its index, or LW_GPU_ANY */
#define LW_C_GPUS  lw_gpu_counts
#define LW_C_TIMES lw_gpu_times
#define LW_C_MASK  uint64_t /* a bit each */
#define LW_C_STAYS uint64_t /* predictor/survival.h */

/* A line of job.def as a member of its struct. */
#define LW_MEMBER(type, name, ...) LW_C_##type name;

#endif
