#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: scripts stop at errors and pass shellcheck.
. "$(dirname "$0")/lib.sh"

# Scripts in bash that go on after an error. What is only sourced follows its caller.
careless()
{
	(
		cd "$1"
		shell_files . | while IFS= read -r script; do
			read -r first <"$script" || true
			case $first in
			'#!/usr/bin/env bash')
				grep -qE '^set -euo pipefail$|^\. .*/lib\.sh"?$' "$script" ||
					echo "$script: no set -euo pipefail"
				;;
			'#!/bin/sh')
				grep -qE '^set -eu?$' "$script" || echo "$script: no set -e"
				;;
			'#!/usr/bin/env bats') ;;
			'#!'*)
				echo "$script: $first"
				;;
			esac
		done
	)
}

findings()
{
	(
		cd "$1"
		shell_files . | grep -v '\.bats$' | tr '\n' '\0' |
			xargs -0 -r -n 8 -P 2 shellcheck -x -P SCRIPTDIR -f gcc
	)
}

# Commands that a bare Debian lacks and that are easily used all the same. What runs in the
# images is installed there.
LACKING='bc|column|curl|file|hexdump|jq|less|pgrep|pkill|ps|python3?|rsync|unzip|wget|xxd'
uninstalled()
{
	(
		cd "$1"
		shell_files . | grep -E '^(\./)?(contrib|bench|\.ci)/' |
			grep -vE '/(inside|image|suite)(/|$)' | tr '\n' '\0' |
			xargs -0 -r grep -HnE \
				"^[^#]*(^|[|;&(\`]|if|then|do|!)[[:space:]]*($LACKING) "
	)
}

keeps "scripts stop at the first error" careless
plant contrib/x <<<'#!/usr/bin/env bash
echo hello'
bites "a script that goes on after an error" careless contrib/x
plant contrib/x <<<'#!/bin/bash
set -euo pipefail'
bites "an interpreter of its own" careless contrib/x
keeps "scripts use what a bare Debian has, or install it" uninstalled
plant contrib/x <<<'#!/usr/bin/env bash
echo a b | column -t'
bites "a command that is not there" uninstalled contrib/x

if command -v shellcheck >/dev/null; then
	keeps "scripts pass shellcheck" findings
	# shellcheck disable=SC2016 # the expansion is what is wrong with it
	plant contrib/x <<<'#!/usr/bin/env bash
rm -rf $HOME/$1'
	bites "an unquoted expansion" findings contrib/x:2
else
	skip "scripts pass shellcheck" "shellcheck is not installed"
fi

finish
