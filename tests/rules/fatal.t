#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: nothing loaded into Slurm can end it, and Slurm's release is asked in one place.
. "$(dirname "$0")/lib.sh"

loaded_files()
{
	local parts='base|planner|predictor|tagger|share|config|record|slurm'
	files "$1" "^(src/($parts)|plugins)/.*\.(c|h|def)\$" |
		grep -v '^src/config/gen-docs\.c$'
}

# Calls that take the process down with them.
fatal_calls()
{
	local words='_?_?x?assert|_?exit|_Exit|quick_exit|abort|fatal(_abort)?|raise|kill|v?errx?'
	code "$1" loaded_files | grep -E "(^|[^_a-zA-Z0-9])($words) *\\(" || true
}

outside_compat()
{
	c_files "$1" | grep -v '^src/slurm/compat/' || true
}

release_questions()
{
	local words='HAVE_SLURM|SLURM_VERSION|LW_SLURM_(NUMBER|RELEASE)'
	code "$1" outside_compat | grep -E ":[[:blank:]]*#[[:blank:]]*(el)?if.*($words)" || true
}

keeps "nothing loaded into Slurm calls exit, abort, fatal or assert" fatal_calls
keeps "no #if on a release of Slurm outside src/slurm/compat" release_questions

for call in 'exit(1)' '_exit(1)' 'abort()' 'fatal("x")' 'assert(p)' 'xassert(p)' 'err(1, "x")'; do
	plant src/base/x.c <<<"	$call;"
	bites "$call" fatal_calls src/base/x.c:1
done
plant plugins/sched/x.c <<<'void fini(void) { if (bad) exit(1); }'
bites "exit in a plugin" fatal_calls plugins/sched/x.c:1
for part in planner/time predictor tagger share record slurm/agent; do
	plant "src/$part/x.c" <<<'	abort();'
	bites "abort in src/$part" fatal_calls "src/$part/x.c:1"
done
plant src/config/x.c <<<'/* "never" */ a = "x\"y"; abort(); /* abort(); */'
bites "a call between comments and literals" fatal_calls src/config/x.c:1
plant src/slurm/x.c <<'END'
/* exit(1) is what we never
 * do: abort() */
const char *why = "fatal(\"assert(0)\")"; // exit(1)
char c = '"'; int lw_exit(int); void f(void) { lw_exit(1); job_fatal(2); }
END
spares "the words in comments, literals and longer names" fatal_calls
plant lab/sim/x.c <<<'	exit(1);'
spares "what is never loaded into Slurm" fatal_calls

plant src/slurm/read/read.c <<<'#if SLURM_VERSION_NUMBER < 3'
bites "#if on SLURM_VERSION_NUMBER" release_questions src/slurm/read/read.c:1
plant plugins/select/x.c <<<' # ifdef HAVE_SLURM_RESV_EXC_T'
bites "#ifdef on a probe" release_questions plugins/select/x.c:1
plant src/slurm/compat/x.h <<<'#if SLURM_VERSION_NUMBER < 3'
plant src/slurm/x.h <<<'#ifndef LW_SLURM_X_H'
spares "compat itself, and guards" release_questions

finish
