package lobby

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// drawPeopleBlock returns the featured match, the open offers, the friends online, the running matches, the
// players online and the chat.
func (s *lobbyScreen) drawPeopleBlock(width, height int) []string {
	b := widget.Block{
		Title: s.Lang.Text("Live and players"),
		Note:  s.Lang.Text("%d match||%d matches", len(screen.WatchableMatches(s.Lobby))) + ", " + s.Lang.Text("%d online", len(s.Lobby.People)),
	}
	var r blockRows
	open, rest := screen.FeaturedRows(s.Env, width, height-1)
	if len(open) > 0 {
		r.addItem(item{id: "featured", label: "watch", open: openMatch(s.Watched.ID)}, open...)
	}
	r.add(rest...)
	room := height - 1 - len(r.all)
	chat := screen.ChatRows(s.Env, width, max(1, min(3+height/12, room/4)))
	// Two more lines are a blank one and the players online.
	room -= len(chat) + 2
	for _, sec := range []section{s.offerSection(room), s.tournamentSection(), s.friendSection(), s.matchSection()} {
		room -= s.addSection(&r, sec, room)
	}
	r.add(widget.Row{})
	s.addOnline(&r, width)
	r.add(chat...)
	return s.drawBlock(peopleBlock, b, r, width, height)
}

// section is a list within the block.
type section struct {
	title string
	count int
	// entry returns the item and the row of entry i. An item without an ID cannot be selected.
	entry func(i int) (item, widget.Row)
	// more is the key that opens the whole list.
	more     string
	maxLines int
	// none replaces the entries if there are none. If it is empty, too, there is no section.
	none string
}

// addSection adds as much of a section as fits in room lines, and returns the number of lines. A blank line
// follows if there is plenty of room.
func (s *lobbyScreen) addSection(r *blockRows, sec section, room int) int {
	room = min(room, sec.maxLines)
	if room < 2 || sec.count == 0 && sec.none == "" {
		return 0
	}
	before := len(r.all)
	r.add(widget.Row{Heading: sec.title, Note: fmt.Sprint(sec.count)})
	for i := range sec.count {
		if i == room-2 && sec.count > room-1 {
			r.add(widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", sec.count-i)), Press: sec.more})
			break
		}
		it, row := sec.entry(i)
		if it.id == "" {
			r.add(row)
			continue
		}
		r.addItem(it, row)
	}
	if sec.count == 0 {
		r.add(widget.Row{Text: term.Faint.Render(sec.none)})
	}
	if room-(len(r.all)-before) >= 6 {
		r.add(widget.Row{})
	}
	return len(r.all) - before
}

// offerSection returns the players waiting for an opponent.
func (s *lobbyScreen) offerSection(room int) section {
	all := s.Lobby.Waiting
	sec := section{title: s.Lang.Text("Waiting for an opponent"), count: len(all), more: "o", maxLines: max(2, (room+1)/2)}
	if room >= 6 {
		sec.none = s.Lang.Text("no one")
	}
	sec.entry = func(i int) (item, widget.Row) {
		w := &all[i]
		row := widget.Row{Text: term.Strong.Render(s.NameWithKind(w.Player)) + " " + term.Info.Render(w.Player.Rating(w.Rules)) + " " + term.Faint.Render(s.OfferText(w.Rules, w.RatingMode))}
		if w.Player.ID == s.State.Me.ID {
			return item{}, row
		}
		row.Button = s.Lang.Text("play")
		return item{id: "offer " + w.Player.ID, label: "play", open: acceptOffer(w.Offer)}, row
	}
	return sec
}

// maxFriends is the maximum number of lines with friends.
const maxFriends = 5

// friendSection returns the friends online.
func (s *lobbyScreen) friendSection() section {
	all := screen.OnlineFriends(s.Env, s.Friends)
	return section{title: s.Lang.Text("Friends"), count: len(all), more: "f", maxLines: maxFriends, entry: func(i int) (item, widget.Row) {
		f := all[i]
		row := widget.Row{Text: s.NameWithRating(f.Player, s.Settings.Rules)}
		it := item{id: "friend " + f.Player.ID, label: "challenge", open: func(s *lobbyScreen) tea.Cmd { return screen.ChallengeOrWatch(s.Env, f.Player) }}
		switch {
		case f.Playing:
			row.Button, it.label = s.Lang.Text("watch"), "watch"
		case f.DoNotDisturb:
			row.Note = s.Lang.Text("do not disturb")
		default:
			row.Button = s.Lang.Text("challenge")
		}
		return it, row
	}}
}

// maxTournaments is the maximum number of lines with tournaments.
const maxTournaments = 4

// tournamentSection returns the scheduled tournaments.
func (s *lobbyScreen) tournamentSection() section {
	all := s.Lobby.Scheduled
	return section{title: s.Lang.Text("Tournaments"), count: len(all), more: "C", maxLines: maxTournaments, entry: func(i int) (item, widget.Row) {
		t := all[i]
		row := widget.Row{Text: t.Rules.Name, Note: text.TournamentState(s.Lang, t)}
		if t.Phase == tournament.Joining {
			row.Note = text.TournamentStart(s.Lang, t)
		}
		return item{id: "tournament " + t.Code, label: "open", open: func(s *lobbyScreen) tea.Cmd {
			return s.Nav.Open(screen.NewTournament(s.Env, t))
		}}, row
	}}
}

// matchSection returns the running matches.
func (s *lobbyScreen) matchSection() section {
	all := session.PublicMatches(s.Lobby.Running)
	return section{title: s.Lang.Text("Matches"), count: len(all), more: "w", maxLines: len(all) + 2, entry: func(i int) (item, widget.Row) {
		r := &all[i]
		players := s.NameWithRating(r.Players[0], r.Rules) + " – " + s.NameWithRating(r.Players[1], r.Rules)
		return item{id: "match " + r.ID, label: "watch", open: openMatch(r.ID)}, widget.Row{
			Text:   players + "  " + term.Faint.Render(r.Rules.Name) + "  " + screen.SpectatorsText(s.Lang, r),
			Button: s.Lang.Text("watch"),
		}
	}}
}

// ratedWidth is the width from which the players online are listed with their ratings.
const ratedWidth = 60

// addOnline adds the names of players online on one line.
func (s *lobbyScreen) addOnline(r *blockRows, width int) {
	line, all := s.Lang.Text("Online:"), s.Lobby.People
	for i := range all {
		name := s.NameWithKind(all[i].Player)
		if width >= ratedWidth {
			name = s.NameWithRating(all[i].Player, s.Settings.Rules)
		}
		if all[i].Player.ID == s.State.Me.ID {
			name = s.Lang.Text("%s (you)", name)
		}
		comma, rest := "", ""
		if i > 0 {
			comma = ","
		}
		left := len(all) - i - 1
		if left > 0 {
			rest = " " + s.Lang.Text("and %d more", left)
		}
		if i > 0 && text.Width(line+comma+" "+name+rest) > width-6 {
			line += " " + s.Lang.Text("and %d more", len(all)-i)
			break
		}
		line += comma + " " + name
	}
	row := widget.Row{Text: term.Faint.Render(line), Key: "o"}
	r.addItem(item{id: "online", label: "people##screen", open: openPeople(false)}, row)
}
