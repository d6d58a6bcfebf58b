# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_NETTLE
# DESCRIPTION
#   Finds nettle for the sums of inputs; sets NETTLE_CFLAGS and NETTLE_LIBS.
AC_DEFUN([X_AC_NETTLE], [
	PKG_CHECK_MODULES([NETTLE], [nettle], [],
		[AC_MSG_ERROR([nettle is missing: install nettle-dev (Debian) or its like])])
])
