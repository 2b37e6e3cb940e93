// Package play has the screens for playing: matches, the Daily sea and the
// tutorial.
//
// To the root model, a [Match] is one screen. It shows a page for each phase of a
// match: placing a fleet, the battle, the result, and the handover between two players
// at one terminal. Each page is itself a screen. A page draws the session's last
// update and has no access to the match itself.
package play

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// Match is the screen of a match that the session plays. Its pages share its state.
type Match struct {
	*widget.Env
	phase phase
	page  page
	// game is the current seat.
	game *game
	// hotSeat has both seats of a hot-seat match. In other matches, it is nil.
	hotSeat *hotSeat
	// chat is nil in hot-seat matches and against programs.
	chat *widget.Chat
	// chatInput has no chat if the opponent does not read.
	chatInput widget.ChatInput
	// ignoresTyping is set while the player may be typing a message although there is no chat.
	ignoresTyping bool

	question          question
	isRemovalUnderway bool
}

// page is a match screen's content in one phase.
type page interface {
	widget.Screen
	// handleUpdate handles an update of the current seat.
	handleUpdate(u *live.Update) tea.Cmd
}

// phase selects the page. The battle page also appears while the opponent still places ships.
type phase uint8

const (
	handingOver phase = iota
	placing
	fighting
	finished
)

// New returns the screen of the session's match.
func New(env *widget.Env, info *session.Match) *Match {
	m := &Match{Env: env, chatInput: widget.ChatInput{Env: env}}
	if info.HotSeat {
		m.hotSeat = newHotSeat(info)
		m.game = m.hotSeat.games[match.First]
		m.showPage(handingOver, &handoverPage{m.Env, m})
		return m
	}
	m.game = newGame(info, info.Side, m.DisplayName(info.Opponent))
	m.updateSeat()
	if info.Opponent.Kind != account.Program {
		m.chat = widget.NewChat(info.ID, &info.Opponent)
	}
	if info.Opponent.Kind == account.Person {
		m.chatInput.Chat = m.chat
	}
	m.showPage(placing, newPlacementPage(m))
	why := m.State.CasualReason()
	if why != "" {
		m.Notice = m.Lang.Text("This match is casual: %s.", why)
	}
	return m
}

func (m *Match) showPage(p phase, page page) {
	m.phase, m.page, m.ignoresTyping, m.question = p, page, false, noQuestion
	if !m.canChat() {
		m.chatInput.Close()
	}
}

// IsPlaying implements [widget.MatchPlayer].
func (m *Match) IsPlaying() bool { return m.game.last.View.Phase != match.Over }

// IsMyTurn implements [widget.MatchPlayer].
func (m *Match) IsMyTurn() bool {
	v := &m.game.last.View
	switch v.Phase {
	case match.Placing:
		return !v.Ready[m.game.side]
	case match.Battle:
		return v.Turn == m.game.side && !v.Pending
	}
	return false
}

// canChat reports whether this page has a chat with the opponent.
func (m *Match) canChat() bool { return m.chatInput.Chat != nil && m.showsChat() }

// showsChat reports whether this page shows what the opponent says, if that is possible.
func (m *Match) showsChat() bool { return m.phase == fighting || m.phase == finished }

// Subject implements [widget.Subject].
func (m *Match) Subject() any {
	if m.hotSeat != nil && m.phase != placing && m.phase != fighting {
		return nil
	}
	return m.game.noticeSubject()
}

// ShownRules implements [widget.RulesScreen].
func (m *Match) ShownRules() match.Rules { return m.game.last.View.Rules }

// NextTick implements [widget.Ticker].
func (m *Match) NextTick(now time.Time) time.Duration {
	u := &m.game.last
	next := widget.TimeToClockChange(now, u.Deadline, u.AwayUntil[0], u.AwayUntil[1])
	by := m.takeoverRequest()
	if by != nil {
		next = widget.ShorterWait(next, widget.TimeToClockChange(now, by.Until))
	}
	if m.showsChat() {
		_, until := m.chat.NewestLine(m.Env, now)
		next = widget.ShorterWait(next, until.Sub(now))
	}
	return next
}

// Typing implements [widget.Typist].
func (m *Match) Typing() widget.Typing {
	if m.chatInput.IsOpen() || m.ignoresTyping {
		return widget.AllText
	}
	if p, ok := m.page.(*placementPage); ok && p.nameInput != nil {
		return widget.SomeText
	}
	return widget.NoText
}

// AcceptsPaste implements [widget.Paster].
func (m *Match) AcceptsPaste() bool {
	p, ok := m.page.(*placementPage)
	return ok && m.question == noQuestion && p.draft.layout != nil
}

// takeoverRequest returns the request to take over the seat, or nil.
func (m *Match) takeoverRequest() *lobby.Takeover {
	if !m.IsPlaying() {
		return nil
	}
	return m.game.seat.Takeover
}

// Banner implements [widget.BannerScreen]. It shows a request to take over the seat.
func (m *Match) Banner(width int) string {
	by := m.takeoverRequest()
	if by == nil {
		return ""
	}
	left := narrate.TimeLeft(m.Lang, time.Until(by.Until))
	left = "  " + term.Key.Render("n") + " " + m.Lang.Text("refuse") + "  " + left
	return text.FirstFitting(width,
		term.Warn.Render(m.Lang.Text("%s has entered your resume code and takes over your seat:", m.NameWithKind(by.By)))+left,
		term.Warn.Render(m.Lang.Text("%s takes your seat:", m.NameWithKind(by.By)))+left)
}

// AnswerBanner implements [widget.BannerScreen]. It refuses the request.
func (m *Match) AnswerBanner(key string) bool {
	if key != "n" || m.takeoverRequest() == nil || m.Typing() != widget.NoText || m.question != noQuestion {
		return false
	}
	refused := m.CheckAction(m.Session.RefuseTakeover())
	m.updateSeat()
	if !refused {
		return true
	}
	m.Notice = m.Lang.Text("You keep your seat.")
	code := m.game.seat.ResumeCode
	if code != "" {
		m.Notice = m.Lang.Text("You keep your seat. Your new resume code: %s", code)
	}
	return true
}

// updateSeat reads the seat's state from the session.
func (m *Match) updateSeat() { m.game.seat = m.State.Seat }

func (m *Match) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		return m.handleUpdate(msg)
	case tea.PasteMsg:
		switch {
		case m.chatInput.IsOpen():
			return m.chatInput.Update(msg)
		case m.ignoresTyping:
			m.Notice = m.noChatNotice()
			return nil
		}
	case tea.KeyPressMsg:
		switch {
		case m.chatInput.IsOpen():
			return m.chatInput.Update(msg)
		case m.ignoresTyping:
			// Letters of the message must neither move nor fire, up to the key that ends it.
			m.ignoresTyping = !slices.Contains([]string{"esc", "enter", "ctrl+c"}, msg.String())
			if m.ignoresTyping {
				m.Notice = m.noChatNotice()
			}
			return nil
		case m.question != noQuestion:
			m.question = noQuestion
			return nil
		}
	case widget.MouseEvent:
		if m.question != noQuestion {
			return nil
		}
	}
	return m.page.Update(msg)
}

// Actions implements [widget.Screen].
func (m *Match) Actions() []widget.Action {
	switch {
	case m.chatInput.IsOpen():
		return m.chatInput.Actions()
	case m.ignoresTyping:
		return []widget.Action{{Keys: "esc", Label: "close"}}
	case m.question != noQuestion:
		return m.questionActions()
	}
	return m.page.Actions()
}

// chatAction returns the action that opens the chat input. If there is no chat, the bottom bar does not
// show it and the key says why.
func (m *Match) chatAction() widget.Action {
	chat := widget.ChatAction(func() {
		if m.canChat() {
			m.chatInput.Open()
			return
		}
		m.ignoresTyping, m.Notice = true, m.noChatNotice()
	})
	chat.Off = m.phase == finished && m.hotSeat != nil
	if !m.canChat() {
		chat.Label = ""
	}
	return chat
}

func (m *Match) noChatNotice() string {
	if m.hotSeat != nil {
		return m.Lang.Text("Hot-seat matches have no chat.")
	}
	return m.Lang.Text("%s does not chat.", m.game.opponent)
}

func (m *Match) handleUpdate(u session.Update) tea.Cmd {
	switch u.Kind {
	case session.MatchChanged:
		if u.ID == m.game.info.ID {
			return m.handleMatchUpdate(u)
		}
	case session.SeatChanged:
		m.updateSeat()
	case session.ReviewReady:
		if r, ok := m.page.(*resultPage); ok && u.ID == m.game.info.ID {
			r.review = u.Review
		}
	case session.ChatChanged:
		if m.chat != nil {
			m.chat.Receive(u, time.Now())
		}
	}
	return nil
}

func (m *Match) handleMatchUpdate(u session.Update) tea.Cmd {
	g := m.game
	if m.hotSeat != nil {
		g = m.hotSeat.games[u.Side]
	}
	if g == nil {
		return nil
	}
	var bell tea.Cmd
	if g.mustRingBell(&g.last, u.Match) {
		bell = m.RingBell()
	}
	if g.applyUpdate(u.Match) {
		m.CheckAction(m.Session.Move(g.side, match.Stay))
	}
	if u.Match.Refused != nil && g == m.game {
		m.Notice = m.ErrorText(u.Match.Refused)
	}
	m.showPageForPhase()
	if g != m.game {
		return bell
	}
	return tea.Batch(bell, m.page.handleUpdate(u.Match))
}

// showPageForPhase switches to the page of the match's current phase.
func (m *Match) showPageForPhase() {
	if m.hotSeat != nil {
		m.showHotSeatPageForPhase()
		return
	}
	v := &m.game.last.View
	switch {
	case v.Phase == match.Over:
		if m.phase != finished {
			m.State = m.Session.State()
			m.game.outcome = m.State.Outcome
			m.showPage(finished, newResultPage(m))
		}
	case v.Phase != match.Placing || v.Ready[m.game.side]:
		// A player who has placed a fleet needs no tutorial.
		m.Newcomer = false
		if m.phase != fighting {
			m.showPage(fighting, newBattlePage(m))
		}
	}
}

func (m *Match) View(size widget.Size) widget.View {
	v := m.page.View(size)
	v.Title, v.Spectators = m.title(size.Width), m.SpectatorCount(m.game.info.ID)
	if size.IsLow() && m.phase != handingOver {
		v.Question = m.questionText()
	}
	if m.canChat() {
		v.Input = m.chatInput.View(size.Width - 2)
	}
	if m.showsChat() && (m.phase != fighting || !v.Boards.ShowedText()) {
		v.Recent, _ = m.chat.NewestLine(m.Env, time.Now())
	}
	return v
}

// title names both players of a hot-seat match, or a guest with the resume code. It is empty if the default
// title is enough.
func (m *Match) title(width int) string {
	if m.hotSeat != nil {
		names := m.hotSeat.playerNames()
		return m.Lang.Text("%s and %s", names[match.First], names[match.Second])
	}
	if !m.State.Me.Guest || !m.IsPlaying() {
		return ""
	}
	code := m.Lang.Text("resume code %s", m.game.seat.ResumeCode)
	name := m.Lang.Text("%s (guest)", text.CleanName(m.State.Me.Name)) + " · " + code
	// The code matters more than the name.
	return text.FirstFitting(width-11, name, code)
}

// timeLeft returns the remaining time of the side that has to act, or says that the match is paused. It is
// empty if no clock is running.
func (m *Match) timeLeft() string {
	if m.game.last.Paused {
		return term.Warn.Render("  " + m.Lang.Text("The match is paused."))
	}
	at := m.game.last.Deadline
	if at.IsZero() {
		return ""
	}
	return term.Faint.Render("  " + m.Lang.Text("%s left", narrate.TimeLeft(m.Lang, time.Until(at))))
}
