/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of the options of leeway.so in plugstack.conf, and of lists of GPUs. */
#include "unit/heard.h"
#include "unit/unit.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *word;
	unsigned errors;
	const char *told;
} options[] = {
	{ "source=nvml", 0, NULL },
	{ "source=auto", 0, NULL },
	{ "source=fake:/x", 0, NULL },
	{ "dir=/tmp/x", 0, NULL },
	{ "interval=1m", 0, NULL },
	{ "summary=no", 0, NULL },
	{ "source=amd", 0, NULL },
	{ "source=nvml:/x.so", 0, NULL },
	{ "source=nvml:x", 1, "absolute" },
	{ "source=amd:", 1, "absolute" },
	{ "source=fake", 1, "absolute" },
	{ "source=fake:x", 1, "absolute" },
	{ "source=rocm", 1, "source=rocm: use fake:/path, nvml, amd, or auto" },
	{ "dir=x", 1, "absolute" },
	{ "interval=0", 1, "1s to 1h" },
	{ "interval=10", 1, "10s, which are seconds, or 10m" },
	{ "interval=2h", 1, "1s to 1h" },
	{ "interval=", 1, "1s to 1h" },
	{ "js1=yes", 0, NULL },
	{ "bin=/opt/slurm/bin", 0, NULL },
	{ "group=gpuadmins", 0, NULL },
	{ "group=", 1, "name or number" },
	{ "js1=1", 1, "yes or no" },
	{ "bin=bin", 1, "absolute" },
	{ "summary=maybe", 1, "yes or no" },
	{ "colour=red", 1, "unknown" },
	{ "source", 1, "unknown" },
};

TEST_EACH(option_is_taken_or_told, LW_COUNT_OF(options))
{
	struct heard heard = { 0 };
	struct lw_log log = { hear, &heard, LW_LOG_DEBUG };
	struct lw_watch_options got;
	char *words[] = { (char *)options[_i].word };

	lw_watch_options_read(&got, 1, words, &log);
	ck_assert_uint_eq(heard.errors, options[_i].errors);
	if (!options[_i].told)
		return;
	ck_assert_msg(strstr(heard.last, options[_i].told) != NULL, "%s", heard.last);
	ck_assert_str_eq(got.source, "auto");
	ck_assert_str_eq(got.dir, "/var/spool/leeway");
	ck_assert_uint_eq(got.interval_s, 10);
	ck_assert(got.summary);
}

TEST(options_are_read_together)
{
	char *words[] = { "source=fake:/x", "dir=/y", "interval=90s", "summary=no" };
	struct lw_watch_options got;

	lw_watch_options_read(&got, 4, words, NULL);
	ck_assert_str_eq(got.source, "fake:/x");
	ck_assert_str_eq(got.dir, "/y");
	ck_assert_uint_eq(got.interval_s, 90);
	ck_assert(!got.summary);
}

static const struct {
	const char *list;
	int count;
	uint32_t last;
} gpu_lists[] = {
	{ "0", 1, 0 },	    { "0,1,3", 3, 3 }, { "0-3", 4, 3 },	    { "1,4-5", 3, 5 },
	{ "7,", 1, 7 },	    { "", -EINVAL, 0 }, { "a", -EINVAL, 0 }, { "1-", -EINVAL, 0 },
	{ "1 2", -EINVAL, 0 }, { "0-32", -EINVAL, 0 }, { "3-1", -EINVAL, 0 },
	{ "MIG-1", -EINVAL, 0 },
};

TEST_EACH(gpu_list_is_read, LW_COUNT_OF(gpu_lists))
{
	struct lw_gpu gpus[LW_RECORD_GPUS_MAX] = { { 0 } };

	ck_assert_int_eq(lw_watch_parse_gpus(gpu_lists[_i].list, gpus), gpu_lists[_i].count);
	if (gpu_lists[_i].count > 0)
		ck_assert_uint_eq(gpus[gpu_lists[_i].count - 1].index, gpu_lists[_i].last);
}

static const struct {
	const char *list;
	int count, want;
	const char *last;
} uuid_lists[] = {
	{ "0,1", 2, 2, "" },
	{ "GPU-5f,GPU-6a", 2, 2, "" }, /* Slurm does not name whole devices so: users do */
	{ "MIG-1,GPU-6a", 2, -EINVAL, "" },
	{ "MIG-1,MIG-2,MIG-3", 1, 3, "MIG-3" },
	{ "MIG-GPU-7/1/0", 1, 1, "MIG-GPU-7/1/0" },
	{ "MIG-5f", 2, -EINVAL, "" },
	{ "MIG-1,,MIG-2", 2, -EINVAL, "" },
	{ "NoDevFiles", 1, 1, "" },
	{ "", 1, 1, "" },
};

TEST_EACH(uuid_list_is_read, LW_COUNT_OF(uuid_lists))
{
	struct lw_gpu gpus[LW_RECORD_GPUS_MAX] = { { 0 } };
	int want = uuid_lists[_i].want, count = uuid_lists[_i].count;

	ck_assert_int_eq(lw_watch_parse_uuids(uuid_lists[_i].list, gpus, count), want);
	ck_assert_str_eq(gpus[(want > 0 ? want : count) - 1].id, uuid_lists[_i].last);
}
