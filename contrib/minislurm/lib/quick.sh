# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the lane quick: what tells most for its time, on this machine itself
#
# Built out of tree in the cache, like the builds in the image, so that the checkout stays clean;
# without Slurm, so that nothing but a compiler and four libraries is needed.

# quick_needs: what is missing of it is installed
quick_needs() {
	local pair missing=()
	host_need autoconf:autoconf automake:automake libtoolize:libtool gcc:gcc make:make \
		pkg-config:pkg-config shellcheck:shellcheck groff:groff-base
	for pair in check:check yaml-0.1:libyaml-dev jansson:libjansson-dev zlib:zlib1g-dev; do
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

# quick_lanes DIR: their results are .trs files
quick_lanes() {
	make -C "$1/obj" -j"$(nproc)" -k check-rules check-unit check-golden \
		> "$1/check.log" 2>&1 ||
		say "a lane failed; the whole log is $1/check.log"
}

# quick_run: the lanes, each on what is built; adds to results
quick_run() {
	local dir git
	quick_needs
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
	say "running rules, unit and golden (after $SECONDS s)"
	quick_lanes "$dir"
	results+=("$dir/obj")
	say "quick lanes done after $SECONDS s"
}
