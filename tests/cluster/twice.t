#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the packages for Slurm are built twice, in other places, and are the same bytes
. "$(dirname "$0")/lib.sh"

need_packaged "Leeway's packages are made for a Debian with Slurm's source"
need_build
packages=$("$minislurm" packages 2> "$out/packages.log") ||
	bail "no packages: $(tail -n 3 "$out/packages.log" | tr '\n' ' ')"
# Where Leeway and Slurm's source lie must not matter, nor the time zone.
again='cp -r /opt/slurm-src /var/tmp/other-slurm &&
	src/contrib/make-packages --slurm-src /var/tmp/other-slurm --out again'
rm -rf "$(build_dir)/again"
build_run env DEB_BUILD_OPTIONS=nocheck TMPDIR=/var/tmp TZ=UTC-5 LC_ALL=C.UTF-8 bash -c "$again" \
	> "$out/again.log" 2>&1 || bail "not again: $(tail -n 3 "$out/again.log" | tr '\n' ' ')"
like "there is a package of plugins" "$(cat "$packages/SHA256SUMS")" ' leeway-slurm_'
is "all are the same bytes" "$(cat "$(build_dir)/again/SHA256SUMS")" \
	"$(cat "$packages/SHA256SUMS")"
finish
