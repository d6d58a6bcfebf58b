# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: which Slurm the lab runs: a release that Debian packages, or a source tree

# release_list: those that Debian packages with their source, oldest first, one a line
release_list() { awk '/^[0-9]/ && NF == 2 { print $1 }' "$MS_HOME/image/releases"; }

# release_packaged: the one asked for by --release or LEEWAY_RELEASE, or the newest
release_packaged() {
	if [ -n "${LEEWAY_RELEASE:-}" ]; then
		printf '%s\n' "$LEEWAY_RELEASE"
	else
		release_list | tail -n 1
	fi
}

# release_suite: the Debian that packages it; an image from source begins with it too
release_suite() {
	awk -v release="$(release_packaged)" '$1 == release { print $2; found = 1 }
		END { exit !found }' "$MS_HOME/image/releases" ||
		usage_error "no such release of Slurm: $(release_packaged) (there are:" \
			"$(release_list | xargs); for others see --slurm-src)"
}

# release_kind: source or binaries: what Debian has of it; or tree: that of --slurm-src
release_kind() {
	[ -z "${LEEWAY_SLURM_SRC:-}" ] || { echo tree; return; }
	awk -v release="$(release_packaged)" '$1 == release { print $3 ? $3 : "source" }' \
		"$MS_HOME/image/releases"
}

# release_choose RELEASE: from here on everything is built and run for it
release_choose() {
	export LEEWAY_RELEASE=$1
	release_suite > /dev/null
}

# release_choose_source TREE: the same for a Slurm built from its source
release_choose_source() {
	if [ ! -x "$1/configure" ] || [ ! -f "$1/META" ]; then
		usage_error "--slurm-src: $1 is not the top of a Slurm source tree"
	fi
	LEEWAY_SLURM_SRC=$(realpath "$1")
	export LEEWAY_SLURM_SRC
}

release_meta() { sed -n "s/^[ \t]*$1:[ \t]*//p" "$LEEWAY_SLURM_SRC/META"; }

# release_name: as in 24.11
release_name() {
	if [ -n "${LEEWAY_SLURM_SRC:-}" ]; then
		printf '%s.%s\n' "$(release_meta Major)" "$(release_meta Minor)"
	else
		release_packaged
	fi
}

# release_source_list: what a tree is known by: its files with their sizes and times
release_source_list() {
	find "$LEEWAY_SLURM_SRC" -type f -not -path '*/.git/*' -printf '%P %s %T@\n' |
		LC_ALL=C sort
}
