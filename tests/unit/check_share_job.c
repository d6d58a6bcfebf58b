/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of job_submit/share_job: requests that become parts of a GPU, or do not. */
#include "job_submit/share_job.h"

#include "job_submit/share_link.h"
#include "job_submit/slurm_private.h"
#include "slurm/compat/public.h"
#include "unit/unit.h"

#include <stdio.h>
#include <string.h>

/* ---- slurmctld's, in a few lines ---- */

char *xstrdup(const char *text)
{
	return text ? strdup(text) : NULL;
}

void slurm_xfree(void **item)
{
	free(*item);
	*item = NULL;
}

slurm_conf_t slurm_conf;

/* ---- Leeway's scheduler, in a few more ---- */

static struct lw_config config;
static struct lw_share_known known;
static bool no_scheduler, evades; /* it is not loaded; a limit would miss the parts */
static uint32_t open_links;

static bool find(const struct lw_share_key *key, int64_t since_s,
		 struct lw_share_record *ret_record)
{
	return lw_share_known_find(&known, key, since_s, ret_record);
}

static bool says_evades(const struct job_descriptor *asked, const char *gres)
{
	ck_assert_str_eq(asked->partition, "small");
	ck_assert_str_eq(gres, config.share_gres ? "mps" : "shard");
	return evades;
}

bool lw_share_link_open(struct lw_share_link *ret_link)
{
	if (no_scheduler)
		return false;
	open_links++;
	*ret_link = (struct lw_share_link){ &open_links, find, says_evades };
	return true;
}

void lw_share_link_close(struct lw_share_link *link)
{
	open_links -= link->handle != NULL;
}

/* ---- a cluster that shares, and a user's job that is known ---- */

#define NAME "train"
#define USER 1000
/* what its runs used, behind what it asked for */
#define USED ",util:99,sm:5,mem:1000M"

static job_desc_msg_t job;
static char text[256];
static char *environment[4];

static void keep(uint32_t runs, uint32_t sm)
{
	const struct lw_share_key key = lw_share_key(USER, LW_SHARE_UNTAGGED, NAME, "a100");
	const struct lw_share_run run = { .use = { true, true, true, 990, sm, 1000 },
					  .end_s = time(NULL) };

	lw_share_known_fini(&known);
	for (uint32_t i = 0; i < runs; i++)
		ck_assert_int_eq(lw_share_known_add(&known, &key, &run), 0);
}

static void setup(void)
{
	lw_config_default(&config);
	config.share_mode = LW_SHARE_MPS;
	config.share_where = strdup("partition:small");
	config.share_gpu_type = strdup("a100");
	config.share_record = strdup("/nowhere/share");
	config.share_memory_mib = 40960;
	memset(&job, 0, sizeof(job));
	job.user_id = USER;
	job.name = NAME;
	job.partition = "small";
	job.comment = "leeway:share";
	job.script = "#!/bin/sh\n";
	job.min_nodes = job.max_nodes = job.num_tasks = NO_VAL;
	job.shared = job.ntasks_per_tres = job.requeue = NO_VAL16;
	job.time_limit = NO_VAL;
	job.het_job_offset = NO_VAL;
	job.environment = environment;
	no_scheduler = evades = false;
	keep(5, 50);
}

static void teardown(void)
{
	for (uint32_t i = 0; i < job.env_size; i++)
		free(environment[i]);
	memset(environment, 0, sizeof(environment));
	free(job.tres_per_node);
	free(job.tres_per_job);
	free(job.admin_comment);
	lw_config_fini(&config);
	lw_share_known_fini(&known);
	ck_assert_uint_eq(open_links, 0);
}

static bool shares(void)
{
	return lw_share_job(&job, &config, text);
}

FIXTURE(setup, teardown);

/*
 * By node (--gres, --gpus-per-node) and for the job (--gpus), as releases and people write it;
 * with what 24.11 makes of --cpus-per-task and without.
 */
TEST(one_gpu_becomes_parts)
{
	static const char *const forms[] = { "gres:gpu:1",	"gres:gpu:a100:1", "gres/gpu:1",
					     "gres/gpu:a100:1", "gpu:1",	   "gres/gpu" };
	char was[160];

	for (size_t i = 0; i < 2 * LW_COUNT_OF(forms); i++) {
		char **field = i % 2 ? &job.tres_per_node : &job.tres_per_job;

		*field = strdup(forms[i / 2]);
		job.tres_per_task = i / 2 % 2 ? "cpu=4" : NULL;
		ck_assert_msg(shares(), "%s: %s", forms[i / 2], text);
		ck_assert_str_eq(job.tres_per_node, LW_GRES_PREFIX "shard:4");
		ck_assert_ptr_null(job.tres_per_job);
		ck_assert_uint_eq(job.min_nodes, 1);
		ck_assert_uint_eq(job.max_nodes, 1);
		snprintf(was, sizeof(was), "leeway:share=shard:4,was:%s" USED, forms[i / 2]);
		ck_assert_str_eq(job.admin_comment, was);
		ck_assert_ptr_nonnull(strstr(text, "shares a GPU: shard:4 of 10"));
		slurm_xfree((void **)&job.tres_per_node);
		slurm_xfree((void **)&job.admin_comment);
		job.min_nodes = job.max_nodes = NO_VAL;
	}
}

TEST(mps_and_the_tag_beside_it)
{
	config.share_gres = 1;
	config.share_parts = 100;
	job.tres_per_node = strdup("gres/gpu:1");
	job.admin_comment = strdup("a note");
	ck_assert(shares());
	ck_assert_str_eq(job.tres_per_node, LW_GRES_PREFIX "mps:34");
	ck_assert_str_eq(job.admin_comment, "a note leeway:share=mps:34,was:gres/gpu:1" USED);
}

/* The node is told when to warn and when to end it; without a hard mark it watches nothing. */
TEST(node_is_told_of_the_marks)
{
	config.share_memory_limit = 0.9;
	config.share_memory_hard = 0.965;
	job.tres_per_node = strdup("gres/gpu:1");
	ck_assert(shares());
	ck_assert_str_eq(job.admin_comment,
			 "leeway:share=shard:4,was:gres/gpu:1" USED ",limit:900/965/10");
}

TEST(steps_do_not_ask_for_gpus)
{
	environment[0] = strdup("SLURM_GPUS=1");
	environment[1] = strdup("HOME=/home/a");
	environment[2] = strdup("SLURM_GPUS_PER_NODE=1");
	job.env_size = 3;
	job.tres_per_job = strdup("gres/gpu:1");
	ck_assert(shares());
	ck_assert_uint_eq(job.env_size, 1);
	ck_assert_str_eq(environment[0], "HOME=/home/a");
	/* it ends where Slurm looks for its end: what is there twice is freed twice */
	ck_assert_ptr_null(environment[1]);
	ck_assert_ptr_null(environment[2]);
}

static void stays_whole(const char *why)
{
	char *before = job.tres_per_node;

	ck_assert(!shares());
	ck_assert_ptr_eq(job.tres_per_node, before);
	ck_assert_ptr_null(job.admin_comment);
	ck_assert_uint_eq(job.min_nodes, NO_VAL);
	if (why)
		ck_assert_msg(strstr(text, why) != NULL, "%s", text);
	else
		ck_assert_str_eq(text, "");
}

TEST(without_a_record_it_stays_whole)
{
	job.tres_per_node = strdup("gres/gpu:1");
	job.name = "other";
	stays_whole("not enough is known");
	job.name = NAME;
	keep(2, 50);
	stays_whole("not enough is known");
	config.share_memory_mib = 0;
	stays_whole("not enough is known");
	config.share_memory_mib = 40960;
	keep(5, 700);
	stays_whole("most of a GPU");
	keep(5, 50);
	free(config.share_record);
	config.share_record = NULL;
	stays_whole("not enough is known");
}

TEST(without_the_scheduler_it_stays_whole)
{
	job.tres_per_node = strdup("gres/gpu:1");
	no_scheduler = true;
	stays_whole("does not run Leeway's scheduler");
	no_scheduler = false;
	ck_assert(shares());
}

/* Limits count GPUs or parts; a request that would go from one to the other stays what it is. */
TEST(no_limit_is_evaded)
{
	job.tres_per_node = strdup("gres/gpu:1");
	evades = true;
	stays_whole("a limit of its account, QOS or partition counts GPUs");
	evades = false;
	ck_assert(shares());
}

TEST(who_did_not_opt_in_is_left_alone)
{
	job.tres_per_node = strdup("gres/gpu:1");
	job.comment = NULL;
	stays_whole(NULL);
	job.comment = "leeway:no-share";
	stays_whole(NULL);
	job.comment = "leeway:share";
	config.share_mode = LW_SHARE_OFF;
	stays_whole(NULL);
}

TEST(what_else_it_asks_for)
{
	job.tres_per_node = strdup("gres/gpu:1");
	job.shared = 0;
	stays_whole("of its own");
	job.shared = 2;
	stays_whole("of its own");
	job.shared = 1;
	job.het_job_offset = 0;
	stays_whole("only batch jobs");
	job.het_job_offset = NO_VAL;
	job.script = NULL;
	stays_whole("only batch jobs");
	job.script = "#!/bin/sh\n";
	job.reservation = "course";
	stays_whole("of its own");
	job.reservation = NULL;
	job.partition = "big";
	stays_whole("its partition");
	job.partition = "small";
	job.ntasks_per_tres = 1;
	stays_whole("one GPU of one node");
	job.ntasks_per_tres = NO_VAL16;
	job.num_tasks = 2;
	stays_whole("one GPU of one node");
	job.num_tasks = 1;
	job.tres_per_task = "cpu=4,gres/gpu=1";
	stays_whole("one GPU of one node");
}

static void guests(void)
{
	config.share_mode = LW_SHARE_SLICE;
	config.share_opportunistic = strdup("scavenger");
	config.share_after_s = 300;
	job.tres_per_node = strdup("gres/gpu:1");
	job.comment = NULL;
	slurm_conf.job_requeue = 1;
	job.time_limit = 60;
}

TEST(who_lends_has_all_parts_but_one)
{
	guests();
	stays_whole(NULL);
	job.comment = "leeway:lend";
	if (!LW_GPUS_ARE_KEPT) {
		stays_whole("this release of Slurm");
		return;
	}
	ck_assert(shares());
	ck_assert_str_eq(job.tres_per_node, LW_GRES_PREFIX "shard:9");
	ck_assert_str_eq(job.admin_comment,
			 "leeway:share=shard:9,was:gres/gpu:1" USED ",lend:300");
	ck_assert_ptr_nonnull(strstr(text, "lends its GPU to guests"));
}

/* The owner's record is of no matter but for its memory: an unknown one lends as well. */
TEST(whoever_lends_is_not_known_before)
{
	guests();
	job.comment = "leeway:lend";
	job.name = "other";
	config.share_memory_hard = 0.95;
	if (!LW_GPUS_ARE_KEPT)
		return;
	ck_assert(shares());
	ck_assert_str_eq(job.admin_comment, "leeway:share=shard:9,was:gres/gpu:1,lend:300");
}

TEST(a_guest_has_the_last_part)
{
	guests();
	job.qos = "scavenger";
	if (!LW_GPUS_ARE_KEPT) {
		stays_whole("this release of Slurm");
		return;
	}
	slurm_conf.job_requeue = 0;
	stays_whole("may be requeued");
	job.requeue = 0;
	slurm_conf.job_requeue = 1;
	stays_whole("may be requeued");
	job.requeue = 1;
	job.time_limit = NO_VAL;
	stays_whole("--time");
	job.time_limit = INFINITE;
	stays_whole("--time");
	job.time_limit = 60;
	config.share_mode = LW_SHARE_MPS;
	stays_whole("share.mode");
	config.share_mode = LW_SHARE_SLICE;
	job.name = "other";
	ck_assert(shares());
	ck_assert_str_eq(job.tres_per_node, LW_GRES_PREFIX "shard:1");
	/* its memory is watched though share.memory_hard does not say so */
	ck_assert_str_eq(job.admin_comment,
			 "leeway:share=shard:1,was:gres/gpu:1,limit:900/900/10,guest:yes");
	ck_assert_ptr_nonnull(strstr(text, "this job is a guest"));
}

TEST(neither_by_lending_nor_as_a_guest)
{
	if (!LW_GPUS_ARE_KEPT)
		return;
	guests();
	evades = true;
	job.comment = "leeway:lend";
	stays_whole("lends its GPU to no job, and has what it asks for: a limit");
	job.comment = NULL;
	job.qos = "scavenger";
	job.requeue = 1;
	stays_whole("is no guest, and has what it asks for: a limit");
	no_scheduler = true;
	stays_whole("is no guest, and has what it asks for: slurmctld does not run");
}

/* Ten parts are for two tenants; where each has one there is none that only a guest would take. */
TEST(there_must_be_a_part_for_guests_alone)
{
	guests();
	job.comment = "leeway:lend";
	config.share_parts = 2;
	stays_whole(NULL);
}
