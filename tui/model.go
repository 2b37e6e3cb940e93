package tui

import (
	"context"
	"log/slog"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/tui/board"
	"broadside/tui/format"
)

// The smallest terminal that the screens fit into, in cells.
const (
	MinWidth  = 40
	MinHeight = 16
)

// Config is what a model needs to know of its session.
type Config struct {
	Session       session.Session  // which [Model.Close] closes
	Width, Height int              // of the terminal, in cells
	Opening       Opening          // where the session begins, if no match of the player still runs
	Terminal      look.Terminal    // what is known of it
	Language      i18n.Language    // of the session, for a player who has chosen none
	Settings      session.Settings // the player's; without Rules the default ones
	Log           *slog.Logger     // nil: no log
}

// Model is the screens of one session. It is used by its program only;
// [Model.Close] is called by the session's owner after the program.
type Model struct {
	ctx           context.Context
	own           session.Session
	state         session.State // of own, as it was last read
	me            session.Player
	log           *slog.Logger
	opening       Opening
	width, height int
	native        i18n.Language // of the session
	lang          i18n.Language // in which everything is said; it may change

	news     *session.Snapshot  // never nil
	call     *session.Challenge // that this player may answer; nil if there is none
	settings session.Settings   // see choose
	newcomer bool               // may never have played, and is offered a few shots
	screen   screen
	game     *game             // the match being played, or just over
	hot      *hotSeat          // that match, if it is one of two people here; else nil
	mine     session.Occupancy // of the player's seat in a match, while they are in the lobby; see offered
	sight    *sight            // the match being watched, or seen in the lobby; see attend
	help     bool              // the help page is shown
	notice   string            // one sentence, until the next key: see reviewNotice
	noticed  noticed
	quit     bool // the person wants to leave at once
	sure     bool // they were asked to press ctrl+c again, where no screen fits

	terminal look.Terminal
	choice   look.Choice
	colours  *look.Look // that of the choice at the terminal

	spots   []board.Spot    // where the boards stand, as drawn last; the mouse is about what was seen
	top     int             // the line where the body begins, as drawn last
	buttons []button        // in the first line of the body, as drawn last
	views   [2]board.Window // what of the boards is shown
	chosen  int             // the board that is shown where there is no room for both
	folded  bool            // there is none
	brief   string          // what stands above the keys if nothing else does, as drawn last
	hover   hover
	content string    // the last frame
	before  []string  // its lines from the boards on; none if it has no boards
	same    bool      // the next one is the same
	flashes [2]*flash // on the boards; nil if there is none
	scroll  int       // how many lines of a body that is too high are above the screen

	hallTalk  *talk          // the lobby's
	matchTalk *talk          // of the match played or watched; nil if nobody talks there
	saying    *saying        // what is typed to be said; nil: nothing
	mutedLast session.Player // whose hearing was changed last; without an ID nobody's

	work     working            // what is being waited for besides people
	stopTick context.CancelFunc // of the last tick asked for

	looks   bool      // the visit looks, as the lobby has been told
	lastKey time.Time // when the last key came
	dozing  bool      // none has come for lookTime
	ended   error     // why the server has ended the session; nil: it has not
}

// screen is one of the screens.
type screen interface {
	// key handles a key press.
	key(m *Model, key string) tea.Cmd
	// draw returns the lines between the bar and the notice.
	draw(m *Model) []string
	// hints lists the keys that work now, as pairs of key and meaning.
	hints(m *Model) []i18n.Text
}

// noticeMsg is a sentence for the person.
type noticeMsg i18n.Message

// Notice is a message to a [Model] that shows a sentence to the person until the
// next key.
func Notice(said i18n.Message) tea.Msg { return noticeMsg(said) }

// Language is the one in which the person is spoken to.
func (m *Model) Language() i18n.Language { return m.lang }

// Farewell returns what the player reads after the last frame, and the exit status.
func (m *Model) Farewell() (text string, status int) {
	if m.ended != nil {
		text = format.Clean(phrase.Error(m.lang, m.ended), longestSentence)
	}
	return text, 0
}

// announceTime is how long what an operator says is shown, at least as long as
// nothing else is to be said.
const announceTime = time.Minute

// New makes the model of a session. Ctx ends with the session. A person whose
// match still runs is back in it.
func New(ctx context.Context, cfg Config) *Model {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	m := &Model{
		ctx: ctx, own: cfg.Session, log: cfg.Log, opening: cfg.Opening,
		width: cfg.Width, height: cfg.Height, native: cfg.Language, screen: &lobbyScreen{},
		stopTick: func() {}, lastKey: time.Now(), hallTalk: &talk{room: session.InLobby},
		terminal: cfg.Terminal, chosen: enemyWaters,
	}
	if cfg.Settings.Rules.Name == "" {
		cfg.Settings = session.DefaultSettings()
	}
	m.read()
	m.news = m.state.Lobby
	m.wear(cfg.Settings)
	m.newcomer = m.me.Account == ""
	m.hover.at = board.Nowhere
	return m
}

// Close ends the person's presence: a wish to play is taken back, a running
// match is left. Closing twice is closing once.
func (m *Model) Close() {
	m.stopTick()
	m.own.Close()
}

// What commands bring.
type (
	updateMsg session.Update
	tickMsg   struct{ ctx context.Context }
	dozeMsg   struct{}
	endedMsg  struct{ why error } // the server has ended the session
)

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	if m.rejoin() {
		return m.next()
	}
	if m.me.Account == "" && m.own.Client().Fingerprint != "" && m.own.HasStore() {
		m.screen = newIntroScreen(m.own.Client().Name, false)
		return m.next()
	}
	open := m.open(m.takeOpening())
	m.attend()
	return tea.Batch(m.next(), open)
}

// rejoin reports whether the player is back in a match.
func (m *Model) rejoin() bool {
	if !m.do(session.Rejoin{HotSeat: true}) || m.game == nil {
		m.mine = m.occupancy()
		return false
	}
	m.notice = m.lang.Say("Welcome back: your match goes on.")
	return true
}

// arrive is where a person begins who has just become known.
func (m *Model) arrive(notice string) tea.Cmd {
	m.toLobby(notice)
	if m.rejoin() {
		return nil
	}
	return m.open(m.takeOpening())
}

// takeOpening is where the session begins, the first time it is asked.
func (m *Model) takeOpening() Opening {
	o := m.opening
	m.opening = Opening{}
	return o
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.same = false
	before := m.notice
	cmd := m.update(msg)
	if _, stays := msg.(noticeMsg); m.reviewNotice(before, stays) {
		cmd = tea.Batch(cmd, m.tick())
	}
	m.attend()
	m.listen()
	return m, cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.hover = hover{at: board.Nowhere} // until the mouse moves again
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case updateMsg:
		return tea.Batch(m.learn(session.Update(msg)), m.next(), m.tick())
	case keptMsg:
		m.kept(msg)
	case noticeMsg:
		m.notice = format.Clean(i18n.Message(msg).In(m.lang), 2*MinWidth)
	case dozeMsg:
		m.dozing = time.Since(m.lastKey) >= lookTime
		m.same = !m.dozing && m.content != ""
		return m.next()
	case broughtMsg:
		return msg.take(m)
	case flashMsg:
		return m.flashed(msg.flash)
	case endedMsg:
		m.ended = msg.why
		return tea.Quit
	case tickMsg:
		if msg.ctx.Err() == nil { // else another one has been asked for since
			return m.tick()
		}
	}
	return nil
}

func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	m.lastKey, m.dozing = time.Now(), false
	if !m.fits() { // nothing may happen on a screen that cannot be seen
		leaves := key == "ctrl+c"
		if leaves && m.playing() && !m.sure {
			m.sure = true
			return nil
		}
		if m.sure = false; leaves {
			return tea.Quit
		}
		return nil
	}
	m.sure = false
	m.noteKey()
	if m.saying != nil {
		return m.saying.key(m, msg)
	}
	if cmd, ok := m.answer(key); ok {
		return cmd
	}
	if m.refuse(key) {
		return nil
	}
	if m.help && key != "pgdown" && key != "pgup" {
		m.help, m.scroll = false, 0
		return nil
	}
	if key == "?" {
		m.help, m.scroll = true, 0
		return nil
	}
	switch key {
	case "pgdown":
		m.scroll += m.room() - 1
	case "pgup":
		m.scroll -= m.room() - 1
	case m.otherBoardKey():
		if m.folded && !m.leavingAsked() {
			m.chosen = 1 - m.chosen
			return nil
		}
	}
	before := m.screen
	cmd := m.screen.key(m, key)
	if m.screen != before {
		m.scroll = 0
	}
	if m.quit {
		return tea.Quit
	}
	return cmd
}

// otherBoardKey shows the other board, where there is room for one.
func (m *Model) otherBoardKey() string {
	if m.handsOver() || m.steers() {
		return "v"
	}
	return "tab"
}

func (m *Model) fits() bool { return m.width >= MinWidth && m.height >= MinHeight }
