#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: jobs that share GPUs are beside whom they disturb least; a mix of jobs, by its own record
#
# SHARING_JOBS=200 makes the mix that long, and runs it under stock Slurm, without sharing, as well.
# shellcheck disable=SC2317 # functions are called through await
. "$(dirname "$0")/lib.sh"

partition=main
file=/var/lib/slurm/state/leeway_share
jobs=${SHARING_JOBS:-40}
shape=(--nodes 2 --gpus 2 --shards 20 --cpus 16 --mem 16000 --clock 20)
mkdir -p "${out:?}"
cat > "$out/leeway.yaml" << END
share:
  mode: slice
  where: partition:$partition
  who: comment
  memory_mib: 40000
  runs: 2
  record: $file
END

# sent NAME OPTIONS SECONDS: its id goes to job
sent() {
	job=$(as u1 "sbatch --parsable --output=/dev/null --mem=100 --time=60 --cpus-per-task=1 \
		--partition=$partition --job-name=$1 $2 --wrap='sleep $3'")
}
# opted NAME OPTIONS SECONDS
opted() { sent "$1" "--gres=gpu:1 --comment=leeway:share $2" "$3"; }
# runs_for NAME UTIL MIB: two runs of it, of which the recorder tells so much
runs_for() {
	local two=()
	sh_on "echo '* 0 $2 $3 100 40' > /etc/slurm/fake-gpus.conf"
	for _ in 1 2; do
		sent "$1" --gres=gpu:1 40
		two+=("$job")
	done
	for job in "${two[@]}"; do
		await 60 "a run of $1 ends" sacct_is "$job" COMPLETED
	done
}

# ---- one node, and whom it puts together ----
cluster --sched leeway "${shape[@]}" --leeway-yaml "$out/leeway.yaml"
runs_for light 20 1000
runs_for half 45 2000
runs_for mid 55 2000
for name_of in light half mid; do
	await 60 "the runs of $name_of are known" share_knows "$file" "^ .* $name_of .* 2 "
done
clear_all

here=--nodelist=n1
opted mid $here 4000
starts "the first has a GPU" "$job"
mid=$(gpu_of "$job")
is "it says what it is expected to use" "$(on scontrol show job "$job" | grep -c \
	'AdminComment=.*leeway:share=shard:6,was:gres[:/]gpu:1,util:55,.*mem:2000M')" 1
opted light $here 4000
starts "the second starts" "$job"
light=$(gpu_of "$job")
ok "on a GPU of its own, while there is one" [ "$light" != "$mid" ]
opted light $here 4000
leaves=$job
starts "the third starts" "$job"
is "beside the one that it disturbs least" "$(gpu_of "$job")" "$light"
opted light $here 4000
starts "the fourth starts" "$job"
is "where there is room" "$(gpu_of "$job")" "$mid"
opted light $here 1
waits_for "a fifth waits" "$job" '.'
sh_on "scancel $leaves"
starts "and comes when one has left" "$job"
clear_all

# ---- all at once: the second pair knows where the first two are ----
together=()
for _ in 1 2 3 4; do
	opted light $here 4000
	together+=("$job")
done
for job in "${together[@]}"; do
	starts "of four at once job $job starts" "$job"
done
unlike "Slurm was asked for none of them in vain" "$(log_of_controller)" \
	"job ($(IFS='|' && echo "${together[*]}")): Slurm would not start it"
latest=$(sh_on "squeue -h -t R -o %S | sort | tail -n 1")
ok "nor did one wait until the tenants are read anew" \
	[ $(($(sh_on "date -d $latest +%s") - $(seconds_of "${together[0]}" StartTime))) -lt 55 ]
clear_all

# ---- beside one of whom nothing is known ----
sent own "--gres=shard:2 --time=20 $here" 4000
own=$job
starts "parts that a user asks for himself" "$job"
other=$((1 - $(gpu_of "$own")))
for _ in 1 2; do
	opted light $here 4000
	starts "who shares comes" "$job"
	is "not beside them" "$(gpu_of "$job")" "$other"
done
opted light $here 4000
await 40 "one more is planned" planned "$job"
ok "for when they are gone" near "$(seconds_of "$job" StartTime)" \
	"$(seconds_of "$own" EndTime)" 120
is "though there are parts" "$(job_state "$job")" PENDING
sh_on "scancel $own"
starts "and starts then" "$job"
clear_all

# ---- a mix, three of five opted in ----
# It works as long as its record says, and longer beside others: by the product of both uses.
cat > "$out/work" << 'END'
#!/bin/bash
# work KIND SECONDS OPTED
case $1 in light) util=20 ;; half) util=45 ;; mid) util=55 ;; esac
there=/tmp/mix/$SLURMD_NODENAME-${CUDA_VISIBLE_DEVICES:-none}
mkdir -p "$there"
touch "$there/$SLURM_JOB_ID.$util"
begin=$(date +%s) left=$((1000 * $2))
while ((left > 0)); do
	slow=1000
	for other in "$there"/*; do
		[[ $other == *"/$SLURM_JOB_ID."* ]] ||
			slow=$((slow + 15 * util * ${other##*.} / 100))
	done
	sleep 10
	left=$((left - 10000 * 1000 / slow))
done
rm -f "$there/$SLURM_JOB_ID.$util"
echo "$SLURM_JOB_ID ${there#/tmp/mix/} $util $3 $begin $(date +%s) $2" > "/tmp/record/$SLURM_JOB_ID"
END
chmod a+rx "$out/work"

# mix: all of them at once, so many a user; what they did goes to $1, by job
mix() {
	with_input -- bash -c 'cat > /tmp/work; chmod a+rx /tmp/work; mkdir -m 1777 -p /tmp/mix \
		/tmp/record' < "$out/work"
	as u1 "kinds=(light half mid)
	for ((i = 0; i < $jobs; i++)); do
		kind=\${kinds[i % 3]} seconds=\$((60 + 60 * (i * 7 % 5))) comment= opted=no
		((i % 5 < 3)) && comment=--comment=leeway:share opted=yes
		sbatch --parsable --output=/dev/null --mem=100 --time=30 --cpus-per-task=1 \
			--partition=$partition --job-name=\$kind --gres=gpu:1 \$comment \
			--wrap=\"/tmp/work \$kind \$seconds \$opted\" 2> /dev/null
	done" > "$out/sent"
	await $((40 + jobs * 6)) "$2: all have ended" all_done
	sh_on 'cat /tmp/record/*' > "$1"
	sh_on "sacct -X -n -P -o JobID,State,Submit,End" > "$1.sacct"
}
# judged RECORD: who was with whom. Of two on a GPU at a time both opted in, they use at most all
# of it, and there is no third
judged() {
	awk '{
		id[NR] = $1; gpu[NR] = $2; util[NR] = $3
		opted[NR] = $4; from[NR] = $5; to[NR] = $6
	}
	END {
		for (i = 1; i <= NR; i++) {
			met = 0
			for (k = 1; k <= NR; k++) {
				if (k == i || gpu[k] != gpu[i] || from[k] > from[i] - 0 ||
				    to[k] <= from[i] || (from[k] == from[i] && id[k] > id[i]))
					continue
				met++
				pairs++
				if (opted[i] == "no" || opted[k] == "no")
					print "did not opt in: " id[i] " " id[k]
				if (util[i] + util[k] > 100)
					print "against the rule: " id[i] " " id[k]
			}
			if (met > 1)
				print "a third: " id[i]
		}
		print "pairs: " pairs + 0
	}' "$1"
}
# figures RECORD WHAT: as a comment
figures() {
	awk -v what="$2" '
		function seconds(text) { gsub(/[-:T]/, " ", text); return mktime(text) }
		FNR == NR { split($0, part, "|"); submit[part[1]] = seconds(part[3]); next }
		{
			jct += $6 - submit[$1]
			slow += ($6 - $5) / $7
			busy += $7 * $3 / 100
			held += $6 - $5
			first = !first || $5 < first ? $5 : first
			last = $6 > last ? $6 : last
			count++
		}
		END {
			printf "%s: %d jobs, mean JCT %d s, ", what, count, jct / count
			printf "mean run time to that alone %.2f, ", slow / count
			printf "GPUs busy %.0f %%, all done after %d s\n",
				100 * busy / 4 / (last - first), last - first
		}' "$1.sacct" "$1" | comment
}
# what whole GPUs teach meanwhile is less than what is known
sh_on "echo '* 0 10 500 100 40' > /etc/slurm/fake-gpus.conf"
mix "$out/ours" leeway
is "leeway: none is lost" "$(wc -l < "$out/ours")" "$jobs"
judged "$out/ours" > "$out/judged"
is "leeway: nobody is where he must not be" "$(grep -v '^pairs:' "$out/judged")" ''
ok "leeway: many are together" [ "$(sed -n 's/^pairs: //p' "$out/judged")" -ge $((jobs / 4)) ]
figures "$out/ours" leeway
cluster_gone

if [ -n "${SHARING_JOBS:-}" ]; then
	cluster --sched stock "${shape[@]}"
	mix "$out/stock" stock
	is "stock: none is lost" "$(wc -l < "$out/stock")" "$jobs"
	is "stock: each is alone" "$(judged "$out/stock")" 'pairs: 0'
	figures "$out/stock" stock
fi
finish
