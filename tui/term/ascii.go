package term

// asciiReplacements maps characters to their replacements on terminals that show only ASCII. The
// parts of a board remain distinguishable. [Palette.transliterate] replaces letters with accents.
var asciiReplacements = func() map[rune]byte {
	m := map[rune]byte{}
	for _, row := range []struct {
		from string
		to   string
	}{
		// Grids with light lines, and hulls with heavy lines.
		{"─│┌┐└┘├┤┬┴┼╭╮╰╯", "-|+++++++++++++"},
		{"━┃┏┓┗┛┣┫┳┻╋╸╹╺╻", "=HHHHHHHHHH=H=H"},
		{"┍┎┑┒┕┖┙┚┝┞┟┠┡┢┥┦┧┨┩┪┭┮┯┰┱┲┵┶┷┸┹┺┽┾┿╀╁╂╃╄╅╆╇╈╉╊", "HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH"},
		{"║╔╗╚╝╞╡╟╢╓╖╙╜", "HHHHHHHHHHHHH"},
		// Insignia of ranks, together with some of the others. They must differ.
		{"»═╪╬", "}+#%"},
		// Marks.
		{"·○◦˙■□▪▫✕‹›▸◂►◄▲▼●≈✓", ".o,'@=#.X<>><><^v*~v"},
		// Decoration and punctuation.
		{"▁▂▃▄▅▆▇█▓▒░▀", "._-=+*#####'"},
		{"▌▐▖▗▘▝▙▛▜▟▚▞", "||..''LPTJ\\/"},
		{"←→↑↓–—…×’‘“”„•±µ", "<>^v--~x''\"\"\"*+u"},
		{"«¡¿°ºª½∞µ\u00a0\u202f", "{! ooa/8u  "},
		// Letters without an accent that could be removed.
		{"ØøßÆæŒœÐðĐđŁłıÞþ", "OosAaOoDdDdLliTt"},
	} {
		i := 0
		for _, r := range row.from {
			m[r] = row.to[i]
			i++
		}
	}
	return m
}()
