#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: scripts stop at errors and pass shellcheck.
# shellcheck disable=SC2016 # awk and what is planted have dollars of their own
. "$(dirname "$0")/lib.sh"

# Scripts in bash that go on after an error. What is only sourced follows its caller.
careless()
{
	(
		cd "$1"
		shell_files . | tr '\n' '\0' | xargs -0 -r awk '
		function judge() {
			if (wanted != "" && !careful)
				print name ": no " wanted
		}
		FNR == 1 {
			judge()
			name = FILENAME
			careful = 0
			wanted = ""
			if ($0 == "#!/usr/bin/env bash")
				wanted = "set -euo pipefail"
			else if ($0 == "#!/bin/sh")
				wanted = "set -e"
			else if ($0 ~ /^#!/ && $0 != "#!/usr/bin/env bats")
				print name ": " $0
		}
		wanted == "set -e" && /^set -eu?$/ { careful = 1 }
		wanted != "set -e" && /^set -euo pipefail$|^\. .*\/lib\.sh"?$/ { careful = 1 }
		END { judge() }'
	)
}

findings()
{
	(
		cd "$1"
		shell_files . | grep -v '\.bats$' | tr '\n' '\0' |
			xargs -0 -r -n 4 -P 2 shellcheck -x -P SCRIPTDIR -f gcc
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
plant contrib/x <<<'#!/bin/sh
echo hello'
plant contrib/y <<<'#!/bin/sh
set -eu'
bites "one of sh that goes on, before one that does not" careless contrib/x
plant contrib/x <<<'#!/usr/bin/env bash
set -euo pipefail'
plant contrib/y.t <<<'#!/usr/bin/env bash
. "$(dirname "$0")/lib.sh"'
plant contrib/z.sh <<<'echo hello'
spares "what stops, or is sourced" careless
keeps "scripts use what a bare Debian has, or install it" uninstalled
plant contrib/x <<<'#!/usr/bin/env bash
echo a b | column -t'
bites "a command that is not there" uninstalled contrib/x

if command -v shellcheck >/dev/null; then
	keeps "scripts pass shellcheck" findings
else
	skip "scripts pass shellcheck" "shellcheck is not installed"
fi

finish
