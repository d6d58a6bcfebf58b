# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: tests on a real cluster in containers; outside make check, see check-cluster.
CLUSTER_TESTS = \
	tests/cluster/alone.t \
	tests/cluster/amounts.t \
	tests/cluster/asked.t \
	tests/cluster/backup.t \
	tests/cluster/blocks.t \
	tests/cluster/budget.t \
	tests/cluster/chain.t \
	tests/cluster/changed.t \
	tests/cluster/conf.t \
	tests/cluster/conserve.t \
	tests/cluster/counts.t \
	tests/cluster/crash.t \
	tests/cluster/crowd.t \
	tests/cluster/deadline.t \
	tests/cluster/dynamic.t \
	tests/cluster/fallback.t \
	tests/cluster/federation.t \
	tests/cluster/follow.t \
	tests/cluster/gone.t \
	tests/cluster/gpu.t \
	tests/cluster/granular.t \
	tests/cluster/heap.t \
	tests/cluster/late.t \
	tests/cluster/layout.t \
	tests/cluster/links.t \
	tests/cluster/mixed.t \
	tests/cluster/modes.t \
	tests/cluster/mps.t \
	tests/cluster/narrow.t \
	tests/cluster/notes.t \
	tests/cluster/order.t \
	tests/cluster/package.t \
	tests/cluster/parity-jobs.t \
	tests/cluster/parity.t \
	tests/cluster/pestered.t \
	tests/cluster/place.t \
	tests/cluster/pool.t \
	tests/cluster/power.t \
	tests/cluster/preempt.t \
	tests/cluster/predict.t \
	tests/cluster/promise.t \
	tests/cluster/quiet.t \
	tests/cluster/refused.t \
	tests/cluster/replay.t \
	tests/cluster/reserve.t \
	tests/cluster/rivals.t \
	tests/cluster/rpm.t \
	tests/cluster/select.t \
	tests/cluster/setback.t \
	tests/cluster/shards.t \
	tests/cluster/soak.t \
	tests/cluster/spare.t \
	tests/cluster/standing.t \
	tests/cluster/starts.t \
	tests/cluster/tag.t \
	tests/cluster/threads.t \
	tests/cluster/told.t \
	tests/cluster/traffic.t \
	tests/cluster/types.t \
	tests/cluster/users.t \
	tests/cluster/weights.t \
	tests/cluster/why.t \
	tests/cluster/within.t

EXTRA_DIST += \
	$(CLUSTER_TESTS) \
	tests/cluster/backup.c \
	tests/cluster/falsify \
	tests/cluster/heap.c \
	tests/cluster/lanes.tsv \
	tests/cluster/lib.sh \
	tests/cluster/packaging.sum \
	tests/cluster/rpms \
	tests/cluster/shake.c \
	tests/cluster/soak-ops
