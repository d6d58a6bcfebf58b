#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the command and its simulator are packed without Slurm, twice in the same bytes, and run
# shellcheck disable=SC2016 # shells in the container expand it
. "$(dirname "$0")/lib.sh"

need_build
made=$(build_dir)/tools
rm -rf "$made"
# Where a build lies must not matter, nor what it is called.
for run in one another; do
	build_run env DEB_BUILD_OPTIONS=nocheck TMPDIR=/var/tmp TZ="UTC-${#run}" \
		/build/src/contrib/make-packages --tools --out "/build/tools/$run" \
		> "$out/tools-$run.log" 2>&1 ||
		bail "no packages: $(tail -n 5 "$out/tools-$run.log" | tr '\n' ' ')"
done
is "two packages and an archive are made" "$(grep -v dbgsym "$made/one/SHA256SUMS" | cut -c 67- |
	sed 's/_.*_/ /' | xargs)" \
	"leeway-lab amd64.deb leeway-tools amd64.deb leeway-tools linux-amd64.tar.gz"
is "and again in the same bytes" "$(cat "$made/another/SHA256SUMS")" \
	"$(cat "$made/one/SHA256SUMS")"

# in_build COMMAND: in a shell where Leeway is not installed
in_build() { build_run bash -c "cd /build/tools/one && $1"; }
packed() { in_build "for deb in *.deb; do dpkg-deb $1; done"; }
in_archive="tar -xzf *.tar.gz && cd leeway-[0-9]* && env -i ./leeway"
unlike "the packages depend on no Slurm" "$(packed '-f $deb Depends')" slurm
unlike "and have nothing for it" "$(packed '-c $deb')" '\.so|/man8/|leeway\.yaml'
like "the archive's command tells its version" "$(in_build "$in_archive --version")" \
	'[0-9]\.[0-9]'
like "it has the simulator" "$(in_build "$in_archive sim --help")" 'usage: leeway sim'
like "a simulation runs" "$(in_build "$in_archive generate --model lublin --jobs 9 --span 1h -o w &&
	env -i ./leeway sim w")" 'mean wait'
unlike "it needs no library" "$(in_build 'ldd leeway-[0-9]*/leeway 2>&1; true')" '=>'
like "what is in it is listed" "$(in_build 'cat leeway-[0-9]*/linked')" '^libjansson-dev '
finish
