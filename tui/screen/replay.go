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

// replayScreen shows a replay, frame by frame.
type replayScreen struct {
	*widget.Env
	replay *text.Replay
	id     string
	review session.Review
	boards widget.Boards
	// ownSide is the player's side. It is -1 if the player has none, or if a turn was chosen.
	ownSide int
	frame   int
	// typed has the digits typed so far of a shot number to jump to.
	typed string

	// running is set while the replay advances on its own.
	running bool
	// speed is an index into paces.
	speed int
	// waits counts the waits for the next frame. Only the last one shows it.
	waits   int
	waiting bool

	showsAdvice bool
	// advice is for the frame in it. It is nil until it is computed.
	advice        *text.Advice
	advicePending bool
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
		// The review is shown once it is ready.
		o.review, _ = env.Session.RequestReview(ctx, id)
		return o, nil
	}
	return widget.Query(env, query, func(o opened, err error) tea.Cmd {
		switch {
		case errors.Is(err, store.ErrNotFound):
			env.Notice = env.Lang.Text("This match was not saved.")
		case err != nil:
			env.Notice = env.ErrorText(err)
		case env.Nav.IsCurrent(from):
			return env.Nav.Open(NewReplay(env, o.replay, &o.about, o.review, turn))
		}
		return nil
	})
}

// NewReplay returns a replay screen at a turn of a match. See [OpenReplay].
func NewReplay(env *widget.Env, r *text.Replay, about *store.Summary, review session.Review, turn int) widget.Screen {
	s := &replayScreen{
		Env: env, replay: r, id: about.ID, review: review, ownSide: -1, boards: widget.Boards{Chosen: widget.EnemyBoard},
		speed: usualPace,
	}
	if turn > 0 {
		s.showTurn(turn)
		return s
	}
	for side, seat := range about.Seats {
		if seat.Player != "" && seat.Player == env.State.Me.Account {
			s.ownSide = side
		}
	}
	s.showWorstMistake()
	return s
}

// showTurn shows the frame before a turn, with advice.
func (s *replayScreen) showTurn(turn int) {
	s.showFrame(turn - 1)
	s.showsAdvice = true
	s.boards.Chosen = int(s.replay.FrameView(s.frame).Turn.Other())
}

// showWorstMistake shows the player's worst mistake if it is known and the replay is still at its start.
func (s *replayScreen) showWorstMistake() {
	if s.ownSide < 0 || s.frame > 0 || s.running {
		return
	}
	shots := s.review.Sides[s.ownSide].Costliest
	if len(shots) > 0 {
		s.showTurn(shots[0].Turn)
	}
}

// Init implements [widget.Initializer]. It asks for advice if it is shown.
func (s *replayScreen) Init() tea.Cmd { return s.requestAdvice() }

// showNextMistake shows the frame before the next mistake of either side.
func (s *replayScreen) showNextMistake() {
	next := -1
	for _, side := range s.review.Sides {
		for _, shot := range side.Costliest {
			at := shot.Turn - 1
			if at > s.frame && (next < 0 || at < next) {
				next = at
			}
		}
	}
	if next < 0 {
		s.Notice = s.Lang.Text("No more mistakes.")
		return
	}
	s.showFrame(next)
	s.showsAdvice = true
}

// ShownRules implements [widget.RulesScreen].
func (s *replayScreen) ShownRules() match.Rules { return s.replay.FrameView(s.frame).Rules }

func (s *replayScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if msg.Kind == session.ReviewReady && msg.ID == s.id {
			s.review = msg.Review
			s.showWorstMistake()
			return s.requestAdvice()
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
func (s *replayScreen) Actions() []widget.Action {
	show := func(frame int) func() tea.Cmd { return s.actionFunc(func() { s.showFrame(frame) }) }
	speed := func(by int) func() tea.Cmd { return s.actionFunc(func() { s.changeSpeed(by) }) }
	run := i18n.Key("play##replay")
	switch {
	case s.typed != "":
		run = ""
	case s.running:
		run = "pause"
	}
	return []widget.Action{
		{Keys: "enter", Label: "jump", Off: s.typed == "", Do: s.actionFunc(s.jumpToTyped)},
		{Keys: "space", Label: run, Do: s.actionFunc(s.togglePlayback)},
		s.boards.SwitchAction("tab"),
		{Keys: "left right", Cap: "←→", Label: "shot"},
		{Keys: "left h", Do: show(s.frame - 1)},
		{Keys: "right l", Do: show(s.frame + 1)},
		{Keys: "up down", Cap: "↑↓", Label: "10 shots"},
		{Keys: "up k pgup", Do: show(s.frame - leap)},
		{Keys: "down j pgdown", Do: show(s.frame + leap)},
		{Keys: "home g", Do: show(0)},
		{Keys: "end G", Do: show(s.replay.Len() - 1)},
		{Cap: "0–9", Label: "jump"},
		{Keys: "+ -", Cap: "+-", Label: "speed"},
		{Keys: "+ =", Do: speed(1)},
		{Keys: "-", Do: speed(-1)},
		{Keys: "a", Label: "admiral", Do: s.actionFunc(func() { s.showsAdvice = !s.showsAdvice })},
		{Keys: "n", Label: "next mistake", Do: s.actionFunc(s.showNextMistake)},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}
}

// actionFunc returns an action's function. It calls do and shows the board of the frame's shot.
func (s *replayScreen) actionFunc(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		before := s.frame
		do()
		s.typed = ""
		if s.frame != before {
			s.showShotBoard()
		}
		return tea.Batch(s.scheduleNextFrame(), s.requestAdvice())
	}
}

// togglePlayback starts or stops the replay. At the end, it starts again.
func (s *replayScreen) togglePlayback() {
	if s.running {
		s.stopPlayback()
		return
	}
	s.running = true
	if s.frame == s.replay.Len()-1 {
		s.frame = 0
	}
}

func (s *replayScreen) changeSpeed(by int) {
	s.speed = max(0, min(s.speed+by, len(paces)-1))
	s.cancelWait()
	if !s.running {
		s.Notice = s.paceText(paces[s.speed])
	}
}

// maxShotDigits is the maximum number of digits of a shot number.
const maxShotDigits = 4

// jumpToTyped jumps to the typed shot number.
func (s *replayScreen) jumpToTyped() {
	n, err := strconv.Atoi(s.typed)
	if err != nil || n >= s.replay.Len() {
		s.Notice = s.Lang.Text("There is no shot %s: the last shot is %d.", s.typed, s.replay.Len()-1)
		return
	}
	s.showFrame(n)
}

// showFrame stops the replay and shows frame n, or the nearest frame.
func (s *replayScreen) showFrame(n int) {
	s.stopPlayback()
	s.frame = max(0, min(s.replay.Len()-1, n))
}

// showShotBoard switches to the board where the shot landed, if only one fits.
func (s *replayScreen) showShotBoard() {
	if turn, ok := s.replay.Turn(s.frame); ok {
		s.boards.Chosen = int(turn.Side.Other())
	}
}

func (s *replayScreen) stopPlayback() {
	s.running = false
	s.cancelWait()
}

// cancelWait ends the wait for the next frame.
func (s *replayScreen) cancelWait() {
	s.waits++
	s.waiting = false
}

// scheduleNextFrame schedules the next frame if the replay is running.
func (s *replayScreen) scheduleNextFrame() tea.Cmd {
	if !s.running || s.waiting {
		return nil
	}
	s.waiting = true
	number := s.waits
	return widget.RunAfter(s.Ctx, paces[s.speed], func() tea.Cmd {
		if number != s.waits || !s.Nav.IsCurrent(s) {
			return nil
		}
		s.cancelWait()
		if s.frame++; s.frame >= s.replay.Len()-1 {
			s.showFrame(s.frame)
		}
		s.showShotBoard()
		return tea.Batch(s.scheduleNextFrame(), s.requestAdvice())
	})
}

// requestAdvice requests advice on the current frame if advice is on. There is at most one
// request at a time.
func (s *replayScreen) requestAdvice() tea.Cmd {
	if !s.showsAdvice || s.advicePending || s.advice != nil && s.advice.Frame == s.frame {
		return nil
	}
	if s.replay.FrameView(s.frame).Phase != match.Battle {
		return nil
	}
	s.advicePending = true
	advise := s.replay.AdviceFunc(s.frame)
	s.Work.Start(time.Now())
	return func() tea.Msg {
		a := advise()
		return widget.CommandResult{CountedWork: true, Then: func() tea.Cmd {
			s.advicePending, s.advice = false, a
			// The frame may have changed.
			return s.requestAdvice()
		}}
	}
}

func (s *replayScreen) View(size widget.Size) widget.View {
	var shown *text.Advice
	if s.showsAdvice && s.advice != nil && s.advice.Frame == s.frame && s.advice.Odds != nil {
		shown = s.advice
	}
	status, state := s.replay.Caption(s.frame), s.stateText(shown, size.Width)
	// The requested information matters more.
	if size.IsLow() && (s.typed != "" || shown != nil) {
		status = state
	}
	lines := append(board.ReplayText(s.replay, s.frame, size.Width), state)
	if shown != nil {
		lines = append([]string{s.legendText(size)}, lines...)
	}
	view := s.boards.View(s.Env, size, board.Scene{
		Status: status, Panels: board.ReplayPanels(s.replay, s.frame, shown), Text: lines, Brief: s.replay.PositionText(s.frame),
		Pane: func(height int) []string { return s.paneLines(height, shown) },
	})
	if size.Width >= headingWidth {
		view.Heading = s.replay.Heading()
	}
	return view
}

// headingWidth is the width of the narrowest screen with a heading in its title line.
const headingWidth = 80

// legendText explains the colours and signs of the admiral's advice.
func (s *replayScreen) legendText(size widget.Size) string {
	text := widget.OddsLegend(s.Lang)
	return size.FirstFitting(text+term.Faint.Render("   "+board.SignHull+" "+s.Lang.Text("a ship lies here")), text)
}

// paneLines returns the text beside the boards on a wide screen: the log, the accuracies, and
// the shot that the admiral comments on.
func (s *replayScreen) paneLines(height int, shown *text.Advice) []string {
	var log widget.ShotLog
	log.AddShots(s.replay.FrameUpdate(s.frame))
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
	turn, ok := s.replay.Turn(min(s.frame+1, s.replay.Len()-1))
	if shown == nil || !ok || s.frame+1 == s.replay.Len() {
		return lines
	}
	odds := func(c match.Cell) string { return fmt.Sprintf("%-3s %5s", c, narrate.Percent(s.Lang, shown.OddsAt(c))) }
	title(s.Lang.Text("Next shot"), "")
	row("admiral", term.Good.Render(odds(shown.Cells[0])))
	for _, c := range turn.Cells {
		row(s.replay.Names()[turn.Side], odds(c))
	}
	for _, c := range s.review.Sides[turn.Side].Costliest {
		if c.Turn == s.frame+1 {
			lines = append(lines, term.Bad.Render(s.Lang.Text("cost %.2f", c.Loss())))
		}
	}
	return lines
}

// stateText describes the replay's state or the admiral's advice, for a screen of a width.
func (s *replayScreen) stateText(shown *text.Advice, width int) string {
	if s.typed != "" {
		return s.Lang.Text("Jump to shot: %s  then press enter", s.typed+"_")
	}
	v := s.replay.FrameView(s.frame)
	switch {
	case s.showsAdvice && v.Phase != match.Battle:
		return term.Faint.Render(s.Lang.Text("admiral has no targets left."))
	case s.showsAdvice && shown == nil && s.advicePending:
		return term.Faint.Render(s.Lang.Text("admiral is thinking…"))
	case s.showsAdvice && shown == nil:
		return term.Faint.Render(s.Lang.Text("No fleet fits these results."))
	case s.showsAdvice:
		odds := func(c match.Cell) string {
			return term.Strong.Render(fmt.Sprintf("%v (%s)", c, narrate.Percent(s.Lang, shown.OddsAt(c))))
		}
		if s.frame+1 < s.replay.Len() {
			if turn, ok := s.replay.Turn(s.frame + 1); ok {
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
		return term.Good.Render(s.Lang.Text("Playing:")) + " " + s.paceText(paces[s.speed])
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

// paceText describes the display time of a frame.
func (s *replayScreen) paceText(d time.Duration) string {
	if d >= time.Second {
		return s.Lang.Text("one shot every %d second||one shot every %d seconds", int(d/time.Second))
	}
	return s.Lang.Text("%d shot a second||%d shots a second", int(time.Second/d))
}
