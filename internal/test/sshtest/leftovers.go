package sshtest

import (
	"cmp"
	"fmt"
	"slices"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// modes records the changes that a server has made to a terminal. The emulator keeps some
// modes separately for each of its two screens, but a real terminal shares them, so they
// are recorded here. The caller guards modes together with the emulator.
type modes struct {
	set        map[ansi.Mode]bool
	cursor     int // shape of the cursor: 0 and 1 are the default
	kitty      int // number of keyboard protocols pushed and not popped
	modifyKeys int // level of xterm's modifyOtherKeys
}

func (m *modes) watch(em *vt.Emulator) {
	m.set = map[ansi.Mode]bool{ansi.ModeAutoWrap: true, ansi.ModeTextCursorEnable: true}
	// The emulator reports only modes that were set before. Report that synchronized
	// updates are supported.
	em.WriteString(ansi.SetModeSynchronizedOutput + ansi.ResetModeSynchronizedOutput)
	em.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { m.set[mode] = true },
		DisableMode: func(mode ansi.Mode) { m.set[mode] = false },
	})
	em.RegisterCsiHandler(ansi.Command(0, ' ', 'q'), func(params ansi.Params) bool {
		m.cursor, _, _ = params.Param(0, 0)
		return false // let the emulator handle it
	})
	em.RegisterCsiHandler(ansi.Command('>', 0, 'u'), func(ansi.Params) bool { m.kitty++; return true })
	em.RegisterCsiHandler(ansi.Command('<', 0, 'u'), func(params ansi.Params) bool {
		n, _, _ := params.Param(0, 1)
		m.kitty = max(0, m.kitty-max(n, 1))
		return true
	})
	em.RegisterCsiHandler(ansi.Command('>', 0, 'm'), func(params ansi.Params) bool {
		what, _, _ := params.Param(0, 0)
		if what == 4 {
			m.modifyKeys, _, _ = params.Param(1, 0)
		}
		return true
	})
}

func (m *modes) isSet(mode ansi.Mode) bool { return m.set[mode] }

// isUpdating reports whether the server is in the middle of a synchronized update.
func (m *modes) isUpdating() bool { return m.isSet(ansi.ModeSynchronizedOutput) }

// modeNames names the modes that a session may set, for reports.
var modeNames = map[ansi.Mode]string{
	ansi.ModeCursorKeys: "application cursor keys", ansi.ModeMouseX10: "mouse", ansi.ModeMouseNormal: "mouse clicks",
	ansi.ModeMouseHighlight: "mouse highlight", ansi.ModeMouseButtonEvent: "mouse drags", ansi.ModeMouseAnyEvent: "mouse moves",
	ansi.ModeMouseExtSgr: "SGR mouse", ansi.ModeFocusEvent: "focus events", ansi.ModeBracketedPaste: "bracketed paste",
	ansi.ModeSynchronizedOutput: "unfinished update", ansi.ModeInBandResize: "size reports",
}

// listChanged names the modes that differ from those of a new terminal.
func (m *modes) listChanged() (all []string) {
	for mode, set := range m.set {
		switch mode {
		case ansi.ModeSaveCursor, ansi.ModeAltScreen, ansi.ModeAltScreenSaveCursor: // the first is not a state; [Terminal.Leftovers] reports the others
		case ansi.ModeTextCursorEnable:
			if !set {
				all = append(all, "hidden cursor")
			}
		case ansi.ModeAutoWrap:
			if !set {
				all = append(all, "no line wrapping")
			}
		default:
			if set {
				all = append(all, cmp.Or(modeNames[mode], fmt.Sprintf("mode %d", mode.Mode())))
			}
		}
	}
	return all
}

// Leftovers describes the changes to the terminal that the server has not undone: modes,
// colours, the alternate screen, a hidden cursor. Call it after the session has ended. It
// returns nil if there is nothing.
func (tm *Terminal) Leftovers() []string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	left := tm.state.listChanged()
	if tm.em.IsAltScreen() {
		left = append(left, "alternate screen")
	}
	if tm.state.cursor > 1 {
		left = append(left, "cursor shape")
	}
	if tm.state.kitty > 0 {
		left = append(left, "kitty keyboard")
	}
	if tm.state.modifyKeys > 0 {
		left = append(left, "modifyOtherKeys")
	}
	if tm.hasTextStyle() {
		left = append(left, "text style")
	}
	slices.Sort(left)
	return left
}

// hasTextStyle reports whether the next character would have a style. The emulator shows that only for a
// written character, so hasTextStyle writes one and then restores the cell.
func (tm *Terminal) hasTextStyle() bool {
	at := tm.em.CursorPosition()
	before := uv.EmptyCell
	if c := tm.em.CellAt(at.X, at.Y); c != nil {
		before = *c
	}
	// Moving the cursor to its own position clears a pending line wrap.
	tm.em.WriteString(ansi.CursorPosition(at.X+1, at.Y+1) + "x")
	c := tm.em.CellAt(at.X, at.Y)
	styled := c != nil && !c.Style.IsZero()
	tm.em.SetCell(at.X, at.Y, &before)
	tm.em.WriteString(ansi.CursorPosition(at.X+1, at.Y+1))
	return styled
}
