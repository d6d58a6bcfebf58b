# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the lane arm64: Leeway compiled for aarch64, and its tests under qemu's user mode
#
# The compiler runs on this machine's processor. What it makes runs under qemu, with the libraries
# of Debian's arm64. From Linux 6.7 on a container may say who runs such programs; on an older
# kernel the machine itself must, as Debian's packages have it do.

arm64_needs() {
	local major minor
	IFS=.- read -r major minor _ < <(uname -r)
	[ $((major * 100 + minor)) -lt 607 ] || return 0
	host_need update-binfmts:binfmt-support qemu-aarch64-static:qemu-user-static
}

# lanes_arm64: its results are .trs files
lanes_arm64() {
	local recipe=$MS_HOME/image/arm64-install built MS_IMAGE build_flags
	arm64_needs
	derived_make arm64 "$recipe" "a compiler for aarch64, its libraries, and qemu"
	built=$(build_dir)
	# build_dir looks at the lab image, build_run at this one
	# shellcheck disable=SC2034
	MS_IMAGE=$(derived_path arm64 "$recipe")
	# shellcheck disable=SC2034
	build_flags=(--uidmap 0:0:4294967294 --cap-add SYS_ADMIN)
	lanes_image arm64 /opt/minislurm/image/arm64
	results+=("$built/arm64")
}
