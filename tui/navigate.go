package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/lobby/session"
	"broadside/tui/play"
	"broadside/tui/screen"
	lobbyscreen "broadside/tui/screen/lobby"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// router holds the stack of a session's screens and navigates between them.
type router struct {
	env *widget.Env
	// screens is never empty. The last one is current.
	screens []widget.Screen
	// match is being played or just over. It is nil without one.
	match       *session.Match
	startScreen session.StartScreen
	// help shows the help page instead of the screen.
	help bool
	// scroll is the number of lines scrolled out of view above the body.
	scroll int
	// pendingCmd is the command of screens that LeaveToLobby opened.
	pendingCmd tea.Cmd
}

// currentScreen returns the current screen.
func (r *router) currentScreen() widget.Screen { return r.screens[len(r.screens)-1] }

// IsCurrent implements [widget.Navigator].
func (r *router) IsCurrent(s widget.Screen) bool { return s == r.currentScreen() }

// Open implements [widget.Navigator].
func (r *router) Open(s widget.Screen) tea.Cmd {
	r.screens = append(r.screens, s)
	return r.initScreen(s)
}

// Replace implements [widget.Navigator].
func (r *router) Replace(s widget.Screen) tea.Cmd {
	r.screens[len(r.screens)-1] = s
	return r.initScreen(s)
}

// GoBack implements [widget.Navigator].
func (r *router) GoBack() {
	if len(r.screens) == 1 {
		r.LeaveToLobby("")
		return
	}
	r.screens = r.screens[:len(r.screens)-1]
	r.scroll = 0
}

// LeaveToLobby implements [widget.Navigator].
func (r *router) LeaveToLobby(notice string) {
	mustAsk := false
	if r.match != nil {
		mustAsk = !r.isPlaying() && r.env.MustAskName()
		r.env.Session.LeaveMatch(false)
		r.env.RefreshState()
		r.match = nil
	}
	next := lobbyscreen.New(r.env)
	if mustAsk {
		r.env.AskedName = true
		next = screen.NewIntro(r.env)
	}
	r.pendingCmd = tea.Batch(r.pendingCmd, r.resetScreens(next))
	o := r.env.State.Offer
	if o != nil && o.IsOpenToAnyone && !mustAsk {
		// The player has played a bot meanwhile.
		r.screens = append(r.screens, screen.NewWaiting(r.env))
	}
	r.env.Notice = notice
}

// OpenStart implements [widget.Navigator].
func (r *router) OpenStart(notice string) tea.Cmd {
	r.LeaveToLobby(notice)
	if r.rejoinMatch() {
		return nil
	}
	return r.openStart()
}

// resetScreens closes all screens and opens s.
func (r *router) resetScreens(s widget.Screen) tea.Cmd {
	r.screens = []widget.Screen{s}
	return r.initScreen(s)
}

func (r *router) initScreen(s widget.Screen) tea.Cmd {
	r.scroll = 0
	if s, ok := s.(widget.Initializer); ok {
		return s.Init()
	}
	return nil
}

// OpenReplay implements [widget.Navigator].
func (r *router) OpenReplay(id string, turn int) tea.Cmd {
	return screen.OpenReplay(r.env, r.currentScreen(), id, turn)
}

// rejoinMatch reports whether the player returned to a running match.
func (r *router) rejoinMatch() bool {
	if !r.env.CheckAction(r.env.Session.RejoinMatch(true, false)) {
		return false
	}
	if r.openNewMatch(); r.match == nil {
		return false
	}
	r.env.Notice = r.env.Lang.Text("Welcome back. Your match continues.")
	return true
}

// openNewMatch opens the session's match if it is new.
func (r *router) openNewMatch() {
	now := r.env.State.Match
	if now == nil || now == r.match {
		return
	}
	wasPlaying, o := r.isPlaying(), r.env.State.Offer
	r.match, r.help = now, false
	r.resetScreens(play.New(r.env, now))
	switch {
	case o != nil && o.IsOpenToAnyone:
		r.env.Notice = r.env.Lang.Text("You are still waiting: when a player comes, that match opens.")
	case wasPlaying && now.Pace == 0:
		r.pendingCmd = tea.Batch(r.pendingCmd, r.env.RingBell())
		r.env.Notice = r.env.Lang.Text("%s is here. Your other match waits for you in the lobby.", text.CleanName(now.Opponent.Name))
	}
}

// typingMode returns the meaning of keys on the current screen.
func (r *router) typingMode() widget.Typing {
	if s, ok := r.currentScreen().(widget.Typist); ok {
		return s.Typing()
	}
	return widget.NoText
}

// isPlaying reports whether a match is running on the current screen.
func (r *router) isPlaying() bool {
	s, ok := r.currentScreen().(widget.MatchPlayer)
	return ok && s.IsPlaying()
}

// openStart opens the session's starting screen, on the first call only.
func (r *router) openStart() tea.Cmd {
	o, env := r.startScreen, r.env
	r.startScreen = session.StartScreen{}
	switch {
	case o.PrivateCode != "":
		return screen.RunOffer(env, func() error { return env.Session.JoinPrivateMatch(o.PrivateCode) }, func() {})
	case o.ResumeCode != "":
		return screen.RunOffer(env, func() error { return env.Session.ResumeSeat(o.ResumeCode) }, func() {})
	case o.Rejoin:
		screen.ContinueMatch(env)
	case o.Watch != "":
		if env.CheckAction(env.Session.FindAndWatch(o.Watch)) {
			// updateWatchedMatch would be too late for a match between bots.
			env.Watched = widget.NewWatchedMatch(env, env.State.Watching, true)
			return r.Open(screen.NewWatch(env, env.Watched.ID))
		}
	case o.Turn != "":
		return env.OpenTurn(o.Turn)
	case o.Daily:
		return r.Open(play.NewDaily(env))
	case o.Puzzles:
		return r.Open(play.NewPuzzles(env))
	case o.Play:
		return screen.StartMatch(env, o.Bot, o.Rules, o.RatingMode)
	}
	return nil
}
