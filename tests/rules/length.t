#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: functions of at most 60 lines and 6 arguments, files of at most 500 lines and .c
# files of 220 in the median, plugin entries below 100.
# shellcheck disable=SC2016 # awk and make have dollars of their own
. "$(dirname "$0")/lib.sh"

# By layout: a function's body is what stands between braces in the first column.
long_functions()
{
	(
		cd "$1"
		files . "^($houses|tests|contrib)/.*\.c\$" | tr '\n' '\0' | xargs -0 -r awk '
		FNR == 1 { start = 0 }
		/^\{/ { start = FNR; name = before }
		/^\}/ && start {
			if (FNR - start + 1 > 60)
				print FILENAME ":" start ": " FNR - start + 1 " lines: " name
			start = 0
		}
		!/^[ \t{}]/ { before = $0 }'
	)
}

# Shell functions are held to the same.
long_shell_functions()
{
	(
		cd "$1"
		shell_files . | tr '\n' '\0' | xargs -0 -r awk '
		FNR == 1 { start = 0 }
		/^[a-z_0-9]+ *\(\)/ { start = FNR; name = $1 }
		/^\}/ && start {
			if (FNR - start + 1 > 60)
				print FILENAME ":" start ": " FNR - start + 1 " lines: " name
			start = 0
		}'
	)
}

# What is declared in the first column: commas that are in just one pair of parentheses part
# arguments. Functions that stand in for Slurm's own have as many as these.
argued_files() { files "$1" "^($houses)/.*\.[ch]\$" | grep -v '^src/slurm/compat/'; }

many_arguments()
{
	code "$1" argued_files | awk '
	function count(text, i, c, depth, n, most) {
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (c == "(" && ++depth == 1)
				n = 1
			else if (c == ")" && --depth == 0 && n > most)
				most = n
			else if (c == "," && depth == 1)
				n++
		}
		return most
	}
	{
		match($0, /^[^:]*:[0-9]+:/)
		at = substr($0, 1, RLENGTH - 1)
		text = substr($0, RLENGTH + 1)
		if (text ~ /^[a-z]/) {
			where = at
			declared = ""
		} else if (where == "" || text !~ /^[ \t]/)
			where = ""
		if (where == "")
			next
		declared = declared text
		if (declared ~ /[{;=]|^[^(]*$/ || declared ~ /\)[ \t]*$/) {
			n = count(declared)
			if (n > 6)
				print where ": " n " arguments"
			where = ""
		}
	}'
}

# longer ROOT LIMIT FILES
longer()
{
	(
		cd "$1"
		printf '%s\n' "$3" | grep . | tr '\n' '\0' | xargs -0 -r awk -v limit="$2" '
			FNR == 1 && NR > 1 && last > limit { print name ": " last " lines" }
			{ name = FILENAME; last = FNR }
			END { if (last > limit) print name ": " last " lines" }'
	)
}

# A .def is a table of one line an entry: it has as many as there are.
long_files()
{
	longer "$1" 500 "$(c_files "$1" | grep -v '\.def$'; shell_files "$1"
		files "$1" '\.(py|awk|am|mk|m4)$')"
}

# The length that half of the .c files do not exceed.
long_median()
{
	(
		cd "$1"
		files . "^($houses|tests)/.*\.c\$" | tr '\n' '\0' |
			xargs -0 -r awk '{ lines[FILENAME] = FNR }
				END { for (name in lines) print lines[name] }' | sort -n | awk '
			{ length_of[NR] = $1 }
			END {
				median = length_of[int((NR + 1) / 2)]
				if (median > 220)
					print "the median of " NR " .c files is " median " lines"
			}'
	)
}

# The file of a plugin that holds what Slurm looks up by name.
long_entries()
{
	(
		cd "$1"
		longer . 99 "$(files . '^plugins/.*\.c$' | tr '\n' '\0' |
			xargs -0 -r grep -lE '^const char plugin_type\[\]|^SPANK_PLUGIN')"
	)
}

# lines N: a program with a function of N lines.
lines()
{
	echo 'int lw_x(void)'
	echo '{'
	for ((i = 0; i < $1 - 2; i++)); do
		printf '\t;\n'
	done
	echo '}'
}

keeps "no function of C is longer than 60 lines" long_functions
keeps "no function of a script is longer than 60 lines" long_shell_functions
keeps "no function has more than 6 arguments" many_arguments
keeps "no file is longer than 500 lines" long_files
keeps "half of the .c files are not longer than 220 lines" long_median
keeps "no plugin entry file has 100 lines" long_entries

lines 61 | plant lab/sim/x.c
bites "a function of 61 lines" long_functions "lab/sim/x.c:2: 61 lines: int lw_x(void)"
printf 'int lw_x(int a, int (*b)(int, int, int),\n\t int c, int d,\n\t int e, int f, int g);\n' |
	plant lab/sim/x.h
bites "a function of 7 arguments" many_arguments "lab/sim/x.h:1: 7 arguments"
printf 'int lw_x(int a, int b, int c, int (*d)(int, int, int, int), int e,\n\t int f)\n{\n' |
	plant lab/sim/x.c
printf '\treturn y(a, b, c, d, e, f, g);\n}\n' >>"$planted/lab/sim/x.c"
spares "a function of 6 arguments" many_arguments
{ printf '#!/usr/bin/env bash\nx() {\n'; printf ':\n%.0s' {1..60}; echo '}'; } | plant contrib/x
bites "a shell function of 62 lines" long_shell_functions "contrib/x:2: 62 lines"
{ lines 60; lines 441; } | plant lab/sim/x.c
bites "a file of 503 lines" long_files "lab/sim/x.c: 503 lines"
lines 20 | plant lab/sim/a.c
lines 220 | plant lab/sim/b.c
lines 400 | plant tests/unit/c.c
bites "files of 221 lines in the median" long_median "of 3 .c files is 221 lines"
lines 20 | plant lab/sim/a.c
lines 219 | plant lab/sim/b.c
lines 400 | plant tests/unit/c.c
spares "files of 220 lines in the median" long_median
{ echo 'const char plugin_type[] = "x";'; lines 99; } | plant plugins/sched/x.c
bites "an entry file of 101 lines" long_entries "plugins/sched/x.c: 101 lines"
{ echo 'SPANK_PLUGIN(x, 1);'; lines 99; } | plant plugins/spank/x.c
bites "a SPANK entry file of 101 lines" long_entries "plugins/spank/x.c: 101 lines"
{ echo 'const char plugin_type[] = "x";'; lines 97; } | plant plugins/sched/x.c
spares "an entry file of 99 lines" long_entries

finish
