#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: whatever a user without rights tries, slurmctld, limits and what is another's stay whole
# shellcheck disable=SC2317 # functions are called by their names
#
# u1 attacks: hostile.tsv has a line for each attack, hostile-ops does it in the cluster,
# hostile-guard and hostile-holds say what must hold after it. Those called short are run, and all
# with LW_HOSTILE=all, as the lane hostile has it; LW_HOSTILE="NAME NAME" runs these.
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cluster/hostile-holds
. "$(dirname "$0")/hostile-holds"

here=$(dirname "$0")
wanted=${LW_HOSTILE:-short}
# rows: those wanted: name, how long, what it tries, what must hold
rows() {
	awk -F '\t' -v wanted=" $wanted " '!/^#/ && (wanted == " all " ||
		index(wanted, " " $2 " ") || index(wanted, " " $1 " "))' "$here/hostile.tsv"
}
# unlike_table: attacks without a line there, and lines without an attack
unlike_table() {
	diff <(sed -n 's/^attack_\([a-z_]*\)().*/\1/p' "$here"/hostile-{ops,gain} | LC_ALL=C sort) \
		<(awk -F '\t' '!/^#/ { print $1 }' "$here/hostile.tsv" | LC_ALL=C sort)
}

mkdir -p "$out"
share=/var/lib/slurm/state/leeway_share
cat > "$out/leeway.yaml" << END
sched:
  interval: 20s
  min_interval: 1s
  deadlines: guard
  dump_dir: /var/lib/slurm/dump
  dump_keep: 20
  metrics: /run/slurm/leeway.prom
submit.deadline: warn
share:
  mode: slice
  where: partition:main
  who: comment
  memory_mib: 40000
  runs: 2
  opportunistic: guest
  record: $share
END
conf_extra << 'END'
AccountingStorageEnforce=limits,qos
PrivateData=jobs
Licenses=tool:2
FirstJobId=70001
END
# Leeway alone starts jobs, so what it starts is what is judged.
cluster --sched leeway --nodes 6 --gpus 2 --shards 20 --cpus 8 --mem 8000 --clock 20 \
	--priority multifactor --sched-params 'sched_interval=-1,defer' --conf-extra "$extra" \
	--leeway-yaml "$out/leeway.yaml"

put() { with_input bash -c "cat > /run/hostile/$1; chmod 755 /run/hostile/$1" < "$here/$1"; }
# make_place: what the attacks need, and what they are aimed at
make_place() {
	sh_on 'mkdir -m 755 /run/hostile; mkdir -m 1777 /run/hostile/ran
		install -d -m 700 -o slurm -g slurm /var/lib/slurm/dump
		sacctmgr -iQ add qos onegpu MaxTRESPerUser=gres/gpu=1
		sacctmgr -iQ add qos two MaxJobsPerUser=2
		sacctmgr -iQ add qos four MaxSubmitJobsPerUser=4
		sacctmgr -iQ add qos guest
		sacctmgr -iQ modify account a1 set qos=normal,onegpu,two,four,guest
		echo PrivateData=jobs,usage >> /etc/slurm/slurmdbd.conf; sacctmgr reconfigure' &&
		put hostile-ops && put hostile-gain && put hostile-guard && put hostile.c &&
		sh_on 'gcc -O2 -include slurm/slurm.h -include slurm/slurm_errno.h \
			-o /run/hostile/hostile /run/hostile/hostile.c -lslurm'
}
knows_limits() { sh_on 'scontrol show assoc_mgr flags=qos | grep -q "QOS=guest"'; }
# main for all, care for u2, two with and without a limit. All have a longest time: without one, a
# request may have an end so far away that Slurm itself never ends counting up to it.
make_partitions() {
	sh_on 'scontrol update partitionname=main nodes=n[1-5] maxtime=20000 &&
		scontrol create partitionname=care nodes=n6 allowaccounts=a2 defmempercpu=100 &&
		scontrol create partitionname=pa nodes=n1 maxtime=600 defmempercpu=100 &&
		scontrol create partitionname=pb nodes=n2 maxtime=600 defmempercpu=100 qos=four'
}
guard() { on -- bash /run/hostile/hostile-guard "$@"; }

# make_victims: a job that runs, one with a promise behind it, and one that has a record
make_victims() {
	holder=$(submit u3 "--mem=100 --time=1200 -J secret-holder --nodelist=n5 --exclusive" 72000)
	starts "u3's job runs" "$holder"
	promised=$(submit u2 "--mem=100 --time=60 -J secret-promised --nodelist=n5 --exclusive" 60)
	await 40 "u2's job is promised the node behind it" has_promise "$promised"
	recorded=$(submit u2 "--mem=100 --time=20 -J secret-done --gpus=1" 60)
	own=$(submit u1 "--mem=100 --time=20 --gpus=1" 60)
	for job in "$recorded" "$own"; do
		await 60 "a job with a GPU has its record" \
			sacct_like "$job" AdminComment leeway:gpu=
	done
}

# attacks SECONDS NAME WORD...: what u1 sees of it; it is given so many seconds
attacks() {
	local limit=$1
	shift
	timeout "$limit" "${MS_DOOR[@]}" /opt/minislurm/inside/exec --user u1 -- \
		bash /run/hostile/hostile-ops "$@" < /dev/null 2>&1
}
# begins JOB: one that was taken
begins() { [[ $1 =~ ^[0-9]+$ ]] && has_begun "$1"; }
# cares NAME: a job of another user starts, with nodes that none but u2 may use
cares() {
	local canary
	canary=$(submit u2 "--mem=100 --time=1 --partition=care -J secret-canary" 1)
	await 20 "$1: another user's job starts in time" begins "$canary"
}
u1_gone() {
	sh_on 'scancel -u u1; scancel -u u4'
	[ -z "$(sh_on 'squeue -h -u u1,u4')" ]
} > /dev/null 2>&1
has() { declare -F "$1" > /dev/null; }

# run_attack NAME HOLDS
run_attack() {
	local begin=${EPOCHREALTIME/./}
	! has "before_$1" || "before_$1"
	said=$(attacks 240 "$1" "$promised" "$holder" "$recorded")
	took_ms=$(((${EPOCHREALTIME/./} - begin) / 1000))
	printf '%s\n' "$said" > "$out/said-$1"
	cares "$1"
	! has "holds_$1" || "holds_$1"
	is "$1: $2" "$(guard look)" ''
	await 90 "$1: its jobs can be ended" u1_gone
	! has "after_$1" || "after_$1" > /dev/null
	echo "# $1: the attack took $took_ms ms, with all facts" \
		"$(((${EPOCHREALTIME/./} - begin) / 1000)) ms"
}

is "every attack has its line in the table" "$(unlike_table)" ''
ok "the place is made" make_place
[ "$wanted" = short ] || has_history
await 20 "slurmctld knows the limits" knows_limits
ok "there are partitions" make_partitions
[ "$wanted" = short ] || teach
make_victims
ok "what must stay is noted" guard set-up "$promised"
while IFS=$'\t' read -r name _ _ holds <&3; do
	run_attack "$name" "$holds"
done 3< <(rows)
ok "the job that was promised a start still waits for it" job_is "$promised" PENDING
ok "and the one before it runs" job_is "$holder" RUNNING
finish
