# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the tests of the examples for users share: each is asked to stop, twice, and ends
# shellcheck disable=SC2154 # lib.sh sets them

# examples_begin OPTIONS: a cluster in which jobs that agree may be asked at any time, with the
# folder of the examples in u1's
examples_begin() {
	mkdir -p "$out"
	conf_extra <<< 'KillWait=30'
	yaml=$out/leeway.yaml
	printf '%s\n' 'sched.min_interval: 1s' stop: '  mode: on' '  lease: 0s' '  per_day: 20' \
		'  share: 1.0' > "$yaml"
	begin "$@"
	tar -C "$top/doc/user/examples" -cf - . |
		with_input --user u1 -- bash -c 'mkdir -p /tmp/of-u1 && tar -C /tmp/of-u1 -xf -'
}

# what an example prints is its ledger
ledger() { sh_on "cat $output"; }
example_says() {
	[[ $(on scontrol show job "$1" | sed -n 's/^ *Comment=//p') =~ $2 ]]
}
# example_whole: each step was done once, from the first to the last
example_whole() {
	ledger | awk -v steps="$1" '/^step/ { if ($2 != ++n) exit n = -1 } END { exit n != steps }'
}

# example WHAT FOLDER STEPS COMMAND OUTPUT: the facts that it saves, stops and goes on, twice, and
# tells how far it is; COMMAND submits it and prints the job's id, which is %j in OUTPUT
example() {
	local job k
	job=$(as u1 "cd /tmp/of-u1/$2 && export STEPS=$3 && $4" | tail -n 1)
	output=/tmp/of-u1/$2/${5//%j/$job}
	starts "$1: it runs" "$job"
	trained "$job"
	if ! steps "$job" 3; then
		ledger | tail -n 20 | comment
		return
	fi
	await 30 "it says how far it is" example_says "$job" "leeway:progress=[0-9]+/$3,at:"
	for k in 1 2; do
		ok "it is ordered to stop" sh_on "leeway stops --ask $job"
		comes_back "$job" "$k"
		await 60 "the order is answered" answered "$job" 'back:'
		await 30 "it says so of the new run" example_says "$job" \
			"leeway:progress=[0-9]+/$3,.*from:[1-9]"
	done
	await 180 "it ends" job_is "$job" COMPLETED
	is "its log has all three runs" "$(ledger | grep -c '^begin ')" 3
	ok "it went on from its save each time" whole "$job"
	is "up to the last step" "$(ledger | awk '/^step/ { n = $2 } END { print n }')" "$3"
}
