package board

// fitting describes how boards fit into a space.
type fitting struct {
	form    Form
	columns int
	rows    int
	boards  int  // 1 or 2
	aside   bool // there is room beside the board
	spare   int  // lines left below the status, the heading and the board
}

const (
	minGap     = 2  // columns between two boards, or a board and the text beside it
	aboveBoard = 2  // lines: the status and the heading
	spareLines = 3  // wanted below a large board
	twoBoards  = 70 // width of the narrowest screen that shows two boards
	fewestRows = 8  // shown of a board that is too tall
)

// chooseFitting chooses the largest form in which boards of a size fit into a space. If two
// boards don't fit, it chooses one; if a whole board doesn't fit, it chooses a part of
// one.
func chooseFitting(s Space, size, boards, aside int) fitting {
	room := s.Height - aboveBoard
	try := func(f Form, n, aside int) (a fitting, wide, high bool) {
		f = f.WithDetail(s.Detail)
		w, h := f.OuterSize(size, size)
		need := n*w + (n-1)*minGap
		if aside > 0 {
			need += minGap + aside
		}
		a = fitting{form: f, columns: size, rows: size, boards: n, aside: aside > 0, spare: room - h}
		return a, need <= s.Width, a.spare >= 0 && (f.Height == 1 || a.spare >= spareLines)
	}
	whole := []Form{Large, Medium, Small}
	small := []Form{Tiny}
	type attempt struct {
		boards, aside int
		forms         []Form
	}
	attempts := []attempt{{boards, aside, whole}, {boards, aside, small}, {1, 0, whole}, {1, 0, small}}
	if boards == 2 && s.Width < twoBoards {
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
	if room > 2*fewestRows {
		room -= spareLines
	}
	for _, t := range attempts {
		for _, f := range []Form{Small, Tiny} {
			a, wide, _ := try(f, t.boards, t.aside)
			_, rows := f.capacity(s.Width, room)
			if wide && rows >= min(size, fewestRows) {
				return a.limitRows(rows, s.Height)
			}
		}
	}
	a, _, _ := try(Small, 1, 0)
	columns, rows := a.form.capacity(s.Width, room)
	a.columns = max(1, min(columns, size))
	return a.limitRows(rows, s.Height)
}

// limitRows reduces the number of board rows to fit a height.
func (a fitting) limitRows(rows, height int) fitting {
	a.rows = max(1, min(a.rows, rows))
	_, h := a.form.OuterSize(a.columns, a.rows)
	a.spare = max(0, height-aboveBoard-h)
	return a
}
