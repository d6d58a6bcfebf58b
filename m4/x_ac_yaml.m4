# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_YAML
# DESCRIPTION
#   Finds yaml-0.1 for the configuration reader; sets YAML_CFLAGS and YAML_LIBS.
AC_DEFUN([X_AC_YAML], [
	PKG_CHECK_MODULES([YAML], [yaml-0.1], [],
		[AC_MSG_ERROR([yaml-0.1 is missing: install libyaml-dev (Debian) or its like])])
])
