# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: runs the project's own command, built in the image, on this machine's files

# tool_leeway DIR ARGS...: the leeway command, with DIR at its own path and writable
tool_leeway() {
	local dir=$1 name
	shift
	name=$(container_new_name leeway-tool)
	(
		# shellcheck disable=SC2064
		trap "container_remove '$name'" EXIT
		trap 'exit 130' INT TERM
		patiently "leeway $1" '' container_run -i --name "$name" -v "$dir:$dir" \
			-v "$(build_root):/leeway:ro" -w "$dir" -- /leeway/usr/bin/leeway "$@"
	)
}
