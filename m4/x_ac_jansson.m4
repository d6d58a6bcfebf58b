# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_JANSSON
# DESCRIPTION
#   Finds jansson for JSON reports; sets JANSSON_CFLAGS and JANSSON_LIBS.
AC_DEFUN([X_AC_JANSSON], [
	PKG_CHECK_MODULES([JANSSON], [jansson], [],
		[AC_MSG_ERROR([jansson is missing: install libjansson-dev (Debian) or its like])])
])
