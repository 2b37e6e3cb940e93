package term

// asciiFor maps characters to their replacements on terminals that show only ASCII. The
// parts of a board remain distinguishable.
var asciiFor = func() map[rune]byte {
	m := map[rune]byte{}
	for _, row := range []struct {
		from string
		to   string
	}{
		// Grids with light lines, and hulls with heavy lines.
		{"─│┌┐└┘├┤┬┴┼╭╮╰╯", "-|+++++++++++++"},
		{"━┃┏┓┗┛┣┫┳┻╋╸╹╺╻", "=HHHHHHHHHH=H=H"},
		{"┍┎┑┒┕┖┙┚┝┞┟┠┡┢┥┦┧┨┩┪┭┮┯┰┱┲┵┶┷┸┹┺┽┾┿╀╁╂╃╄╅╆╇╈╉╊", "HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH"},
		{"║═╔╗╚╝╞╡╟╢╓╖╙╜", "H=HHHHHHHHHHHH"},
		// Marks.
		{"·○◦˙■□✕‹›▸◂►◄▲▼●≈✓", ".o,'@=X<>><><^v*~v"},
		// Decoration and punctuation.
		{"▁▂▃▄▅▆▇█▓▒░▀", "._-=+*#####'"},
		{"▌▐▖▗▘▝▙▛▜▟▚▞", "||..''LPTJ\\/"},
		{"←→↑↓–—…×’‘“”„•±µ", "<>^v--~x''\"\"\"*+u"},
		// The letters of western Europe.
		{"ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöøùúûüýÿß", "AAAAAACEEEEIIIINOOOOOOUUUUYaaaaaaceeeeiiiinoooooouuuuyys"},
	} {
		i := 0
		for _, r := range row.from {
			m[r] = row.to[i]
			i++
		}
	}
	return m
}()
