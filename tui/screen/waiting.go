package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// waitingScreen is the screen shown while the player's offer is open.
type waitingScreen struct {
	*widget.Env
	offer lobby.Terms
}

// NewWaiting returns the screen for the player's open offer.
func NewWaiting(env *widget.Env) widget.Screen { return &waitingScreen{env, *env.State.Offer} }

// ShowOffer shows the waiting screen after an action that makes an offer, unless the match has started or
// the action has failed with err.
func ShowOffer(env *widget.Env, err error) tea.Cmd {
	if !env.CheckAction(err) || env.State.Offer == nil {
		return nil
	}
	return env.Nav.Replace(NewWaiting(env))
}

// RunOffer runs an action that may make an offer in the background, and then calls done and [ShowOffer].
func RunOffer(env *widget.Env, action func() error, done func()) tea.Cmd {
	return widget.Exec(env, func(context.Context) error { return action() }, func(err error) tea.Cmd {
		done()
		return ShowOffer(env, err)
	})
}

// NextTick implements [widget.Ticker].
func (s *waitingScreen) NextTick(now time.Time) time.Duration {
	if !s.offer.Expires.IsZero() {
		return widget.TimeToClockChange(now, s.offer.Expires)
	}
	waited := now.Sub(s.offer.Since)
	return widget.ShorterWait(time.Minute-waited%time.Minute, lobby.LongWait-waited)
}

// WatchTarget implements [widget.MatchSpectator]. It keeps the featured match running while a player waits for anyone.
func (s *waitingScreen) WatchTarget() widget.WatchTarget {
	if s.offerKind() != anyoneOffer {
		return widget.WatchTarget{}
	}
	return FeaturedTarget(s.Env)
}

// Interrupt implements [widget.Interrupter].
func (s *waitingScreen) Interrupt() tea.Cmd {
	ok, err := s.Session.CancelOffer()
	s.State = s.Session.State()
	// Without an offer, there is nothing to wait for. Unless there is an error, a match has started otherwise.
	if ok || err != nil {
		s.Nav.LeaveToLobby("")
	}
	return nil
}

func (s *waitingScreen) Update(tea.Msg) tea.Cmd { return nil }

// Actions implements [widget.Screen].
func (s *waitingScreen) Actions() []widget.Action {
	if s.offerKind() != anyoneOffer {
		return []widget.Action{{Keys: "esc q backspace", Label: "cancel", Do: s.Interrupt}, widget.HelpHint}
	}
	w := s.Watched
	return []widget.Action{
		{Keys: "b", Label: "play a bot", Do: func() tea.Cmd { return OpenBots(s.Env) }},
		widget.HelpHint,
		{Keys: "esc q backspace", Label: "back", Do: s.Interrupt},
		{Keys: "w", Label: "watch", Off: w == nil, Do: func() tea.Cmd { return s.Nav.Open(NewWatch(s.Env, w.ID)) }},
		{Keys: "t", Label: "chat", Do: func() tea.Cmd { return s.Nav.Open(NewChat(s.Env)) }},
	}
}

// offerKind is the kind of opponent that an offer is for.
type offerKind uint8

const (
	anyoneOffer offerKind = iota
	challengeOffer
	privateOffer
	// seatOffer is for a seat that another session uses.
	seatOffer
	// programOffer is on the ladder.
	programOffer
)

func (s *waitingScreen) offerKind() offerKind {
	switch o := &s.offer; {
	case o.Challenged != nil:
		return challengeOffer
	case o.Code != "":
		return privateOffer
	case o.IsTakeover:
		return seatOffer
	case o.OnlyName != "":
		return programOffer
	}
	return anyoneOffer
}

func (s *waitingScreen) View(size widget.Size) widget.View {
	heading, passed := s.Lang.Text("Waiting for an opponent"), s.Lang.Text("%s so far", narrate.DurationInMinutes(s.Lang, time.Since(s.offer.Since)))
	below := []string{s.Lang.Text("You offered the match, so you defend first.")}
	switch s.offerKind() {
	case anyoneOffer:
		below = s.anyoneLines()
	case challengeOffer:
		to, until := s.offer.Challenged, s.offer.Expires
		heading, passed = s.Lang.Text("Waiting for %s to answer", text.CleanName(to.Name)), s.Lang.Text("%s left", narrate.TimeLeft(s.Lang, time.Until(until)))
		below = []string{s.Lang.Text("You sent the challenge, so you defend first.")}
	case seatOffer:
		heading, passed = s.Lang.Text("Another session uses this seat"), s.Lang.Text("%s left", narrate.TimeLeft(s.Lang, time.Until(s.offer.Expires)))
		below = []string{s.Lang.Text("You get it unless its player refuses in time.")}
	case programOffer:
		heading = s.Lang.Text("Waiting for %s", text.CleanName(s.offer.OnlyName))
		below = []string{s.Lang.Text("It plays you as soon as it has finished its match. You defend first.")}
	case privateOffer:
		heading = s.Lang.Text("Private match: %s", s.offer.Code)
		below = []string{
			s.Lang.Text("Share the code: your opponent presses m in the lobby, or runs"),
			term.Key.Render(narrate.InvitationCommand(s.Session.Client().Address, s.offer.Code)),
			s.Lang.Text("You defend first."),
		}
	}
	draw := func(width int) widget.Block {
		b := widget.Block{Title: heading, Focused: true, Rows: []widget.Row{{}}}
		if text.Width(heading) > width-6 {
			b.Title, b.Rows = s.Lang.Text("Waiting"), widget.ParagraphRows(heading, term.Strong, width)
			// A code must not wrap onto a second line.
			if s.offerKind() == privateOffer {
				b.Rows = []widget.Row{widget.TextRow(term.Strong.Render(s.offer.Code))}
			}
		}
		b.Rows = append(b.Rows, widget.ParagraphRows(narrate.AppendStakes(s.Lang, narrate.RulesSummary(s.Lang, s.offer.Rules), s.offer.RatingMode), term.Strong, width)...)
		b.Rows = append(b.Rows, widget.TextRow(passed))
		b.Rows = append(b.Rows, widget.TextRow(s.Lang.Text("clock %s", narrate.ClockSetting(s.Lang, s.offer.Rules.Clock))), widget.Row{})
		for _, l := range below {
			for _, part := range text.WrapStyled(l, width-4) {
				b.Rows = append(b.Rows, widget.TextRow(part))
			}
		}
		return b
	}
	if s.offerKind() != anyoneOffer {
		return widget.FormView(size, heading, draw)
	}
	return widget.PageView(size, heading, widget.ListWidth, func(width, height int) []string {
		left := waitingWidth
		if width < 76 {
			left = width
		}
		b := draw(left)
		return widget.DrawSplit(width, height, waitingWidth, len(b.Rows)+1, b.Draw, s.drawLive)
	})
}

// waitingWidth is the width of the offer's block beside the featured match.
const waitingWidth = 34

// anyoneLines returns the lines about an offer to anyone.
func (s *waitingScreen) anyoneLines() []string {
	lines := []string{s.Lang.Text("You offered the match, so you defend first.")}
	if s.offer.UsualWait > 0 {
		lines = append([]string{narrate.UsualWait(s.Lang, s.offer.UsualWait)}, lines...)
	}
	if time.Since(s.offer.Since) < lobby.LongWait {
		return lines
	}
	// On a small terminal, the offer of a bot matters more than who fires first.
	lines[len(lines)-1] = term.Strong.Render(s.Lang.Text("Press b to play a bot meanwhile. When a player comes, your match with them opens."))
	return lines
}

// drawLive returns the featured match and the chat's latest lines.
func (s *waitingScreen) drawLive(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Live")}
	chat := ChatRows(s.Env, width, max(1, height/4))
	open, rest := FeaturedRows(s.Env, width, height-1-len(chat))
	for i := range open {
		open[i].Press = "w"
	}
	b.Rows = append(append(open, rest...), chat...)
	return b.Draw(width, height)
}
