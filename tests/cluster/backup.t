#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a backup slurmctld takes over what the primary planned, gives it back, takes it again
# shellcheck disable=SC2317 # functions are called through ok and await
. "$(dirname "$0")/lib.sh"

# Two slurmctld on one machine, each at an address and with a host name of its own. That Slurm
# waits 30 s at most for the other one to save its state sets a limit to the clock.
conf_extra << 'END'
SlurmctldHost=bak(127.0.0.2)
CommunicationParameters=NoCtldInAddrAny
SlurmctldTimeout=60
MCSPlugin=mcs/user
MCSParameters=ondemand,noselect
END
# only Leeway starts jobs
cluster --sched leeway --nodes 2 --gpus 4 --clock 10 \
	--sched-params sched_interval=-1,defer --conf-extra "$extra"

# as on a host of its own: another log and pid file, another leeway.yaml
make_backup() {
	with_input gcc -D_GNU_SOURCE -O2 -shared -fPIC -o /run/backup.so -xc - \
		< "$(dirname "${BASH_SOURCE[0]}")/backup.c" &&
		sh_on 'echo 127.0.0.2 bak >> /etc/hosts
			cp -r /etc/slurm /etc/bak && cd /etc/bak && rm -f slurmdbd.conf &&
			sed -i "s,/slurmctld\.\(pid\|log\)\$,/bak.\1," slurm.conf &&
			install -d -o slurm /run/bak /run/bak/dumps &&
			echo "sched.dump_dir: /run/bak/dumps" > leeway.yaml'
}
# shellcheck disable=SC2016 # the shell in the cluster expands it
start_backup() {
	sh_on 'trap "" PIPE
		export SLURM_CONF=/etc/bak/slurm.conf LW_HOSTNAME=bak
		LD_PRELOAD="/run/backup.so $LD_PRELOAD" slurmctld'
}
log_of_backup() { sh_on 'cat /var/log/slurm/bak.log'; }
log_of_primary() { log_of_controller; }
# said WHO REGEX TIMES
said() { [ "$("log_of_$1" | grep -cE -- "$2")" -ge "$3" ]; }
# knows WHO REGEX: since he came or took over
knows() {
	"log_of_$1" | awk '/version .* started|taking over/ { text = "" } { text = text $0 "\n" }
		END { print text }' | grep -E -- "$2" > /dev/null
}
# shellcheck disable=SC2016 # the shell in the cluster expands it
threads_of_backup() {
	sh_on 'cat /proc/$(cat /run/slurm/bak.pid)/task/*/comm | grep -cx leeway'
}
# shellcheck disable=SC2016 # as above
plugin_in_backup() {
	sh_on 'grep -q "/leeway/sched_backfill.so" "/proc/$(cat /run/slurm/bak.pid)/maps"'
}
stands_by='running in background mode'

# held_open USER OPTIONS: a job that notes that it runs and ends when all may; prints its id
held_open() {
	as "$1" "sbatch --parsable --output=/dev/null --mem=100 $2 \
		--wrap='echo \$SLURM_JOB_ID >> ran
		until [ -e /tmp/go ]; do sleep 5; done'"
}
shows_start() { planned "$1" && field_like "$1" StartTime '^20'; }
# works WHO: who came or took over has what was known and goes on with it
works() {
	local job
	await 60 "the $1 plans the queue" knows "$1" 'Leeway \(leeway,.* plans the queue'
	await 20 "it knows the promise" knows "$1" 'promises: 1 open'
	await 20 "and the run times" knows "$1" 'run times: predicted from [1-9]'
	job=$(held_open u2 "--gpus-per-node=1 --time=10:00:00")
	jobs+=("$job")
	starts "it starts a job behind the promised one" "$job"
	await 30 "it shows the planned start" shows_start "$head"
	is "it made no other promise" "$(promise_of "$head")" "$first"
	is "what ran runs" "$(job_state "$busy")" RUNNING
}
# takes_over TIMES: and plans nothing too early
takes_over() {
	await 90 "the backup takes over" said backup 'taking over' "$1"
	works backup
	await 20 "by settings of its own" sh_on 'ls /run/bak/dumps/cycle-*.plan'
	ok "slurmctld was made ready meanwhile" sh_on 'test -e /run/bak/up'
	is "nothing was planned before" \
		"$(sh_on 'LD_PRELOAD= find /run/bak/dumps -name "cycle-*" ! -newer /run/bak/up')" ''
	is "one thread of Leeway's waits" "$(threads_of_backup)" 1
}
# idles: what the backup does while the other one works
idles() {
	like "the backup is there" "$(sh_on 'scontrol ping')" 'backup\) at bak is UP'
	is "it has no thread of Leeway's" "$(threads_of_backup)" 0
	ok "nor its scheduler plugin" eval '! plugin_in_backup'
	is "it planned no cycle" "$(sh_on 'ls /run/bak/dumps')" ''
}

ok "the backup has a configuration of its own" make_backup
ok "it starts" start_backup
await 30 "it stands by" said backup "$stands_by" 1

past=$(submit u1 --mem=100 1)
await 60 "a job ends, from which run times are learned" sacct_is "$past" COMPLETED
busy=$(held_open u1 "--nodes=2 --gpus-per-node=1 --time=20:00:00")
starts "a job runs" "$busy"
head=$(held_open u1 "--nodes=2 --gpus-per-node=4 --time=10:00:00")
await 40 "the one behind it is promised a start" has_promise "$head"
await 30 "which is shown" shows_start "$head"
first=$(promise_of "$head")
jobs=("$busy" "$head")
idles

ok "scontrol takeover" sh_on 'scontrol takeover'
takes_over 1
ok "it is reconfigured" sh_on 'scontrol reconfigure'
works backup

ok "all is saved" save_state
ok "the primary returns" start_controller
await 60 "the backup gives up control" said backup "$stands_by" 2
ok "what it wrote is taken away" sh_on 'rm /run/bak/dumps/* /run/bak/up'
works primary
idles

ok "the primary is killed" kill_controller
takes_over 2

ok "all is saved" save_state
ok "the primary returns once more" start_controller
await 60 "the backup gives up control once more" said backup "$stands_by" 3
await 60 "the primary plans the queue" knows primary 'Leeway .* plans the queue'

ok "all may end" sh_on 'touch /tmp/go'
for job in "${jobs[@]}"; do
	await 90 "job $job completes" sacct_is "$job" COMPLETED
done
is "each ran once" "$(sh_on 'sort -n /home/u?/ran' | paste -sd ' ')" \
	"$(printf '%s\n' "${jobs[@]}" | sort -n | paste -sd ' ')"
await 30 "the promise is kept" said primary "promise to job $head kept" 1
unlike "nobody complains" "$(log_of_backup; log_of_primary)" \
	'fatal|leeway: .*(cannot|fail|damaged|self-check|gives up)'
finish
