# SPDX-License-Identifier: GPL-2.0-or-later
# Leeway: sentences, figures and table cells of Markdown that are longer than a reader takes in.

function trimmed(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# letters ROW: its bytes, less those that continue a character of UTF-8
function letters(s) { gsub(/[\200-\277]/, "", s); return length(s) }

# figures WORD: how many; a name with digits, a release of Slurm or a date is none
function figures(word,  n) {
	gsub(/^[^A-Za-z0-9]+|[^A-Za-z0-9%]+$/, "", word)
	if (word !~ /^[0-9]/ || word ~ /^2[2-6]\.(05|08|11)(\.[0-9]+)?$/ ||
	    word ~ /^20[0-9][0-9]-[0-9][0-9](-[0-9][0-9])?$/)
		return 0
	n = 0
	while (match(word, /[0-9]+([.,][0-9]+)*/)) {
		n++
		word = substr(word, RSTART + RLENGTH)
	}
	return n
}

function judge(sentence,  word, n, i, words, numbers) {
	n = split(sentence, word, /[ \t]+/)
	words = numbers = 0
	for (i = 1; i <= n; i++) {
		if (word[i] ~ /[A-Za-z0-9]/)
			words++
		numbers += figures(word[i])
	}
	if (words > 30)
		print file ":" at ": a sentence of " words " words: " substr(sentence, 1, 60)
	if (numbers > 4)
		print file ":" at ": " numbers " figures in a sentence: " substr(sentence, 1, 60)
}

# What was gathered is a paragraph or an item of a list.
function paragraph(  end) {
	gsub(/`[^`]*`/, "code", text)
	gsub(/\]\([^)]*\)/, "]", text)
	gsub(/\[[0-9]+\]/, "", text)
	while (match(text, /[.!?][])"*_]*( |$)/)) {
		end = RSTART + RLENGTH
		judge(trimmed(substr(text, 1, end - 1)))
		text = substr(text, end)
	}
	if (text ~ /[A-Za-z0-9]/)
		judge(trimmed(text))
	text = ""
}

function cells(row,  cell, n, i) {
	gsub(/\\\|/, "/", row)
	n = split(row, cell, "|")
	for (i = 1; i <= n; i++)
		if (letters(trimmed(cell[i])) > 200)
			print FILENAME ":" FNR ": a cell of " letters(trimmed(cell[i])) \
			    " letters: " substr(trimmed(cell[i]), 1, 60)
}

FNR == 1 {
	paragraph()
	file = FILENAME
	fenced = code = 0
	blank = 1
}
/^[ \t]*```/ { paragraph(); fenced = !fenced; next }
fenced { next }
/^[ \t]*$/ { paragraph(); blank = 1; next }
# four blanks after an empty line are code, unless they go on with an item
/^(    |\t)/ && (code || (blank && !item)) { code = 1; next }
{ code = 0 }
/^[ \t]*\|/ { paragraph(); cells($0); blank = 0; next }
/^#/ { paragraph(); blank = 1; item = 0; next }
/^ *([-*]|[0-9]+\.) / {
	paragraph()
	sub(/^ *([-*]|[0-9]+\.) /, "")
	item = fresh = 1
}
{
	if (blank && !fresh && /^[^ \t]/)
		item = 0
	fresh = 0
	if (text == "")
		at = FNR
	text = text (text == "" ? "" : " ") trimmed($0)
	blank = 0
}
END { paragraph() }
