# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: make bench: figures of the policies and of the planning core.
EXTRA_DIST += \
	%D%/chains \
	%D%/chains-live \
	%D%/deadlines.awk \
	%D%/deadlines.sh \
	%D%/energy \
	%D%/energy.awk \
	%D%/energy-mix.awk \
	%D%/harm \
	%D%/lib.sh \
	%D%/moves \
	%D%/nodes \
	%D%/noise \
	%D%/noise.awk \
	%D%/placement.sh \
	%D%/pollux \
	%D%/pollux.awk \
	%D%/reference.tsv \
	%D%/run \
	%D%/sharing \
	%D%/sharing.awk \
	%D%/stops \
	%D%/systems \
	%D%/systems.tsv \
	%D%/tag/alone \
	%D%/tag/host.c \
	%D%/tag/inside \
	%D%/tag/job_submit.lua \
	%D%/tag/make-scripts \
	%D%/tag/run \
	%D%/tag/stopwatch.c \
	%D%/types/recipes.awk \
	%D%/types/run \
	%D%/types/workload.awk
# a comparison of figures, not a test: it fails only when something could not be run
bench: leeway
	@LEEWAY="$${LEEWAY:-./leeway}" \
	  LEEWAY_TRACES="$${LEEWAY_TRACES:-$(abs_top_srcdir)/../shared/traces}" \
	  LEEWAY_RIVALS="$${LEEWAY_RIVALS:-$(abs_top_srcdir)/../shared/rivals}" \
	  bash $(srcdir)/bench/run
.PHONY: bench

# the same of chains, for as long again
bench-chains: leeway
	@LEEWAY="$${LEEWAY:-./leeway}" \
	  LEEWAY_TRACES="$${LEEWAY_TRACES:-$(abs_top_srcdir)/../shared/traces}" \
	  bash $(srcdir)/bench/chains
.PHONY: bench-chains

# which inputs fare worse than under EASY, one run after the other
bench-harm: leeway
	@LEEWAY="$${LEEWAY:-./leeway}" \
	  LEEWAY_TRACES="$${LEEWAY_TRACES:-$(abs_top_srcdir)/../shared/traces}" \
	  LEEWAY_SHAPES="$${LEEWAY_SHAPES:-$(abs_top_srcdir)/../shared/shapes}" \
	  LEEWAY_RIVALS="$${LEEWAY_RIVALS:-$(abs_top_srcdir)/../shared/rivals}" \
	  nice -n 15 bash $(srcdir)/bench/harm
.PHONY: bench-harm

# what select.energy saves, and what machines and lateness cost under rules of others
bench-energy: leeway
	@LEEWAY="$${LEEWAY:-./leeway}" \
	  LEEWAY_RIVALS="$${LEEWAY_RIVALS:-$(abs_top_srcdir)/../shared/rivals}" \
	  bash $(srcdir)/bench/energy
.PHONY: bench-energy

# and of GPU types, in seconds
bench-types: leeway
	@LEEWAY="$${LEEWAY:-./leeway}" \
	  LEEWAY_RIVALS="$${LEEWAY_RIVALS:-$(abs_top_srcdir)/../shared/rivals}" \
	  bash $(srcdir)/bench/types/run
.PHONY: bench-types

# what sampling GPUs costs: prints both figures beside their goals
EXTRA_PROGRAMS += bench/gpu_sampling
bench_gpu_sampling_SOURCES = %D%/gpu_sampling.c
bench_gpu_sampling_LDADD = librecord.la libbase.la $(ZLIB_LIBS) -lpthread -ldl
CLEANFILES += bench/gpu_sampling
# the same of a real GPU, call by call: for a machine that has one
EXTRA_PROGRAMS += bench/gpu_real
bench_gpu_real_SOURCES = %D%/gpu_real.c
bench_gpu_real_LDADD = librecord.la libbase.la $(ZLIB_LIBS) -lpthread -ldl
CLEANFILES += bench/gpu_real
bench-gpu-real: bench/gpu_real
	@bench/gpu_real
.PHONY: bench-gpu-real

bench-gpu: bench/gpu_sampling libfake_nvml.la
	@bench/gpu_sampling $(abs_top_builddir)/.libs/libfake_nvml.so
.PHONY: bench-gpu
# what one look-up costs among many records: bench/record_spool DIR 1000000 jobs
EXTRA_PROGRAMS += bench/record_spool
bench_record_spool_SOURCES = %D%/record_spool.c
bench_record_spool_LDADD = librecord.la libbase.la $(ZLIB_LIBS) -lpthread -ldl
CLEANFILES += bench/record_spool
