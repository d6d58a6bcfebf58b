#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: the pure libraries need memory, strings and libm, nothing else.
. "$(dirname "$0")/lib.sh"

# What it may call of libc: nothing with a clock, a file, a process, a lock, the
# environment, a random source or hidden state. Anything else is an offence until
# somebody adds it here and means it.
allowed='^(lw_.*|mem(cpy|move|set|cmp|r?chr|mem)|str(n?len|n?cmp|chr|rchr|str|spn|cspn|pbrk|n?dup)'
allowed+='|malloc|calloc|realloc|reallocarray|free|qsort|qsort_r|bsearch|v?snprintf'
allowed+='|__(mem[a-z]+|str[a-z]+|v?snprintf)_chk|__errno_location|__ctype_b_loc'
allowed+='|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__popcountdi2|__(asan|ubsan|gcov)_.*'
allowed+='|l?l?(abs|round|rint)|fabs|sqrt|exp2?|log(2|10)?|pow|floor|ceil|fmin|fmax|fmod|frexp)$'

# objects_of FOLDER...: those of a library
objects_of() { find "$@" -path '*/.libs/*.o' 2> /dev/null | sort; }

pure=(src/planner src/predictor src/share src/tagger)

# The objects of the pure libraries, and those of src/base that they pull in, and theirs.
impure_symbols()
{
	(
		cd "$1"
		mapfile -t objects < <(objects_of "${pure[@]}" src/base)
		if [ ${#objects[@]} -eq 0 ]; then
			echo "no objects of ${pure[*]}: build first"
			return
		fi
		nm -A -g "${objects[@]}" |
			sed 's/^\([^:]*\):\(.* \)\?\([A-Za-z]\) /\1 \3 /' |
			awk -v allowed="$allowed" '
			{ file[NR] = $1; kind[NR] = $2; symbol[NR] = $3; seen[$1] = 1 }
			$2 != "U" && $2 != "w" { home[$3] = $1 }
			END {
				for (f in seen)
					if (f ~ /^src\/(planner|predictor|share|tagger)\//)
						used[f] = more = 1
				while (more) {
					more = 0
					for (i = 1; i <= NR; i++) {
						if (kind[i] != "U" || !used[file[i]])
							continue
						f = home[symbol[i]]
						if (f != "" && !used[f])
							used[f] = more = 1
					}
				}
				for (i = 1; i <= NR; i++)
					if (kind[i] == "U" && used[file[i]] && symbol[i] !~ allowed)
						print file[i] " calls " symbol[i]
			}'
	)
}

# Data that can change, in the objects of the pure libraries.
mutable_data()
{
	(
		cd "$1"
		objects_of "${pure[@]}" | xargs -r size -A | awk '
			$2 == ":" { object = $1 }
			$1 ~ /^\.(data|bss|tdata|tbss)$/ && $2 > 0 {
				print object " has " $2 " bytes in " $1
			}'
	)
}

# object FILE: compile standard input to an object as libtool would leave it.
object()
{
	mkdir -p "$planted/$(dirname "$1")"
	${CC:-cc} -O1 -fPIC -fno-sanitize=all -x c -c -o "$planted/$1" -
}

if [ -z "$(objects_of "$build/src/planner")" ]; then
	skip "the pure libraries call nothing impure" "nothing is built in $build"
	finish
	exit
fi
root=$build
keeps "the pure libraries call nothing impure" impure_symbols
if objects_of "$build/src/planner" | xargs nm | grep __asan_ >/dev/null; then
	skip "the pure libraries have no data that changes" "the sanitizers add theirs"
else
	keeps "the pure libraries have no data that changes" mutable_data
fi

for call in 'time(0)' 'getenv("X")' 'rand()' 'printf("x")' 'abort()' 'clock()' 'getpid()'; do
	object src/planner/.libs/x.o <<-END
		#include <stdio.h>
		#include <stdlib.h>
		#include <time.h>
		#include <unistd.h>
		void lw_x(void);
		void lw_x(void) { $call; }
	END
	bites "${call%%(*}() in the pure libraries" impure_symbols src/planner/.libs/x.o
done
object src/planner/.libs/x.o <<<'void lw_a(void); void lw_b(void); void lw_b(void) { lw_a(); }'
object src/base/.libs/a.o <<<'void lw_c(void); void lw_a(void); void lw_a(void) { lw_c(); }'
object src/base/.libs/c.o <<<'#include <stdio.h>
void lw_c(void); void lw_c(void) { fopen("x", "r"); }'
bites "a file opened two calls away" impure_symbols src/base/.libs/c.o
object src/planner/.libs/x.o <<<'#include <string.h>
unsigned long lw_b(const char *s); unsigned long lw_b(const char *s) { return strlen(s); }'
object src/base/.libs/c.o <<<'#include <stdio.h>
void lw_c(void); void lw_c(void) { fopen("x", "r"); }'
spares "files opened by what the policy does not use" impure_symbols
object src/planner/.libs/x.o <<<'int lw_next(void); int lw_next(void) { static int n; return n++; }'
bites "a static counter" mutable_data src/planner/.libs/x.o
object src/planner/.libs/x.o <<<'const char *lw_x(int i);
static const char *const names[] = { "a", "b" };
const char *lw_x(int i) { return names[i]; }'
spares "tables of constants" mutable_data

finish
