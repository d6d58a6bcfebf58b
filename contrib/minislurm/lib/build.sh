# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: builds this checkout inside the lab image, out of tree and incrementally
#
# The checkout stays as it is: its files are copied to a work directory in the cache,
# which is kept between calls so that make has little to do.

MS_CHECKOUT=$(cd "$MS_HOME/../.." && pwd)

# podman's flags for build_run, beside its own
build_flags=()

# build_dir: one a checkout and image
build_dir() {
	local key
	key=$(printf '%s %s' "$MS_CHECKOUT" "$(image_path)" | sha256sum)
	printf '%s/build-%s\n' "$(host_cache_dir)" "${key:0:12}"
}

# build_root: where `make install` puts the tree that a cluster copies over its own
build_root() { printf '%s/root\n' "$(build_dir)"; }

# The project's files, without anything that was built in the checkout.
build_list() (
	cd "$MS_CHECKOUT" || exit
	if git -c safe.directory="$MS_CHECKOUT" rev-parse > /dev/null 2>&1; then
		git -c safe.directory="$MS_CHECKOUT" ls-files -co --exclude-standard |
			while IFS= read -r f; do [ ! -e "$f" ] || printf '%s\n' "$f"; done
	else
		find . -type f -not -path './.git/*' -printf '%P\n'
	fi | LC_ALL=C sort
)

# build_copy DIR: bring DIR/src up to date; begin anew if a file is gone or has another mode, for
# make would leave what was built of it in the libraries.
# A changed file is as new as its copy, for it may have been written while the last build
# ran; the others are not touched, for a test may be reading them.
build_copy() {
	local dir=$1 names=$1/names file
	rm -rf "$dir/fresh"
	mkdir -p "$dir/fresh" "$dir/src"
	build_list > "$names"
	(cd "$MS_CHECKOUT" && xargs -d '\n' stat -c '%A %n') < "$names" | sort > "$dir/files.new"
	tar -C "$MS_CHECKOUT" -cf - -T "$names" | tar -xf - -C "$dir/fresh" --no-same-owner
	if [ ! -f "$dir/files" ] || [ -n "$(comm -23 "$dir/files" "$dir/files.new")" ]; then
		rm -rf "$dir/src" "$dir/obj" "$dir/sanitized" "$dir/threads" "$dir/arm64" \
			"$dir/packages"
		mv "$dir/fresh" "$dir/src"
	else
		{ diff -qr --no-dereference "$dir/fresh" "$dir/src" || true; } |
			sed -nE "s/^Symbolic links/Files/
				s|^Files $dir/fresh/(.*) and .* differ\$|\1|p
				s|^Only in $dir/fresh/?(.*): (.*)|\1/\2|p" |
			while IFS= read -r file; do
				cp -R --remove-destination "$dir/fresh/$file" "$dir/src/$file"
			done
		rm -rf "$dir/fresh"
	fi
	mv "$dir/files.new" "$dir/files"
}

# build_extras: what tests may use of this machine, read-only: real traces and, where
# this is a plain clone, its history
build_extras() {
	local traces=${LEEWAY_TRACES:-$MS_CHECKOUT/../shared/traces}
	if [ -d "$traces" ]; then
		printf '%s\n' -v "$(realpath "$traces"):/traces:ro" -e LEEWAY_TRACES=/traces
	fi
	if [ -d "$MS_CHECKOUT/.git" ]; then
		printf '%s\n' -v "$MS_CHECKOUT/.git:/build/src/.git:ro" -e GIT_CONFIG_COUNT=1 \
			-e GIT_CONFIG_KEY_0=safe.directory -e 'GIT_CONFIG_VALUE_0=*'
	fi
}

# build_run COMMAND...: run it in the image with this checkout's build directory
build_run() {
	local dir name extras
	dir=$(build_dir) name=$(container_new_name leeway-build)
	mapfile -t extras < <(build_extras)
	(
		# shellcheck disable=SC2064
		trap "container_remove '$name'" EXIT
		trap 'exit 130' INT TERM
		# in the background, so that a signal is heeded at once
		container_run --name "$name" -v "$dir:/build" -v "$MS_HOME:/opt/minislurm:ro" \
			"${extras[@]}" "${build_flags[@]}" -w /build -- "$@" &
		wait $!
	)
}

# build_sources: this checkout's files where it is built, for who builds them by other means
build_sources() {
	local dir
	image_make
	dir=$(build_dir)
	mkdir -p "$dir"
	exec {build_lock}> "$dir.lock"
	take_lock "$build_lock" "building this checkout"
	build_copy "$dir"
	mkdir -p "$dir/obj" # where results are looked for
	exec {build_lock}>&-
}

# build_project: compile and install
build_project() {
	local dir log since
	image_make
	dir=$(build_dir) log=$dir/build.log
	mkdir -p "$dir"
	exec {build_lock}> "$dir.lock"
	take_lock "$build_lock" "building this checkout"
	build_copy "$dir"
	say "building $MS_CHECKOUT"
	since=$SECONDS
	: > "$log"
	if ! patiently "the build" "$log" build_run /opt/minislurm/image/build; then
		tail -n 30 "$log" >&2
		die "the build failed; the whole log is $log"
	fi
	say "built in $((SECONDS - since)) s"
	exec {build_lock}>&-
	MS_BUILT=yes
}

# packages_stale DIR: is a file of the sources newer than the packages?
packages_stale() {
	[ ! -e "$1/packages/SHA256SUMS" ] ||
		[ -n "$(find "$1/src" -type f -newer "$1/packages/SHA256SUMS" -print -quit)" ]
}

# build_packages: the Debian packages of this checkout; prints the directory they are in
build_packages() {
	local dir log since=$SECONDS
	image_make
	dir=$(build_dir) log=$dir/packages.log
	mkdir -p "$dir"
	exec {build_lock}> "$dir.lock"
	take_lock "$build_lock" "building this checkout"
	build_copy "$dir"
	if packages_stale "$dir"; then
		say "packaging $MS_CHECKOUT"
		rm -rf "$dir/packages"
		# what was built is tested by the lanes
		: > "$log"
		if ! patiently "the packages" "$log" build_run env DEB_BUILD_OPTIONS=nocheck \
			src/contrib/make-packages --slurm-src /opt/slurm-src --out packages; then
			tail -n 30 "$log" >&2
			die "the packages could not be made; the whole log is $log"
		fi
		say "packaged in $((SECONDS - since)) s"
	fi
	exec {build_lock}>&-
	printf '%s\n' "$dir/packages"
}

# build_once: build_project unless this script has done it
build_once() { [ -n "${MS_BUILT:-}" ] || build_project; }
