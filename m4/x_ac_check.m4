# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_CHECK
# DESCRIPTION
#   Finds the unit test library check; without it everything builds but
#   "make check" runs only the lanes that are scripts.
AC_DEFUN([X_AC_CHECK], [
	PKG_CHECK_MODULES([CHECK], [check >= 0.15], [have_check=yes],
		[have_check=no
		AC_MSG_WARN([check is missing (Debian: package check): no unit tests])])
	AM_CONDITIONAL([HAVE_CHECK], [test $have_check = yes])
])
