package board

// fitting describes how boards fit into a space.
type fitting struct {
	form          Form
	columns, rows int
	panels        int
	// hasAside is set if there is room for text beside the board.
	hasAside bool
	// spareLines are left below the status, the heading and the board.
	spareLines int
}

const (
	// minGap is the minimum gap between two boards, or a board and the text beside it.
	minGap = 2
	// aboveBoard are the lines above a board: the status and the heading.
	aboveBoard = 2
	// wantedSpareLines should be left below a large board.
	wantedSpareLines = 3
	// minTwoBoardsWidth is the minimum screen width for two boards.
	minTwoBoardsWidth = 70
	// minRows is the minimum number of rows shown of a board that is too tall.
	minRows = 8
)

// chooseFitting chooses the largest form in which boards of a size fit into a space, with text of width aside. If
// two boards don't fit, it chooses one. If a whole board doesn't fit, it chooses a part of one.
func chooseFitting(s Space, size, boards, aside int) fitting {
	room := s.Height - aboveBoard
	try := func(f Form, n, aside int) (a fitting, wide, high bool) {
		f = f.WithDetail(s.Detail)
		w, h := f.OuterSize(size, size)
		need := n*w + (n-1)*minGap
		if aside > 0 {
			need += minGap + aside
		}
		a = fitting{form: f, columns: size, rows: size, panels: n, hasAside: aside > 0, spareLines: room - h}
		return a, need <= s.Width, a.spareLines >= 0 && (f.Height == 1 || a.spareLines >= wantedSpareLines)
	}
	whole := []Form{Large, Medium, Small}
	small := []Form{Tiny}
	type attempt struct {
		boards, aside int
		forms         []Form
	}
	attempts := []attempt{{boards, aside, whole}, {boards, aside, small}, {1, 0, whole}, {1, 0, small}}
	if boards == 2 && s.Width < minTwoBoardsWidth {
		attempts = attempts[2:]
	}
	for _, t := range attempts {
		for _, f := range t.forms {
			a, wide, high := try(f, t.boards, t.aside)
			if wide && high {
				return a
			}
		}
	}
	// Show at least some rows, with some lines below.
	if room > 2*minRows {
		room -= wantedSpareLines
	}
	for _, t := range attempts {
		for _, f := range []Form{Small, Tiny} {
			a, wide, _ := try(f, t.boards, t.aside)
			_, rows := f.cellCapacity(s.Width, room)
			if wide && rows >= min(size, minRows) {
				return a.limitRows(rows, s.Height)
			}
		}
	}
	a, _, _ := try(Small, 1, 0)
	columns, rows := a.form.cellCapacity(s.Width, room)
	a.columns = max(1, min(columns, size))
	return a.limitRows(rows, s.Height)
}

// limitRows reduces the number of board rows to fit a height.
func (f fitting) limitRows(rows, height int) fitting {
	f.rows = max(1, min(f.rows, rows))
	_, h := f.form.OuterSize(f.columns, f.rows)
	f.spareLines = max(0, height-aboveBoard-h)
	return f
}
