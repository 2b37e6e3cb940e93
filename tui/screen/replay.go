package screen

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// replayer shows a replay, frame by frame.
type replayer struct {
	*widget.Env
	replay *text.Replay
	id     string
	review session.Review
	boards widget.Boards
	at     int    // the current frame
	typed  string // digits of the shot number to jump to

	running bool               // advancing automatically
	speed   int                // index into paces
	stopped context.CancelFunc // cancels the wait for the next frame; nil: not waiting

	advised bool         // show advice from the admiral bot
	advice  *text.Advice // for the frame in it; nil: none yet
	asked   bool         // waiting for advice
}

// paces are the display times of a frame while the replay runs.
var paces = []time.Duration{4 * time.Second, 2 * time.Second, time.Second, time.Second / 2, time.Second / 4, time.Second / 8}

// usualPace is the initial pace.
const usualPace = 2

// leap is the number of frames in a long jump.
const leap = 10

// OpenReplay reads a match and opens its replay above the given screen. Turn is as in
// [widget.Navigator].
func OpenReplay(env *widget.Env, from widget.Screen, id string, turn int) tea.Cmd {
	if !env.Session.State().HasStore {
		env.Notice = env.Lang.Text("This server does not save matches.")
		return nil
	}
	lang := env.Lang
	return env.Later(from, func(ctx context.Context) func() tea.Cmd {
		record, err := env.Session.Record(ctx, id)
		var r *text.Replay
		if err == nil {
			r, err = text.NewReplay(lang, record)
		}
		var review session.Review
		if err == nil {
			review, _ = env.Session.Review(ctx, id) // shown once it is ready
		}
		return func() tea.Cmd {
			switch {
			case errors.Is(err, store.ErrNotFound):
				env.Notice = env.Lang.Text("This match was not saved.")
			case err != nil:
				env.Log.Error("match cannot be shown", "match", id, "error", err)
				env.Notice = env.Lang.Text(widget.CannotRead)
			case env.Shows(from):
				return env.Open(NewReplay(env, r, &record.Summary, review, turn))
			}
			return nil
		}
	})
}

// NewReplay returns a replay screen at a turn of a match; see [OpenReplay].
func NewReplay(env *widget.Env, r *text.Replay, about *store.Summary, review session.Review, turn int) widget.Screen {
	s := &replayer{Env: env, replay: r, id: about.ID, review: review, boards: widget.Boards{Chosen: widget.EnemyBoard}, speed: usualPace}
	for side, seat := range about.Seats {
		if c := review.Sides[side].Costliest; turn == 0 && len(c) > 0 && seat.Player != "" && seat.Player == env.State.Me.Account {
			turn = c[0].Turn
		}
	}
	if turn > 0 {
		s.show(turn - 1) // the board before the shot
		s.advised = true
		s.boards.Chosen = int(r.View(s.at).Turn.Other())
	}
	return s
}

// Init implements [widget.Initer]. It asks for advice if it is shown.
func (s *replayer) Init() tea.Cmd { return s.askAdvice() }

// readReview reads the review of the match.
func (s *replayer) readReview() tea.Cmd {
	return s.Background(func(ctx context.Context) func() {
		review, err := s.Session.Review(ctx, s.id)
		return func() {
			if err == nil {
				s.review = review
			}
		}
	})
}

// nextMistake shows the board before the next costliest shot of either side.
func (s *replayer) nextMistake() {
	next := -1
	for _, side := range s.review.Sides {
		for _, shot := range side.Costliest {
			if at := shot.Turn - 1; at > s.at && (next < 0 || at < next) {
				next = at
			}
		}
	}
	if next < 0 {
		s.Notice = s.Lang.Text("No more mistakes.")
		return
	}
	s.show(next)
	s.advised = true
}

var replayKeys = struct{ jump, number, shots, next, previous, tens, down, up, first, last, run, stop, speed, faster, slower, advice, mistake, back key.Binding }{
	jump: widget.Bind("enter", "jump", "enter"), number: widget.Bind("0–9", "jump", ""),
	shots: widget.Bind("←→", "shot", "left right"), tens: widget.Bind("↑↓", "10 shots", "up down"), speed: widget.Bind("+-", "speed", "+ -"),
	next: widget.Bind("←→", "shot", "right l"), previous: widget.Bind("←→", "shot", "left h"),
	down: widget.Bind("↑↓", "10 shots", "down j pgdown"), up: widget.Bind("↑↓", "10 shots", "up k pgup"),
	first: widget.Bind("←→", "shot", "home g"), last: widget.Bind("←→", "shot", "end G"),
	run: widget.Bind("space", "play##replay", "space"), stop: widget.Bind("space", "pause", "space"),
	faster: widget.Bind("+-", "speed", "+ ="), slower: widget.Bind("+-", "speed", "-"),
	advice: widget.Bind("a", "admiral", "a"), mistake: widget.Bind("n", "next mistake", "n"), back: back("q backspace"),
}

// Close implements [widget.Closer].
func (s *replayer) Close() { s.stop() }

// MatchShown implements [widget.MatchViewer].
func (s *replayer) MatchShown() match.Rules { return s.replay.View(s.at).Rules }

func (s *replayer) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && u.Kind == session.ReviewReady && u.ID == s.id {
		return s.readReview()
	}
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	before := s.at
	cmd := s.press(press)
	if s.at != before {
		s.showShot()
	}
	return cmd
}

func (s *replayer) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &replayKeys
	if digit := msg.String(); widget.IsDigit(digit) {
		if len(s.typed) < maxShotDigits {
			s.typed += digit
		}
		return nil
	}
	typed := s.typed
	s.typed = ""
	switch {
	case key.Matches(msg, widget.OtherBoard) && s.boards.Switch():
	case key.Matches(msg, k.back):
		s.stop()
		s.Back()
		return nil
	case key.Matches(msg, k.jump):
		s.jump(typed)
	case key.Matches(msg, k.next):
		s.show(s.at + 1)
	case key.Matches(msg, k.previous):
		s.show(s.at - 1)
	case key.Matches(msg, k.up):
		s.show(s.at - leap)
	case key.Matches(msg, k.down):
		s.show(s.at + leap)
	case key.Matches(msg, k.first):
		s.show(0)
	case key.Matches(msg, k.last):
		s.show(s.replay.Len() - 1)
	case key.Matches(msg, k.run):
		if s.running {
			s.stop()
		} else if s.running = true; s.at == s.replay.Len()-1 {
			s.at = 0
		}
	case key.Matches(msg, k.faster):
		s.changeSpeed(1)
	case key.Matches(msg, k.slower):
		s.changeSpeed(-1)
	case key.Matches(msg, k.mistake):
		s.nextMistake()
	case key.Matches(msg, k.advice):
		s.advised = !s.advised
	}
	return tea.Batch(s.waitForNext(), s.askAdvice())
}

func (s *replayer) changeSpeed(by int) {
	s.speed = max(0, min(s.speed+by, len(paces)-1))
	if s.halt(); !s.running {
		s.Notice = s.pace(paces[s.speed])
	}
}

// maxShotDigits is the maximum number of digits of a shot number.
const maxShotDigits = 4

// jump jumps to the typed shot number, if any.
func (s *replayer) jump(typed string) {
	switch n, err := strconv.Atoi(typed); {
	case err != nil: // nothing was typed
	case n >= s.replay.Len():
		s.Notice = s.Lang.Text("There is no shot %s: the last shot is %d.", typed, s.replay.Len()-1)
	default:
		s.show(n)
	}
}

// show stops the replay and shows frame n, or the nearest frame.
func (s *replayer) show(n int) {
	s.stop()
	s.at = max(0, min(s.replay.Len()-1, n))
}

// showShot switches to the board where the shot landed, if only one fits.
func (s *replayer) showShot() {
	if turn, ok := s.replay.Turn(s.at); ok {
		s.boards.Chosen = int(turn.Side.Other())
	}
}

func (s *replayer) stop() {
	s.running = false
	s.halt()
}

// halt cancels the wait for the next frame.
func (s *replayer) halt() {
	if s.stopped != nil {
		s.stopped()
		s.stopped = nil
	}
}

// waitForNext schedules the next frame if the replay is running.
func (s *replayer) waitForNext() tea.Cmd {
	if !s.running || s.stopped != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(s.Ctx)
	s.stopped = cancel
	return widget.Wait(ctx, paces[s.speed], func() tea.Cmd {
		if ctx.Err() != nil { // stopped in the meantime
			return nil
		}
		return s.advance()
	})
}

// advance shows the next frame while the replay is running.
func (s *replayer) advance() tea.Cmd {
	s.halt()
	if s.at++; s.at >= s.replay.Len()-1 {
		s.at = s.replay.Len() - 1
		s.stop()
	}
	s.showShot()
	return tea.Batch(s.waitForNext(), s.askAdvice())
}

// askAdvice requests advice on the current frame if advice is on. There is at most one
// request at a time.
func (s *replayer) askAdvice() tea.Cmd {
	if !s.advised || s.asked || s.advice != nil && s.advice.Frame == s.at {
		return nil
	}
	if s.replay.View(s.at).Phase != match.Battle {
		return nil
	}
	s.asked = true
	advise := s.replay.Advise(s.at)
	s.Work.Begin(time.Now())
	return func() tea.Msg {
		a := advise()
		return widget.Result{Worked: true, Then: func() tea.Cmd {
			s.asked, s.advice = false, a
			return s.askAdvice() // the frame may have changed
		}}
	}
}

func (s *replayer) View(size widget.Size) widget.View {
	var shown *text.Advice
	if s.advised && s.advice != nil && s.advice.Frame == s.at && s.advice.Odds != nil {
		shown = s.advice
	}
	status, state := s.replay.Caption(s.at), s.state(shown, size.Width)
	if size.Low() && (s.typed != "" || shown != nil) { // the requested information matters more
		status = state
	}
	lines := append(board.ReplayText(s.replay, s.at, size.Width), state)
	if shown != nil {
		lines = append([]string{s.legend(size)}, lines...)
	}
	view := s.boards.View(s.Env, size, board.Scene{
		Status: status, Panels: board.ReplayPanels(s.replay, s.at, shown), Text: lines, Brief: s.replay.Count(s.at),
		Pane: func(height int) []string { return s.pane(height, shown) },
	})
	if size.Width >= headingWidth {
		view.Heading = s.replay.Heading()
	}
	return view
}

// headingWidth is the width of the narrowest screen with a heading in its title line.
const headingWidth = 80

// legend explains the colours and signs of the admiral's advice.
func (s *replayer) legend(size widget.Size) string {
	var heats strings.Builder
	for i := range term.Heats {
		heats.WriteString((term.Heat0 + term.Style(i)).Render("  "))
	}
	text := term.Faint.Render(s.Lang.Text("cold")) + " " + heats.String() + " " + term.Faint.Render(s.Lang.Text("hot: chance of a ship in %"))
	return size.Fit(text+term.Faint.Render("   "+board.SignHull+" "+s.Lang.Text("a ship lies here")), text)
}

// pane returns the text beside the boards on a wide screen: the log, the accuracies, and
// the shot that the admiral comments on.
func (s *replayer) pane(height int, shown *text.Advice) []string {
	var log widget.Log
	log.Receive(s.replay.Update(s.at))
	p := widget.Pane{Log: &log, Names: s.replay.Names(), Own: match.Nobody}
	lines := p.Lines(s.Env, min(height, 16), s.Detail)
	row := func(name, value string) {
		lines = append(lines, text.Pad(name, board.PaneText-text.Width(value))+value)
	}
	title := func(title, note string) {
		lines = append(lines, "", widget.Titled(title, note, board.PaneText))
	}
	if a, b := s.review.Sides[0], s.review.Sides[1]; a.Judged+b.Judged > 0 {
		title(s.Lang.Text("Accuracy"), "")
		for side, name := range s.replay.Names() {
			row(name, narrate.Percent(s.Lang, s.review.Sides[side].Accuracy))
		}
	}
	turn, ok := s.replay.Turn(min(s.at+1, s.replay.Len()-1))
	if shown == nil || !ok || s.at+1 == s.replay.Len() {
		return lines
	}
	odds := func(c match.Cell) string { return fmt.Sprintf("%-3s %5s", c, narrate.Percent(s.Lang, shown.Of(c))) }
	title(s.Lang.Text("Next shot"), "")
	row("admiral", term.Good.Render(odds(shown.Cells[0])))
	for _, c := range turn.Cells {
		row(s.replay.Names()[turn.Side], odds(c))
	}
	for _, c := range s.review.Sides[turn.Side].Costliest {
		if c.Turn == s.at+1 {
			lines = append(lines, term.Bad.Render(s.Lang.Text("cost %.2f", c.Lost())))
		}
	}
	return lines
}

// state describes the replay's state or the admiral's advice, for a screen of a width.
func (s *replayer) state(shown *text.Advice, width int) string {
	if s.typed != "" {
		return s.Lang.Text("Jump to shot: %s  then press enter", s.typed+"_")
	}
	v := s.replay.View(s.at)
	switch {
	case s.advised && v.Phase != match.Battle:
		return term.Faint.Render(s.Lang.Text("admiral has no targets left."))
	case s.advised && shown == nil && s.asked:
		return term.Faint.Render(s.Lang.Text("admiral is thinking…"))
	case s.advised && shown == nil:
		return term.Faint.Render(s.Lang.Text("No fleet fits these results."))
	case s.advised:
		odds := func(c match.Cell) string {
			return term.Strong.Render(fmt.Sprintf("%v (%s)", c, narrate.Percent(s.Lang, shown.Of(c))))
		}
		if s.at+1 < s.replay.Len() {
			if turn, ok := s.replay.Turn(s.at + 1); ok {
				all := make([]string, len(turn.Cells))
				for i, c := range turn.Cells {
					all[i] = odds(c)
				}
				name, fired := s.replay.Names()[turn.Side], strings.Join(all, ", ")
				return text.FirstFitting(width, s.Lang.Text("admiral would fire at %s; %s fired at %s.", odds(shown.Cells[0]), name, fired),
					"admiral: "+odds(shown.Cells[0])+" · "+name+": "+fired)
			}
		}
		return s.Lang.Text("admiral would fire at %s.", odds(shown.Cells[0]))
	case s.running:
		return term.Good.Render(s.Lang.Text("Playing:")) + " " + s.pace(paces[s.speed])
	}
	var about []string
	if width < headingWidth {
		about = append(about, s.replay.Heading())
	}
	for side, name := range s.replay.Names() {
		if r := s.review.Sides[side]; r.Judged > 0 {
			about = append(about, s.Lang.Text("accuracy of %s: %s", name, narrate.Percent(s.Lang, r.Accuracy)))
		}
	}
	return term.Faint.Render(strings.Join(about, " · "))
}

// pace describes the display time of a frame.
func (s *replayer) pace(d time.Duration) string {
	if d >= time.Second {
		return s.Lang.Text("one shot every %d second||one shot every %d seconds", int(d/time.Second))
	}
	return s.Lang.Text("%d shot a second||%d shots a second", int(time.Second/d))
}

// Actions implements [widget.Screen].
func (s *replayer) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *replayer) Bindings() []key.Binding {
	k := &replayKeys
	does := k.run
	switch {
	case s.typed != "":
		does = k.jump
	case s.running:
		does = k.stop
	}
	return s.boards.AddSwitch(widget.OtherBoard, does, k.shots, k.tens, k.number, k.speed, k.advice, k.mistake, widget.Help, k.back)
}
