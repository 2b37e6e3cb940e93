package lobby

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// peopleBlock returns the featured match, the open offers, the friends online, the running
// matches and, if alone, the players online and the chat.
func (s *lobbyScreen) peopleBlock(width, height int, alone bool) []string {
	title := widget.Block{
		Title: s.Lang.Text("Live and players"), Focused: s.focus == peopleBlock,
		Note: s.Lang.Text("%d match||%d matches", len(screen.Matches(s.Lobby))) + ", " + s.Lang.Text("%d online", len(s.Lobby.People)),
	}
	featured := s.showFeatured(width, height-1)
	room := height - 1 - len(featured)
	rest := room
	b := widget.Block{}
	var chat []widget.Row
	if alone {
		chat = s.chatRows(width, max(1, min(3, room/4)))
		room -= len(chat) + 1
	}
	b.Rows = append(b.Rows, s.offers(&room, alone)...)
	b.Rows = append(b.Rows, s.friends(&room)...)
	b.Rows = append(b.Rows, s.running(&room, alone)...)
	if !alone {
		b.Rows = append(b.Rows, s.online(&room)...)
	}
	for range min(1, room) {
		b.Rows = append(b.Rows, widget.Row{})
	}
	if alone {
		b.Rows = append(append(b.Rows, s.onlineRow(width)), chat...)
	}
	return text.Stack(0, title.Draw(width, 1), featured, b.Draw(width, rest))
}

// heading returns the heading of a list within a block.
func heading(title string, n int) widget.Row {
	return widget.Row{Heading: title, Note: fmt.Sprint(n)}
}

// offers returns the players waiting for an opponent. It uses up part of room.
func (s *lobbyScreen) offers(room *int, tight bool) []widget.Row {
	all := s.Lobby.Waiting
	most := max(1, (*room-1)/2)
	if *room < 2 || tight && len(all) == 0 && *room < 6 {
		return nil
	}
	rows := []widget.Row{heading(s.Lang.Text("Waiting for an opponent"), len(all))}
	for i := range all {
		if i == most-1 && len(all) > most {
			rows = append(rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", len(all)-i)), Press: "o"})
			break
		}
		w := &all[i]
		row := widget.Row{Text: term.Strong.Render(s.PlayerName(w.Player)) + " " + term.Info.Render(w.Player.Rating(w.Rules)) + " " + term.Faint.Render(s.OfferTerms(w.Rules, w.Stakes))}
		if w.Player.ID == s.State.Me.ID {
			rows = append(rows, row)
			continue
		}
		row.Button = s.Lang.Text("play")
		s.add(peopleBlock, item{id: "offer " + w.Player.ID, does: "play", open: accept(w.Offer)}, &row)
		rows = append(rows, row)
	}
	if len(all) == 0 {
		rows = append(rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("nobody"))})
	}
	*room -= len(rows)
	return s.spaced(rows, room)
}

// maxFriends is the maximum number of rows with friends.
const maxFriends = 4

// friends returns the friends online. It uses up part of room.
func (s *lobbyScreen) friends(room *int) []widget.Row {
	all := screen.OnlineFriends(s.Env, s.Friends)
	if len(all) == 0 || *room < 2 {
		return nil
	}
	rows := []widget.Row{heading(s.Lang.Text("Friends"), len(all))}
	most := min(maxFriends, *room-1)
	for i, f := range all {
		if i == most-1 && len(all) > most {
			rows = append(rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", len(all)-i)), Press: "f"})
			break
		}
		row, it := widget.Row{Text: s.RatedName(f.Player, s.Settings.Rules)}, item{id: "friend " + f.Player.ID, does: "challenge", open: func(s *lobbyScreen) tea.Cmd { return screen.Meet(s.Env, f) }}
		switch {
		case f.Playing:
			row.Button, it.does = s.Lang.Text("watch"), "watch"
		case f.DoNotDisturb:
			row.Note = s.Lang.Text("do not disturb")
		default:
			row.Button = s.Lang.Text("challenge")
		}
		s.add(peopleBlock, it, &row)
		rows = append(rows, row)
	}
	*room -= len(rows)
	return s.spaced(rows, room)
}

// spaced adds a blank row if there is plenty of room.
func (s *lobbyScreen) spaced(rows []widget.Row, room *int) []widget.Row {
	if *room < 6 {
		return rows
	}
	*room--
	return append(rows, widget.Row{})
}

// running returns the running matches. It uses up part of room.
func (s *lobbyScreen) running(room *int, tight bool) []widget.Row {
	all := session.Public(s.Lobby.Running)
	if *room < 2 || len(all) == 0 {
		return nil
	}
	rows := []widget.Row{heading(s.Lang.Text("Matches"), len(all))}
	most := *room - 1
	if !tight {
		most = max(1, *room/2-1)
	}
	for i := range all {
		if i == most-1 && len(all) > most {
			rows = append(rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", len(all)-i)), Press: "w"})
			break
		}
		r := &all[i]
		row := widget.Row{
			Text:   s.RatedName(r.Players[0], r.Rules) + " – " + s.RatedName(r.Players[1], r.Rules) + "  " + term.Faint.Render(r.Rules.Name) + screen.Watching(s.Lang, r),
			Button: s.Lang.Text("watch"),
		}
		s.add(peopleBlock, item{id: "match " + r.ID, does: "watch", open: watch(r.ID)}, &row)
		rows = append(rows, row)
	}
	*room -= len(rows)
	return s.spaced(rows, room)
}

// onlineRow returns the names of players online on one line.
func (s *lobbyScreen) onlineRow(width int) widget.Row {
	line, n := s.Lang.Text("Online:"), 0
	for i := range s.Lobby.People {
		p := &s.Lobby.People[i].Player
		name := s.PlayerName(*p)
		if p.ID == s.State.Me.ID {
			name = s.Lang.Text("%s (you)", name)
		}
		rest := ""
		if left := len(s.Lobby.People) - i - 1; left > 0 {
			rest = " " + s.Lang.Text("and %d more", left)
		}
		next := line + " " + name
		if n > 0 {
			next = line + ", " + name
		}
		if text.Width(next+rest) > width-6 && n > 0 {
			line += " " + s.Lang.Text("and %d more", len(s.Lobby.People)-i)
			break
		}
		line, n = next, n+1
	}
	row := widget.Row{Text: term.Faint.Render(line), Key: "o"}
	s.add(peopleBlock, item{id: "online", does: "opponents", open: opens(screen.NewOpponents)}, &row)
	return row
}

// online returns the players online, two to a line.
func (s *lobbyScreen) online(room *int) []widget.Row {
	all := s.Lobby.People
	if *room < 2 {
		return nil
	}
	rows := []widget.Row{heading(s.Lang.Text("Online"), len(all))}
	for i := 0; i < len(all); i += 2 {
		if len(rows) == *room-1 && i+2 < len(all) {
			return append(rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", len(all)-i)), Press: "o"})
		}
		row := s.person(&all[i])
		row.Half = &widget.Row{}
		if i+1 < len(all) {
			other := s.person(&all[i+1])
			row.Half = &other
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *lobbyScreen) person(p *lobby.Presence) widget.Row {
	row := widget.Row{Text: s.RatedName(p.Player, s.Settings.Rules), Press: "o"}
	if p.Player.ID == s.State.Me.ID {
		row.Text = s.Lang.Text("%s (you)", row.Text)
	}
	var notes []string
	if p.Playing {
		notes = append(notes, s.Lang.Text("playing"))
	}
	if p.DoNotDisturb {
		notes = append(notes, s.Lang.Text("do not disturb"))
	}
	row.Note = strings.Join(notes, ", ")
	return row
}
