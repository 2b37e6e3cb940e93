package screen

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// peopleScreen lists the players who wait for an opponent, those whom the player follows, and the others in the
// lobby.
type peopleScreen struct {
	*widget.Env
	list widget.List[person]
	// prompt asks for the name of a player to follow.
	prompt *widget.Prompt
	// busy is set while the list of followed players is being changed.
	busy bool
}

// person is a player in the list.
type person struct {
	view.Opponent
	group    group
	followed bool
}

// personID identifies an item. A player who no longer waits is another item.
func personID(p person) string {
	if p.Offer != 0 {
		return "offer " + p.ID
	}
	return p.ID
}

// group is a part of the list.
type group int

const (
	waitingGroup group = iota
	followedGroup
	otherGroup
)

// NewPeople returns the list of players. It selects the first of those whom the player follows, if there are any
// and followed is true.
func NewPeople(env *widget.Env, followed bool) widget.Screen {
	s := &peopleScreen{Env: env}
	s.list.ID, s.list.Open = personID, s.openPerson
	s.updateItems()
	i := slices.IndexFunc(s.list.Items, func(p person) bool { return p.followed })
	if followed && i >= 0 {
		s.list.Select(personID(s.list.Items[i]))
	}
	return s
}

// Init implements [widget.Initializer]. It reads whom the player follows.
func (s *peopleScreen) Init() tea.Cmd {
	if s.State.Me.Account == "" || !s.State.HasStore {
		return nil
	}
	return widget.Query(s.Env, s.Session.Friends, func(all []session.Friend, err error) tea.Cmd {
		if s.CheckAction(err) {
			s.Friends = all
			s.updateItems()
		}
		return nil
	})
}

// updateItems lists those who wait, those whom the player follows, and the others.
func (s *peopleScreen) updateItems() {
	followed := map[string]bool{}
	for _, f := range s.Friends {
		followed[f.Player.ID] = true
	}
	var groups [otherGroup + 1][]person
	for _, o := range view.OpponentRows(s.Lang, s.Lobby, s.State.Me.ID, s.Settings.Rules) {
		p := person{Opponent: o, group: otherGroup, followed: followed[o.ID]}
		switch {
		case o.Offer != 0:
			p.group = waitingGroup
		case p.followed:
			p.group = followedGroup
		}
		groups[p.group] = append(groups[p.group], p)
		delete(followed, o.ID)
	}
	for _, f := range s.Friends {
		if followed[f.Player.ID] {
			offline := view.Opponent{Player: f.Player, RatingText: f.Player.Rating(s.Settings.Rules)}
			groups[followedGroup] = append(groups[followedGroup], person{Opponent: offline, group: followedGroup, followed: true})
		}
	}
	s.list.SetItems(slices.Concat(groups[:]...))
}

// OnlineFriends returns the friends that the lobby lists now.
func OnlineFriends(env *widget.Env, friends []session.Friend) (online []lobby.Presence) {
	for _, f := range friends {
		p := findPresence(env, f.Player)
		if p != nil {
			online = append(online, *p)
		}
	}
	return online
}

// findPresence returns the lobby's entry for a player, or nil if they are offline.
func findPresence(env *widget.Env, player account.Player) *lobby.Presence {
	for i := range env.Lobby.People {
		p := &env.Lobby.People[i]
		if p.Player.ID == player.ID {
			return p
		}
	}
	return nil
}

// Subject implements [widget.Subject].
func (s *peopleScreen) Subject() any {
	p, _ := s.list.Selected()
	return [...]any{p.ID, p.Offer, p.StateText}
}

// Typing implements [widget.Typist].
func (s *peopleScreen) Typing() widget.Typing { return s.prompt.Typing() }

func (s *peopleScreen) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && u.Kind == session.LobbyChanged {
		s.updateItems()
	}
	if s.prompt != nil {
		s.UpdateField(s.prompt.Field, msg, s.prompt.Rule)
		return nil
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *peopleScreen) Actions() []widget.Action {
	if s.prompt != nil {
		return s.prompt.Actions(func() { s.prompt = nil })
	}
	selected, _ := s.list.Selected()
	open := i18n.Key("challenge")
	switch {
	case selected.Offer != 0:
		open = "play"
	case isPlaying(s.Env, selected.Player):
		open = "watch"
	}
	return append(s.list.Actions(open), []widget.Action{
		{Keys: "enter space", Off: !s.list.IsSelectionLost(), Do: widget.NoCommand(func() { s.Notice = s.Lang.Text("That player left: choose another.") })},
		{Keys: "n", Label: "rules", Do: func() tea.Cmd { return s.Nav.Open(NewMatch(s.Env)) }},
		{Keys: "a", Label: "follow", Off: s.State.Me.Account == "", Do: widget.NoCommand(s.askName)},
		{Keys: "x", Label: "unfollow", Off: !selected.followed, Do: func() tea.Cmd {
			return s.changeFollowed(s.Session.Unfollow, selected.Name)
		}},
		widget.HelpHint,
		widget.BackAction(s.Env, "q o backspace"),
		{Keys: "c", Label: "offer a match", Off: selected.Account == "" || selected.Kind == account.Bot, Do: func() tea.Cmd {
			return s.Nav.Open(NewMatchAgainst(s.Env, selected.Name))
		}},
	}...)
}

// askName asks for the name of a player to follow.
func (s *peopleScreen) askName() {
	s.prompt = &widget.Prompt{
		Field: widget.NewField("", account.MaxName, acceptNameChar), Title: "Name", Label: "follow", Rule: nameLetters,
		Submit: func(name string) tea.Cmd { return s.changeFollowed(s.Session.Follow, name) },
	}
}

// changeFollowed follows or unfollows the player with a name, and reads the list again. It does nothing
// while another change runs.
func (s *peopleScreen) changeFollowed(action func(context.Context, string) error, name string) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	return widget.Exec(s.Env, func(ctx context.Context) error { return action(ctx, name) }, func(err error) tea.Cmd {
		s.busy = false
		if s.CheckAction(err) {
			s.prompt = nil
		}
		return s.Init()
	})
}

// openPerson accepts a player's offer, watches their match, or challenges them.
func (s *peopleScreen) openPerson(p person) tea.Cmd {
	if p.Offer != 0 {
		s.CheckAction(s.Session.AcceptOffer(p.Offer))
		return nil
	}
	return ChallengeOrWatch(s.Env, p.Player)
}

func isPlaying(env *widget.Env, player account.Player) bool {
	p := findPresence(env, player)
	return p != nil && p.Playing
}

// ChallengeOrWatch watches a player's match or, if they are not playing, challenges them.
func ChallengeOrWatch(env *widget.Env, player account.Player) tea.Cmd {
	switch p := findPresence(env, player); {
	case p == nil:
		env.Notice = env.Lang.Text("%s is offline.", env.NameWithKind(player))
	case p.Playing:
		if env.CheckAction(env.Session.FindAndWatch(player.Name)) {
			return env.Nav.Open(NewWatch(env, env.State.Watching.ID))
		}
	case p.DoNotDisturb:
		env.Notice = env.Lang.Text("%s is not accepting challenges.", env.NameWithKind(player))
	default:
		return ShowOffer(env, env.Session.Challenge(player.ID, env.Settings.Rules, env.Settings.RatingMode()))
	}
	return nil
}

func (s *peopleScreen) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("People##screen"), widget.ListWidth, func(width, height int) []string {
		none := i18n.Key("You are not following anyone. Press a and type a player's name.")
		if s.State.Me.Account == "" {
			none = "To follow players, choose a name first: press a in the lobby."
		}
		b := widget.Block{Focused: true}
		for g, about := range [...]struct {
			title string
			none  i18n.Key
		}{
			waitingGroup:  {s.Lang.Text("Waiting players – you fire first"), "no one"},
			followedGroup: {s.Lang.Text("Players you follow"), none},
			otherGroup: {text.FirstFitting(width-10, s.Lang.Text("In the lobby – challenge them; you defend first"),
				s.Lang.Text("Online")), "no one else"},
		} {
			var rows []widget.Row
			for i := range s.list.Items {
				p := &s.list.Items[i]
				if p.group == group(g) {
					rows = append(rows, s.list.CompleteRow(i, s.row(p)))
				}
			}
			count := fmt.Sprint(len(rows))
			if len(rows) == 0 {
				rows = widget.ParagraphRows(s.Lang.Text(about.none), term.Faint, width)
			}
			if g == 0 {
				b.Title, b.Note = about.title, count
			} else {
				b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: about.title, Note: count})
			}
			b.Rows = append(b.Rows, rows...)
		}
		if s.prompt != nil {
			return b.DrawWithHint(width, height, s.prompt.Line(s.Lang))
		}
		return b.DrawWithHint(width, height, s.Lang.Text("Your challenge: %s", narrate.MatchTerms(s.Lang, s.Settings.Rules)))
	})
}

// row returns a player with their offer or state.
func (s *peopleScreen) row(p *person) widget.Row {
	row := widget.Row{
		Text: term.Strong.Render(s.NameWithKind(p.Player)) + " " + term.Info.Render(p.RatingText), Note: p.StateText,
	}
	switch {
	case p.Offer != 0:
	case isPlaying(s.Env, p.Player):
		row.Note = term.Warn.Render(p.StateText)
	case p.StateText != "" || p.group != followedGroup:
	// The player is in the lobby.
	case p.Number > 0:
		row.Note = term.Good.Render(s.Lang.Text("online"))
	default:
		row.Note = term.Faint.Render(s.Lang.Text("offline"))
	}
	return row
}
