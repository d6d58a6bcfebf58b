/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: unit tests of leeway gpu: what it calls a job's user, in each of its forms. */
#include "cli/common/tools.h"
#include "record/file.h"
#include "unit/scratch.h"
#include "unit/unit.h"

#include <grp.h>
#include <jansson.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define START_S	   1700000000
#define INTERVAL_S 10
#define READINGS   200

/* A name, the digits where this machine has none, nothing where the record does not tell. */
static const struct {
	uint32_t user_id;
	const char *user; /* in JSON; NULL: null */
	const char *head, *label, *row;
} users[] = {
	{ 0, "root", "job 7, user root (0), 1 GPU on 1 node\n", ",user=\"root\",", " 7 root " },
	{ 4242424, "4242424", "job 7, user 4242424, 1 GPU on 1 node\n", ",user=\"4242424\",",
	  " 7 4242424 " },
	{ LW_RECORD_NO_USER, NULL, "job 7, 1 GPU on 1 node\n", ",user=\"\",", " 7 - " },
};

/* The part of a job that runs: open, and locked, while the test lasts. */
static struct lw_record_file *part;

/* A job of HEAD's kind that runs, of one GPU of which each reading is SAMPLE. */
static void write_running(const struct lw_record_head *head, const struct lw_gpu_sample *sample)
{
	struct lw_record *record;

	ck_assert_int_eq(lw_record_create(head, &record), 0);
	for (int i = 0; i < READINGS; i++)
		ck_assert_int_eq(lw_record_add(record, START_S + i * INTERVAL_S, sample), 0);
	ck_assert_int_eq(lw_record_file_create(scratch_dir, record, &part, NULL), 0);
	lw_record_destroy(record);
}

/* A job of USER that does nothing, alone on its GPU or SHARED; the device's use, -1: alone. */
static void write_idle(uint32_t user, bool shared, int device)
{
	struct lw_record_head head = { .job_id = 7,
				       .node = "n1",
				       .step = "batch",
				       .interval_s = INTERVAL_S,
				       .start_s = START_S,
				       .user_id = user,
				       .gpu_count = 1 };
	struct lw_gpu_sample idle = { .has = 1u << LW_METRIC_UTIL };

	head.shared = shared;
	snprintf(head.gpu[0].id, sizeof(head.gpu[0].id), "GPU-0");
	if (device >= 0) {
		idle.has |= 1u << LW_METRIC_DUTIL;
		idle.value[LW_METRIC_DUTIL] = (uint32_t)device;
	}
	write_running(&head, &idle);
}

static void write_job(uint32_t user)
{
	write_idle(user, false, -1);
}

static void teardown(void)
{
	lw_record_file_abandon(part);
	scratch_teardown();
}

/* Call the command with OPTIONS; what it wrote, to be freed. */
static char *call(const char *options, int rc)
{
	char line[512];

	snprintf(line, sizeof(line), "gpu %s --dir %s", options, scratch_dir);
	ck_assert_int_eq(scratch_call(lw_tools_gpu, line), rc);
	return scratch_read(scratch_path("out"));
}

static void check_json(const char *options, int rc, const char *name)
{
	char *said = call(options, rc);
	json_t *o = json_loads(said, 0, NULL);
	json_t *user = json_object_get(json_object_get(o, "jobs") ?
						json_array_get(json_object_get(o, "jobs"), 0) :
						o,
					"user");

	ck_assert_msg(name ? json_is_string(user) : json_is_null(user), "%s: %s", options, said);
	if (name)
		ck_assert_str_eq(json_string_value(user), name);
	json_decref(o);
	free(said);
}

static void check_text(const char *options, int rc, const char *wanted)
{
	char *said = call(options, rc);

	ck_assert_msg(strstr(said, wanted) != NULL, "%s: %s", options, said);
	free(said);
}

FIXTURE(scratch_setup, teardown);

TEST_EACH(a_user_has_one_name, LW_COUNT_OF(users))
{
	char prometheus[256], idle[64], *said;

	snprintf(idle, sizeof(idle), "--idle --now %d", START_S + READINGS * INTERVAL_S);
	write_job(users[_i].user_id);
	check_json("7 --json", LW_TOOLS_OK, users[_i].user);
	check_text("7", LW_TOOLS_OK, users[_i].head);
	check_text(idle, LW_TOOLS_FOUND, users[_i].row);
	strcat(idle, " --json");
	check_json(idle, LW_TOOLS_FOUND, users[_i].user);
	snprintf(prometheus, sizeof(prometheus), "--prometheus %s", scratch_path("prom"));
	free(call(prometheus, LW_TOOLS_OK));
	said = scratch_read(scratch_path("prom"));
	ck_assert_msg(strstr(said, users[_i].label) != NULL, "%s", said);
	free(said);
}

/* What the command says to somebody else, on standard error, with its exit code; to be freed. */
static char *told_another(const char *options, int *ret_rc)
{
	char line[512], *text = calloc(1, 4096);
	int said[2], status = 0;
	pid_t pid;

	ck_assert(text && !pipe(said));
	snprintf(line, sizeof(line), "gpu %s --dir %s", options, scratch_dir);
	pid = fork();
	if (!pid) {
		char *argv[16], *rest = line;
		int argc = 0;

		while (rest && argc < 15)
			argv[argc++] = strsep(&rest, " ");
		argv[argc] = NULL;
		optind = 0;
		if (dup2(said[1], STDERR_FILENO) < 0 || setgroups(0, NULL) || setgid(4243) ||
		    setuid(4243))
			_exit(99);
		_exit(lw_tools_gpu(argc, argv));
	}
	close(said[1]);
	for (ssize_t got = 1, len = 0; got > 0 && len < 4095; len += got)
		got = read(said[0], text + len, 4095 - (size_t)len);
	close(said[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	*ret_rc = WEXITSTATUS(status);
	return text;
}

static const struct {
	const char *options;
	int rc;
	const char *told;
} others[] = {
	{ "7", LW_TOOLS_FAILED, "job 7 is another user's: its record is read by that user" },
	{ "--idle", LW_TOOLS_OK, "1 job of other users: records are read by their users" },
	{ "--prometheus -", LW_TOOLS_OK, "1 job of other users" },
	{ "publish --owed", LW_TOOLS_OK, "1 job of other users" },
	{ "publish 7", LW_TOOLS_FAILED, "job 7 is another user's" },
};

TEST_EACH(another_user_is_told_so, LW_COUNT_OF(others))
{
	char *told;
	int rc = 0;

	if (geteuid()) {
		printf("# skipped: needs root\n");
		return;
	}
	ck_assert_int_eq(chmod(scratch_dir, 0755), 0);
	write_job(4242);
	told = told_another(others[_i].options, &rc);
	ck_assert_msg(rc == others[_i].rc && strstr(told, others[_i].told), "%s: %d: %s",
		      others[_i].options, rc, told);
	free(told);
}

/* An owner that lends is not idle while a guest uses its GPU. */
static const struct {
	bool shared;
	int device;
	bool found;
} owners[] = {
	{ false, -1, true },
	{ true, -1, true },
	{ true, 0, true },
	{ true, 80, false },
};

TEST_EACH(a_gpu_that_others_use_is_not_idle, LW_COUNT_OF(owners))
{
	char options[64], *said;
	json_t *o, *gpu;

	write_idle(0, owners[_i].shared, owners[_i].device);
	snprintf(options, sizeof(options), "--idle --json --now %d",
		 START_S + READINGS * INTERVAL_S);
	said = call(options, owners[_i].found ? LW_TOOLS_FOUND : 0);
	o = json_loads(said, 0, NULL);
	gpu = json_array_get(
		json_object_get(json_array_get(json_object_get(o, "jobs"), 0), "idle"), 0);
	ck_assert_int_eq(gpu != NULL, owners[_i].found);
	if (gpu)
		ck_assert_int_eq(json_is_true(json_object_get(gpu, "shared")), owners[_i].shared);
	json_decref(o);
	free(said);
}
