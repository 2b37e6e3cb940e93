package screen

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
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
	own    int    // the player's side; -1: the player has none, or a turn was chosen
	at     int    // the current frame
	typed  string // digits of the shot number to jump to

	running bool // advancing automatically
	speed   int  // index into paces
	waits   int  // number of the last wait for the next frame
	waiting bool // for the next frame

	advised bool         // show advice from the admiral bot
	advice  *text.Advice // for the frame in it; nil until it is computed
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
	type opened struct {
		replay *text.Replay
		about  store.Summary
		review session.Review
	}
	query := func(ctx context.Context) (o opened, err error) {
		record, err := env.Session.MatchRecord(ctx, id)
		if err != nil {
			return o, err
		}
		o.about = record.Summary
		if o.replay, err = text.NewReplay(lang, record); err != nil {
			return o, err
		}
		o.review, _ = env.Session.Review(ctx, id) // shown once it is ready
		return o, nil
	}
	return widget.Query(env, query, func(o opened, err error) tea.Cmd {
		switch {
		case errors.Is(err, store.ErrNotFound):
			env.Notice = env.Lang.Text("This match was not saved.")
		case err != nil:
			env.Notice = env.ErrorText(err)
		case env.IsCurrent(from):
			return env.Open(NewReplay(env, o.replay, &o.about, o.review, turn))
		}
		return nil
	})
}

// NewReplay returns a replay screen at a turn of a match; see [OpenReplay].
func NewReplay(env *widget.Env, r *text.Replay, about *store.Summary, review session.Review, turn int) widget.Screen {
	s := &replayer{
		Env: env, replay: r, id: about.ID, review: review, own: -1, boards: widget.Boards{Chosen: widget.EnemyBoard},
		speed: usualPace,
	}
	if turn > 0 {
		s.begin(turn)
		return s
	}
	for side, seat := range about.Seats {
		if seat.Player != "" && seat.Player == env.State.Me.Account {
			s.own = side
		}
	}
	s.beginAtMistake()
	return s
}

// begin shows the board before a turn, with advice.
func (s *replayer) begin(turn int) {
	s.show(turn - 1)
	s.advised = true
	s.boards.Chosen = int(s.replay.FrameView(s.at).Turn.Other())
}

// beginAtMistake begins at the player's costliest shot if it is known and the replay has not begun.
func (s *replayer) beginAtMistake() {
	if s.own < 0 || s.at > 0 || s.running {
		return
	}
	shots := s.review.Sides[s.own].Costliest
	if len(shots) > 0 {
		s.begin(shots[0].Turn)
	}
}

// Init implements [widget.Initializer]. It asks for advice if it is shown.
func (s *replayer) Init() tea.Cmd { return s.askAdvice() }

// nextMistake shows the board before the next costliest shot of either side.
func (s *replayer) nextMistake() {
	next := -1
	for _, side := range s.review.Sides {
		for _, shot := range side.Costliest {
			at := shot.Turn - 1
			if at > s.at && (next < 0 || at < next) {
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

// ShownRules implements [widget.RulesScreen].
func (s *replayer) ShownRules() match.Rules { return s.replay.FrameView(s.at).Rules }

func (s *replayer) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if msg.Kind == session.ReviewReady && msg.ID == s.id {
			s.review = msg.Review
			s.beginAtMistake()
			return s.askAdvice()
		}
	case tea.KeyPressMsg:
		digit := msg.String()
		if widget.IsDigit(digit) && len(s.typed) < maxShotDigits {
			s.typed += digit
		}
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *replayer) Actions() []widget.Action {
	show := func(frame int) func() tea.Cmd { return s.act(func() { s.show(frame) }) }
	speed := func(by int) func() tea.Cmd { return s.act(func() { s.changeSpeed(by) }) }
	run := i18n.Key("play##replay")
	switch {
	case s.typed != "":
		run = ""
	case s.running:
		run = "pause"
	}
	return []widget.Action{
		{Keys: "enter", Label: "jump", Off: s.typed == "", Do: s.act(s.jump)},
		{Keys: "space", Label: run, Do: s.act(s.run)},
		s.boards.SwitchAction("tab"),
		{Keys: "left right", Cap: "←→", Label: "shot"},
		{Keys: "left h", Do: show(s.at - 1)},
		{Keys: "right l", Do: show(s.at + 1)},
		{Keys: "up down", Cap: "↑↓", Label: "10 shots"},
		{Keys: "up k pgup", Do: show(s.at - leap)},
		{Keys: "down j pgdown", Do: show(s.at + leap)},
		{Keys: "home g", Do: show(0)},
		{Keys: "end G", Do: show(s.replay.Len() - 1)},
		{Cap: "0–9", Label: "jump"},
		{Keys: "+ -", Cap: "+-", Label: "speed"},
		{Keys: "+ =", Do: speed(1)},
		{Keys: "-", Do: speed(-1)},
		{Keys: "a", Label: "admiral", Do: s.act(func() { s.advised = !s.advised })},
		{Keys: "n", Label: "next mistake", Do: s.act(s.nextMistake)},
		widget.HelpHint,
		widget.BackAction(s, "q backspace"),
	}
}

// act returns the function of an action. Afterwards the board of the shot is shown, if only one fits.
func (s *replayer) act(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		before := s.at
		do()
		s.typed = ""
		if s.at != before {
			s.showShot()
		}
		return tea.Batch(s.waitForNext(), s.askAdvice())
	}
}

// run starts or stops the replay.
func (s *replayer) run() {
	if s.running {
		s.stop()
		return
	}
	s.running = true
	if s.at == s.replay.Len()-1 {
		s.at = 0
	}
}

func (s *replayer) changeSpeed(by int) {
	s.speed = max(0, min(s.speed+by, len(paces)-1))
	if s.halt(); !s.running {
		s.Notice = s.pace(paces[s.speed])
	}
}

// maxShotDigits is the maximum number of digits of a shot number.
const maxShotDigits = 4

// jump jumps to the typed shot number.
func (s *replayer) jump() {
	n, err := strconv.Atoi(s.typed)
	if err != nil || n >= s.replay.Len() {
		s.Notice = s.Lang.Text("There is no shot %s: the last shot is %d.", s.typed, s.replay.Len()-1)
		return
	}
	s.show(n)
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

// halt ends the wait for the next frame.
func (s *replayer) halt() {
	s.waits++
	s.waiting = false
}

// waitForNext schedules the next frame if the replay is running.
func (s *replayer) waitForNext() tea.Cmd {
	if !s.running || s.waiting {
		return nil
	}
	s.waiting = true
	number := s.waits
	return widget.RunAfter(s.Ctx, paces[s.speed], func() tea.Cmd {
		if number != s.waits || !s.IsCurrent(s) {
			return nil
		}
		s.halt()
		if s.at++; s.at >= s.replay.Len()-1 {
			s.show(s.at)
		}
		s.showShot()
		return tea.Batch(s.waitForNext(), s.askAdvice())
	})
}

// askAdvice requests advice on the current frame if advice is on. There is at most one
// request at a time.
func (s *replayer) askAdvice() tea.Cmd {
	if !s.advised || s.asked || s.advice != nil && s.advice.Frame == s.at {
		return nil
	}
	if s.replay.FrameView(s.at).Phase != match.Battle {
		return nil
	}
	s.asked = true
	advise := s.replay.AdviceFunc(s.at)
	s.Work.Start(time.Now())
	return func() tea.Msg {
		a := advise()
		return widget.CommandResult{CountedWork: true, Then: func() tea.Cmd {
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
	if size.IsLow() && (s.typed != "" || shown != nil) { // the requested information matters more
		status = state
	}
	lines := append(board.ReplayText(s.replay, s.at, size.Width), state)
	if shown != nil {
		lines = append([]string{s.legend(size)}, lines...)
	}
	view := s.boards.View(s.Env, size, board.Scene{
		Status: status, Panels: board.ReplayPanels(s.replay, s.at, shown), Text: lines, Brief: s.replay.PositionText(s.at),
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
	for i := range term.HeatCount {
		heats.WriteString((term.Heat0 + term.Style(i)).Render("  "))
	}
	text := term.Faint.Render(s.Lang.Text("cold")) + " " + heats.String() + " " + term.Faint.Render(s.Lang.Text("hot: chance of a ship in %"))
	return size.FirstFitting(text+term.Faint.Render("   "+board.SignHull+" "+s.Lang.Text("a ship lies here")), text)
}

// pane returns the text beside the boards on a wide screen: the log, the accuracies, and
// the shot that the admiral comments on.
func (s *replayer) pane(height int, shown *text.Advice) []string {
	var log widget.ShotLog
	log.AddShots(s.replay.FrameUpdate(s.at))
	p := widget.Pane{Log: &log, Names: s.replay.Names(), Own: match.Nobody}
	lines := p.Lines(s.Env, min(height, 16), s.Detail)
	row := func(name, value string) {
		lines = append(lines, text.Pad(name, board.PaneText-text.Width(value))+value)
	}
	title := func(title, note string) {
		lines = append(lines, "", widget.TitleLine(title, note, board.PaneText))
	}
	a, b := s.review.Sides[0], s.review.Sides[1]
	if a.Judged+b.Judged > 0 {
		title(s.Lang.Text("Accuracy"), "")
		for side, name := range s.replay.Names() {
			row(name, narrate.Percent(s.Lang, s.review.Sides[side].Accuracy))
		}
	}
	turn, ok := s.replay.Turn(min(s.at+1, s.replay.Len()-1))
	if shown == nil || !ok || s.at+1 == s.replay.Len() {
		return lines
	}
	odds := func(c match.Cell) string { return fmt.Sprintf("%-3s %5s", c, narrate.Percent(s.Lang, shown.OddsAt(c))) }
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
	v := s.replay.FrameView(s.at)
	switch {
	case s.advised && v.Phase != match.Battle:
		return term.Faint.Render(s.Lang.Text("admiral has no targets left."))
	case s.advised && shown == nil && s.asked:
		return term.Faint.Render(s.Lang.Text("admiral is thinking…"))
	case s.advised && shown == nil:
		return term.Faint.Render(s.Lang.Text("No fleet fits these results."))
	case s.advised:
		odds := func(c match.Cell) string {
			return term.Strong.Render(fmt.Sprintf("%v (%s)", c, narrate.Percent(s.Lang, shown.OddsAt(c))))
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
		r := s.review.Sides[side]
		if r.Judged > 0 {
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
