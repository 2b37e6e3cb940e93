package screen

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// people lists the players who wait for an opponent, those whom the player follows, and the others in the
// lobby.
type people struct {
	*widget.Env
	list   widget.List[person]
	prompt *widget.Prompt // for the name of a player to follow
	busy   bool           // whom the player follows is being changed
}

// person is a player in the list.
type person struct {
	account.Player
	group    group
	offer    int    // of a player who waits
	terms    string // of the offer
	rating   string // under the rules of the offer, or else of the player; may be empty
	online   bool
	playing  bool
	resting  bool // does not want to be disturbed
	followed bool
}

// personID identifies an item. A player who no longer waits is another item.
func personID(p person) string {
	if p.offer != 0 {
		return "offer " + p.ID
	}
	return p.ID
}

// group is a part of the list of people.
type group int

const (
	waitingPeople group = iota
	followedPeople
	otherPeople
)

// NewPeople returns the list of people. It selects the first of those whom the player follows, if there are
// any and followed is true.
func NewPeople(env *widget.Env, followed bool) widget.Screen {
	s := &people{Env: env}
	s.list.ID, s.list.Open = personID, s.meet
	s.update()
	if i := slices.IndexFunc(s.list.Items, func(p person) bool { return p.followed }); followed && i >= 0 {
		s.list.Select(personID(s.list.Items[i]))
	}
	return s
}

// Init implements [widget.Initer]. It reads whom the player follows.
func (s *people) Init() tea.Cmd {
	if s.State.Me.Account == "" || !s.State.HasStore {
		return nil
	}
	return widget.Load(s.Env, s.Session.Friends, func(all []session.Friend, err error) tea.Cmd {
		if s.Check(err) {
			s.Friends = all
			s.update()
		}
		return nil
	})
}

// update lists each player once, even with several sessions.
func (s *people) update() {
	var all []person
	listed := map[string]bool{s.State.Me.ID: true}
	add := func(p person) {
		if !listed[p.ID] {
			listed[p.ID] = true
			p.rating = cmp.Or(p.rating, p.Rating(s.Settings.Rules))
			all = append(all, p)
		}
	}
	follows := func(id string) bool {
		return slices.ContainsFunc(s.Friends, func(f session.Friend) bool { return f.Player.ID == id })
	}
	for _, w := range s.Lobby.Waiting {
		add(person{
			Player: w.Player, group: waitingPeople, offer: w.Offer, terms: s.OfferTerms(w.Rules, w.Stakes), rating: w.Player.Rating(w.Rules),
			online: true, followed: follows(w.Player.ID),
		})
	}
	for _, f := range OnlineFriends(s.Env, s.Friends) {
		add(person{
			Player: f.Player, group: followedPeople, online: true, playing: f.Playing, resting: f.DoNotDisturb, followed: true,
		})
	}
	for _, f := range s.Friends {
		add(person{Player: f.Player, group: followedPeople, followed: true})
	}
	for _, p := range s.Lobby.People {
		add(person{Player: p.Player, group: otherPeople, online: true, playing: p.Playing, resting: p.DoNotDisturb})
	}
	s.list.Set(all)
}

// OnlineFriends returns the friends that the lobby lists now.
func OnlineFriends(env *widget.Env, friends []session.Friend) (online []session.Friend) {
	for _, f := range friends {
		i := slices.IndexFunc(env.Lobby.People, func(p lobby.Presence) bool { return p.Player.ID == f.Player.ID })
		if i >= 0 {
			p := &env.Lobby.People[i]
			online = append(online, session.Friend{Player: p.Player, Online: true, Playing: p.Playing, DoNotDisturb: p.DoNotDisturb})
		}
	}
	return online
}

// Subject implements [widget.Subject].
func (s *people) Subject() any {
	p, _ := s.list.Selected()
	return [...]any{p.ID, p.offer, p.playing, p.resting}
}

// Typing implements [widget.Typist].
func (s *people) Typing() widget.Typing { return s.prompt.Typing() }

func (s *people) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && u.Kind == session.LobbyChanged {
		s.update()
	}
	if s.prompt != nil {
		s.Type(s.prompt.Field, msg, s.prompt.Rule)
		return nil
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *people) Actions() []widget.Action {
	if s.prompt != nil {
		return s.prompt.Actions(func() { s.prompt = nil })
	}
	selected, _ := s.list.Selected()
	open := i18n.Key("challenge")
	switch {
	case selected.offer != 0:
		open = "play"
	case selected.playing:
		open = "watch"
	}
	return append(s.list.Actions(open), []widget.Action{
		{Keys: "enter space", Off: !s.list.Gone(), Do: widget.Do(func() { s.Notice = s.Lang.Text("That player left: choose another.") })},
		{Keys: "n", Label: "rules", Do: func() tea.Cmd { return s.Open(NewMatch(s.Env)) }},
		{Keys: "a", Label: "follow", Off: s.State.Me.Account == "", Do: widget.Do(s.askName)},
		{Keys: "x", Label: "unfollow", Off: !selected.followed, Do: func() tea.Cmd {
			return s.change(s.Session.Unfollow, selected.Name)
		}},
		widget.HelpHint,
		widget.BackAction(s, "q o backspace"),
	}...)
}

// askName asks for the name of a player to follow.
func (s *people) askName() {
	s.prompt = &widget.Prompt{
		Field: widget.NewField("", account.MaxName, nameChar), Title: "Name", Does: "follow", Rule: nameLetters,
		Enter: func(name string) tea.Cmd { return s.change(s.Session.Follow, name) },
	}
}

// change changes whom the player follows, unless it is already being changed, and reads it again.
func (s *people) change(action func(context.Context, string) error, name string) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	return widget.Act(s.Env, func(ctx context.Context) error { return action(ctx, name) }, func(err error) tea.Cmd {
		s.busy = false
		if s.Check(err) {
			s.prompt = nil
		}
		return s.Init()
	})
}

// meet accepts a player's offer, watches their match, or challenges them.
func (s *people) meet(p person) tea.Cmd {
	if p.offer != 0 {
		s.Check(s.Session.Accept(p.offer))
		return nil
	}
	return Meet(s.Env, session.Friend{Player: p.Player, Online: p.online, Playing: p.playing, DoNotDisturb: p.resting})
}

// Meet challenges a player, or watches their match.
func Meet(env *widget.Env, f session.Friend) tea.Cmd {
	name := env.PlayerName(f.Player)
	switch {
	case f.Playing:
		if !env.Check(env.Session.WatchBy(f.Player.Name)) {
			return nil
		}
		return env.Open(NewWatch(env, env.State.Watching.ID))
	case f.DoNotDisturb:
		env.Notice = env.Lang.Text("%s is not accepting challenges.", name)
	case f.Online:
		return Seek(env, env.Session.Challenge(f.Player.ID, env.Settings.Rules, env.Settings.Stakes()))
	default:
		env.Notice = env.Lang.Text("%s is offline.", name)
	}
	return nil
}

func (s *people) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("People##screen"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Waiting players – you fire first"), Focused: true, Note: fmt.Sprint(s.count(waitingPeople))}
		b.Rows = append(b.Rows, s.rows(width, waitingPeople, "nobody")...)
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Players you follow"), Note: fmt.Sprint(s.count(followedPeople))})
		none := i18n.Key("You are not following anyone. Press a and type a player's name.")
		if s.State.Me.Account == "" {
			none = "To follow players, choose a name first: press a in the lobby."
		}
		b.Rows = append(b.Rows, s.rows(width, followedPeople, none)...)
		others := text.FirstFitting(width-10, s.Lang.Text("In the lobby – challenge them; you defend first"), s.Lang.Text("Online"))
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: others, Note: fmt.Sprint(s.count(otherPeople))})
		b.Rows = append(b.Rows, s.rows(width, otherPeople, "nobody else")...)
		if s.prompt != nil {
			return b.WithFoot(width, height, s.prompt.Line(s.Lang))
		}
		return b.WithFoot(width, height, s.Lang.Text("Your challenge: %s", narrate.Terms(s.Lang, s.Settings.Rules)))
	})
}

// count returns the number of people in a group.
func (s *people) count(g group) (n int) {
	for i := range s.list.Items {
		if s.list.Items[i].group == g {
			n++
		}
	}
	return n
}

// rows returns the rows of a group, or a text if it is empty.
func (s *people) rows(width int, g group, none i18n.Key) (rows []widget.Row) {
	for i := range s.list.Items {
		if p := &s.list.Items[i]; p.group == g {
			rows = append(rows, s.list.Row(i, s.row(p)))
		}
	}
	if len(rows) == 0 {
		return widget.Paragraph(s.Lang.Text(none), term.Faint, width)
	}
	return rows
}

// row returns a player with their offer or state.
func (s *people) row(p *person) widget.Row {
	row := widget.Row{
		Text: term.Strong.Render(s.PlayerName(p.Player)) + " " + term.Info.Render(p.rating), Note: p.terms,
	}
	switch {
	case p.offer != 0:
	case p.playing:
		row.Note = term.Warn.Render(s.Lang.Text("playing"))
	case p.resting:
		row.Note = s.Lang.Text("do not disturb")
	case p.group == followedPeople && p.online:
		row.Note = term.Good.Render(s.Lang.Text("online"))
	case p.group == followedPeople:
		row.Note = term.Faint.Render(s.Lang.Text("offline"))
	}
	return row
}
