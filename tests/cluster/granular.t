#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs planned inside nodes: GPUs that stock leaves idle, the same jobs under both
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

# Stock keeps whole nodes for a job that it planned, however little of them that wants. Twice:
#
#   gang  n1 is full for an hour and n2 empty. A job of one GPU on each is planned for then,
#         and n2 with its 8 GPUs is shut to all that run longer.
#   one   half of the GPUs of n3 and most of its memory are taken for an hour. A job of one
#         GPU and much memory is planned for then, and the other half is shut as well.
extra=$(mktemp)
trap 'rm -f "$extra"' EXIT
printf '%s\n' 'PartitionName=gang Nodes=n[1-2] MaxTime=INFINITE' \
	'PartitionName=one Nodes=n3 MaxTime=INFINITE' > "$extra"

declare -A id started wait_s

# gpus_of NODES: how many of their GPUs jobs have
gpus_of() {
	sh_on "scontrol show node $1 -o" | grep -o 'AllocTRES=[^ ]*' | grep -o 'gres/gpu=[0-9]*' |
		awk -F= '{ sum += $2 } END { print sum + 0 }'
}
time_of() { sh_on "date -d $(sacct_field "${id[$1]}" "$2") +%s"; }

# the_jobs WHO: submit them, look at the GPUs while they wait, have who runs end until all have run
the_jobs() {
	id[full]=$(submit u1 "--partition=gang --gpus-per-node=8 --mem=100 --time=100" 20000)
	id[half]=$(submit u1 "--partition=one --gpus-per-node=4 --mem=6000 --time=100" 20000)
	starts "$1: a job takes a node" "${id[full]}"
	starts "$1: another half of one" "${id[half]}"
	id[gang]=$(submit u2 "--partition=gang --nodes=2 --gpus-per-node=1 --mem=100 --time=30" \
		20000)
	id[large]=$(submit u2 "--partition=one --gpus-per-node=1 --mem=6000 --time=30" 20000)
	await 30 "$1: a gang of one GPU on each of two nodes is planned" \
		field_like "${id[gang]}" SchedNodeList '^n'
	await 30 "$1: so is a job of one GPU and much memory" \
		field_like "${id[large]}" SchedNodeList '^n3'
	id[seven]=$(submit u3 "--partition=gang --gpus-per-node=7 --mem=100 --time=200" 20000)
	id[three]=$(submit u3 "--partition=one --gpus-per-node=3 --mem=100 --time=200" 20000)
	# both are planned or run, so this is what the scheduler makes of them
	await 30 "$1: a long job for the rest of the empty node is decided on" decided seven
	await 30 "$1: one for the rest of the half node too" decided three
	taken=$(gpus_of 'n[1-3]')
	# however long it took to look, they run
	sh_on 'scancel --state=running'
	await 150 "$1: all others start" nobody_waits
	sh_on 'scancel --state=running'
	await 60 "$1: all jobs end" all_done
	await 30 "$1: accounting knows when" accounted "${id[@]}"
	for job in full half gang large seven three; do
		start=$(time_of $job Start)
		started[$1.$job]=$start
		wait_s[$1.$job]=$((start - $(time_of $job Submit)))
	done
}
nobody_waits() { [ "$(sh_on 'squeue -h -o %t' | sort -u)" = R ]; }
decided() { job_is "${id[$1]}" RUNNING || planned "${id[$1]}"; }

# late JOB AFTER: seconds between the end of AFTER and the start of JOB
late() { echo $(($(time_of "$1" Start) - $(time_of "$2" End))); }

cluster --sched stock --nodes 3 --gpus 8 --cpus 16 --mem 8000 --clock 20 --conf-extra "$extra"
the_jobs stock
is "stock: only 12 of 24 GPUs work meanwhile" "$taken" 12
ok "stock: the rest of the empty node waits for the gang" \
	test "${started[stock.seven]}" -ge "${started[stock.gang]}"
ok "stock: that of the half node waits as well" \
	test "${started[stock.three]}" -ge "${started[stock.large]}"
stock_gang=$(late gang full) stock_large=$(late large half)
cluster_gone

cluster --sched leeway --nodes 3 --gpus 8 --cpus 16 --mem 8000 --clock 20 --conf-extra "$extra"
the_jobs leeway
is "leeway: 22 of 24 work" "$taken" 22
ok "leeway: the rest of the empty node is used at once" test "${wait_s[leeway.seven]}" -le 300
ok "leeway: that of the half node too" test "${wait_s[leeway.three]}" -le 300
leeway_gang=$(late gang full) leeway_large=$(late large half)
ok "leeway: the gang starts when the full node is free" test "$leeway_gang" -le 180
ok "leeway: the large job when the memory is" test "$leeway_large" -le 180
for job in gang large; do
	ok "leeway: the promise to the $job job is kept" in_log "promise to job ${id[$job]} kept"
done
unlike "leeway: none is broken" "$(log_of_controller)" 'promise to job [0-9]+ broken'

# idle WHO: GPU-minutes for which a job waited that could have used them
idle() { echo $(((7 * ${wait_s[$1.seven]} + 3 * ${wait_s[$1.three]}) / 60)); }
echo "# GPU-minutes idle while a job waited for them: stock $(idle stock), leeway $(idle leeway)"
echo "# seconds from the end of who held the room to the planned start: stock" \
	"$stock_gang and $stock_large, leeway $leeway_gang and $leeway_large"
finish
