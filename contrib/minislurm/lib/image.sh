# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the root file system all lab containers start from
#
# A plain directory, used through a throw-away overlay and never written to. Its name
# holds a hash of the recipe, and it gets this name only when complete.

# what image/install needs beside it
image_recipe=("$MS_HOME/image/install" "$MS_HOME/image/packages" "$MS_HOME/../slurm-source")

# image_path: where the image of the present recipe is or will be
image_path() {
	local key
	key=$({
		cat "${image_recipe[@]}" "$MS_HOME/lib/image.sh"
		printf '%s %s\n' "$(release_suite)" "${LEEWAY_BASE_IMAGE:-}"
		if [ -n "${LEEWAY_SLURM_SRC:-}" ]; then
			cat "$MS_HOME/image/from-source"
			release_source_list
		fi
	} | sha256sum)
	printf '%s/image-%s\n' "$(host_cache_dir)" "${key:0:12}"
}

# The mirror this machine itself uses; empty lets debootstrap take its default.
# shellcheck disable=SC2016 # the $(...) are apt's
image_mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Origin: Debian' 'Label: Debian' 2> /dev/null | sort -u | head -n 1
}

# apt's proxy, for tools which know only the environment
image_proxy() {
	local p
	p=$(apt-config shell p Acquire::http::Proxy 2> /dev/null) && eval "$p"
	printf '%s\n' "${p:-${http_proxy:-}}"
}

# image_base DIR LOG: unpack the bare operating system into DIR
image_base() {
	local dir=$1 log=$2 base=${LEEWAY_BASE_IMAGE:-} id proxy mirror newer=
	local scripts=/usr/share/debootstrap/scripts
	if [ -z "$base" ]; then
		host_need debootstrap:debootstrap
		proxy=$(image_proxy) mirror=$(image_mirror)
		say "image 1/2: debootstrap $(release_suite)"
		# an older debootstrap has no script for a newer suite; they are all one
		[ -e "$scripts/$(release_suite)" ] || newer=$scripts/sid
		http_proxy=$proxy patiently "debootstrap (image 1/2)" "$log" debootstrap \
			--variant=minbase "$(release_suite)" "$dir" \
			${mirror:+"$mirror" ${newer:+"$newer"}} || return 1
	elif [ -d "$base" ]; then
		say "image 1/2: copying $base"
		cp -a "$base/." "$dir/" || return 1
	else
		say "image 1/2: unpacking the container image $base"
		id=$(podman create "$base" true) || return 1
		podman export "$id" | tar -xC "$dir" || { podman rm "$id" > /dev/null; return 1; }
		podman rm "$id" > /dev/null
	fi
}

# image_run DIR COMMAND...: in DIR, with a /proc, which some packages want
image_run() {
	local dir=$1
	shift
	unshare --mount --pid --fork --kill-child --mount-proc="$dir/proc" chroot "$dir" "$@"
}

# image_fill DIR LOG: run the recipe inside DIR
image_fill() {
	local dir=$1 log=$2 proxy
	proxy=$(image_proxy)
	say "image 2/2: installing Slurm and the build tools"
	mkdir -p "$dir/opt/recipe"
	cp "${image_recipe[@]}" "$dir/opt/recipe/" || return 1
	[ ! -s /etc/resolv.conf ] || cp -L /etc/resolv.conf "$dir/etc/resolv.conf" || return 1
	http_proxy=$proxy patiently "the packages (image 2/2)" "$log" \
		image_run "$dir" /opt/recipe/install "$(release_kind)"
}

# image_of_packages DIR LOG: with Debian's own Slurm
image_of_packages() { image_base "$1" "$2" && image_fill "$1" "$2"; }

# image_from_source DIR LOG: on top of that, Slurm built from $LEEWAY_SLURM_SRC
image_from_source() {
	local dir=$1 log=$2 base proxy
	base=$(unset LEEWAY_SLURM_SRC && image_path)
	proxy=$(image_proxy)
	say "image: building Slurm from $LEEWAY_SLURM_SRC (many minutes)"
	cp -a --reflink=auto "$base/." "$dir/" || return 1
	rm -rf "$dir/opt/slurm-src"
	mkdir "$dir/opt/slurm-src"
	tar -C "$LEEWAY_SLURM_SRC" --exclude=.git -cf - . |
		tar -xf - -C "$dir/opt/slurm-src" --no-same-owner || return 1
	cp "$MS_HOME/image/from-source" "$dir/opt/recipe/" || return 1
	http_proxy=$proxy patiently "the build of Slurm" "$log" \
		image_run "$dir" /opt/recipe/from-source
}

image_make_locked() {
	local path=$1 tmp log recipe=image_of_packages
	[ ! -d "$path" ] || return 0
	tmp=$path.part log=$path.log
	: > "$log"
	rm -rf "$tmp" # left by a run that was killed
	mkdir -p "$tmp"
	# shellcheck disable=SC2064
	trap "rm -rf '$tmp'" EXIT
	trap 'exit 130' INT TERM
	[ -z "${LEEWAY_SLURM_SRC:-}" ] || recipe=image_from_source
	if ! "$recipe" "$tmp" "$log"; then
		tail -n 15 "$log" >&2
		die "the image could not be made; the whole log is $log"
	fi
	mv -T "$tmp" "$path"
}

# image_make: make the image unless it is there; runs of two callers do not collide
image_make() {
	local path
	path=$(image_path)
	[ ! -d "$path" ] || return 0
	if [ -n "${LEEWAY_SLURM_SRC:-}" ]; then
		(unset LEEWAY_SLURM_SRC && image_make) || return 1
	fi
	mkdir -p "$(host_cache_dir)"
	(
		exec {lock}> "$path.lock"
		take_lock "$lock" "making the image"
		image_make_locked "$path"
	)
}
