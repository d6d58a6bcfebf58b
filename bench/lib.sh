# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what bench/run needs of files: traces in, one JSON out.
# shellcheck shell=bash disable=SC2034,SC2154 # bench/run and this set and read each other's

path_of()
{
	echo "$folder/$1.swf.gz"
}

# Is the trace wanted, and there? If it is not there, say so.
have()
{
	[[ -z ${BENCH_TRACES:-} || " $BENCH_TRACES " == *" $1 "* ]] || return 1
	[ -r "$(path_of "$1")" ] && return 0
	echo "$1: skipped: not in $folder"
	return 1
}

# Theta knows projects but no users.
user_field()
{
	case $1 in
	ALCF-Theta-*) echo "--set jobs.user_field=group" ;;
	esac
}

# How often a policy runs on it: the one of half a million jobs once.
shakes_of()
{
	case $1 in
	RICC-*) echo 0 ;;
	*) echo "$shakes" ;;
	esac
}

times()
{
	local many
	many=$(shakes_of "$1")
	if [ "$many" -gt 0 ]; then
		echo "mean ± standard deviation of $many shakes"
	else
		echo "unshaken"
	fi
}

# For awk programs that know part: note that what was measured is to be at most BOUND.
export BENCH_GOALS=$out/goals.tsv
goal_awk='
	function goal(where, what, measured, bound) {
		printf "%s\t%s\t%s\t%.10g\t%.10g\n", part, where, what, measured, \
			bound >>ENVIRON["BENCH_GOALS"]
	}'

# What was noted, as one table; then how many goals are missed.
goals()
{
	[ -s "$BENCH_GOALS" ] || return 0
	echo "== Goals"
	awk -F'\t' '
	function short(value) { return sprintf(value < 10 ? "%.3f" : "%.1f", value) }
	NR == 1 {
		printf "%-10s %-30s %-30s %10s %10s\n", "", "", "", "measured", "at most"
	}
	{
		ok = $4 <= $5
		verdict = ok ? "ok" : "SHORT"
		if (!ok && $5 > 0)
			verdict = sprintf("SHORT by %.1f %%", 100 * ($4 / $5 - 1))
		line = sprintf("%-10s %-30s %-30s %10s %10s  %s\n", $1, $2, $3, short($4),
			short($5), verdict)
		printf "%s", line
		if (!ok) {
			missed = missed line
			count++
		}
	}
	END {
		printf "\n%d of %d goals are met%s\n%s", NR - count, NR,
			count ? "; missed:" : "", missed
	}
	' "$BENCH_GOALS"
}

goals_json()
{
	awk -F'\t' '
	BEGIN { printf "[" }
	{
		printf "%s\n  {\"part\": \"%s\", \"where\": \"%s\", \"what\": \"%s\", ",
			(NR > 1 ? "," : ""), $1, $2, $3
		printf "\"measured\": %s, \"at_most\": %s, \"met\": %s}", $4, $5,
			($4 <= $5 ? "true" : "false")
	}
	END { print "\n]" }' "$BENCH_GOALS"
}

# Every file of results under its name, in one object.
collect()
{
	local file name

	printf '{\n"goals":\n'
	goals_json
	for file in "$out"/*.json; do
		[ -e "$file" ] || continue
		name=${file##*/}
		printf ',"%s":\n' "${name%.json}"
		cat "$file"
	done
	printf '}\n'
}
