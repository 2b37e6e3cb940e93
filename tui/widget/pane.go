package widget

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Pane is the text beside two boards on a wide screen: the log, the ships and the chat.
type Pane struct {
	Log   *ShotLog
	Names [2]string
	// Own is the player's side, or [match.Nobody] for spectators.
	Own match.Side
	// Chart has the ships to list. Without it, no ships are listed.
	Chart *match.Chart
	Chat  *Chat
}

// Lines returns at most height lines.
func (p *Pane) Lines(e *Env, height int, d term.Detail) []string {
	ships := p.shipLines(e.Lang, d)
	var chat []string
	if !p.Chat.isHidden(e) && (len(p.Chat.Lines) > 0 || !p.Chat.isByBot()) {
		key := "t"
		if p.Chat.isByBot() {
			key = ""
		}
		chat = []string{"", TitleLine(e.Lang.Text("Chat"), key, board.PaneText)}
		chat = append(chat, p.Chat.LastLines(e, height/3, board.PaneText)...)
	}
	lastNumber := 0
	n := len(p.Log.shots)
	if n > 0 {
		lastNumber = int(p.Log.shots[n-1].number)
	}
	shots := height - len(ships) - len(chat) - 2
	lines := []string{TitleLine(e.Lang.Text("Events"), e.Lang.Text("shot %d", lastNumber), board.PaneText), ""}
	lines = append(lines, p.Log.shotLines(e.Lang, p.Names, p.Own, max(0, min(shots, 12)))...)
	if len(chat) > 0 {
		for len(lines)+len(ships)+len(chat) < height && len(lines) < 12 {
			lines = append(lines, "")
		}
	}
	lines = append(append(lines, ships...), chat...)
	return lines[:min(len(lines), height)]
}

// TitleLine returns a title and, at the right end of width cells, a note. A thin rule fills the gap.
func TitleLine(title, note string, width int) string {
	if note != "" {
		note = " " + term.Faint.Render(note)
	}
	room := max(0, width-1-text.Width(note))
	line := term.Strong.Render(text.Pad(title, min(room, text.Width(title)))) + " "
	rule := max(0, width-text.Width(line)-text.Width(note))
	return line + term.Rule.Render(strings.Repeat("─", rule)) + note
}

// shipLines lists the enemy's ships, or returns nil if there are too many to list.
func (p *Pane) shipLines(l i18n.Language, d term.Detail) []string {
	if p.Chart == nil {
		return nil
	}
	lines := []string{"", TitleLine(l.Text("Still afloat"), "", board.PaneText)}
	afloat := board.ShipsAfloat(p.Chart)
	width := 0
	for _, class := range p.Chart.Rules.Fleet {
		width = max(width, class.Length)
	}
	for i, ship := range board.ShipRows(p.Chart, d) {
		name := narrate.ClassName(p.Chart.Rules.Fleet[i]).Text(l)
		if !afloat[i] {
			name = term.Faint.Render(name)
		}
		lines = append(lines, text.Pad(text.Pad(ship, width)+" "+name, board.PaneText))
	}
	if len(lines) > 14 {
		return nil
	}
	return lines
}

// LastLines returns the latest messages, oldest first, wrapped to at most rows lines.
func (c *Chat) LastLines(e *Env, rows, width int) []string {
	if c.isHidden(e) {
		return nil
	}
	var lines []string
	for i := len(c.Lines) - 1; i >= 0 && len(lines) < rows; i-- {
		author, line := e.authorLabel(c.Lines[i]), text.Clean(c.Lines[i].TextIn(e.Lang), 4*width)
		parts := text.Wrap(author+" "+line, width)
		if rest, ok := strings.CutPrefix(parts[0], author); ok {
			parts[0] = term.Info.Render(author) + rest
		}
		lines = append(parts, lines...)
	}
	return lines[max(0, len(lines)-rows):]
}
