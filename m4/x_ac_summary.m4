# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_SUMMARY
# DESCRIPTION
#   Ends configure by saying what will be built, and why the rest will not.
AC_DEFUN([X_AC_SUMMARY], [
	AS_IF([test $have_slurm_src = yes],
		[lw_sched="for Slurm $SLURM_RELEASE"],
		[lw_sched="no (needs --with-slurm-src)"])
	AS_IF([test $have_slurm_public = yes],
		[lw_public="from the installed Slurm headers"],
		[lw_public="no (needs libslurm-dev)"])
	AC_MSG_NOTICE([
	leeway $PACKAGE_VERSION
	library, simulator, tools   yes
	sched and select plugins    $lw_sched
	job_submit and SPANK        $lw_public
	unit tests                  $have_check])
])
