#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a replay on a machine held busy says that it is not to be believed, or begins again
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
trap cluster_gone EXIT
trap 'exit 130' INT TERM

# workload COUNT EVERY_S: small jobs of a second
workload() {
	local i
	echo '#lw-workload 1'
	for ((i = 0; i < $1; i++)); do
		printf '%s\t1\t1\t0\t1\t100\t60\t1\t-\t-\thpc\tx\n' $((i * $2))
	done
}

# replay DIR OPTIONS...
replay() {
	local dir=$out/$1
	shift
	mkdir -p "$dir"
	"$top/contrib/minislurm/replay" --name "$name" --nodes 2 --gpus 0 --out "$dir" "$@" \
		> "$dir/report.out" 2> "$dir/replay.err"
}
said() { grep -E -- "$2" "$out/$1/replay.err"; }
json_has() { grep -E "\"$2\": $3,?\$" "$out/$1/report.json"; }

# Twelve jobs in 55 ms: no machine can, however idle. Told to keep the clock, the replay does.
workload 12 1 > "$out/rush.tsv"
replay rush --compare --clock 200 --keep-clock --workload "$out/rush.tsv"
is "what was submitted too late ends with an exit code of its own" $? 5
like "says so first" "$(head -n 1 "$out/rush/report.out")" \
	'^Do not believe these figures.* under stock \([0-9.]+ %\), by .* under leeway \('
# where fewer jobs started in one run than in the other a sentence has that word
unlike "prints no ratios" "$(cat "$out/rush/report.out")" ' ratio$'
like "shows mean and greatest" "$(cat "$out/rush/report.out")" '^ *late, greatest +[0-9]'
ok "tells programs" json_has rush too_late true
like "and who reads the page" "$(grep -m 1 '<p' "$out/rush/report.html")" 'Do not believe'
ok "has no table of slowdowns" test ! -e "$out/rush/slowdown.tsv"
like "keeps the clock" "$(cat "$out/rush/leeway/meta.json")" '"factor": 200,'

# From its second job on the driver gets no processor, as on a machine held busy, until it goes
# with its cluster. It is watched from inside: a look from here may take as long as all its jobs.
# shellcheck disable=SC2016 # the shell in the cluster expands it
hold_driver() {
	sh_on 'until [ "$(cat /run/minislurm/replay/tasks)" -ge 2 ]; do LD_PRELOAD= sleep 0.1; done
		kill -STOP "$(pgrep -of [/]replay/drive)"'
}
workload 12 60 > "$out/calm.tsv"
replay calm --clock 60 --workload "$out/calm.tsv" &
replay=$!
await 60 "there is a cluster" container_door "$name"
await 120 "two jobs are submitted, and then the driver is held" hold_driver
await 60 "the replay begins again" said calm 'begins again with x30,'
wait "$replay"
is "and ends well" $? 0
ok "with figures to believe" json_has calm too_late false
like "at a slower clock" "$(cat "$out/calm/meta.json")" '"factor": ([1-9]|[12][0-9]|30),'
like "which it says at the end, too" "$(cat "$out/calm/replay.err")" 'was slowed down from x60'
finish
