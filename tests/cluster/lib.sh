# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what the cluster tests share: one mini-Slurm, events to wait for, TAP
#
# A test sources this file, calls `cluster OPTIONS...` and then states facts (../tap.sh).
set -uo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
minislurm=$top/contrib/minislurm/minislurm
# shellcheck source=/dev/null
. "$top/contrib/minislurm/lib/container.sh"
test_name=$(basename "$0" .t)
name=leeway-test-$test_name-$$
out=${LW_CLUSTER_OUT:-$(mktemp -d "${TMPDIR:-/tmp}/leeway-test.XXXXXX")}/$test_name

# pause SECONDS: without a process of its own, which on a busy machine takes as long
exec {silence}<> <(:)
pause() { read -rt "$1" -u "$silence" || true; }

# situation: the queue, the nodes and what a command said last ($said), for the reader of a log
situation() {
	[ -z "${said:-}" ] || comment <<< "$said"
	[ -z "$name" ] || sh_on 'date; uptime; sinfo -h -N -o "%N %t %E" | sort -u | head -n 20
		squeue -o "%i %T %r %S %N, limit %l, used %M"' 2>&1 | head -n 60 | comment
	return 1
}

# await SECONDS DESCRIPTION COMMAND...: the fact that COMMAND succeeds within so many seconds of a
# machine that is not busy: it is polled, twice a second, and given up after so many seconds and so
# many looks as they hold; where others take the processors a look takes longer
await() {
	local limit=$1 what=$2 looks=$((2 * $1)) begin=$SECONDS
	shift 2
	# what was seen once is a fact, even if it is over a moment later
	until "$@" > /dev/null 2>&1; do
		looks=$((looks - 1))
		if [ $((SECONDS - begin)) -ge "$limit" ] && [ "$looks" -le 0 ]; then
			ok "$what" "$@" || situation
			return
		fi
		if ((SECONDS - begin < 5)); then pause 0.2; else pause 0.5; fi
	done
	ok "$what" true
}

# Does this machine lend us what a cluster needs?
need_containers() {
	[ "$(id -u)" = 0 ] || skip_all "needs root to run containers"
	command -v podman > /dev/null || skip_all "needs podman (contrib/run-tests installs it)"
}

# release: as in 24.11
release() { "$minislurm" release | cut -d ' ' -f 1; }

# need_build: this checkout, built in the lab image; build_run then runs commands there, in
# build_dir
need_build() {
	local part
	need_containers
	MS_HOME=$top/contrib/minislurm
	for part in ui host release image container build; do
		# shellcheck source=/dev/null
		. "$MS_HOME/lib/$part.sh"
	done
	mkdir -p "$out"
	build_once 2> "$out/build.err" || bail "no build: $(tail -n 1 "$out/build.err")"
}

# need_release REGEX REASON: the test is of something that other releases of Slurm lack
need_release() {
	[[ $(release) =~ ^($1)$ ]] || skip_all "Slurm $(release): $2"
}

# need_packaged REASON: the test needs a Slurm that Debian has with its source
need_packaged() {
	[[ $("$minislurm" release) = *' source' ]] || skip_all "Slurm $(release): $1"
}

failed_before=0

# The pool is run-tests', where other tests take clusters from it too, or one of our own.
pool=${LW_CLUSTER_POOL:-$out/pool}

cluster_gone() {
	[ -n "$name" ] || return 0
	if compgen -G "$pool/taken/$name.*" > /dev/null; then
		"$minislurm" give "$pool" "$name" "$out"
	else
		"$minislurm" down "$name"
	fi > /dev/null 2>&1
	# the next cluster of this test writes its own over them
	[ "$tap_failed" = "$failed_before" ] || cp -r "$out/logs" "$out/logs-of-$name"
	name=
}

leave_pool() {
	cluster_gone
	[ -n "${LW_CLUSTER_POOL:-}" ] || "$minislurm" empty "$pool" 2> /dev/null
}

# at_once OPTIONS...: have starts promised at once, to the first without room, unless the test's own
# leeway.yaml speaks of patience: most tests ask for that, and it is half a limit away by default.
# Sets at_once to what is to be given besides; the last of two files counts.
at_once() {
	local given='' last='' option
	for option; do
		[ "$last" != --leeway-yaml ] || given=$option
		last=$option
	done
	at_once=()
	[ -z "$given" ] || ! grep -q patience "$given" || return 0
	{
		[ -z "$given" ] || cat "$given"
		echo 'sched.patience: 0'
	} > "$out/at-once.yaml"
	at_once=(--leeway-yaml "$out/at-once.yaml")
}

# cluster OPTIONS...: take one from the pool; it goes back with the test, and leaves its logs.
# LW_CLUSTER_PLUGINS is a directory of plugins to use instead of building this checkout.
cluster() {
	need_containers
	mkdir -p "$out"
	trap leave_pool EXIT
	trap 'exit 130' INT TERM
	at_once "$@"
	name=$("$minislurm" take "$pool" "$@" "${at_once[@]}" \
		${LW_CLUSTER_PLUGINS:+--plugins "$LW_CLUSTER_PLUGINS"} 2> "$out/up.log") ||
		bail "no cluster: $(tail -n 3 "$out/up.log" | tr '\n' ' ')"
	container_door "$name" || bail "no cluster: it is gone"
	failed_before=$tap_failed
}

# conf_extra < LINES: for slurm.conf, as cluster --conf-extra "$extra" takes them
conf_extra() {
	extra=$out/extra.conf
	mkdir -p "$out"
	cat > "$extra"
}

# with_input [--user U] [--] COMMAND...: run it in the cluster, in the cluster's time; on: without
with_input() { "${MS_DOOR[@]}" /opt/minislurm/inside/exec "$@"; }
on() { with_input "$@" < /dev/null; }
# sh_on SCRIPT: the same through a shell, as root
sh_on() { on -- bash -c "$1"; }
# as USER SCRIPT
as() { on --user "$1" -- bash -c "$2"; }

log_of_controller() { sh_on 'cat /var/log/slurm/slurmctld.log'; }
# in_log REGEX: reads all of the log, since grep -q would end the pipe early
in_log() { log_of_controller | grep -E -- "$1" > /dev/null; }
# planned_by WORDS: who said last that he plans the queue
planned_by() { log_of_controller | grep 'plans the queue' | tail -n 1 | grep -F "$1"; }
# job_field JOB FIELD: by its whole name, since NodeList is also the end of ReqNodeList
job_field() {
	local record
	record=$(on scontrol show job "$1")
	[[ ! $record =~ (^|[[:space:]])$2=([^[:space:]]*) ]] || printf '%s\n' "${BASH_REMATCH[-1]}"
}
job_state() { job_field "$1" JobState; }
job_is() { [ "$(job_state "$1")" = "$2" ]; }
# sacct_field JOB FIELD: of the job itself, not of its steps
sacct_field() { sh_on "sacct -X -n -P -j $1 -o $2%500" | head -n 1; }
sacct_is() { [[ $(sacct_field "$1" State) = "$2"* ]]; }
sacct_like() { [[ $(sacct_field "$1" "$2") =~ $3 ]]; }

# share_knows FILE PATTERN: a line that tells of what jobs use of GPUs, as it is learned there
share_knows() { sh_on "leeway history show --share $1 2> /dev/null" | grep -E "$2" > /dev/null; }
# gpu_of JOB: the GPU of which it has parts, shard or mps, from 0: the place in
# "GRES=shard:4(0/10,4/10)"; 22.05 has "GRES=shard:4(IDX:1)"
gpu_of() {
	sh_on "scontrol -d -o show job $1" |
		sed -nE 's/.*GRES=(shard|mps):[0-9]*\(([^)]*)\).*/\2/p' |
		awk -F, '/^IDX:/ { sub("IDX:", ""); print; next }
			{ for (i = 1; i <= NF; i++) if ($i !~ /^0\//) print i - 1 }'
}

# fake_holder USE [FIRST]: jobs of the cluster have a program "holds" that is a process on a fake
# GPU of 40000 MiB: holds NUMBER WORD... uses NUMBER, up to the next of its words. A word is
# NAME=NUMBER, or "end", and comes when the file /tmp/told-NAME is there. USE is "PERCENT MIB" with
# $1 for the number; FIRST is done before all. At the word "guest" the third run ends.
# shellcheck disable=SC2016 # the cluster expands
fake_holder() {
	sh_on 'mkdir -m 1777 /tmp/on-gpus
cat > /etc/slurm/fake-gpus.conf <<END
* total 40000
* processes /tmp/on-gpus
END
cat > /usr/local/bin/holds <<"END"
#!/bin/bash
use() {
	echo "${CUDA_VISIBLE_DEVICES:-0} '"$1"'" > "/tmp/on-gpus/.$$"
	mv "/tmp/on-gpus/.$$" "/tmp/on-gpus/$$"
}
trap "rm -f /tmp/on-gpus/$$" EXIT
trap "exit 0" TERM
'"${2:-}"'
use "$1"
shift
for word; do
	if [ "$word" = guest ] && [ "${SLURM_RESTART_COUNT:-0}" = 2 ]; then break; fi
	until [ -e "/tmp/told-${word%=*}" ]; do sleep 1; done
	[ "$word" = end ] || use "${word#*=}"
done
END
chmod +x /usr/local/bin/holds'
}

# accounted JOB...: does it know of all when they began and ended? It hears of that after squeue.
accounted() {
	[ "$(sh_on "sacct -X -n -P -j $(IFS=,; echo "$*") -o Start,End" | grep -c '^2.*|2')" = $# ]
}

# seconds_of JOB FIELD: a time of its record, since the epoch
seconds_of() { sh_on "date -d $(job_field "$1" "$2") +%s"; }
# near A B DISTANCE
near() { local d=$(($1 - $2)); [ "${d#-}" -le "$3" ]; }
# a slurmctld that is gone has no queue either
all_done() { local left && left=$(sh_on 'squeue -h') && [ -z "$left" ]; }

# submit USER OPTIONS SECONDS: a plain job that sleeps; prints its id
submit() { as "$1" "sbatch --parsable --output=/dev/null $2 --wrap='sleep $3'"; }

# job OPTIONS SECONDS: of u1, a small one unless it says otherwise; prints its id
job() { submit u1 "--mem=100 --time=10 $1" "$2"; }
# change_job SCRIPT: as sh_on; but Slurm refuses to change a job for the moment in which it numbers
# its new record in accounting: then once more
change_job() {
	local said
	until said=$(sh_on "$1" 2>&1); do
		[[ $said = *"DB index is being set"* ]] || { echo "$said" && return 1; }
		pause 0.2
	done
}
field_like() { [[ $(job_field "$1" "$2") =~ $3 ]]; }
# has_begun JOB: a short one may be over before anybody looks
has_begun() { field_like "$1" JobState '^(RUNNING|COMPLETING|COMPLETED|TIMEOUT)$'; }
starts() { await 40 "$1" has_begun "$2"; }
waits_for() { await 30 "$1" field_like "$2" Reason "$3"; }
planned() { field_like "$1" SchedNodeList '^n'; }
nobody_left() {
	all_done && ! sh_on 'sinfo -h -o %t' | grep -E 'comp|alloc|mix' > /dev/null
}
# Who is left is cancelled again: on a busy machine a request may be given up.
cleared() {
	sh_on 'scancel -u u1; scancel -u u2' > /dev/null 2>&1
	nobody_left
}
# clear_all: the fact that nothing is left of what u1 and u2 do
clear_all() { await 120 "the cluster is empty again" cleared; }

promises=/var/lib/slurm/state/leeway_promises
# promise_of JOB: its line in the state file: when made, first promised start, latest
promise_of() { sh_on "awk '\$1 == \"job\" && \$2 == $1' $promises"; }
has_promise() { [ -n "$(promise_of "$1")" ]; }

# Slurm loses a start that it has not saved yet, sends the job to a node that runs it, and
# drains the node; or it brings a cancelled job back. So give it something to save: a word to
# be found in the file or, where the queue is empty, a job that comes and goes. In real time,
# as the file system counts; once more if a save was quicker than we looked.
# shellcheck disable=SC2016 # the shell in the cluster expands it
save_state() {
	sh_on 'cd /var/lib/slurm/state
		word=saved-$RANDOM$RANDOM
		saved() {
			if [ -n "$job" ]; then
				grep -qa "$word" job_state
			else
				[ -n "$(LD_PRELOAD= find job_state -newer /tmp/before)" ]
			fi
		}
		for ((try = 0; try < 10; try++)); do
			job=$(squeue -h -o %A | head -n 1)
			if [ -n "$job" ]; then
				scontrol update jobid="$job" comment="$word"
			else
				scancel "$(sbatch --parsable --hold -o /dev/null --wrap=true)"
				LD_PRELOAD= touch /tmp/before
			fi
			for ((i = 0; i < 30; i++)); do
				! saved || exit 0
				LD_PRELOAD= sleep 0.1
			done
		done
		echo "the state was not saved"
		exit 1'
}

# From 25.05 on slurmctld does not start on the state of one that was killed before it saved
# the last of it, after five minutes.
has_whole_state() {
	[[ $(release) = 2[2-4].* ]] || sh_on 'test -s /var/lib/slurm/state/assoc_usage'
}

# By its pid file: after a reconfigure slurmctld no longer goes by its name.
# shellcheck disable=SC2016 # the shell in the cluster expands it
kill_controller() {
	local end=$((SECONDS + 60))
	until has_whole_state; do
		[ "$SECONDS" -lt "$end" ] || return
		pause 0.2
	done
	save_state || return
	sh_on 'pid=$(cat /run/slurm/slurmctld.pid) && kill -9 "$pid" &&
		while kill -0 "$pid" 2> /dev/null; do :; done'
}
stop_controller() { sh_on '/opt/minislurm/inside/systemctl stop slurmctld'; }
# backtraces: how each daemon began that left one when it died (backtrace.c)
backtraces() { sh_on 'head -qn 1 /var/log/slurm/backtrace.*.log 2> /dev/null'; }
start_controller() { sh_on '/opt/minislurm/inside/service slurmctld'; }

# shaken MILLISECONDS: slurmctld anew, with a plugin that stays away so long whenever it gives up
# Slurm's locks (shake.c)
shaken() {
	cat "$(dirname "${BASH_SOURCE[0]}")"/{shake,backtrace}.c |
		with_input gcc -D_GNU_SOURCE -O2 -shared -fPIC -o /run/shake.so -xc - &&
		stop_controller &&
		sh_on "LW_SHAKE_MS=$1 MS_PRELOAD=/run/shake.so \
			/opt/minislurm/inside/service slurmctld"
}
