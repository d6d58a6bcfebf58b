# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the lane quick: what tells most for its time, on this machine itself
#
# Built out of tree in the cache, like the builds in the image, so that the checkout stays clean;
# without Slurm, so that nothing but a compiler and five libraries is needed.

# quick_needs: what is missing of it is installed
quick_needs() {
	local pair missing=()
	host_need autoconf:autoconf automake:automake libtoolize:libtool gcc:gcc make:make \
		pkg-config:pkg-config shellcheck:shellcheck groff:groff-base
	for pair in check:check yaml-0.1:libyaml-dev jansson:libjansson-dev nettle:nettle-dev \
		zlib:zlib1g-dev; do
		pkg-config --exists "${pair%%:*}" || missing+=("-:${pair#*:}")
	done
	# host_need looks for commands, and none is called so
	[ ${#missing[@]} = 0 ] || host_need "${missing[@]}"
}

quick_dir() {
	printf '%s/quick-%s\n' "$(host_cache_dir)" "$(sha256sum <<< "$MS_CHECKOUT" | head -c 12)"
}

# quick_build DIR
quick_build() (
	cd "$1" || exit
	[ -x src/configure ] || (cd src && ./bootstrap)
	mkdir -p obj
	cd obj || exit
	[ -f config.status ] || ../src/configure --with-slurm-src=no --enable-werror
	make -j"$(nproc)"
)

# quick_changed: files that are not as they were where this branch left main; none on main itself
quick_changed() (
	cd "$MS_CHECKOUT" || exit
	base=$(git merge-base HEAD origin/main 2> /dev/null || git merge-base HEAD main) || exit 0
	git diff --name-only "$base"
	git ls-files --others --exclude-standard
)

# quick_house FILE: the lanes that a change of it asks for
quick_house() {
	local test
	test="tests/unit/$(basename "$1" .c)"
	case $1 in
	measure/* | cli/common/* | cli/chart/*) echo cli lab ;;
	cli/*) echo cli ;;
	lab/* | doc/lab/*) echo lab ;;
	tests/unit/check_*.c)
		# whose list it is in; of no house, all
		(cd "$MS_CHECKOUT" &&
			grep -lE "$test( |\$)" tests/unit/local-{cli,lab,measure}.mk) |
			sed -n 's/.*-\(cli\|lab\)\.mk/\1/p; s/.*-measure\.mk/cli lab/p' |
			grep . || echo unit golden
		;;
	*) echo unit golden ;;
	esac
}

# quick_which: rules, and what changed files, in standard input, ask for: of one house, its lane
quick_which() {
	local file lanes
	lanes=$(while IFS= read -r file; do quick_house "$file"; done | tr ' ' '\n' | sort -u)
	case $lanes in
	'' | *unit*) echo rules unit golden ;;
	*) echo "rules ${lanes//$'\n'/ }" ;;
	esac
}

# quick_lanes DIR LANE...: their results are .trs files
quick_lanes() {
	local dir=$1
	shift
	make -C "$dir/obj" -j"$(nproc)" -k "${@/#/check-}" > "$dir/check.log" 2>&1 ||
		say "a lane failed; the whole log is $dir/check.log"
}

# quick_run: the lanes, each on what is built; adds to results
quick_run() {
	local dir git lanes
	quick_needs
	read -ra lanes <<< "$(quick_changed 2> /dev/null | quick_which)"
	dir=$(quick_dir)
	mkdir -p "$dir"
	exec {build_lock}> "$dir.lock"
	take_lock "$build_lock" "building this checkout"
	build_copy "$dir"
	# rules ask it which files are ours
	! git=$(git -C "$MS_CHECKOUT" rev-parse --absolute-git-dir 2> /dev/null) ||
		echo "gitdir: $git" > "$dir/src/.git"
	say "building $MS_CHECKOUT for this machine"
	: > "$dir/build.log"
	if ! patiently "the build" "$dir/build.log" quick_build "$dir"; then
		tail -n 30 "$dir/build.log" >&2
		die "the build failed; the whole log is $dir/build.log"
	fi
	find "$dir/obj" -name '*.trs' -delete
	say "running ${lanes[*]} (after $SECONDS s)"
	quick_lanes "$dir" "${lanes[@]}"
	results+=("$dir/obj")
	say "quick lanes done after $SECONDS s"
}
