/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: pieces of work that do not need each other, in processes of their own. */
#include "lab/sim/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOW_EVERY_MS 100

struct child {
	pid_t pid;
	uint32_t piece;
};

/* The children at work; the pipe of each ends when it does. */
struct crew {
	const struct lw_pool *pool;
	struct child *children;
	struct pollfd *pipes;
	uint32_t working;
	bool *done; /* by piece */
	uint32_t begun, ended;
};

uint32_t lw_pool_processors(void)
{
	cpu_set_t mine;
	long online;

	if (!sched_getaffinity(0, sizeof(mine), &mine))
		return (uint32_t)CPU_COUNT(&mine);
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (uint32_t)online : 1;
}

void *lw_pool_room(size_t size)
{
	void *room =
		mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return room == MAP_FAILED ? NULL : room;
}

void lw_pool_room_free(void *room, size_t size)
{
	if (room)
		munmap(room, size + 1);
}

/* The child: what is said of it is how it ends. */
static _Noreturn void do_piece(const struct lw_pool *pool, uint32_t piece, pid_t parent)
{
	int rc = -ECHILD;

	/* the parent may have been killed before this */
	if (!prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent)
		rc = pool->work(pool->arg, piece);
	_exit(-rc);
}

static int send_out(struct crew *crew, uint32_t piece)
{
	pid_t parent = getpid(), pid;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		do_piece(crew->pool, piece, parent);
	rc = -errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return rc;
	}
	crew->children[crew->working] = (struct child){ pid, piece };
	crew->pipes[crew->working++] = (struct pollfd){ .fd = ends[0] };
	return 0;
}

static int pool_begin(const struct lw_pool *pool, uint32_t piece)
{
	return pool->begin ? pool->begin(pool->arg, piece) : 0;
}

static int pool_end(const struct lw_pool *pool, uint32_t piece)
{
	return pool->end ? pool->end(pool->arg, piece) : 0;
}

/* What is done and waits for an earlier piece takes room: no more of it than at work. */
static int begin_pieces(struct crew *crew)
{
	const struct lw_pool *pool = crew->pool;
	int rc = 0;

	while (!rc && crew->begun < pool->count && crew->working < pool->at_once &&
	       crew->begun - crew->ended < 2 * pool->at_once) {
		rc = pool_begin(pool, crew->begun);
		if (!rc)
			rc = send_out(crew, crew->begun);
		if (!rc)
			crew->begun++;
	}
	return rc;
}

/* The child at PLACE has ended. */
static int take_back(struct crew *crew, uint32_t place, struct lw_error *err)
{
	struct child child = crew->children[place];
	int status;

	close(crew->pipes[place].fd);
	crew->working--;
	crew->children[place] = crew->children[crew->working];
	crew->pipes[place] = crew->pipes[crew->working];
	while (waitpid(child.pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFSIGNALED(status))
		return lw_error_set(err, -ECHILD,
				    "a process was ended by signal %d (%s): is there memory for "
				    "%u at once?",
				    WTERMSIG(status), strsignal(WTERMSIG(status)),
				    crew->pool->at_once);
	crew->done[child.piece] = true;
	return -WEXITSTATUS(status);
}

/* Wait until one has ended, and take back all that have. */
static int await(struct crew *crew, struct lw_error *err)
{
	void (*show)(void *arg) = crew->pool->show;
	int found, rc = 0;

	while ((found = poll(crew->pipes, crew->working, show ? SHOW_EVERY_MS : -1)) <= 0) {
		if (found < 0 && errno != EINTR)
			return -errno;
		if (show)
			show(crew->pool->arg);
	}
	for (uint32_t i = crew->working; !rc && i-- > 0;)
		if (crew->pipes[i].revents)
			rc = take_back(crew, i, err);
	return rc;
}

static int run_crew(struct crew *crew, struct lw_error *err)
{
	const struct lw_pool *pool = crew->pool;
	int rc = 0;

	while (!rc && crew->ended < pool->count) {
		rc = begin_pieces(crew);
		if (!rc)
			rc = await(crew, err);
		while (!rc && crew->ended < crew->begun && crew->done[crew->ended])
			rc = pool_end(pool, crew->ended++);
	}
	for (uint32_t i = 0; i < crew->working; i++) {
		kill(crew->children[i].pid, SIGKILL);
		waitpid(crew->children[i].pid, NULL, 0);
		close(crew->pipes[i].fd);
	}
	return rc;
}

static int run_apart(const struct lw_pool *pool, struct lw_error *err)
{
	struct crew crew = { .pool = pool };
	int rc = -ENOMEM;

	crew.children = calloc(pool->at_once, sizeof(*crew.children));
	crew.pipes = calloc(pool->at_once, sizeof(*crew.pipes));
	crew.done = calloc(pool->count, sizeof(*crew.done));
	if (crew.children && crew.pipes && crew.done)
		rc = run_crew(&crew, err);
	free(crew.children);
	free(crew.pipes);
	free(crew.done);
	return rc;
}

static int run_here(const struct lw_pool *pool)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < pool->count; i++) {
		rc = pool_begin(pool, i);
		if (!rc)
			rc = pool->work(pool->arg, i);
		if (!rc)
			rc = pool_end(pool, i);
	}
	return rc;
}

bool lw_pool_is_apart(const struct lw_pool *pool)
{
	return pool->at_once > 1 && pool->count > 1;
}

int lw_pool_run(const struct lw_pool *pool, struct lw_error *err)
{
	struct lw_error own = { "" };
	int rc = lw_pool_is_apart(pool) ? run_apart(pool, &own) : run_here(pool);

	if (rc && !*own.text)
		strcpy(own.text, rc == -ENOMEM ? "out of memory" : strerror(-rc));
	return rc ? lw_error_set(err, rc, "%s", own.text) : 0;
}
