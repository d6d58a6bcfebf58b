#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what leeway analyse says of small workloads, in all its forms (TAP).
set -euo pipefail
export LC_ALL=C TZ=UTC

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
data=$here/analyse
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"
# files are told by their names alone
cd "$data"

# says ARGUMENT...: what it prints, on either output, with the exit status behind
says() {
	local status=0
	"$leeway" analyse "$@" 2>&1 || status=$?
	echo "exit status $status"
}

# same DESCRIPTION FILE ARGUMENT...: it says what FILE has
same() {
	local what=$1 file=$2
	shift 2
	check "$what" diff -u "$file" <(says "$@")
}

same "a trace" small.txt small.swf
same "what sacct printed" sacct.txt --sacct small.psv
same "what would help" what-if.txt small.swf --what-if
same "what would help a machine with nodes" what-if-nodes.txt small.swf --what-if --nodes 8
same "side by side" compare.txt --compare small.swf --sacct small.psv
cp small.swf "$work/A-cluster-of-2022-and-more.swf"
cp small.swf "$work/Another-one-of-2023.swf"
compared=$(says --compare "$work"/A*.swf small.swf)
like "no name is cut where there is room for it" "$compared" \
	'^ +A-cluster-of-2022-and-more +Another-one-of-2023$'
check "which is 80 columns" awk 'length > 80 && !/^  / { exit 1 }' <<<"$compared"
is "what sacct prints of this cluster" "$(
	mkdir "$work/bin"
	printf '#!/bin/sh\ncat "%s"\n' "$data/small.psv" >"$work/bin/sacct"
	chmod +x "$work/bin/sacct"
	says --cluster --bin "$work/bin" | grep -v '^sacct:' | tail -n +2
)" "$(says --sacct small.psv | grep -v '^small.psv' | tail -n +2)"
like "a sacct that fails is told" "$(says --cluster --bin "$work")" \
	'sacct: No such file or directory: is Slurm installed here'
printf '#!/bin/sh\nexit 127\n' >"$work/bin/sacct"
like "also if that is seen only when it has begun" "$(says --cluster --bin "$work/bin")" \
	'sacct: No such file or directory: is Slurm installed here'
printf '#!/bin/sh\nexit 3\n' >"$work/bin/sacct"
like "with its exit status" "$(says --cluster --bin "$work/bin")" 'sacct ended with exit status 3'

# forms
count() { find "$work/charts" -name "*.$1" | wc -l; }
says small.swf -q --json="$work/json" --html "$work/page.html" --charts "$work/charts" >/dev/null
like "JSON says what it is" "$(cat "$work/json")" '"schema": "leeway.analyse"'
like "and has the answers" "$(cat "$work/json")" '"reply": "yes"'
unlike "nothing in it is no number" "$(cat "$work/json")" 'nan|inf|NaN'
is "a page has each chart that is an image" "$(grep -c 'class="lw-wide"' "$work/page.html")" \
	"$(count svg)"
is "and for a phone" "$(grep -c 'class="lw-phone"' "$work/page.html")" \
	"$(count svg)"
is "and needs no other file" \
	"$(grep -cE 'src=|url\(|href=|@import|https?://[^w]' "$work/page.html")" 0
is "each chart is an image and numbers" "$(count svg)" \
	"$(count csv)"
# seven of 120 jobs
is "and the numbers are those of the jobs" "$(head -2 "$work/charts/hours.csv")" \
	"$(printf '%s\n' 'series,hour,jobs_percent' 'Monday to Friday,0,5.833333333')"
says --compare small.swf --sacct small.psv -q --json="$work/two" --html "$work/two.html" \
	>/dev/null
like "several are one JSON" "$(cat "$work/two")" '"schema": "leeway.analyse.compare"'
like "and one page" "$(cat "$work/two.html")" '<h1>Workloads side by side'

# names
like "names are told" "$(says --sacct small.psv --json)" '"name": "bob"'
hidden=$(says --sacct small.psv --anonymous -q --json)
unlike "and hidden where that is wanted" "$hidden" '"(ann|bob|cid|chem|ml|water|train)"'
like "users by a hash" "$hidden" '"user-[0-9a-f]{10}"'
printf 'a salt of some bytes' >"$work/salt"
by_salt() { says --sacct small.psv --anonymous --salt-file "$work/salt" -q --json; }
is "which a salt in a file makes the same each time" "$(by_salt | grep '"user-')" \
	"$(by_salt | grep '"user-')"
unlike "and chance does not" "$(says --sacct small.psv --anonymous -q --json)" \
	"$(by_salt | grep -o 'user-[0-9a-f]*' | head -1)"

# one is one
printf '1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n' >"$work/one.swf"
like "one of each" "$(says "$work/one.swf" --html "$work/one.html")" \
	'^one: 1 job in 0s of 1 user; at the peak 1 core$'
like "on a page, too" "$(cat "$work/one.html")" \
	'<p>1 job that ran, submitted within 0s by 1 user, on'

# refused
is "no workload" "$(says | head -1)" \
	'leeway analyse: a trace, --sacct FILE or --cluster is missing'
like "which is wrong use" "$(says)" 'exit status 2'
like "two without --compare" "$(says small.swf small.swf)" 'compare puts them side by side'
like "one with it" "$(says small.swf --compare)" 'one workload has nothing beside it'
like "a trace that is not there" "$(says none.swf)" 'none.swf: cannot open: No such file'
like "which is a failure" "$(says none.swf)" 'exit status 1'
printf '1 2 3\n' >"$work/bad.swf"
like "a bad line has its number" "$(says "$work/bad.swf")" 'bad.swf:1: field 4 .run time.: missing'
like "and may be passed over" "$(says "$work/bad.swf" --lenient)" '1 bad lines skipped, the first'
like "a salt for nothing" "$(says small.swf --salt-file x)" 'is of --anonymous'
like "a folder is none" "$(says small.swf --anonymous --salt-file "$work")" \
	': cannot read: Is a directory'
cp small.swf "$work/kept.swf"
like "what was read is not written over" "$(says "$work/kept.swf" -q --json="$work/kept.swf")" \
	'kept.swf: it is one of the inputs, and is kept'
check "and is as it was" cmp small.swf "$work/kept.swf"
# above the shell's limit of a file's size
limited=$(ulimit -f 1; says small.swf -q --html "$work/limited.html")
like "a file that may not grow is told" "$limited" 'limited.html: .*File too large'
like "as any failure" "$limited" '^exit status 1$'
check "and is not left half written" test ! -e "$work/limited.html"
like "nor one output over another" "$(says small.swf -q --json="$work/one" --html "$work/./one")" \
	'one: two outputs go there: give each a file of its own'
like "a machine that is too small" "$(says small.swf --machine 8)" \
	'a job holds 16 cores, and the machine has 8'
like "sacct knows no machine to simulate" "$(says --sacct small.psv --what-if -q)" \
	'give --nodes, --cpus-per-node'
like "a sample is of what is simulated" "$(says small.swf --sample 5)" '--sample: is of --what-if'
like "standard input is read once" "$(says - --what-if <small.swf)" 'name a file'
is "or as a trace" "$(says - <small.swf | tail -n +2)" "$(says small.swf | tail -n +2)"

# jobs_of TRACE: how many it says there are, and how many it leaves out, as one sum
jobs_of() {
	"$leeway" analyse "$1" 2>&1 | awk -F ': ' '
		!said && $2 ~ /^[0-9]+ jobs in / { sum += $2 + 0; said = 1 }
		/: left out / { sum += $NF }
		END { print sum + 0 }'
}

if [[ -d ${LEEWAY_TRACES:-} ]]; then
	for trace in "$LEEWAY_TRACES"/*.swf.gz; do
		is "no job of ${trace##*/} is lost" "$(jobs_of "$trace")" \
			"$(gzip -dc "$trace" | grep -vc '^;')"
	done
else
	skip "no job of a real trace is lost" "no LEEWAY_TRACES"
fi

finish
