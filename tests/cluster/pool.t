#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: a cluster that tests share is put back to its first state, or made anew if it cannot be
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

need_containers
pool=$out/own # whatever others do
rm -rf "$pool"
mkdir -p "$out"
trap '"$minislurm" empty "$pool"' EXIT
log() { grep -c "^$1" "$pool/log"; }

# taken OPTIONS: a cluster of the pool; its name
taken() {
	name=$("$minislurm" take "$pool" --clock 20 "$@" 2>> "$out/take.log") ||
		bail "no cluster: $(tail -n 1 "$out/take.log")"
	container_door "$name"
}
given() { "$minislurm" give "$pool" "$name" "$out" 2>> "$out/give.log"; }
# shellcheck disable=SC2016 # the shell in the cluster expands it
accounts() { sh_on 'for of in qos assoc resource; do sacctmgr -n -P show $of; done'; }
files() {
	sh_on 'cd / && find home root run/slurm tmp usr/local/bin etc -type f | sort
		cat /etc/slurm/slurm.conf'
}

taken --nodes 2 --gpus 2 --sched leeway
first=$name
accounts=$(accounts) files=$(files)
like "a cluster has users" "$accounts" u8

# What tests leave.
job=$(submit u1 "--array=1-3 --time=60" 3000)
await 30 "jobs run" job_is "${job}_1" RUNNING
ok "there is much that was not" sh_on '
	scontrol create reservation=left nodes=n1 users=u1 start=now duration=60
	scontrol update nodename=n2 state=drain reason=test
	sacctmgr -i add qos left set GrpTRES=cpu=1
	sacctmgr -i modify user u1 set qos+=left
	sacctmgr -i add resource name=tool server=far servertype=any count=4 type=license \
		cluster=mini
	useradd leaving
	echo left > /tmp/left; echo left > /home/u1/left; echo left > /etc/left
	mkdir /etc/slurm/left; echo junk >> /etc/slurm/slurm.conf
	echo junk > /usr/local/bin/junk
	echo 192.0.2.9 elsewhere >> /etc/hosts
	echo "sched.policy: easy" > /etc/slurm/leeway.yaml
	setsid sleep 5000 < /dev/null > /dev/null 2>&1 &'
ok "it is given back" given

taken --nodes 2 --gpus 2 --sched leeway
is "the next test has the same one" "$name" "$first"
is "which was put back" "$(log 'put back')" 1
is "there is no job" "$(sh_on 'squeue -h; scontrol -o show job')" 'No jobs in the system'
is "there is none in accounting" "$(sh_on 'sacct -a -X -n -S 1970-01-02')" ''
is "nothing is reserved" "$(sh_on 'scontrol show reservation')" 'No reservations in the system'
is "both nodes are idle" "$(sh_on 'sinfo -h -o "%D %t"')" '2 idle'
is "accounts and QOS are as at first" "$(accounts)" "$accounts"
is "so are files" "$(files)" "$files"
is "nor is a user" "$(sh_on "getent passwd leaving")" ""
is "no process of others is left" "$(sh_on 'pgrep -f "^sleep 5000"')" ''
ok "the settings are those of a new cluster" planned_by 'Leeway (leeway,'
is "the log is a new one" "$(log_of_controller | grep -c 'slurmctld version .* started')" 1
job=$(submit u1 "--time=60" 5)
is "jobs are counted from one" "$job" 1
await 30 "they run" sacct_is "$job" COMPLETED
ok "it is given back again" given

taken --nodes 5 --gpus 0 --cpus 3 --sched stock
is "a test that wants another shape has it as well" "$name" "$first"
is "in that shape" "$(sh_on 'sinfo -h -o "%D %c %G"')" '5 3 (null)'
ok "under stock" sh_on '! grep -q leeway /etc/slurm/slurm.conf'
ok "and gives it back with a table of the accounting gone" \
	sh_on "mariadb slurm_acct_db -e 'drop table txn_table'"
ok "as is seen" given
like "that cannot be put back, and is told" \
	"$(tail -n 1 "$pool/log")" "^made anew $first .*txn_table"
taken --nodes 2 --gpus 0
unlike "so the next is a new one" "$name" "^$first\$"
second=$name
ok "which has that table" sh_on "mariadb slurm_acct_db -e 'select * from txn_table'"

first=$second
taken --nodes 2 --gpus 0
unlike "who comes while it is in use has another" "$name" "^$first\$"
third=$name
ok "this goes back" given
name=$first
ok "and so does that" given
taken --nodes 2 --gpus 0 --clock 10
unlike "another clock is another cluster" "$name" "^($first|$third)\$"
ok "which ends" container_podman kill "$name"
ok "and cannot be given back" given
like "as is told" "$(tail -n 1 "$pool/log")" 'made anew .*: it is gone'
ok "the pool is emptied" "$minislurm" empty "$pool"
for container in "$first" "$third"; do
	ok "$container is gone" bash -c "! podman container exists $container"
done
finish
