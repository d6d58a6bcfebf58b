# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_ZLIB
# DESCRIPTION
#   Finds zlib for compressed traces; sets ZLIB_CFLAGS and ZLIB_LIBS.
AC_DEFUN([X_AC_ZLIB], [
	PKG_CHECK_MODULES([ZLIB], [zlib], [],
		[AC_MSG_ERROR([zlib is missing: install zlib1g-dev (Debian) or its like])])
])
