# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_SLURM
# DESCRIPTION
#   --with-slurm-src=DIR names the source tree of exactly the Slurm that will
#   load the plugins. Reads its release from DIR/META, refuses a tree that
#   differs from the installed headers, writes slurm-release/slurm/
#   slurm_version.h from META, and sets SLURM_CPPFLAGS, SLURM_RELEASE and
#   SLURM_NUMBER. Without it sched and select are not built; job_submit and
#   SPANK are, when the packaged public headers are there.
# NOTES
#   Slurm refuses sched, select and job_submit plugins of another micro
#   release, and struct layouts do change between micro releases: a mix would
#   load and then read wrong fields.
#   NDEBUG is not a choice: Debian's slurmctld does not export the functions
#   that Slurm's asserts call, and the daemon would die at the first one.
AC_DEFUN([X_AC_SLURM], [
	AC_ARG_WITH([slurm-src],
		[AS_HELP_STRING([--with-slurm-src=DIR],
			[source tree of the exact Slurm release to build for])],
		[], [with_slurm_src=no])
	AC_ARG_WITH([slurm-libdir],
		[AS_HELP_STRING([--with-slurm-libdir=DIR],
			[directory of Slurm's own plugins @<:@LIBDIR/slurm-wlm@:>@])],
		[], [with_slurm_libdir='${libdir}/slurm-wlm'])
	AC_SUBST([slurmlibdir], [$with_slurm_libdir])
	AC_SUBST([leewaylibdir], ['${libdir}/leeway'])
	slurm_packaged=
	AC_CHECK_HEADER([slurm/spank.h], [have_slurm_public=yes], [have_slurm_public=no])
	AS_IF([test $have_slurm_public = yes], [
		AC_COMPUTE_INT([slurm_packaged], [SLURM_VERSION_NUMBER],
			[#include <slurm/slurm_version.h>], [slurm_packaged=0])
	])
	have_slurm_src=no
	AS_IF([test "x$with_slurm_src" != xno], [_X_AC_SLURM_TREE])
	AM_CONDITIONAL([HAVE_SLURM_PUBLIC], [test $have_slurm_public = yes])
	AM_CONDITIONAL([HAVE_SLURM_SRC], [test $have_slurm_src = yes])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([SLURM_RELEASE])
	AC_SUBST([SLURM_SRC], [$with_slurm_src])
])

AC_DEFUN([_X_AC_SLURM_TREE], [
	AC_MSG_CHECKING([the Slurm source tree])
	AS_IF([test ! -r "$with_slurm_src/META"],
		[AC_MSG_ERROR(m4_normalize([$with_slurm_src has no META file:
			--with-slurm-src wants the top of a Slurm source tree]))])
	slurm_major=`sed -n 's/^[[ 	]]*Major:[[ 	]]*//p' "$with_slurm_src/META"`
	slurm_minor=`sed -n 's/^[[ 	]]*Minor:[[ 	]]*//p' "$with_slurm_src/META"`
	slurm_micro=`sed -n 's/^[[ 	]]*Micro:[[ 	]]*//p' "$with_slurm_src/META"`
	SLURM_RELEASE="$slurm_major.$slurm_minor.$slurm_micro"
	slurm_number=`expr $slurm_major '*' 65536 + $slurm_minor '*' 256 + $slurm_micro`
	AS_IF([test -z "$slurm_number"],
		[AC_MSG_ERROR([cannot read the release from $with_slurm_src/META])])
	AC_MSG_RESULT([$SLURM_RELEASE])
	AS_IF([test "x$slurm_packaged" != x && test "$slurm_packaged" != "$slurm_number"], [
		AC_MSG_ERROR(m4_normalize([the source tree is Slurm $SLURM_RELEASE ($slurm_number)
			but the installed slurm/slurm_version.h says $slurm_packaged: install the
			matching libslurm-dev or give the matching tree]))
	])
	AS_MKDIR_P([slurm-release/slurm])
	{
		echo '/* made by configure from META */'
		printf '@%:@define SLURM_VERSION_NUMBER 0x%06x\n' $slurm_number
		echo '@%:@define SLURM_VERSION_NUM(a,b,c) (((a) << 16) + ((b) << 8) + (c))'
		echo '@%:@define SLURM_VERSION_MAJOR(a) (((a) >> 16) & 0xff)'
		echo '@%:@define SLURM_VERSION_MINOR(a) (((a) >> 8) & 0xff)'
		echo '@%:@define SLURM_VERSION_MICRO(a) ((a) & 0xff)'
	} > slurm-release/slurm/slurm_version.h
	# Slurm's headers include one; all they want of it is on the command line
	: > slurm-release/config.h
	SLURM_CPPFLAGS="-DNDEBUG=1 -D_GNU_SOURCE -I`pwd`/slurm-release -isystem $with_slurm_src"
	AC_DEFINE_UNQUOTED([LW_SLURM_NUMBER], [$slurm_number],
		[release read from the tree given by --with-slurm-src])
	AC_DEFINE_UNQUOTED([LW_SLURM_RELEASE], ["$SLURM_RELEASE"], [the same for people])
	X_AC_SLURM_COMPAT
	have_slurm_src=yes
])
