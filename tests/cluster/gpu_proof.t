#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: contrib/gpu-proof is packed and runs, on GPUs that a library plays
. "$(dirname "$0")/lib.sh"

need_release '24\.11' "the folder has what Debian 13 packages"
need_build

# What NVIDIA's driver would bring: NVML as in the unit tests, and a driver that takes 10 ms for a
# kernel. nvidia-smi says what that NVML says.
cat > "$(build_dir)/gpu-proof-driver.c" << 'END'
#include <stddef.h>
#include <time.h>
int cuInit(unsigned flags) { return (int)flags; }
int cuDeviceGet(int *device, int index) { return *device = index; }
int cuCtxCreate_v2(void **context, unsigned flags, int device)
{
	*context = context;
	return (int)flags + device;
}
int cuModuleLoadData(void **module, const void *image) { return !(*module = module) || !image; }
int cuModuleGetFunction(void **function, void *module, const char *name)
{
	*function = module;
	return !name;
}
int cuMemAlloc_v2(unsigned long long *address, size_t bytes) { return !(*address = bytes); }
int cuLaunchKernel(void *function) { return !function; }
int cuCtxSynchronize(void) { return nanosleep(&(struct timespec){ 0, 10000000 }, NULL); }
END
cat > "$(build_dir)/gpu-proof-run" << 'END'
#!/bin/bash
set -e
work=$(mktemp -d)
mkdir -p "$work/bin" "$work/dev"
cc -D_GNU_SOURCE -shared -fPIC -I/build/src/src -o "$work/libnvidia-ml.so.1" \
	/build/src/tests/unit/fake_nvml.c
cc -w -shared -fPIC -o "$work/libcuda.so.1" /build/gpu-proof-driver.c
for i in 0 1 2 3; do mknod "$work/dev/nvidia$i" c 1 3; done
cat > "$work/bin/nvidia-smi" << 'SMI'
#!/bin/sh
for i in 0 1 2 3; do
	case "$*" in
	*name,*) echo "a GPU that a library plays, 1.0" ;;
	*uuid,*) echo "GPU-$i, $((i * 10)), $((i * 1024 + 512)), $((100 + i)).40" ;;
	esac
done
SMI
printf '#!/bin/sh\nexit 0\n' > "$work/bin/nvidia-cuda-mps-control"
chmod 755 "$work"/bin/*
/build/src/contrib/gpu-proof/pack --to "$work/proof" --leeway /build/root
export LW_FAKE_NVML=watts LW_PROOF_CUDA=$work/libcuda.so.1 LW_PROOF_DEVICES="$work/dev/nvidia*"
PATH=$work/bin:$PATH "$work/proof/prove" --out "$work/out" --nvml "$work/libnvidia-ml.so.1" || {
	tail -n 20 "$work"/out/log/slurm*.log
	exit 1
}
END
chmod 755 "$(build_dir)/gpu-proof-run"

ok "the folder is packed, and all it proves holds" \
	build_run bash -c '/build/gpu-proof-run > /build/gpu-proof.out 2>&1'
comment < "$(build_dir)/gpu-proof.out"
lines=$(cat "$(build_dir)/gpu-proof.out")
like "it has at most 60 MiB" "$lines" 'has [1-5]?[0-9] MiB'
is "nothing has failed" "$(grep -c FAILED <<< "$lines")" 0
for fact in 'utilisation: 30' 'memory: 3584 MiB' 'power: 103' 'energy: [0-9]' 'tagged as training' \
	'takes 0.[0-9]* % of a core' 'idle GPU is found' 'on one GPU' 'times as long as alone'; do
	like "it looks for: $fact" "$lines" "^ok  .*$fact"
done
finish
