# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_SLURM_COMPAT
# DESCRIPTION
#   One compile probe for each difference between the releases of Slurm that
#   src/slurm/compat deals with. Defines HAVE_SLURM_... for what the tree has, and sets
#   SLURM_FEATURES to the words that are true, which tests/symbols compares with the
#   list expected of that release. Needs SLURM_CPPFLAGS.
# NOTES
#   Features are asked for and not version numbers, since vendors patch Slurm. A function
#   that is not declared is an error here: gcc would else accept any name.
AC_DEFUN([_X_AC_SLURM_PROBE], [
	AC_CACHE_CHECK([whether Slurm has $2], [x_ac_cv_slurm_$1], [
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([
				#include <slurm/slurm.h>
				#include "src/common/node_conf.h"
				#include "src/slurmctld/locks.h"
				#include "src/slurmctld/slurmctld.h"
				$3], [$4])],
			[x_ac_cv_slurm_$1=yes], [x_ac_cv_slurm_$1=no])
	])
	AS_IF([test $x_ac_cv_slurm_$1 = yes], [
		AC_DEFINE([HAVE_SLURM_]m4_toupper([$1]), [1], [Slurm has $2])
		SLURM_FEATURES="$SLURM_FEATURES $1"
	])
])

AC_DEFUN([X_AC_SLURM_COMPAT], [
	slurm_compat_cppflags=$CPPFLAGS slurm_compat_cflags=$CFLAGS
	CPPFLAGS="$CPPFLAGS $SLURM_CPPFLAGS"
	CFLAGS="$CFLAGS -Werror=implicit-function-declaration"
	SLURM_FEATURES=
	_X_AC_SLURM_PROBE([headers], [headers that can be used], [], [])
	AS_IF([test $x_ac_cv_slurm_headers = no],
		[AC_MSG_ERROR([the headers of $with_slurm_src do not compile: see config.log])])
	_X_AC_SLURM_PROBE([interfaces], [src/interfaces and all that came up to 24.11], [
			#include "src/interfaces/select.h"
			#include "src/slurmctld/job_scheduler.h"
			#include "src/slurmctld/node_scheduler.h"
		], [
			resv_exc_t exceptions = { 0 };
			will_run_data_t will_run = { 0 };
			job_node_select_t selection = { 0 };
			job_queue_rec_t record = { .qos_ptr = NULL };
			(void)exceptions, (void)will_run, (void)selection, (void)record;
		])
	_X_AC_SLURM_PROBE([nodeinfo], [a wrapper around what select knows of a node], [],
		[node_record_t node = { .select_nodeinfo = NULL }; (void)node;])
	_X_AC_SLURM_PROBE([select_core], [SELECT_CORE and its like], [],
		[return SELECT_CORE | SELECT_MEMORY | SELECT_LLN;])
	_X_AC_SLURM_PROBE([topology_text], [one topology that can be printed],
		[#include "src/interfaces/topology.h"],
		[
			dynamic_plugin_data_t *records = NULL;
			char *text = NULL;
			topology_g_get(TOPO_DATA_TOPOLOGY_PTR, &records);
			topology_g_topology_print(records, NULL, &text);
			return topology_get_plugin_id() == TOPOLOGY_PLUGIN_BLOCK;
		])
	_X_AC_SLURM_PROBE([topoinfo], [topologies that are printed as topoinfo],
		[#include "src/interfaces/topology.h"],
		[
			char *text = NULL;
			topology_g_topoinfo_print(NULL, NULL, NULL, &text);
			topology_g_topoinfo_free(NULL);
		])
	_X_AC_SLURM_PROBE([job_step_id], [the job id in step_id, and a lock of select], [],
		[
			job_record_t job = { .step_id.job_id = 1 };
			slurmctld_lock_t locks = { .select_node = WRITE_LOCK };
			(void)job, (void)locks;
		])
	_X_AC_SLURM_PROBE([segments], [jobs of segments], [],
		[job_details_t details = { .segment_size = 1 }; (void)details;])
	_X_AC_SLURM_PROBE([job_mem_reduce], [an op of select that frees memory],
		[#include "src/interfaces/select.h"],
		[select_g_job_mem_reduce(NULL);])
	CPPFLAGS=$slurm_compat_cppflags CFLAGS=$slurm_compat_cflags
	AC_SUBST([SLURM_FEATURES])
])
