# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the lanes of run-tests in the lab image: what each runs, and where its results are
#
# $dir is where the logs of the release chosen go, $results an array of what summary adds up,
# $warnings one of what to tell beside that.

# lanes_limit_s TEST: for one cluster test; how long a lane goes on is known when it begins. All
# attacks of the lane hostile take five minutes of a machine that is not busy.
lanes_limit_s() {
	local minutes=$((${LW_SOAK_ROUNDS:-0} + ${LW_CHAOS_MINUTES:-0} + ${LW_DAY_HOURS:-0}))
	[ -z "${LW_HOSTILE:-}" ] || minutes=$((minutes + 10))
	[ "$1" != truth ] || minutes=$((minutes + ${LW_TRUTH_JOBS:-2000} / 60))
	[ "$1" != stop_storm ] || minutes=$((minutes + ${LW_STORM_STOPS:-0} / 60))
	echo $((600 + 120 * minutes))
}
# for one that builds packages
lanes_packages_limit_s=1800
# They mostly wait: so many at a time, and up to twice as many while the processors are half idle.
lanes_at_once=$(($(nproc) + 2))
lanes_table=$MS_CHECKOUT/tests/cluster/lanes.tsv

# lanes_begin build_project|build_sources: the image and the build of the release chosen, with no
# results yet
lanes_begin() {
	image_make
	"$1"
	dir=$(build_dir)/results
	[ -z "$out" ] || dir=$out/$(release_name)
	mkdir -p "$dir/cluster"
	pool_empty "$dir/cluster/pool" # of a run that was killed
	rm -rf "$dir"/*.log "$dir"/cluster/{*.tap,*.first,*.err,times,failed,pool}
	find "$(build_dir)" -name '*.trs' -delete
	# not the build's own cluster results, which are of another run where there is --out
	results+=("$(build_dir)/obj" "$dir/cluster")
}

# lanes_image LANE COMMAND...: run it in the image; its results are .trs files
lanes_image() {
	local lane=$1
	shift
	build_run "$@" > "$dir/$lane.log" 2>&1 || {
		grep -E '^(FAIL|ERROR)|Error' "$dir/$lane.log" | head -n 20 >&2
		say "lane $lane failed; the whole log is $dir/$lane.log"
		# what does not compile leaves no result of its own
		printf 'not ok 1 - lane %s ends well\n# see %s\n1..1\n' "$lane" "$dir/$lane.log" \
			> "$dir/cluster/lane-$lane.tap"
	}
}

# lanes_make LANE[+LANE...] [VARIABLE=VALUE...]: lanes of the Makefile, in one go
lanes_make() {
	local lanes
	IFS=+ read -ra lanes <<< "$1"
	lanes_image "$1" env "${@:2}" make -C /build/obj -j"$(nproc)" -k \
		"${lanes[@]/#/check-}"
}

# lanes_sanitizers [VARIABLE=VALUE...]
lanes_sanitizers() {
	lanes_image sanitizers env "$@" /opt/minislurm/image/sanitized
	results+=("$(build_dir)/sanitized")
}

# lanes_threads: see image/threads
lanes_threads() {
	lanes_image threads /opt/minislurm/image/threads
	results+=("$(build_dir)/threads")
}

# lanes_distcheck: a release builds without this checkout, passes its tests, is installed and goes
lanes_distcheck() {
	local tap=$dir/cluster/lane-distcheck.tap
	rm -f "$tap"
	lanes_image distcheck env LW_QUICK=1 make -C /build/obj distcheck
	[ -e "$tap" ] || printf 'ok 1 - make distcheck\n1..1\n' > "$tap"
}

# lanes_cluster_tests KIND...: names of the cluster tests of these kinds, the longest first
lanes_cluster_tests() {
	awk -v kinds=" $* " '!/^#/ && index(kinds, " " $3 " ") { print $2, $1 }' "$lanes_table" |
		sort -k 1,1nr -k 2 | cut -d " " -f 2
}

# lanes_known_tests NAME...: is each in the table?
lanes_known_tests() {
	local name
	for name; do
		awk -v name="$name" '$1 == name { found = 1 } END { exit !found }' "$lanes_table" ||
			usage_error "no cluster test is called $name"
	done
}

# what the tests of packages are about: the sum of these files is kept when all have passed
lanes_packaging_sum() (
	cd "$MS_CHECKOUT" || exit
	build_list | grep -vE '^tests/.*\.mk$' |
		grep -E -e '^(debian|packaging|m4)/|\.mk$|^(Makefile\.am|configure\.ac)$' \
		-e '^contrib/(make-packages|slurm-source)$|^doc/admin/guide\.md$' \
		-e '^tests/cluster/(package\.t|rpm\.t|rpms|tools\.t|twice\.t)$' | tr '\n' '\0' |
		xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1
)

lanes_packaging_kept=$MS_CHECKOUT/tests/cluster/packaging.sum
lanes_packaging_same() {
	[ "$(cat "$lanes_packaging_kept" 2> /dev/null)" = "$(lanes_packaging_sum)" ]
}
lanes_packaging_keep() { lanes_packaging_sum > "$lanes_packaging_kept"; }

# lanes_cluster_test NAME: what it says goes to a file of its name
lanes_cluster_test() (
	name=$1 limit=$(lanes_limit_s "$1") since=$SECONDS
	[[ ! $name =~ ^(rpm|package|tools|twice)$ ]] || limit=$lanes_packages_limit_s
	# as lanes_begin did; a look at it takes each test seconds
	MS_BUILT=yes LW_CLUSTER_OUT=$dir/cluster LW_CLUSTER_POOL=$dir/cluster/pool \
		timeout -k 30 "$limit" bash "$MS_CHECKOUT/tests/cluster/$name.t" \
		> "$dir/cluster/$name.tap" 2> "$dir/cluster/$name.err" &
	trap 'kill "$!"; wait; exit 130' TERM
	wait "$!" || {
		say "tests/cluster/$name.t failed; see $dir/cluster/$name.tap"
		echo "$name" >> "$dir/cluster/failed"
	}
	printf '%d s %s.t\n' $((SECONDS - since)) "$name" >> "$dir/cluster/times"
)

# lanes_longest: of the cluster tests that have just ended, with what each took
lanes_longest() {
	sort -k 1,1nr -k 3 "$dir/cluster/times" | head -n 5 | paste -sd ',' | sed 's/,/, /g'
}

# lanes_cluster_repeat: who failed beside others, by themselves. What counts is the second run; the
# summary shows both. Where more fail than busy machines explain, none is repeated.
lanes_cluster_repeat() {
	local name names=()
	[ ! -e "$dir/cluster/failed" ] || mapfile -t names < "$dir/cluster/failed"
	[ "${#names[@]}" -le 5 ] || return 0
	for name in "${names[@]}"; do
		mv "$dir/cluster/$name.tap" "$dir/cluster/$name.tap.first"
		[ ! -d "$dir/cluster/$name" ] ||
			mv -T "$dir/cluster/$name" "$dir/cluster/$name.first"
		say "tests/cluster/$name.t again, by itself"
		lanes_cluster_test "$name" &
		wait "$!"
	done
}

# lanes_pool_told: how many clusters it took, and which could not be put back
lanes_pool_told() {
	local log=$dir/cluster/pool/log
	[ -e "$log" ] || return 0
	say "clusters: $(grep -c '^booted' "$log") booted," \
		"$(grep -c '^put back' "$log") put back to their first state"
	mapfile -t -O ${#warnings[@]} warnings < <(
		sed -n 's/^made anew [^ ]* /a cluster was not put back, but made anew: /p' "$log")
}

# lanes_ticks: those of all processors since the machine began, and the idle ones among them
lanes_ticks() {
	awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6 }' \
		/proc/stat
}

# lanes_half_idle: were the processors, in the last two seconds?
lanes_half_idle() {
	local all idle later_all later_idle
	read -r all idle < <(lanes_ticks)
	sleep 2
	read -r later_all later_idle < <(lanes_ticks)
	[ $((2 * (later_idle - idle))) -ge $((later_all - all)) ]
}

# lanes_room RUNNING: may one more test begin?
lanes_room() {
	[ "$1" -ge "$lanes_at_once" ] || return 0
	[ "$1" -lt $((2 * lanes_at_once)) ] && lanes_half_idle
}

# lanes_cluster NAME...: cluster tests, several at a time
lanes_cluster() {
	local name
	# shellcheck disable=SC2046 # numbers
	trap 'kill $(jobs -p); wait; pool_empty "$dir/cluster/pool"; exit 130' INT TERM
	for name; do
		until lanes_room "$(jobs -rp | wc -l)"; do sleep 0.2; done
		lanes_cluster_test "$name" &
	done
	wait
	lanes_cluster_repeat
	lanes_pool_told
	pool_empty "$dir/cluster/pool"
	trap - INT TERM
	say "the longest cluster tests: $(lanes_longest)"
}

# lanes_examples: those in Python; the image is made before, since a test's time is short
lanes_examples() {
	derived_make python "$MS_HOME/image/python" PyTorch
	lanes_cluster examples_python
}

# lanes_suite: Slurm's own tests, which start and stop their Slurm themselves
lanes_suite() {
	suite_image_make
	suite_judge "$dir/slurm-suite" > "$dir/cluster/slurm-suite.tap"
}
