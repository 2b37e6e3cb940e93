package live

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"broadside/match"
)

// referee owns a game. The match's lock guards every field, except that a goroutine that saves
// events reads the game, which does not change meanwhile.
type referee struct {
	match *Match
	cfg   Config
	// When ctx ends, so does the match.
	ctx context.Context
	// stopWatching stops waiting for ctx.
	stopWatching func() bool
	game         *match.Game
	started      time.Time
	// seats has the seats' mailboxes. One is nil until the seat's player attaches.
	seats  [2]*Mailbox
	clocks clocks
	timer  *time.Timer
	// alarm is when timer goes off.
	alarm time.Time
	// fired is when a seat fired the shot being carried out, or zero.
	fired time.Time
	// published is the number of events that readers may see.
	published int
	// visibleCount is how many of the published events each seat may see.
	visibleCount [2]int

	// Readers see the match without the events that are being saved.
	saving      bool
	unsaved     []match.Event
	savingSince time.Time
	// paused reports whether saving takes longer than pauseAfter.
	paused bool
	// publishedGame is the game without these events, or nil until a reader needs it.
	publishedGame *match.Game
	// waiting has the requests received while saving.
	waiting []request
	// stopped reports whether the context ended before the events were saved.
	stopped bool

	// hasReturned reports whether a player has attached since the match was interrupted.
	hasReturned bool
}

func newReferee(m *Match, cfg Config) (*referee, error) {
	if err := cfg.Rules.Validate(); err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = discardLog
	}
	r := &referee{match: m, cfg: cfg, started: time.Now()}
	r.clocks = newClocks(&r.cfg, r.started)
	if !cfg.Interrupted {
		r.game = match.NewGame(cfg.Rules, cfg.Audit)
		return r, nil
	}
	if err := r.replayHistory(); err != nil {
		return nil, err
	}
	if r.game.Phase() == match.Over {
		return nil, match.ErrOver
	}
	for side, seat := range cfg.Seats {
		if cfg.Pace == 0 && (seat.Grace > 0 || seat.Return > 0) {
			r.clocks.markAway(match.Side(side), time.Now())
		}
	}
	return r, nil
}

// replayHistory replays the history of an interrupted match.
func (r *referee) replayHistory() (err error) {
	history := r.cfg.History
	if r.game, err = match.Replay(r.cfg.Rules, r.cfg.Audit, history); err != nil {
		return err
	}
	r.match.counts.Store(r.game.AlreadyCounts())
	r.markPublished(history[:len(history)-r.game.IncompleteEvents()])
	now := r.started
	n := len(history)
	if n > 0 {
		// The match's time goes on as if there had been no interruption.
		r.started = now.Add(-history[n-1].At)
	}
	r.clocks.update(r.game, now, false)
	if r.cfg.Pace > 0 {
		r.clocks.shiftDeadlines(r.cfg.PaceLeft - r.cfg.Pace)
	}
	return nil
}

func (r *referee) start(ctx context.Context) {
	r.ctx = ctx
	r.timer = time.AfterFunc(time.Hour, func() { r.match.withReferee((*referee).handleExpiry) })
	r.alarm = time.Now().Add(time.Hour)
	r.stopWatching = context.AfterFunc(ctx, r.match.Abort)
	r.cfg.Log.Info("match started", "match", r.cfg.ID, "rules", r.cfg.Rules.Name,
		"first", r.cfg.Seats[match.First].Name, "second", r.cfg.Seats[match.Second].Name)
	if r.cfg.Append != nil && !r.cfg.Interrupted {
		r.startSaving(nil)
	}
	r.armTimer()
}

// isOver reports whether nothing more can happen.
func (r *referee) isOver() bool {
	return r.stopped || r.game.Phase() == match.Over && !r.saving
}

// recoverPanic recovers from a panic in this match, logs it and ends the match without a
// winner. It must be deferred.
func (r *referee) recoverPanic() {
	p := recover()
	if p != nil {
		r.cfg.logPanic(p)
		r.abort()
	}
}

func (c *Config) logPanic(p any) {
	c.Log.Error("match failed", "match", c.ID, "panic", p, "stack", string(debug.Stack()))
}

func (r *referee) abort() {
	r.submit(request{side: match.Nobody, command: true, run: func(r *referee) { r.execute(match.VoidCommand(match.Closed)) }})
}

// attach gives a seat to a reader, with a first update that has the newest events. After the
// match this is the only update.
func (r *referee) attach(side match.Side, b *Mailbox) {
	events := r.visibleEvents(side, 0)
	b.putUpdate(r, events[max(0, len(events)-backlog):], nil)
	if r.isOver() {
		b.close(ErrEnded)
		return
	}
	r.waiting = slices.DeleteFunc(r.waiting, func(w request) bool { return w.detaches && w.side == side })
	r.hasReturned = true
	old := r.seats[side]
	if old != nil {
		r.match.seats[side].closeReplaced(old)
	}
	r.seats[side] = b
	r.clocks.markPresent(side)
	r.publish(nil)
}

// detach marks the side of a mailbox as away, unless another mailbox has been attached since.
func (r *referee) detach(side match.Side, b *Mailbox) {
	if !r.isOver() && r.seats[side] == b {
		b.close(ErrReplaced)
		r.markAway(side)
	}
}

// checkRunning returns ErrOutcomeUnknown if the match no longer runs here.
func (r *referee) checkRunning() error {
	if r.isOver() && r.ctx.Err() != nil {
		return ErrOutcomeUnknown
	}
	return nil
}

// markPublished records that readers may see events.
func (r *referee) markPublished(events []match.Event) {
	r.published += len(events)
	for side := range r.visibleCount {
		for _, e := range events {
			_, seen := e.RedactFor(match.Side(side))
			if seen {
				r.visibleCount[side]++
			}
		}
	}
}

// visibleEvents returns the events that a seat may see, without the first from ones.
func (r *referee) visibleEvents(side match.Side, from int) (events []match.Event) {
	for _, e := range r.game.Events()[:r.published] {
		if e, seen := e.RedactFor(side); seen {
			from--
			if from < 0 {
				events = append(events, e)
			}
		}
	}
	return events
}

// seatEvents is like visibleEvents, but includes the seat's own events of an incomplete turn.
func (r *referee) seatEvents(side match.Side, from int) []match.Event {
	events := r.visibleEvents(side, from)
	all := r.game.Events()
	for _, e := range all[max(r.published, len(all)-r.game.IncompleteEvents()):] {
		if e.Side == side {
			events = append(events, e)
		}
	}
	return events
}

// fire fires shots of a seat whose player has seen the given number of events, or 0 if that is unknown.
func (r *referee) fire(c match.Command, seen int, at time.Time) {
	if r.clocks.hasTurnExpired(c.Side, time.Now()) {
		r.sendError(c.Side, ErrTimeOver)
		return
	}
	if seen > 0 && r.hasUnseenShot(c, seen) {
		return
	}
	r.fired = at
	if err := r.apply(c); err != nil {
		r.handleIllegalCommand(c.Side, err)
	}
}

// hasUnseenShot reports whether a side has fired at a target of c and its player has not seen it
// yet.
func (r *referee) hasUnseenShot(c match.Command, seen int) bool {
	return slices.ContainsFunc(r.seatEvents(c.Side, seen), func(e match.Event) bool {
		return e.Kind == match.ShotFired && e.Side == c.Side && slices.Contains(c.Cells, e.Cell)
	})
}

func (r *referee) execute(c match.Command) {
	if err := r.apply(c); err != nil {
		r.handleIllegalCommand(c.Side, err)
	}
}

// startConfirmedClock starts the turn clock of a side that confirms.
func (r *referee) startConfirmedClock(side match.Side) {
	if r.clocks.startHeldClock(side, time.Now()) {
		r.publish(nil)
	}
}

// claimWin ends the match if the other side has been away too long.
func (r *referee) claimWin(side match.Side) {
	other := side.Other()
	if !r.clocks.isLate[other] {
		r.sendError(side, ErrNoClaim)
		return
	}
	if err := r.apply(match.ForfeitCommand(other, match.Left)); err != nil {
		r.handleIllegalCommand(side, err)
	}
}

// sendError tells a seat's player, if there is one, why a command was not carried out.
func (r *referee) sendError(side match.Side, why error) {
	if side > match.Second {
		return
	}
	b := r.seats[side]
	if b != nil {
		b.putUpdate(r, nil, why)
	}
}

// markAway marks a side as away. Its mailbox must be closed.
func (r *referee) markAway(side match.Side) {
	r.seats[side] = nil
	if r.cfg.Pace > 0 {
		return
	}
	cfg := &r.cfg.Seats[side]
	if cfg.Grace <= 0 || cfg.EndsUnused && r.game.ShotsFired(side) == 0 {
		r.apply(match.ForfeitCommand(side, match.Left))
		return
	}
	r.clocks.markAway(side, time.Now())
	other := side.Other()
	if r.clocks.isLate[other] {
		// The side that waited has left.
		r.apply(match.ForfeitCommand(other, match.Left))
		return
	}
	r.publish(nil)
}

// abortInsteadOfForfeit changes a command before an abortable match counts, so that resigning or leaving
// aborts it.
func (r *referee) abortInsteadOfForfeit(c *match.Command) {
	if r.cfg.Abortable && c.Action == match.ForfeitGame && (c.Reason == match.Resigned || c.Reason == match.Left) && !r.game.AlreadyCounts() {
		c.Action = match.AbortGame
	}
}

// apply carries out a command, and publishes its events as soon as they are saved.
func (r *referee) apply(c match.Command) error {
	r.abortInsteadOfForfeit(&c)
	c.At = time.Since(r.started)
	events, err := r.game.Apply(c)
	if err != nil {
		return err
	}
	r.match.counts.Store(r.game.AlreadyCounts())
	if r.cfg.Append == nil && r.game.Phase() != match.Over {
		r.publishSaved()
		return nil
	}
	r.startSaving(events)
	return nil
}

// publishSaved tells readers about saved events. A turn's shots are published together, and so
// are their results.
func (r *referee) publishSaved() {
	if r.game.IncompleteEvents() == 0 {
		events := r.game.Events()[r.published:]
		r.markPublished(events)
		moved := r.hasOnlyMoved(events)
		r.clocks.update(r.game, time.Now(), moved)
		r.publish(events)
	}
	if !r.fired.IsZero() && r.cfg.OnShot != nil {
		r.cfg.OnShot(time.Since(r.fired))
	}
	r.fired = time.Time{}
}

// hasOnlyMoved reports whether new events are a side's move, after which the side continues its turn.
func (r *referee) hasOnlyMoved(events []match.Event) bool {
	return len(events) > 0 && events[0].Kind == match.FleetMoved && r.game.ActingSide() == events[0].Side
}

// turnAfter returns who must act after new events.
func (r *referee) turnAfter(events []match.Event) Turn {
	return Turn{Acting: actingSides(r.game), IsContinued: r.game.IncompleteEvents() > 0 || r.hasOnlyMoved(events)}
}

// handleIllegalCommand makes a strict seat lose. Other seats get the error.
func (r *referee) handleIllegalCommand(side match.Side, err error) {
	r.fired = time.Time{}
	if side > match.Second {
		return
	}
	if r.cfg.Seats[side].Strict && !errors.Is(err, match.ErrOver) {
		r.cfg.Log.Warn("illegal command", "match", r.cfg.ID, "player", r.cfg.Seats[side].Name, "error", err)
		r.apply(match.ForfeitCommand(side, breachReason(err)))
		return
	}
	r.sendError(side, err)
}

// breachReason returns the reason for losing by an illegal command with the given error.
func breachReason(err error) match.Reason {
	switch {
	case errors.Is(err, match.ErrOffBoard), errors.Is(err, match.ErrRepeated):
		return match.BadCell
	case errors.Is(err, match.ErrWrongCell):
		return match.WrongCell
	case errors.Is(err, match.ErrBadResult):
		return match.BadParameters
	}
	return match.OutOfTurn
}

func (r *referee) publish(events []match.Event) {
	for side, b := range r.seats {
		if areHidden(events, match.Side(side)) {
			// Not even the event's time is published.
			continue
		}
		if b != nil {
			b.putUpdate(r, events, nil)
		}
	}
	if !areHidden(events, match.Nobody) {
		r.match.feed.publish(r)
	}
}

// fillUpdate sets all fields of u for a viewer except the events.
func (r *referee) fillUpdate(u *Update, viewer match.Side) {
	u.View.Fill(r.visibleGame(), viewer)
	u.Names = [2]string{r.cfg.Seats[match.First].Name, r.cfg.Seats[match.Second].Name}
	u.Seq = 0
	if viewer <= match.Second {
		u.Seq = r.visibleCount[viewer]
	}
	r.clocks.addToUpdate(u)
	u.Paused = r.paused
	if r.paused {
		u.Deadline, u.AwayUntil = time.Time{}, [2]time.Time{}
	}
}

// areHidden reports whether the viewer may see none of the events.
func areHidden(events []match.Event, viewer match.Side) bool {
	for _, e := range events {
		_, seen := e.RedactFor(viewer)
		if seen {
			return false
		}
	}
	return len(events) > 0
}

// finish closes all mailboxes and the spectator feed, and runs the queries that wait.
func (r *referee) finish() {
	r.timer.Stop()
	r.stopWatching()
	rec := r.newRecord(r.game.Events()[:r.published])
	if r.stopped || rec.Reason == match.Closed && (r.ctx.Err() != nil || r.cfg.Pace > 0) {
		// It may continue after a restart, and a correspondence match when a player opens it.
		r.cfg.Log.Info("match interrupted", "match", rec.ID)
	} else {
		r.cfg.Log.Info("match ended", "match", rec.ID, "winner", rec.winnerName(), "reason", rec.Reason.String(), "took", rec.Took)
	}
	for _, b := range r.seats {
		if b != nil {
			b.close(ErrEnded)
		}
	}
	r.match.feed.close()
	for _, w := range r.waiting {
		if !w.command {
			w.run(r)
		}
	}
	r.waiting = nil
}
