# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: what bench/run needs of files: traces in, one JSON out.
# shellcheck shell=bash disable=SC2154 # folder, out and shakes are set by bench/run

path_of()
{
	echo "$folder/$1.swf.gz"
}

# Is the trace there? If not, say so.
have()
{
	[ -r "$(path_of "$1")" ] && return 0
	echo "$1: skipped: not in $folder"
	return 1
}

# Theta knows projects but no users.
user_field()
{
	case $1 in
	ALCF-Theta-*) echo "--user-field group" ;;
	esac
}

times()
{
	if [ "$shakes" -gt 0 ]; then
		echo "mean ± standard deviation of $shakes shakes"
	else
		echo "unshaken"
	fi
}

# Every file of results under its name, in one object.
collect()
{
	local file name comma=

	printf '{\n'
	for file in "$out"/*.json; do
		[ -e "$file" ] || continue
		name=${file##*/}
		printf '%s"%s":\n' "$comma" "${name%.json}"
		cat "$file"
		comma=,
	done
	printf '}\n'
}
