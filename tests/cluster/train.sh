# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what tests of jobs that stop and go on share: a cluster with the trainer, and its ledgers
# shellcheck disable=SC2016,SC2154 # the cluster expands; lib.sh and the test set the rest

# aged_conf: for slurm.conf, as $extra: a slow save takes 15 s, and the oldest job goes first
aged_conf() {
	conf_extra << 'END'
KillWait=30
PriorityType=priority/multifactor
PriorityWeightAge=3600000
PriorityMaxAge=1:00:00
END
}

# begin OPTIONS: a cluster by $yaml and $extra, with the trainer, and with a QOS of jobs that agree
begin() {
	cluster --sched leeway --gpus 0 --cpus 4 --mem 8000 --conf-extra "$extra" \
		--leeway-yaml "$yaml" "$@"
	with_input bash -c 'cat > /usr/local/bin/trainer && chmod +x /usr/local/bin/trainer' \
		< "$(dirname "$0")/trainer"
	sh_on 'sacctmgr -i add qos scavenger &&
		sacctmgr -i modify user u1 set qos+=scavenger' > /dev/null
	await 60 "a QOS of jobs that agree is known" \
		sh_on 'scontrol show assoc flags=qos | grep -q QOS=scavenger'
}
# trains HOW [OPTIONS]: a job of u1 on a whole node; prints its id
trains() {
	as u1 "mkdir -p /tmp/of-u1
		sbatch --parsable --exclusive --time=60 --job-name=$1 --output=/tmp/of-u1/out-%j \
			${2:-} --wrap='exec trainer $1 /tmp/of-u1/\$SLURM_JOB_ID'"
}
ledger() { sh_on "cat /tmp/of-u1/$1/ledger"; }
# steps JOB COUNT: so many steps were done since it began last
steps() {
	[ "$(ledger "$1" | awk '/^begin/ { n = 0 } /^step/ { n++ } END { print +n }')" \
		-ge "$2" ]
}
trained() { await 60 "job $1 trains" steps "$1" "${2:-3}"; }
# whole JOB: it began each time at its last save, and each step beyond that was done once
whole() {
	ledger "$1" | awk '
		/^begin/ { if ($2 != saved) bad = bad " begin:" $2 "/" saved }
		/^begin/ { at = $2; begun++ }
		/^step/ { if ($2 != ++at) bad = bad " step:" $2 "/" at }
		/^save/ { if ($2 != at) bad = bad " save:" $2 "/" at; saved = $2 }
		END { if (bad != "" || begun < 1) { print "not whole:" bad; exit 1 } }
		BEGIN { saved = 0 }'
}
# runs JOB TIMES: after so many restarts, which are counted before it runs
runs() { field_like "$1" Restarts "^$2\$" && job_is "$1" RUNNING; }
# comment_of JOB: what an administrator reads of it
comment_of() { on scontrol show job "$1" | sed -n 's/^ *AdminComment=//p'; }
answered() { comment_of "$1" | grep -E "$2" > /dev/null; }
# is_asked JOB STATE: where it is on its way
is_asked() { sh_on 'leeway stops' | grep -E "^$1 +u1 +$2 " > /dev/null; }
# comes_back JOB TIMES: the fact that it runs again, from its save
comes_back() {
	await 90 "job $1 runs again" runs "$1" "$2"
	trained "$1"
	ok "each step was done once beyond the save" whole "$1"
}
# after_clean JOB [OTHER]: seconds from when its nodes were clean to its start, or the other's
after_clean() {
	local clean
	clean=$(log_of_controller | sed -nE "s/^\[([^].]*).*\] Requeuing JobId=$1\$/\1/p" |
		tail -n 1)
	echo $(($(seconds_of "${2:-$1}" StartTime) - $(sh_on "date -d '$clean' +%s")))
}
killed() {
	ok "slurmctld is killed" kill_controller
	ok "and comes back" start_controller
}
