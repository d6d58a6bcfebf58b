#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what slurmctld holds, in memory, threads and files, does not grow from cycle to cycle
# shellcheck disable=SC2317 # functions are called through await
#
# heap.c counts the memory. Growth is looked for between two moments in which the queue is the same.
. "$(dirname "$0")/lib.sh"

need_containers
mkdir -p "$out"
conf_extra <<'END'
Licenses=tool:4
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MinJobAge=10
DebugFlags=NO_CONF_HASH
PartitionName=low Nodes=n1 PreemptMode=REQUEUE
PartitionName=high Nodes=n[1-2] PriorityTier=9
PartitionName=turn Nodes=n6 PreemptMode=OFF
END
# settings WORDS: a cycle each second, and WORDS
settings() {
	printf 'sched:\n  interval: 1s\n  min_interval: 1s\n  hold_ms: 100\n  patience: 0\n%b' "$1"
}
settings '' > "$out/leeway.yaml"
printf 'SwitchName=left Nodes=n[1-3]\nSwitchName=right Nodes=n[4-6]\nSwitchName=top %s\n' \
	'Switches=left,right' > "$out/topology.conf"
cluster --sched leeway --nodes 6 --gpus 4 --gpu-types a100,v100 --cpus 8 --mem 8000 --clock 100 \
	--accounting none --sched-params build_queue_timeout=100000000 \
	--conf-extra "$extra" --topology "$out/topology.conf" --leeway-yaml "$out/leeway.yaml"

heap=/run/heap
counted() {
	with_input gcc -D_GNU_SOURCE -O2 -shared -fPIC -o /run/heap.so -xc - \
		< "$(dirname "${BASH_SOURCE[0]}")/heap.c" && stop_controller &&
		sh_on "touch $heap && chmod a+rw $heap && LW_HEAP_FILE=$heap \
			MS_PRELOAD=/run/heap.so /opt/minislurm/inside/service slurmctld"
}
cycles() { sh_on "wc -l < $heap"; }
cycles_reach() { [ "$(cycles)" -ge "$1" ]; }
# in_use: at the least of the last cycles, for requests and threads of Slurm need some for a while
in_use() { sh_on "tail -n 50 $heap | sort -n | head -n 1"; }
# least_after CYCLES: sets least to that after so many more
least_after() {
	await 300 "$1 cycles" cycles_reach $(($(cycles) + $1))
	least=$(in_use)
}
is_back() { [ "$(in_use)" -lt "$1" ]; }
# grew BEFORE NUMBER EACH WHAT: less than EACH bytes for each of NUMBER
grew() {
	echo "# $1 and $least bytes in use: $(((least - $1) / $2)) for $4, of $2"
	# Slurm may have as much as its state in hand while it writes that to a slow disk
	await 60 "no memory is lost with $4" is_back $(($1 + $2 * $3))
}
# held task|fd: how many; what ends by itself is given the time, as the least of some looks
# shellcheck disable=SC2016 # the shell in the cluster expands it
held() {
	sh_on 'for k in 1 2 3 4 5 6; do ls "/proc/$(cat /run/slurm/slurmctld.pid)/'"$1"'" | wc -l
		done | sort -n | head -n 1'
}

# Jobs that never end, one a node: n6 is for those that come and go. Slurm is told without a
# reconfigure, since a slurmd that has just begun may hang in one.
long='--time=500-0 --mem=100 -n 6 --gpus-per-node=3'
ok "the others have a partition of their own" sh_on \
	"sed -i '/^PartitionName=main /s/Nodes=ALL/Nodes=n[1-5]/' /etc/slurm/slurm.conf
	scontrol update partition=main nodes=n[1-5]"
ok "jobs run for ever" sh_on "run() { runuser -u u1 -- sbatch -Q -o /dev/null $long \"\$@\" \
		--wrap='sleep 90000000'; }
	run -p low && for k in 2 3 4 5; do run -w n\$k -L tool:1; done"
running() { [ "$(sh_on 'squeue -h -t R -o %A' | wc -l)" -eq "$1" ]; }
await 40 "they have started" running 5
ok "a reservation is made" sh_on \
	'scontrol create reservation=later starttime=now+100days duration=1 users=u1 \
		nodes=n1 flags=ignore_jobs'
# shellcheck disable=SC2016 # the shell in the cluster expands it
is "jobs of many kinds wait" "$(sh_on 'request() { runuser -u u1 -- sbatch -Q -o /dev/null \
		--mem=100 --time=$days-0 "$@" --wrap="sleep 90000000" 2>&1; }
	fill() {
		local said
		said=$(request "$@") || echo "not taken: $*: $said"
	}
	for days in 11 12 13 14 15; do
	fill --nodes=2 --exclusive
	fill --gpus-per-node=4
	fill --gpus=7
	fill --gpus-per-node=a100:4 --nodes=2
	fill --ntasks=2 --gpus-per-task=v100:2
	fill --array=1-20%3 --ntasks=8
	fill --nodes=2 --ntasks=12 : --gpus-per-node=4 --mem=100 --time=20-0
	fill --licenses=tool:4 --ntasks=8
	fill --nodes=2 --switches=1 --exclusive
	fill --contiguous --nodes=3 --exclusive
	fill --constraint=a100 --exclusive
	fill --reservation=later --time=1 --exclusive
	fill --partition=high --nodes=2 --exclusive
	fill --partition=low,main --exclusive
	fill --hold
	fill --begin=now+1000days
	fill --dependency=afterany:1
	fill --dependency=singleton --job-name=wrap
	fill --deadline=now+900days --exclusive
	fill --time-min=1-0 --nodes=3 --exclusive
	fill --mem=7990
	done')" ''
ok "slurmctld counts what it has in use" counted

# The state is the same all the time.
least_after 150
before=$least from=$(cycles)
least_after 350
grew "$before" $(($(cycles) - from)) 50 "each cycle"

# Who ended is forgotten but for what is learned, which has its place after the first time.
turned() { [ -z "$(sh_on 'squeue -h -t all -p turn -o %A')" ]; }
turn() {
	ok "jobs come" as u2 'sbatch -Q -o /dev/null -p turn --mem=100 --time=5 --array=1-100 \
		--wrap="sleep 9"'
	await 240 "all of them have run and are forgotten" turned
	least_after 100
}
turn
before=$least
turn
grew "$before" 100 300 "each job that comes and goes"

# Stock plans the queue for a while, again and again.
says() { sh_on "grep -Fc '$1' /var/log/slurm/slurmctld.log"; }
says_more() { [ "$(says "$1")" -gt "$2" ]; }
told() { # WORDS SENTENCE: of the settings, and what the log says once they are in force
	local times
	times=$(says "$2")
	settings "$1" | with_input tee /etc/slurm/leeway.yaml > /dev/null
	sh_on 'scontrol reconfigure'
	await 60 "slurmctld says: $2" says_more "$2" "$times"
}
hand_over() {
	for _ in 1 2 3 4; do
		told '  budget_ms: 1\n' 'plans the queue until further notice'
		told '' 'not stock backfill, plans the queue'
	done
	least_after 60
}
hand_over
before=$least threads=$(held task) files=$(held fd)
hand_over
case $(release) in
22.05) grew "$before" 4 4000 "each turn of stock's" ;;
*) echo "# each reconfigure begins a new process" ;;
esac
ok "threads are hardly more than $threads" test "$(held task)" -le $((threads + 2))
ok "files are hardly more than $files" test "$(held fd)" -le $((files + 2))

# What is shown of a job takes hardly more than it says. Those that are held are shown no more.
shown() { sh_on "squeue -h -t PD --start -o '%A %S' | grep -v N/A | cut -d ' ' -f 1 | sort -u"; }
jobs=$(shown | tr '\n' ,)
number=$(tr -dc , <<< "$jobs" | wc -c)
ok "$number jobs are shown a start, which are enough" test "$number" -ge 30
least_after 60
before=$least
await 30 "they are held" change_job "scontrol hold ${jobs%,}"
least_after 60
each=$(((before - least) / number))
echo "# $before and $least bytes in use: $each for each job that is shown"
ok "what is shown of a job takes little" test "$each" -lt 4000
finish
