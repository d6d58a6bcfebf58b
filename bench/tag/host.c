/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leeway: time the tagger and the equal job_submit.lua on the same scripts, in one process. */
/*
 * usage: host LUA-FILE RULES-FILE ROUNDS SCRIPT...
 *
 * Prints a line a script: its name, bytes, the median of both in microseconds, the ratio, and
 * what each said. Lua comes from liblua5.4.so.0, whose few functions are declared here, as hosts
 * have the library more often than its headers.
 */
#define _GNU_SOURCE
#include "tagger/tag.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct lua_State lua_State;

#define LUA_FUNCTIONS(X)                                                                  \
	X(lua_State *, luaL_newstate, (void))                                             \
	X(void, luaL_openlibs, (lua_State *))                                             \
	X(int, luaL_loadstring, (lua_State *, const char *))                              \
	X(int, luaL_loadfilex, (lua_State *, const char *, const char *))                 \
	X(int, lua_pcallk, (lua_State *, int, int, int, intptr_t, void *))                \
	X(int, lua_getglobal, (lua_State *, const char *))                                \
	X(void, lua_setglobal, (lua_State *, const char *))                               \
	X(void, lua_createtable, (lua_State *, int, int))                                 \
	X(const char *, lua_pushlstring, (lua_State *, const char *, size_t))             \
	X(int, lua_getfield, (lua_State *, int, const char *))                            \
	X(void, lua_setfield, (lua_State *, int, const char *))                           \
	X(const char *, lua_tolstring, (lua_State *, int, size_t *))                      \
	X(void, lua_settop, (lua_State *, int))

#define DECLARE(type, name, arguments) static type(*name) arguments;
LUA_FUNCTIONS(DECLARE)

static void die(const char *what, const char *why)
{
	fprintf(stderr, "host: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void load_lua(void)
{
	void *lib = dlopen("liblua5.4.so.0", RTLD_NOW);

	if (!lib)
		die("no Lua", dlerror());
#define LOAD(type, name, arguments)                                                       \
	*(void **)&name = dlsym(lib, #name);                                              \
	if (!name)                                                                        \
		die(#name, "not in the library");
	LUA_FUNCTIONS(LOAD)
}

static void call(lua_State *lua, int failed, int arguments)
{
	if (failed || lua_pcallk(lua, arguments, 0, 0, 0, NULL))
		die("Lua", lua_tolstring(lua, -1, NULL));
}

/* A state that holds slurm_job_submit(). */
static lua_State *open_lua(const char *file, const char *rules)
{
	lua_State *lua = luaL_newstate();

	luaL_openlibs(lua);
	lua_pushlstring(lua, rules, strlen(rules));
	lua_setglobal(lua, "RULES");
	call(lua, luaL_loadstring(lua, "local load = dofile\nslurm = { SUCCESS = 0 }\n"
				       "function dofile() return load(RULES) end"), 0);
	call(lua, luaL_loadfilex(lua, file, NULL), 0);
	return lua;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double time_lua(lua_State *lua, const char *script, size_t len, char *said, size_t size)
{
	double begin;

	lua_settop(lua, 0);
	lua_createtable(lua, 0, 0);
	lua_setglobal(lua, "job");
	lua_getglobal(lua, "job");
	lua_pushlstring(lua, script, len);
	lua_setfield(lua, 1, "script");
	lua_pushlstring(lua, "gres/gpu:1", 10);
	lua_setfield(lua, 1, "tres_per_node");
	lua_getglobal(lua, "slurm_job_submit");
	lua_getglobal(lua, "job");
	begin = now();
	call(lua, 0, 1);
	begin = now() - begin;
	lua_getfield(lua, 1, "admin_comment");
	snprintf(said, size, "%s", lua_tolstring(lua, -1, NULL));
	return begin;
}

static double time_tagger(const struct lw_tag_rules *rules, const char *script, size_t len,
			  char *said, size_t size)
{
	const struct lw_tag_request job = { .script = script,
					    .script_len = len,
					    .tres_per_node = "gres/gpu:1" };
	struct lw_tag tag;
	double begin = now();

	lw_tag_recognise(&job, rules, &tag);
	lw_tag_encode(&tag, said, size);
	return now() - begin;
}

static void time_both(lua_State *lua, const struct lw_tag_rules *rules, const char *name,
		      int rounds)
{
	static char script[1 << 20];
	double *ours = calloc((size_t)rounds * 2, sizeof(*ours)), *theirs = ours + rounds;
	char said[LW_TAG_TEXT_MAX], lua_said[1024];
	FILE *file = fopen(name, "r");
	size_t len = file ? fread(script, 1, sizeof(script) - 1, file) : 0;

	if (!ours || !len)
		die(name, "cannot be read");
	fclose(file);
	script[len] = '\0';
	for (int i = 0; i < rounds; i++)
		ours[i] = time_tagger(rules, script, len, said, sizeof(said));
	for (int i = 0; i < rounds; i++)
		theirs[i] = time_lua(lua, script, len, lua_said, sizeof(lua_said));
	qsort(ours, (size_t)rounds, sizeof(*ours), by_size);
	qsort(theirs, (size_t)rounds, sizeof(*theirs), by_size);
	printf("%-18s %6zu %9.1f %9.1f %7.1f  %.*s / %.*s\n", strrchr(name, '/') + 1, len,
	       ours[rounds / 2], theirs[rounds / 2], theirs[rounds / 2] / ours[rounds / 2],
	       (int)strcspn(said, ","), said, (int)strcspn(lua_said, ","), lua_said);
	free(ours);
}

int main(int argc, char **argv)
{
	struct lw_tag_rules *rules = NULL;
	int rounds = argc > 4 ? atoi(argv[3]) : 0;
	lua_State *lua;

	if (rounds < 1)
		die("usage", "host LUA-FILE RULES-FILE ROUNDS SCRIPT...");
	load_lua();
	lua = open_lua(argv[1], argv[2]);
	if (lw_tag_rules_create(&rules))
		die("rules", "out of memory");
	printf("%-18s %6s %9s %9s %7s  %s\n", "script", "bytes", "leeway/us", "lua/us", "ratio",
	       "kind by leeway / lua");
	for (int i = 4; i < argc; i++)
		time_both(lua, rules, argv[i], rounds);
	lw_tag_rules_destroy(rules);
	return EXIT_SUCCESS;
}
