# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: the picture of what bench/noise prints: awk -f noise.awk -v title=TEXT, one SVG.
BEGIN {
	FS = "\t"
	split("#1b6ca8 #d1495b #2e933c #e29314 #6c4ab6 #8c564b #111111 #7f7f7f", colours, " ")
	left = 60; top = 40; wide = 440; high = 300
}
NR == 1 { next }
{
	if (!($1 in place)) {
		place[$1] = ++orders
		names[orders] = $1
	}
	n = ++points[$1]
	x[$1, n] = $2
	y[$1, n] = $4
	if ($2 > x_most)
		x_most = $2
	if ($4 > y_most)
		y_most = $4
	if (!y_least || $4 < y_least)
		y_least = $4
	if (!($2 in ticks))
		ticks[$2] = 1
}

function at_x(value) { return left + wide * value / x_most }
function at_y(value) { return top + high * (y_top - value) / (y_top - y_low) }

function line(x1, y1, x2, y2, class) {
	printf "  <path class=\"%s\" d=\"M%.1f %.1f L%.1f %.1f\"/>\n", class, x1, y1, x2, y2
}

function say(at, down, anchor, text, fill) {
	printf("  <text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", at, down,
		anchor, (fill ? " style=\"fill: " fill "\"" : ""), text)
}

function frame(value, tick) {
	for (value = y_low; value <= y_top; value += step) {
		line(left, at_y(value), left + wide, at_y(value), "grid")
		say(left - 8, at_y(value) + 4, "end", value)
	}
	for (tick in ticks)
		sorted[++marks] = tick + 0
	for (i = 1; i <= marks; i++)
		for (k = i + 1; k <= marks; k++)
			if (sorted[k] < sorted[i]) {
				value = sorted[i]; sorted[i] = sorted[k]; sorted[k] = value
			}
	for (i = 1; i <= marks; i++)
		say(at_x(sorted[i]), top + high + 18, "middle", sorted[i])
	say(left + wide / 2, top + high + 38, "middle", "sim.predict_noise")
	say(left, top - 14, "start", "mean bounded slowdown")
}

# Names stand at the ends of their lines, apart from each other.
function labels(i, k, swap, last, down) {
	for (i = 1; i <= orders; i++)
		rank[i] = names[i]
	for (i = 1; i <= orders; i++)
		for (k = i + 1; k <= orders; k++)
			if (y[rank[k], points[rank[k]]] > y[rank[i], points[rank[i]]]) {
				swap = rank[i]; rank[i] = rank[k]; rank[k] = swap
			}
	last = 0
	for (i = 1; i <= orders; i++) {
		down = at_y(y[rank[i], points[rank[i]]]) + 4
		if (down < last + 14)
			down = last + 14
		last = down
		say(left + wide + 8, down, "start", rank[i], colours[place[rank[i]]])
	}
}

END {
	step = y_most - y_least > 60 ? 20 : y_most - y_least > 25 ? 10 : 5
	y_low = step * int(y_least / step)
	y_top = step * (int(y_most / step) + 1)
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 390\"" \
		" font-family=\"sans-serif\" font-size=\"13\">"
	print "  <title>" title "</title>"
	print "  <style>"
	print "    .grid { stroke: #ddd; fill: none }"
	print "    .curve { stroke-width: 2; fill: none }"
	print "    text { fill: #222 }"
	print "  </style>"
	print "  <rect width=\"600\" height=\"390\" fill=\"#fff\"/>"
	frame()
	for (i = 1; i <= orders; i++) {
		printf "  <path class=\"curve\" stroke=\"%s\" d=\"", colours[i]
		for (n = 1; n <= points[names[i]]; n++)
			printf("%s%.1f %.1f", (n > 1 ? " L" : "M"), at_x(x[names[i], n]),
				at_y(y[names[i], n]))
		print "\"/>"
	}
	labels()
	print "</svg>"
}
