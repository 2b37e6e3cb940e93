package screen

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// opponents lists the open offers of players and programs, and the players in the
// lobby who can be challenged.
type opponents struct {
	*widget.Env
	at string // key of the selected opponent, who may have left
}

// NewOpponents returns the list of opponents.
func NewOpponents(env *widget.Env) widget.Screen { return &opponents{Env: env} }

var opponentsKeys = struct{ play, rules, clock, back key.Binding }{
	play: widget.Bind("enter", "play", "enter space"), rules: widget.Bind("r", "rules", "r"),
	clock: widget.Bind("c", "clock", "c"), back: back("q o backspace"),
}

// opponent is an item of the list.
type opponent struct {
	key    string // identifies the offer or player
	name   string // clean
	rating string // as displayed; may be empty
	about  string
	offer  int    // to accept; 0: challenge the player
	id     string // player ID
	why    string // a sentence saying why this opponent is unavailable; empty if available
}

// list returns all possible opponents, with open offers first.
func (s *opponents) list() (waiting, here []opponent) {
	waits := map[string]bool{s.State.Me.ID: true}
	for _, w := range s.Lobby.Waiting {
		if w.Player.ID == s.State.Me.ID {
			continue
		}
		waits[w.Player.ID] = true
		waiting = append(waiting, opponent{key: "offer " + w.Player.ID, name: s.PlayerName(w.Player), rating: w.Player.Rating(w.Rules), about: s.OfferTerms(w.Rules, w.Stakes), offer: w.Offer})
	}
	for _, p := range s.Lobby.People {
		if waits[p.Player.ID] {
			continue
		}
		waits[p.Player.ID] = true // list each player once, even with several sessions
		o := opponent{key: "person " + p.Player.ID, name: s.PlayerName(p.Player), rating: p.Player.Rating(s.Settings.Rules), id: p.Player.ID}
		switch {
		case p.Playing:
			o.about, o.why = s.Lang.Text("playing"), s.Lang.Text("%s is playing: wait until the match is over.", o.name)
		case p.DoNotDisturb:
			o.about, o.why = s.Lang.Text("do not disturb"), s.Lang.Text("%s is not accepting challenges.", o.name)
		}
		here = append(here, o)
	}
	all := append(waiting[:len(waiting):len(waiting)], here...)
	if s.at == "" && len(all) > 0 {
		s.at = all[0].key
	}
	return waiting, here
}

// Subject returns the selected opponent, if still present.
func (s *opponents) Subject() any {
	waiting, here := s.list()
	for _, o := range append(waiting, here...) {
		if o.key == s.at {
			return o
		}
	}
	return len(waiting)+len(here) == 0
}

func (s *opponents) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok {
		waiting, here := s.list()
		if all := append(waiting, here...); p.Item <= len(all) {
			s.at = all[p.Item-1].key
			return s.play(all[p.Item-1])
		}
		return nil
	}
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		return s.press(msg)
	}
	return nil
}

func (s *opponents) press(msg tea.KeyPressMsg) tea.Cmd {
	waiting, here := s.list()
	all := append(waiting, here...)
	at := slices.IndexFunc(all, func(o opponent) bool { return o.key == s.at })
	if len(all) > 0 {
		if next, ok := widget.Step(msg, at, len(all)); ok {
			s.at = all[next].key
			return nil
		}
	}
	switch {
	case key.Matches(msg, opponentsKeys.play):
		switch {
		case len(all) == 0:
			s.Notice = s.Lang.Text("No opponents are online. Press p in the lobby to wait for one.")
		case at < 0:
			s.Notice = s.Lang.Text("That player left: choose another.")
		default:
			return s.play(all[at])
		}
	case key.Matches(msg, opponentsKeys.rules):
		return NextRules(s.Env)
	case key.Matches(msg, opponentsKeys.clock):
		return NextClock(s.Env)
	case key.Matches(msg, opponentsKeys.back):
		s.Back()
	}
	return nil
}

// play accepts an opponent's offer, or challenges the opponent.
func (s *opponents) play(o opponent) tea.Cmd {
	if o.why != "" {
		s.Notice = o.why
		return nil
	}
	if o.offer != 0 {
		s.Check(s.Session.Accept(o.offer))
		return nil
	}
	return Seek(s.Env, s.Session.Challenge(o.id, s.Settings.Rules, s.Settings.Stakes()))
}

func (s *opponents) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Opponents"), widget.ListWidth, func(width, height int) []string {
		waiting, here := s.list()
		b := widget.Block{Title: s.Lang.Text("Waiting players – you fire first"), Note: fmt.Sprint(len(waiting)), Focused: true}
		n := 0
		add := func(list []opponent, none i18n.Key) {
			for _, o := range list {
				n++
				b.Rows = append(b.Rows, widget.Row{Text: term.Strong.Render(o.name) + " " + term.Info.Render(o.rating), Note: o.about, Item: n, Selected: o.key == s.at})
			}
			if len(list) == 0 {
				b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text(none))})
			}
		}
		add(waiting, "nobody")
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Heading: text.FirstFitting(width-10, s.Lang.Text("In the lobby – challenge them; you defend first"), s.Lang.Text("Online")), Note: fmt.Sprint(len(here))})
		add(here, "nobody else")
		return b.WithFoot(width, height, s.Lang.Text("Your challenge: %s", narrate.Terms(s.Lang, s.Settings.Rules)))
	})
}

// Actions implements [widget.Screen].
func (s *opponents) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *opponents) Bindings() []key.Binding {
	k := &opponentsKeys
	return []key.Binding{k.play, widget.Choose, k.rules, k.clock, widget.Help, k.back}
}
