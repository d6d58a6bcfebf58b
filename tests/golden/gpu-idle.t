#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what contrib/gpu-idle does with jobs that hold idle GPUs (TAP).
set -euo pipefail

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
leeway=${LEEWAY:-${top_builddir:-$here/../..}/leeway}
script=$here/../../contrib/gpu-idle/gpu-idle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $leeway ]] || bail "no program $leeway: run make first, or name it in LEEWAY"
mkdir "$work/bin" "$work/spool"
ln -s "$leeway" "$work/bin/leeway"
PATH=$work/bin:$PATH

# command NAME: one of Slurm's, that notes how it was called, and prints what $work/NAME has
command_of_slurm() {
	cat >"$work/bin/$1" <<END
#!/bin/sh
echo "$1 \$*" >>"$work/called"
cat "$work/$1" 2>/dev/null || true
END
	chmod +x "$work/bin/$1"
}

# checked TEXT: a line of a record; the end of what gzip writes has its check
checked() {
	printf '%s ~%s\n' "$1" \
		"$(printf %s "$1" | gzip -c | tail -c 8 | od -An -tx4 -N4 | tr -d ' ')"
}

# record JOB NODE UTIL [UID]: a step that runs, of two GPUs that for hours have been at UTIL %
record() {
	local now slot times idle=180
	now=$(date +%s)
	times="start=$((now - 9000)) interval=10 bucket=1800"
	[ "$3" = 0 ] || idle=0
	{
		checked "lw-record 1 job=$1 node=$2 step=batch $times user=${4:-0} metrics=util"
		checked "g index=0 mem=0 id=$2-a"
		checked "g index=1 mem=0 id=$2-b"
		for slot in 4 3 2 1 0; do
			checked "b $((now / 1800 - slot)) 180,180,0/0 180,$idle,$((180 * $3))/$3"
		done
	} >"$work/spool/$1.$2.batch.part"
}

# lock FD: as a step that writes does (F_OFD_SETLK, F_WRLCK), as long as we have it open
lock() {
	perl -e 'my $lock = pack "ssx4qqix4", 1, 0, 0, 0, 0;
		open F, "+<&=", shift or die; fcntl F, 37, $lock or die' "$1"
}

# says JOBS ARGUMENTS...: what it says, and how it called Slurm, of $work/spool as it is
says() {
	: >"$work/called"
	for part in "$work"/spool/*.part; do
		exec {fd}<>"$part"
		lock "$fd"
	done
	"$script" --dir "$work/spool" --state "$work/state" "$@"
	grep -v '^squeue' "$work/called" || true
}

# fresh: no job, nothing said before
fresh() { rm -rf "$work/state" "$work"/spool/*; }

command_of_slurm squeue
command_of_slurm scontrol
command_of_slurm scancel

record 7 n1 0
echo '7 7 1' >"$work/squeue"
like "without --act it only says what it would do" "$(says)" \
	'^gpu-idle: would: warn root: all 2 GPUs of job 7 have been idle for 1[0-9]+ minutes$'
is "and does nothing" "$(grep -v '^squeue' "$work/called")" ''
like "a user is warned" "$(says --act)" '^scontrol notify 7 all 2 GPUs of job 7'
like "and again" "$(says --act)" '^scontrol notify 7 all 2'
like "and then the job is cancelled" "$(says --act)" '^scancel 7$'
is "but not one of a user to be spared" "$(says --act --spare alice,root)" ''
record 7 n1 0 4242424
is "nor of one that has a number alone" "$(says --act --spare alice,4242424)" ''
record 7 n1 0
like "nor when only warnings are wanted" "$(says --act --never-cancel)" '^scontrol notify 7'

fresh
record 7 n1 0
echo '7 5_2 1' >"$work/squeue"
like "a task of an array is cancelled by its name" "$(says --act --warnings 0)" '^scancel 5_2$'
printf '%s\n' '6 7_1 1' '7 7_2 1' >"$work/squeue"
like "also the one that has the array's own id" "$(says --act --warnings 0)" '^scancel 7_2$'
echo '7 7+0 1' >"$work/squeue"
is "a part of a het job is left alone" "$(says --act --warnings 0)" ''
echo '7 7 2' >"$work/squeue"
is "so is a job with nodes of which nothing is known" "$(says --act --warnings 0)" ''
like "but not where the directory is of all nodes" "$(says --act --warnings 0 --shared)" \
	'^scancel 7$'
: >"$work/squeue"
is "one that has ended meanwhile needs nothing" "$(says --act --warnings 0)" ''

record 7 n2 0
echo '7 7 2' >"$work/squeue"
like "a job of two nodes that both are idle" "$(says --act --warnings 0)" '^scancel 7$'
record 7 n2 50
is "a job of which one GPU works is left alone" "$(says --act --warnings 0)" ''

# ended JOB: what the epilog makes of a job that has ended
ended() {
	: >"$work/called"
	PATH=$work/epilog:$PATH ACT=yes SLURM_JOB_ID=$1 SLURM_JOB_USER=ann SLURM_JOB_GPUS=0,1 \
		bash "${script%/*}/epilog"
	cat "$work/called"
}

mkdir "$work/epilog"
printf '#!/bin/sh\nexec "%s" "$@" --dir "%s"\n' "$leeway" "$work/spool" >"$work/epilog/leeway"
chmod +x "$work/epilog/leeway"
command_of_slurm mail
like "an epilog writes to the user of a job with GPUs that were never used" "$(ended 7)" \
	'^mail -s Idle GPUs of job 7 ann$'
fresh
record 7 n1 50
sed -i '/ 180,180,/d' "$work/spool/7.n1.batch.part"
is "and not when nothing could be read, or there is no record" "$(ended 7)$(ended 8)" ''

finish
