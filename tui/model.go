package tui

import (
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
	"broadside/tui/screen"
)

// WatchPace is the shortest time between two updates of a match that is watched, see
// [session.Client]. A match of programs is faster than any eye.
const WatchPace = 100 * time.Millisecond

// idleTime is how long after the last key a player is taken to be looking at the
// lobby. After that, the featured match is only for others.
const idleTime = 5 * time.Minute

// Config is what a model needs to know of its session.
type Config struct {
	Session       session.Session  // which [Model.Close] closes
	Width, Height int              // of the terminal, in cells
	Opening       session.Opening  // where the session begins, if no match of the player is running
	Terminal      term.Terminal    // what is known of it
	Language      i18n.Language    // of the session, for a player who has chosen none
	Settings      session.Settings // the player's; without Rules the default ones
	Log           *slog.Logger     // nil: no log
}

// Model is the root model of one session. It is used by its program only;
// [Model.Close] is called by the session's owner after the program.
type Model struct {
	*router
	appearance
	spectating
	challenge     *session.Challenge // that the player may answer; nil: none
	width, height int

	frame      drawn
	noticed    noticed
	leaveAsked bool // the player was asked to press ctrl+c again, where no screen fits
	lastKey    time.Time
	stopTick   context.CancelFunc // of the last tick
	ended      error              // why the server has ended the session; nil: it has not
}

// New returns the model of a session. Ctx ends with the session.
func New(ctx context.Context, cfg Config) *Model {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Settings.Rules.Name == "" {
		cfg.Settings = session.DefaultSettings()
	}
	r := &router{opening: cfg.Opening}
	m := &Model{
		router: r, spectating: spectating{router: r}, appearance: appearance{native: cfg.Language, terminal: cfg.Terminal},
		width: cfg.Width, height: cfg.Height, stopTick: func() {}, lastKey: time.Now(),
	}
	state := cfg.Session.State()
	m.env = &component.Env{
		Navigator: m, Ctx: ctx, Session: cfg.Session, State: state, Lobby: state.Lobby, Log: cfg.Log,
		Newcomer: state.Me.Account == "", LobbyChat: component.NewChat("", nil),
	}
	m.ApplySettings(cfg.Settings)
	m.env.Do(session.DoNotDisturb{On: cfg.Settings.DoNotDisturb})
	m.screens = []component.Screen{screen.NewLobby(m.env)}
	return m
}

// Close ends the player's presence: an open offer is withdrawn, a running match is
// left. Closing twice is closing once.
func (m *Model) Close() {
	m.stopTick()
	m.env.Session.Close()
}

// Language returns the language of the screens.
func (m *Model) Language() i18n.Language { return m.env.Lang }

// Farewell returns what the player reads after the last frame, and the exit status.
func (m *Model) Farewell() (text string, status int) {
	if m.ended != nil {
		text = format.Clean(phrase.Error(m.env.Lang, m.ended), component.MaxErrorWidth)
	}
	return text, 0
}

// What commands bring.
type (
	updateMsg session.Update
	noticeMsg i18n.Message
	tickMsg   struct{ ctx context.Context }
	idleMsg   struct{}
	endedMsg  struct{ why error } // the server has ended the session
)

// Notice is a message to a [Model] that shows a sentence to the player until the next
// key.
func Notice(said i18n.Message) tea.Msg { return noticeMsg(said) }

// Init implements tea.Model. A player whose match is still running is back in it.
func (m *Model) Init() tea.Cmd {
	var cmd tea.Cmd
	me := m.env.State.Me
	switch {
	case m.rejoin():
	case me.Account == "" && m.env.Session.Client().Fingerprint != "" && m.env.Session.HasStore():
		cmd = m.reset(screen.NewIntro(m.env))
	default:
		cmd = m.open()
		m.spectate(m.fits())
	}
	return tea.Batch(m.next(), m.withTick(cmd))
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.frame.same = false
	before := m.env.Notice
	cmd := m.update(msg)
	m.followMatch()
	if _, stays := msg.(noticeMsg); m.updateNotice(before, stays) {
		m.tickDue = true
	}
	m.spectate(m.fits())
	return m, m.withTick(cmd)
}

// withTick adds a tick to a command if one is due.
func (m *Model) withTick(cmd tea.Cmd) tea.Cmd {
	if !m.tickDue {
		return cmd
	}
	m.tickDue = false
	return tea.Batch(cmd, m.tick())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if b := m.frame.boards; b != nil {
			b.ClearHover()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case updateMsg:
		m.tickDue = true
		return tea.Batch(m.receive(session.Update(msg)), m.next())
	case component.Result:
		if msg.Worked {
			m.env.Work.End()
		}
		if msg.By == nil || msg.By == m.top() {
			return msg.Then()
		}
	case noticeMsg:
		m.env.Notice = format.Clean(i18n.Message(msg).In(m.env.Lang), 2*component.MinWidth)
	case idleMsg:
		m.env.Idle = time.Since(m.lastKey) >= idleTime
		m.frame.same = !m.env.Idle && m.frame.content != ""
		return m.next()
	case endedMsg:
		m.ended = msg.why
		return tea.Quit
	case tickMsg:
		m.tickDue = msg.ctx.Err() == nil // else another one has been asked for since
	}
	return nil
}

func (m *Model) fits() bool {
	return m.width >= component.MinWidth && m.height >= component.MinHeight
}
