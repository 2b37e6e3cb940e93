package board

// weight is the weight of a line.
type weight uint8

const (
	none weight = iota
	light
	heavy
)

// crossing returns the character where four lines meet.
func crossing(up, right, down, left weight) string {
	return crossings[up][right][down][left]
}

// crossings are all box-drawing characters, indexed by the weights of their lines up,
// right, down and left.
var crossings = func() (all [3][3][3][3]string) {
	for _, group := range []struct {
		chars string
		arms  []string // of each character: up, right, down, left
	}{
		{" ╵╶╷╴╹╺╻╸", []string{"0000", "1000", "0100", "0010", "0001", "2000", "0200", "0020", "0002"}},
		{"─━╼╾│┃╽╿", []string{"0101", "0202", "0201", "0102", "1010", "2020", "1020", "2010"}},
		{"┌┍┎┏┐┑┒┓", []string{"0110", "0210", "0120", "0220", "0011", "0012", "0021", "0022"}},
		{"└┕┖┗┘┙┚┛", []string{"1100", "1200", "2100", "2200", "1001", "1002", "2001", "2002"}},
		{"├┝┞┟┠┡┢┣", []string{"1110", "1210", "2110", "1120", "2120", "2210", "1220", "2220"}},
		{"┤┥┦┧┨┩┪┫", []string{"1011", "1012", "2011", "1021", "2021", "2012", "1022", "2022"}},
		{"┬┭┮┯┰┱┲┳", []string{"0111", "0112", "0211", "0212", "0121", "0122", "0221", "0222"}},
		{"┴┵┶┷┸┹┺┻", []string{"1101", "1102", "1201", "1202", "2101", "2102", "2201", "2202"}},
		{"┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋", []string{"1111", "1112", "1211", "1212", "2111", "1121", "2121", "2112", "2211", "1122", "1221",
			"2212", "1222", "2122", "2221", "2222"}},
	} {
		i := 0
		for _, r := range group.chars {
			a := group.arms[i]
			all[a[0]-'0'][a[1]-'0'][a[2]-'0'][a[3]-'0'] = string(r)
			i++
		}
	}
	return all
}()
