# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: runs the scheduling part of Slurm's own test suite, and judges it against stock
#
# The suite comes with Slurm's source, which is in the image. A case that fails under Leeway
# is run again by itself: many tests bear no load. If it fails once more, stock Slurm has to
# pass it, by itself on the same machine, before it counts against Leeway.

suite_jobs=4 # containers at a time; the tests mostly wait

# suite_tests: "NAME LIMIT WORDS" of those on the list
suite_tests() { grep '^test_[0-9_]* ' "$MS_HOME/suite/tests"; }

suite_image_path() { derived_path suite "$MS_HOME/suite/install"; }

# suite_image_make: the lab image and what the suite wants beside it
suite_image_make() {
	[ -d "$(image_path)/opt/slurm-src/testsuite/python/tests" ] ||
		die "Slurm $(release_name): its source is not at hand, or has no testsuite/python"
	derived_make suite "$MS_HOME/suite/install" "what Slurm's tests want"
}

# suite_run DIR stock|leeway TEST LIMIT: one file; what it says goes to DIR/TEST
suite_run() (
	dir=$1/$3 rc=0 name=$(container_new_name leeway-suite)
	mkdir -p "$dir"
	# shellcheck disable=SC2034 # for the container
	MS_SCHED=$2 MS_NODES=1 MS_GPUS=0 MS_CLOCK=1
	cluster_flags
	# shellcheck disable=SC2034 # for container_run
	MS_IMAGE=$(suite_image_path)
	trap 'container_remove "$name"' EXIT
	trap 'exit 130' INT TERM
	container_run --name "$name" "${MS_FLAGS[@]}" -v "$dir:/results" -- \
		/opt/minislurm/suite/run "$3" "$4" > "$dir/pytest.log" 2>&1 || rc=$?
	echo "$rc" > "$dir/rc"
)

# suite_round DIR stock|leeway JOBS TEST...
suite_round() {
	local dir=$1 sched=$2 jobs=$3 test limit done=0
	shift 3
	for test; do
		while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
		limit=$(suite_tests | awk -v test="$test" '$1 == test { print $2 }')
		done=$((done + 1))
		say "$sched: $test ($done of $#)"
		suite_run "$dir" "$sched" "$test" "$limit" &
	done
	wait
}

# suite_cases DIR TEST...: "pass|fail|skip CASE WHY" of a round; of tests that it ran
suite_cases() {
	local dir=$1 test
	shift
	for test; do
		[ ! -d "$dir/$test" ] || awk -v test="$test" -v rc="$(cat "$dir/$test/rc")" \
			-v list="$MS_HOME/suite/tests" -f "$MS_HOME/suite/cases.awk" \
			"$dir/$test/pytest.log"
	done
}

# suite_failed DIR TEST...: those in which a case failed
suite_failed() { suite_cases "$@" | sed -n 's/^fail\t\(test_[0-9_]*\).*/\1/p' | uniq; }

# suite_left_out: rows like those of suite_cases
suite_left_out() {
	suite_tests | awk '$2 == "-" {
		name = $1
		sub(/^[^ ]+ - /, "")
		print "skip\t" name "\t" $0
	}'
}

# suite_planned DIR TEST...: such rows: did Leeway plan the queue, and all the time?
suite_planned() {
	local dir=$1 test log result
	shift
	for test; do
		log=$dir/$test/slurmctld.log result=pass
		[ -f "$log" ] || continue # no slurmctld was wanted
		grep -q 'Leeway (.*), not stock backfill, plans the queue' "$log" || result=fail
		! grep -q 'plans the queue until further notice' "$log" || result=fail
		printf '%s\t%s: Leeway planned the queue\n' "$result" "$test"
	done
}

# suite_judge DIR: run all, repeat what fails, compare with stock; TAP to stdout
suite_judge() {
	local dir=$1 tests again=() still=()
	# the long ones first, or the last of them is waited for alone
	mapfile -t tests < <(suite_tests | awk '$2 != "-" { print $1, $2 }' |
		sort -s -k2,2nr | cut -d ' ' -f 1)
	rm -rf "$dir"
	mkdir -p "$dir"
	suite_round "$dir/all" leeway "$suite_jobs" "${tests[@]}"
	mapfile -t again < <(suite_failed "$dir/all" "${tests[@]}")
	suite_round "$dir/again" leeway 1 "${again[@]}"
	mapfile -t still < <(suite_failed "$dir/again" "${again[@]}")
	suite_round "$dir/stock" stock 1 "${still[@]}"
	{
		suite_cases "$dir/all" "${tests[@]}" | sed 's/^/all\t/'
		suite_cases "$dir/again" "${again[@]}" | sed 's/^/again\t/'
		suite_cases "$dir/stock" "${still[@]}" | sed 's/^/stock\t/'
		{ suite_left_out && suite_planned "$dir/all" "${tests[@]}"; } | sed 's/^/all\t/'
	} | awk -f "$MS_HOME/suite/verdict.awk"
}
