#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: under select.type fair the planner is told what accounts are to have of the machine: the
# shares of Slurm's accounting, or none where Slurm reckons none
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

dumps=/var/lib/slurm/state
gpus=(--nodes 2 --gpus 2 --gpu-types "a100,v100" --cpus 8 --mem 8000 --clock 20 --users 2)

snap() { sh_on "cat \$(ls -t $dumps/cycle-*.snap | head -n 1)"; }
# share JOB: of its account, in thousand millionths; empty: the last plan was told none
share() { snap | sed -n "s/^wait $1 .*account-share=\([0-9]*\) .*/\1/p" |
	grep .; }
# is_of JOB PERCENT OTHER: the share of the one is so much of the other's, but for the last digits
is_of() {
	local one other
	one=$(share "$1") other=$(share "$3")
	[ -n "$one" ] && [ -n "$other" ] && near "$((one * 100))" "$((other * $2))" 1000
}
untold() { snap | grep "^wait $1 " | grep account= | grep -v account-share= > /dev/null; }

mkdir -p "${out:?}"
printf 'sched.dump_dir: %s\nselect.type: fair\n' "$dumps" > "$out/fair.yaml"

cluster --sched leeway "${gpus[@]}" --leeway-yaml "$out/fair.yaml" --priority multifactor \
	--sched-params 'sched_interval=-1,defer'
ok "two accounts, one inside another, and what they are to have" sh_on '
	sacctmgr -iQ add account lab fairshare=3 && sacctmgr -iQ add account rest fairshare=1 &&
	sacctmgr -iQ add account small parent=lab fairshare=1 &&
	sacctmgr -iQ add account large parent=lab fairshare=4 &&
	sacctmgr -iQ add account same parent=rest fairshare=parent &&
	sacctmgr -iQ add user u1 account=large,rest,same fairshare=7 &&
	sacctmgr -iQ add user u2 account=small fairshare=7'
sh_on 'sshare -a -l -o account,user,rawshares,normshares' | comment
taken=$(job "--nodes=2 --exclusive --time=6000" 300000)
starts "all is taken" "$taken"
large=$(job "--account=large --gpus-per-node=1" 60)
rest=$(job "--account=rest --gpus-per-node=1" 60)
same=$(job "--account=same --gpus-per-node=1" 60)
small=$(submit u2 "--mem=100 --time=10 --account=small --gpus-per-node=1" 60)
await 60 "the planner is told" share "$small"
ok "within an account as its accounts share it" is_of "$large" 400 "$small"
ok "and all of it as Slurm has it" is_of "$large" 240 "$rest"
ok "who shares with its parent has what that has" is_of "$same" 100 "$rest"

ok "shares are no longer reckoned" sh_on '
	sed -i "s,^PriorityType=.*,PriorityType=priority/basic," /etc/slurm/slurm.conf'
ok "slurmctld ends" stop_controller
ok "and starts" start_controller
await 60 "then nothing is told" untold "$small"
finish
