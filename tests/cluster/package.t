#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the guide, word for word, on a live cluster: packages in, on, off and out, no job lost
# shellcheck disable=SC2317 # functions are called through ok and await
. "$(dirname "$0")/lib.sh"

need_packaged "Leeway's packages are made for a Debian with Slurm's source"

guide=$top/doc/admin/guide.md

# blocks SECTION: the numbers of its commands, those between ```sh and ```
blocks() {
	awk -v section="## $1." '/^## /{ in_it = index($0, section) == 1 }
		in_it && $0 == "```sh" { print ++n }' "$guide"
}

# block SECTION NUMBER: its text
block() {
	awk -v section="## $1." -v wanted="$2" '/^## /{ in_it = index($0, section) == 1 }
		$0 == "```" { inside = 0 }
		inside && n == wanted
		in_it && $0 == "```sh" { inside = 1; n++ }' "$guide"
}

# follow SECTION [NUMBER...]: type its commands into a shell of root's
follow() {
	local section=$1 number
	shift
	[ $# -gt 0 ] || mapfile -t numbers < <(blocks "$section")
	[ $# = 0 ] || numbers=("$@")
	for number in "${numbers[@]}"; do
		ok "guide, section $section, commands $number" \
			sh_on "set -eu; cd /root; $(block "$section" "$number")"
	done
}

# shown KEY: the line of slurm.conf that the guide has its reader make
shown() { awk -v key="$1=" '$1 == "after" && index($2, key) == 1 { print $2 }' "$guide"; }

# edit LINE: into slurm.conf, as the reader does by hand; no such line here has other words
edit() {
	local conf=/etc/slurm/slurm.conf
	ok "the reader writes $1" sh_on "sed -i '/^${1%%=*}=/d' $conf; echo '$1' >> $conf"
}

# Jobs that run until a file is there; the cluster is full of them.
endless() { as "$1" "sbatch --parsable --output=/dev/null --time=2-0 $2 --wrap='
	while [ ! -e /home/u1/enough ]; do sleep 5; done'"; }
# What must never change of a running job: start, nodes, restarts, and its very process.
marks() {
	sh_on "for job in ${running[*]}; do
		scontrol show job \$job | grep -oE '(StartTime|Restarts|JobState| NodeList)=[^ ]*'
	done; pgrep -u u1,u2 -f slurm_script | sort"
}
# waiting: those that wait, with what was asked for
waiting() { sh_on "squeue -h -t PENDING -o '%A %V %l %D' | sort"; }

jobs_are_as_before() {
	is "running jobs run on, unmoved and not restarted: $1" "$(marks)" "$marks"
	is "waiting jobs wait, as submitted: $1" "$(waiting)" "$waiting"
}

# our_plugins_mapped [REGEX]: how many pages of slurmctld, of files whose names end so
our_plugins_mapped() {
	sh_on "grep -cE '/leeway/.*\.so${1:-}' \"/proc/\$(cat /run/slurm/slurmctld.pid)/maps\""
}
installed() { sh_on "dpkg-query -W -f '\${Status}' $1 | grep -q '^install ok installed'"; }
# not COMMAND...
not() { ! "$@"; }

need_containers
mkdir -p "$out"
packages=$("$minislurm" packages 2> "$out/packages.log") ||
	bail "no packages: $(tail -n 3 "$out/packages.log" | tr '\n' ' ')"
cluster --packages "$packages" --nodes 2 --gpus 4 --clock 20
ok "this machine has no systemd: a stand-in restarts slurmctld" \
	sh_on 'ln -s /opt/minislurm/inside/systemctl /usr/local/bin/systemctl'
ok "nothing of Leeway is here before" sh_on '! ls /usr/lib/*/leeway /usr/bin/leeway'

# A workload: some that ended, some that run, some that wait.
for user in u1 u2 u3; do
	ended=$(submit "$user" "--gpus-per-node=1 --time=10" 20)
done
await 60 "jobs have ended" sacct_is "$ended" COMPLETED
running=("$(endless u1 "--nodes=1 --gpus-per-node=4 --cpus-per-task=16")"
	"$(endless u2 "--nodes=1 --gpus-per-node=3")")
await 30 "a job runs" job_is "${running[0]}" RUNNING
await 30 "another one runs" job_is "${running[1]}" RUNNING
head=$(submit u3 "--nodes=2 --gpus-per-node=4 --time=60" 30)
array=$(submit u4 "--nodes=2 --gpus-per-node=2 --time=60 --array=1-3" 30)
marks=$(marks)
waiting=$(waiting)
is "two run" "$(grep -c JobState=RUNNING <<< "$marks")" 2
like "their processes are known" "$marks" '^[0-9]+$'
is "a job and an array wait" "$(wc -l <<< "$waiting")" 2

guide_from=$SECONDS
follow 2 1
like "without leeway-lab the command says where it simulates" "$(sh_on 'leeway sim 2>&1; true')" \
	'^leeway sim: it is in the package leeway-lab'
follow 2 2 3
ok "with it, it does" sh_on 'leeway sim --help'
jobs_are_as_before "the packages are installed"
ok "with documents, and files to copy from" sh_on 'cd /usr/share/doc/leeway-slurm &&
	ls admin/guide.md user/README.md examples/{leeway.yaml,slurm.conf,topology.conf}'
is "stock plans as before" "$(our_plugins_mapped)" 0
ok "records of GPU use will not pile up" sh_on "grep -q '^e /var/spool/leeway .*30d' \
	/usr/lib/tmpfiles.d/leeway.conf"
follow 3 1 2
edit "$(shown PluginDir)"
submit_plugins=$(shown JobSubmitPlugins)
edit "${submit_plugins/lua,/}"
follow 3 3 4 5
await 30 "Leeway plans the queue" planned_by 'Leeway (leeway'
jobs_are_as_before "Leeway is on"
await 30 "the first that waits is promised a start" has_promise "$head"
promised_s=$((SECONDS - guide_from))
ok "a removal is refused now" not sh_on 'apt-get remove -y leeway-slurm'
ok "and the plugins are still there" installed leeway-slurm
follow 4
follow 5 1 2
await 30 "the policy leeway plans the queue" planned_by 'Leeway (leeway'
await 30 "run times are predicted from what was imported" \
	in_log 'run times: predicted from [1-9]'
echo "# of the guide's fifteen minutes: $promised_s s from installing to the first promise," \
	"$((SECONDS - guide_from)) s to the first prediction"
unlike "the select plugin is there, to judge what Slurm starts" "$(log_of_controller)" \
	"select plugin is not loaded"
ok "the history was taken" sh_on 'ls /var/lib/slurm/state/leeway_history'
ok "the promise is kept" has_promise "$head"
follow 6 1 2
ok "the reader writes what section 6 says into leeway.yaml" sh_on "echo '$(awk '
	$0 == "```" { inside = 0 }
	inside
	$0 == "```yaml" { inside = 1 }' "$guide")' >> /etc/slurm/leeway.yaml"
follow 6 3
await 30 "a cycle is written" sh_on 'ls /var/log/slurm/leeway-cycles/*.snap'
follow 6 4
follow 7
follow 9
jobs_are_as_before "the policy leeway is on"

# Of Leeway: a package of the next version, over a slurmctld that runs.
promise=$(promise_of "$head")
# shellcheck disable=SC2016 # the shell in the cluster expands it
ok "an upgrade is installed" sh_on '
	set -eu; cd /tmp; cp /root/packages/leeway-slurm_*.deb old.deb
	dpkg-deb -R old.deb next
	sed -i "s/^Version: [0-9.]*/&.1/" next/DEBIAN/control
	dpkg-deb -b next next.deb; apt-get install -y ./next.deb'
ok "slurmctld reads its files again" sh_on 'scontrol reconfigure'
ok "and is started anew, as the guide says" sh_on 'systemctl restart slurmctld'
await 30 "Leeway plans the queue with it" planned_by 'Leeway (leeway'
is "nothing of the old one is in use" "$(our_plugins_mapped ' .deleted.$')" 0
jobs_are_as_before "Leeway was upgraded"
is "the promise is the same" "$(promise_of "$head")" "$promise"

# And back again.
ok "a downgrade is installed" sh_on 'cd /tmp; apt-get install -y --allow-downgrades ./old.deb'
ok "slurmctld is started with that" sh_on 'systemctl restart slurmctld'
await 30 "Leeway plans the queue with the older one" planned_by 'Leeway (leeway'
is "nothing of the newer one is in use" "$(our_plugins_mapped ' .deleted.$')" 0
jobs_are_as_before "Leeway was downgraded"
is "the promise is still the same" "$(promise_of "$head")" "$promise"
is "no file was damaged, or of a version unknown" \
	"$(sh_on 'ls /var/lib/slurm/state | grep -E "leeway_.*(damaged|newer)"')" ""

follow 8 1
await 30 "stock has the queue again" sh_on 'sdiag | grep -q "Backfilling stats"'
is "none of our plugins is loaded" "$(our_plugins_mapped)" 0
jobs_are_as_before "Leeway is off"
follow 8 2 3
ok "leeway-slurm is gone" not installed leeway-slurm
ok "leeway-tools is gone" not installed leeway-tools
ok "leeway-lab is gone with it" not installed leeway-lab
ok "nothing of it is left" sh_on '! ls -d /usr/lib/*/leeway /usr/bin/leeway \
	/usr/libexec/leeway'
ok "slurmctld starts without it" sh_on 'systemctl restart slurmctld'
jobs_are_as_before "Leeway is gone"

ok "the running jobs are let go" sh_on 'touch /home/u1/enough'
await 120 "all jobs end" all_done
# slurmdbd hears of an end after squeue has forgotten the job
states() { sh_on 'sacct -a -X -n -D -P -o State' | sort | uniq -c | tr -s ' '; }
nothing_runs() { [[ $(states) != *RUNNING* ]]; }
await 60 "the accounts have all ends" nothing_runs
is "each ran once, and to its end" "$(states)" ' 9 COMPLETED'
like "the first that waited too" "$(sacct_field "$head" State)" COMPLETED
like "and the array" "$(sacct_field "${array}_3" State)" COMPLETED
finish
