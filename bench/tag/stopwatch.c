/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: job_submit/stopwatch, which times two other job_submit plugins in one slurmctld. */
/*
 * For measurements only, never for a cluster. Each job is seen by one of them, which its name
 * says: PLUGIN-ORDER-SCRIPT. ORDER is "turn" when the plugins take turns; in others all
 * submissions around it were seen by the same one. What a plugin wrote is taken back.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurm_version.h>

typedef struct job_record job_record_t;
typedef int (*submit_f)(job_desc_msg_t *job, uint32_t uid, char **err_msg);

extern char *xstrdup(const char *text);
extern void slurm_xfree(void **item);
extern int slurm_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern int slurm_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

extern const char plugin_name[];
extern const char plugin_type[];
extern const uint32_t plugin_version;
extern int init(void);
extern void fini(void);
extern int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg);
extern int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t submit_uid,
		      char **err_msg);

const char plugin_name[] = "Leeway: stopwatch for two plugins";
const char plugin_type[] = "job_submit/stopwatch";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static struct timed {
	const char *path;
	submit_f submit;
	void *handle;
} plugins[] = { { LEEWAY_PLUGIN, NULL, NULL }, { LUA_PLUGIN, NULL, NULL } };

static int out = -1;

static void open_plugin(struct timed *timed)
{
	int (*begin)(void);

	timed->handle = dlopen(timed->path, RTLD_LAZY);
	if (!timed->handle) {
		slurm_error("stopwatch: %s", dlerror());
		return;
	}
	begin = (int (*)(void))dlsym(timed->handle, "init");
	if (!begin || begin() == SLURM_SUCCESS)
		timed->submit = (submit_f)dlsym(timed->handle, "job_submit");
	slurm_info("stopwatch: %s %s", timed->path, timed->submit ? "loaded" : "not usable");
}

int init(void)
{
	for (int i = 0; i < 2; i++)
		open_plugin(&plugins[i]);
	out = open(STOPWATCH_OUT, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	return SLURM_SUCCESS;
}

void fini(void)
{
	if (out >= 0)
		close(out);
	out = -1;
}

/* Nanoseconds that a call of SUBMIT takes; its comment goes to NOTE. */
static long long call(submit_f submit, job_desc_msg_t *job, uint32_t uid, char *note, size_t size)
{
	char *err_msg = NULL, *old = job->admin_comment;
	struct timespec before, after;

	job->admin_comment = old ? xstrdup(old) : NULL;
	clock_gettime(CLOCK_MONOTONIC, &before);
	submit(job, uid, &err_msg);
	clock_gettime(CLOCK_MONOTONIC, &after);
	snprintf(note, size, "%s", job->admin_comment ? job->admin_comment : "-");
	slurm_xfree((void **)&job->admin_comment);
	slurm_xfree((void **)&err_msg);
	job->admin_comment = old;
	return (after.tv_sec - before.tv_sec) * 1000000000LL + (after.tv_nsec - before.tv_nsec);
}

/*
 * One line: order, plugin, script, its bytes, nanoseconds, those of a second call at once, and
 * what it wrote. A site's plugin is called once a submission, so that there is a second call,
 * which says what the first takes when its code is in the caches, only in turn, and of ours.
 * NAME is ORDER-SCRIPT.
 */
static void time_one(int which, const char *name, job_desc_msg_t *job, uint32_t uid)
{
	char note[200], order[sizeof("apart")];
	const char *script = strchr(name, '-');
	long long first, again = 0;

	if (!script || script - name >= (int)sizeof(order))
		return;
	snprintf(order, sizeof(order), "%.*s", (int)(script - name), name);
	first = call(plugins[which].submit, job, uid, note, sizeof(note));
	if (!which && !strcmp(order, "turn"))
		again = call(plugins[which].submit, job, uid, note, sizeof(note));
	dprintf(out, "%s\t%s\t%s\t%zu\t%lld\t%lld\t%s\n", order, which ? "lua" : "leeway",
		script + 1, job->script ? strlen(job->script) : 0, first, again, note);
}

/* NAME behind PREFIX, or NULL when it does not begin so. */
static const char *behind(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return name && !strncmp(name, prefix, len) ? name + len : NULL;
}

int job_submit(job_desc_msg_t *job, uint32_t submit_uid, char **err_msg)
{
	const char *ours = behind(job->name, "leeway-");
	const char *name = ours ? ours : behind(job->name, "lua-");

	(void)err_msg;
	if (out >= 0 && plugins[0].submit && plugins[1].submit && name)
		time_one(!ours, name, job, submit_uid);
	return SLURM_SUCCESS;
}

int job_modify(job_desc_msg_t *job, job_record_t *record, uint32_t submit_uid, char **err_msg)
{
	(void)job;
	(void)record;
	(void)submit_uid;
	(void)err_msg;
	return SLURM_SUCCESS;
}
