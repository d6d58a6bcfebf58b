# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_WARNINGS
# DESCRIPTION
#   Sets LW_CFLAGS: the language, the warnings, and what --enable-werror and
#   --enable-sanitizers ask for.
# NOTES
#   Warnings are errors in the test lanes, never for a site that only builds:
#   a newer compiler must not break an install.
AC_DEFUN([X_AC_WARNINGS], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror],
			[turn warnings into errors (the test lanes do)])])
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers],
			[build library, tools and tests with ASan and UBSan, or with
			=thread with TSan (no plugins)])])
	LW_CFLAGS="-std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla"
	LW_CFLAGS="$LW_CFLAGS -Wformat-security"
	LW_CFLAGS="$LW_CFLAGS -fvisibility=hidden"
	AS_IF([test "x$enable_werror" = xyes], [LW_CFLAGS="$LW_CFLAGS -Werror"])
	AS_IF([test "x$enable_sanitizers" = xyes], [
		LW_CFLAGS="$LW_CFLAGS -fsanitize=address,undefined -fno-sanitize-recover=all"
		LW_CFLAGS="$LW_CFLAGS -fno-omit-frame-pointer"
		LW_LDFLAGS="-fsanitize=address,undefined"
	])
	AS_IF([test "x$enable_sanitizers" = xthread], [
		LW_CFLAGS="$LW_CFLAGS -fsanitize=thread -fno-omit-frame-pointer"
		LW_LDFLAGS="-fsanitize=thread"
	])
	AC_SUBST([LW_CFLAGS])
	AC_SUBST([LW_LDFLAGS])
	AM_CONDITIONAL([SANITIZERS], [test "x${enable_sanitizers:-no}" != xno])
])
