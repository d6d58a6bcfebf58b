#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: rule: what names the release names the same one as the newest heading of NEWS.md
. "$(dirname "$0")/lib.sh"

# first FILE EXPRESSION: what sed makes of its first line that the expression prints
first() { sed -nE "$2" "$1" 2>/dev/null | head -n 1; }

# other_versions ROOT: files that name another one
other_versions()
{
	local version found file
	version=$(first "$1/NEWS.md" 's/^## ([^ ]+).*/\1/p')
	while IFS='|' read -r file expression; do
		found=$(first "$1/$file" "$expression")
		[ "$found" = "$version" ] || echo "$file: '$found', not $version"
	done <<'END'
debian/changelog|s/^leeway \((.*)\).*/\1/p
packaging/leeway.spec|s/^Version: +//p
doc/admin/upgrade.md|s/^### ([^ ]+) .*/\1/p
README.md|s/^\| release \| ([^ ,]+).*/\1/p
END
}

keeps "every file names the same release" other_versions
plant NEWS.md <<<'## 9.9.9 (unreleased)'
plant debian/changelog <<<'leeway (9.9.8) unstable; urgency=medium'
bites "a release that only NEWS.md names" other_versions debian/changelog
finish
