#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the RPM packages are built, and go in, over and out while slurmctld runs
# shellcheck disable=SC2317 # functions are called through ok and await
. "$(dirname "$0")/lib.sh"

need_packaged "the RPM packages are tried with a Slurm whose source Debian has"
need_release '2[4-9].*' "RPM packages are tried with newer ones; Debian's are, in package.t"
need_build
ok "rpmbuild makes them of the tarball, with the flags of EL" \
	build_run /build/src/tests/cluster/rpms || bail "no packages"
like "and says what is missing without Slurm's source" \
	"$(cat "$(build_dir)/rpms/without-source")" "define 'slurm_src"

rpms=/root/packages
# nothing they need is an RPM here; and a container may not unshare, as a plugin of rpm does
rpm='rpm --noplugins --nodeps'
conf=/etc/slurm/slurm.conf
cluster --packages "$(build_dir)/rpms" --nodes 1 --gpus 2 --clock 20
sh_on 'ln -s /opt/minislurm/inside/systemctl /usr/local/bin/systemctl'
running=$(submit u1 "--gpus-per-node=1 --time=1-0" 50000)
await 30 "a job runs" job_is "$running" RUNNING
started=$(job_field "$running" StartTime)

slurm=$(sh_on 'slurmctld -V | grep -oE "[0-9]+\.[0-9]+\.[0-9]+"')
like "they are for exactly this Slurm" "$(sh_on "rpm -qp --requires $rpms/leeway-slurm-*.rpm")" \
	"^slurm.* = $slurm\$"
unlike "the command needs no Slurm" "$(sh_on "rpm -qp --requires $rpms/leeway-tools-*.rpm")" \
	'^slurm'
like "without the plugins there is the command, and the laboratory" \
	"$(sh_on "rpm -qpl $rpms/tools/*.rpm")" 'libexec/leeway/leeway-lab$'
unlike "and nothing for Slurm" "$(sh_on "rpm -qpl $rpms/tools/*.rpm")" '\.so|/man8/|leeway\.yaml'
unlike "the plugins are nobody's library" \
	"$(sh_on "rpm -qp --provides $rpms/leeway-slurm-*.rpm")" '\.so'
ok "they are installed" sh_on "$rpm -i $rpms/leeway-*.rpm"
files=$(sh_on 'rpm -ql leeway-slurm leeway-tools leeway-lab')
for file in leeway/sched_backfill.so leeway/select_cons_tres.so leeway/job_submit_leeway.so \
	leeway/leeway.so bin/leeway man5/leeway.yaml.5 man1/leeway-check.1 admin/guide.md \
	tmpfiles.d/leeway.conf leeway/leeway-lab man1/leeway-sim.1; do
	like "$file is there" "$files" "/$file(\.gz)?\$"
done
unlike "the command's package has nothing of the laboratory" "$(sh_on 'rpm -ql leeway-tools')" \
	'leeway-(lab|sim)'
ok "with it the command simulates" sh_on 'leeway sim --help'
unlike "libtool's files are not" "$files" '\.la$'
ok "each is as it was packaged" sh_on "$rpm -V --nomtime leeway-slurm leeway-tools leeway-lab"

ok "slurm.conf names the plugins, slurmctld is restarted" sh_on "
	dir=\$(dirname \$(rpm -ql leeway-slurm | grep sched_backfill))
	cp $conf $conf.before
	sed -i \"s|^PluginDir=|&\$dir:|; \\\$aJobSubmitPlugins=leeway\" $conf
	systemctl restart slurmctld"
await 30 "Leeway plans the queue" planned_by 'Leeway (leeway'
like "a removal is refused" "$(sh_on "$rpm -e leeway-slurm" 2>&1)" \
	"$conf still names Leeway: roll back first"
ok "the plugins are still there" sh_on 'rpm -q leeway-slurm'
ok "an upgrade is not" sh_on "$rpm -U $rpms/next/leeway-*.rpm"
is "it took the place of the old ones" "$(sh_on "rpm -q leeway-slurm leeway-tools leeway-lab" |
	grep -c '\.el9\.1\.')" 3
ok "and is as it was packaged" sh_on "$rpm -V --nomtime leeway-slurm leeway-tools leeway-lab"
ok "slurmctld is restarted on it" sh_on 'systemctl restart slurmctld'
await 30 "Leeway plans the queue with it" planned_by 'Leeway (leeway'

ok "slurm.conf is as it was" sh_on "mv $conf.before $conf; systemctl restart slurmctld"
sh_on 'mkdir -p /etc/slurm/plugstack.conf.d
	echo "required leeway.so" > /etc/slurm/plugstack.conf.d/leeway.conf'
like "a SPANK plugin that is required is not removed" \
	"$(sh_on "$rpm -e leeway-slurm" 2>&1)" 'plugstack.conf.d/leeway.conf still names Leeway'
sh_on 'rm -r /etc/slurm/plugstack.conf.d'
ok "they are removed" sh_on "$rpm -e leeway-slurm leeway-tools leeway-lab"
ours=$(grep leeway <<< "$files" | xargs)
ok "and nothing of them is left" sh_on "! ls -d $ours 2> /dev/null | grep ."
ok "slurmctld answers" sh_on 'scontrol ping | grep -q UP'
is "the job runs on" "$(job_state "$running") $(job_field "$running" StartTime)" "RUNNING $started"
finish
