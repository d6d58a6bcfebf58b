# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: images that have more than the lab image, each made of it by a recipe

# derived_path NAME RECIPE: where the image is, or will be
derived_path() {
	local key
	key=$(sha256sum < "$2")
	printf '%s-%s-%s\n' "$(image_path)" "$1" "${key:0:12}"
}

# derived_fill DIR RECIPE: the lab image, and the recipe run in it
derived_fill() {
	local dir=$1
	cp -a --reflink=auto "$(image_path)/." "$dir/" || return 1
	cp "$2" "$dir/opt/recipe/derived" || return 1
	[ ! -s /etc/resolv.conf ] || cp -L /etc/resolv.conf "$dir/etc/resolv.conf" || return 1
	http_proxy=$(image_proxy) image_run "$dir" /opt/recipe/derived > "$dir.log" 2>&1
}

# derived_make NAME RECIPE WHAT: once for each lab image; WHAT is what it is told to install
derived_make() (
	path=$(derived_path "$1" "$2")
	[ ! -d "$path" ] || exit 0
	exec {lock}> "$path.lock"
	flock "$lock"
	[ ! -d "$path" ] || exit 0
	say "image $1: installing $3"
	rm -rf "$path.part"
	mkdir "$path.part"
	trap 'rm -rf "$path.part"' EXIT
	trap 'exit 130' INT TERM
	if ! derived_fill "$path.part" "$2"; then
		tail -n 15 "$path.part.log" >&2
		die "the image could not be made; the whole log is $path.part.log"
	fi
	mv "$path.part" "$path"
)
