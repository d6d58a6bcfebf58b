# SPDX-License-Identifier: GPL-2.0-or-later
# SYNOPSIS
#   X_AC_HARDENING
# DESCRIPTION
#   Adds to LW_CFLAGS and LW_LDFLAGS what makes a fault harder to exploit, as far as the compiler
#   knows it: stack protector, checked string functions, control flow, read-only relocations.
# NOTES
#   Slurm's plugins bind lazily (-z lazy): functions of slurmctld are not there in its commands.
#   What the packagers' flags say already stays theirs. --disable-hardening takes all of it out.
AC_DEFUN([X_AC_HARDENING], [
	AC_ARG_ENABLE([hardening],
		[AS_HELP_STRING([--disable-hardening],
			[leave out stack protector, fortify, cf-protection and relro])])
	AS_IF([test "x$enable_hardening" != xno && test "x${enable_sanitizers:-no}" = xno], [
		X_AC_HARDENING_FLAG([LW_CFLAGS], [-fstack-protector-strong])
		# control flow, on x86-64 and on aarch64
		X_AC_HARDENING_FLAG([LW_CFLAGS], [-fcf-protection])
		X_AC_HARDENING_FLAG([LW_CFLAGS], [-mbranch-protection=standard])
		X_AC_HARDENING_FLAG([LW_LDFLAGS], [-Wl,-z,relro])
		X_AC_HARDENING_FLAG([LW_LDFLAGS], [-Wl,-z,noexecstack])
		AS_CASE([" $CPPFLAGS $CFLAGS "],
			[*FORTIFY_SOURCE* | *" -O0 "*], [],
			[*" -O"*], [LW_CFLAGS="$LW_CFLAGS -D_FORTIFY_SOURCE=2"])
	])
	AC_SUBST([LW_CFLAGS])
	AC_SUBST([LW_LDFLAGS])
])

# X_AC_HARDENING_FLAG(VARIABLE, FLAG): adds it, if a program can be made with it
AC_DEFUN([X_AC_HARDENING_FLAG], [
	AC_MSG_CHECKING([whether $CC takes $2])
	lw_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $2"
	AC_LINK_IFELSE([AC_LANG_PROGRAM()],
		[AC_MSG_RESULT([yes])
		$1="$$1 $2"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$lw_save_CFLAGS
])
