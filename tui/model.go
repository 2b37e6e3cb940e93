package tui

import (
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/screen"
	lobbyscreen "broadside/tui/screen/lobby"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// WatchPace is the shortest time between two updates of a watched match, see
// [session.Client]. Matches between programs are too fast to follow.
const WatchPace = 100 * time.Millisecond

// idleTime is how long after the last key a player counts as looking at the lobby.
// Idle players do not keep the featured match running.
const idleTime = 5 * time.Minute

// Config configures a [Model].
type Config struct {
	// Session is closed by [Model.Close].
	Session *session.Session
	// Width and Height are the terminal's size in cells.
	Width, Height int
	// Opening is where the session starts, unless the player has a running match.
	Opening session.StartScreen
	// Returned means that the player has been here before, so newcomers start in the lobby as well.
	Returned bool
	// Terminal has the terminal's known properties.
	Terminal term.Terminal
	// Language is used if the player has not chosen a language.
	Language i18n.Language
	// Settings are the player's. Empty Rules mean the default.
	Settings account.Settings
	// Log may be nil.
	Log *slog.Logger
}

// Model is the root model of one session. Only its Bubble Tea program uses it, except
// that the session's owner calls [Model.Close] after the program ends.
type Model struct {
	*router
	appearance

	// returned is Config.Returned.
	returned bool
	// turnRevision is that of the turns that were read last.
	turnRevision int
	// challenge is the one for the player to answer, or nil.
	challenge     *lobby.Challenge
	width, height int

	frame drawnFrame
	// redraw means that the next frame differs from the last one.
	redraw      bool
	pointer     pointer
	noticeState noticeState
	// leaveAsked means that the player, on a terminal that is too small, was asked to press ctrl+c again.
	leaveAsked bool
	// looking means that the session keeps the featured match running.
	looking bool
	// next is when the screen next changes on its own. Zero means never.
	next time.Time
	// alarm fires at next.
	alarm *time.Timer
	// ended is why the server ended the session, or nil if it did not.
	ended error
}

// New returns a session's model. ctx must end with the session.
func New(ctx context.Context, cfg Config) *Model {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Settings.Rules.Name == "" {
		cfg.Settings = account.DefaultSettings()
	}
	r := &router{startScreen: cfg.Opening}
	m := &Model{
		router: r, appearance: appearance{sessionLanguage: cfg.Language, terminal: cfg.Terminal},
		returned: cfg.Returned, width: cfg.Width, height: cfg.Height, alarm: time.NewTimer(idleTime),
	}
	state := cfg.Session.State()
	m.env = &widget.Env{
		Nav: m, Ctx: ctx, Session: cfg.Session, State: state, Lobby: state.Lobby, Log: cfg.Log,
		Newcomer: state.Me.Account == "", LobbyChat: widget.NewChat("", nil), LastKeyTime: time.Now(),
	}
	m.ApplySettings(cfg.Settings)
	m.env.Session.SetDoNotDisturb(cfg.Settings.DoNotDisturb)
	m.pendingCmd = m.resetScreens(lobbyscreen.New(m.env))
	return m
}

// Close ends the session: it withdraws an open offer and leaves a running match. Close
// is idempotent.
func (m *Model) Close() {
	m.alarm.Stop()
	m.env.Session.Close()
}

// Language returns the interface's language.
func (m *Model) Language() i18n.Language { return m.env.Lang }

// ExitMessage returns the text to print after the last frame, and the exit status.
func (m *Model) ExitMessage() (reason string, status int) {
	if m.ended != nil {
		reason = text.Clean(narrate.ErrorText(m.env.Lang, m.ended), widget.MaxErrorWidth)
	}
	return reason, 0
}

// noticeMsg is the message of [NewNotice].
type noticeMsg i18n.Message

// NewNotice returns a message that makes a [Model] show a notice until the next key
// press.
func NewNotice(said i18n.Message) tea.Msg { return noticeMsg(said) }

// Init implements tea.Model. A player with a running match returns to it.
func (m *Model) Init() tea.Cmd {
	var cmd tea.Cmd
	switch {
	case m.rejoinMatch():
	case !m.returned && m.startScreen.IsLobby() && (m.env.CanRegister() || m.env.State.Me.Guest):
		cmd = m.resetScreens(screen.NewWelcome(m.env))
	default:
		cmd = m.openStart()
	}
	_, more := m.Update(changedMsg{})
	m.redraw = true
	return tea.Batch(cmd, more)
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	before := m.env.Notice
	var cmd tea.Cmd
	// staying is whether a new notice stays.
	staying := false
	m.redraw = true
	m.env.Idle = time.Since(m.env.LastKeyTime) >= idleTime
	switch msg := msg.(type) {
	case changedMsg:
		// The session sends this twice for each update that it delays.
		m.redraw = false
		cmd = tea.Batch(m.pollSession(), m.waitForChange)
	case tea.KeyPressMsg:
		cmd = m.handleKey(msg)
	case tea.MouseMsg:
		cmd = m.handleMouse(msg)
	case tea.PasteMsg:
		cmd = m.handlePaste(msg)
	case widget.CommandResult:
		if msg.CountedWork {
			m.env.Work.End()
		}
		m.env.RefreshState()
		cmd = msg.Then()
	case noticeMsg:
		m.env.Notice, staying = text.Clean(i18n.Message(msg).Text(m.env.Lang), 2*widget.MinWidth), true
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		b := m.frame.boards
		if b != nil {
			b.ClearHighlight()
		}
	case term.Terminal:
		m.terminal = msg
		m.ApplySettings(m.env.Settings)
	case term.SlowLine:
		m.isLineSlow = bool(msg)
		m.ApplySettings(m.env.Settings)
	}
	m.openNewMatch()
	cmd = tea.Batch(cmd, m.updateWatchedMatch())
	cmd, m.pendingCmd = tea.Batch(cmd, m.pendingCmd), nil
	m.updateNotice(before, staying)
	m.redraw = m.redraw || m.env.Notice != before
	m.scheduleRedraw()
	return m, cmd
}

func (m *Model) hasMinimumSize() bool {
	return m.width >= widget.MinWidth && m.height >= widget.MinHeight
}
