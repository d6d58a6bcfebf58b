# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: libplanner, the product: pure, libc and libm only. Holds the other pure libraries, too.
noinst_LTLIBRARIES += libplanner.la
libplanner_la_SOURCES = $(FILES_src_planner_cycle) $(FILES_src_planner_model) \
	$(FILES_src_planner_order) $(FILES_src_planner_place) $(FILES_src_planner_policies) \
	$(FILES_src_planner_text) $(FILES_src_planner_time)
libplanner_la_LIBADD = libpredictor.la libtagger.la libshare.la libbase.la -lm

EXTRA_DIST += src/planner/README.md
