package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/live"
)

// journal records what happens in a running match, so that the match can resume
// after a restart. The store writes it while the match goes on; events that
// happen while the disk is busy are written together. Until they are written,
// [store.Running.Hold] keeps them. The lobby's lock guards all fields.
type journal struct {
	kept    bool          // the match has a journal
	begun   bool          // the store has its beginning
	stored  int           // events that the store has
	waiting []match.Event // the events after those
	since   time.Time     // when the oldest waiting event happened; zero without any
	shown   int           // events that the players may see
	writing bool          // a goroutine writes it
	failing bool          // the last write failed
}

// journalPause is the pause after a failed write of a journal.
const journalPause = time.Second

// details is what the store keeps of a running match beside its events.
type details struct {
	Rated  bool      `json:"rated"`
	Choice Stakes    `json:"choice"`
	Stakes Stakes    `json:"stakes"`
	Codes  [2]string `json:"codes"`          // see [Seat.Code]
	Salts  [2]string `json:"salts"`          // of the commitments to both fleets
	Room   bool      `json:"room,omitempty"` // see [Seat.Hosts]
	// Keys has the fingerprints by which the players are known while the store
	// cannot be read.
	Keys [2][]string `json:"keys"`
	// Players is set in a cluster, where the sessions of guests and programs go on.
	Players *[2]Player `json:"players,omitempty"`
}

// goesOn reports whether a match can go on after a restart: nobody's connection
// is part of it. In a cluster connections outlast the lobby.
func (l *Lobby) resumable(g *game) bool {
	return l.clustered() || !g.hotSeat && g.count(Program) == 0 && g.count(Person) > 0
}

// openJournal writes down that a match has begun. A match that cannot go on is
// written down, too, if somebody ought to find it among their matches as one
// that nobody won. The lobby is locked.
func (l *Lobby) openJournal(g *game) {
	j := &g.journal
	if l.clustered() {
		if j.kept = true; !j.begun {
			l.storeBeginningLocked(g)
		}
		return
	}
	j.kept = l.cfg.Store != nil && !g.hotSeat && g.count(Person) > 0
	if j.kept && (!j.begun || len(j.waiting) > 0) { // else it was begun before a restart
		l.writeOn(g)
	}
}

// record adds events to a match's journal, on that match's goroutine, and
// returns once players may see them: when they are sure to outlive the process.
// After an error it is called again with the same events.
func (l *Lobby) record(ctx context.Context, g *game, events []match.Event) error {
	if l.clustered() {
		return l.recordDurably(ctx, g, events)
	}
	end := events[len(events)-1]
	over := end.Kind == match.GameEnded
	if over && end.Reason == match.Closed && ctx.Err() != nil {
		return nil // the server ends, not the match
	}
	l.mu.Lock()
	j := &g.journal
	if !j.kept {
		l.mu.Unlock()
		return nil
	}
	if j.shown == j.stored+len(j.waiting) { // else this is the second call
		if len(j.waiting) == 0 {
			j.since = time.Now()
		}
		j.waiting = append(j.waiting, events...)
	}
	stored, waiting := j.stored, j.waiting
	l.mu.Unlock()

	err := l.cfg.Store.Running.Hold(g.id, stored, waiting)

	l.mu.Lock()
	defer l.mu.Unlock()
	if !over || err != nil { // the end is about to be stored with the whole match
		l.writeOn(g)
	}
	// Where they cannot be held, the store must have them.
	if err != nil && len(j.waiting) > 0 && ctx.Err() == nil {
		return err
	}
	j.shown = j.stored + len(j.waiting)
	return nil
}

// writeOn starts writing a journal, unless it is being written. The lobby is
// locked.
func (l *Lobby) writeOn(g *game) {
	if !g.journal.writing {
		g.journal.writing = true
		l.work.Go(func() { l.write(g) })
	}
}

// write writes a match's journal until the store has all of it. After a failure
// it tries again from where it stopped, until the lobby closes. Only one
// goroutine does so for a match at a time.
func (l *Lobby) write(g *game) {
	for {
		done, err := l.writeNext(g)
		if done {
			return
		}
		if err == nil {
			continue
		}
		timer := time.NewTimer(journalPause)
		select {
		case <-timer.C:
			continue
		case <-l.ctx.Done():
			timer.Stop()
		}
		if done, err = l.writeNext(g); done {
			return
		}
		if err != nil {
			l.mu.Lock()
			g.journal.writing = false
			l.mu.Unlock()
			l.cfg.Log.Error("the journal of a match is incomplete", "match", g.id, "error", err)
			return
		}
	}
}

// writeNext writes what a journal has to be written; done reports that there
// was nothing.
func (l *Lobby) writeNext(g *game) (done bool, err error) {
	l.mu.Lock()
	j := &g.journal
	begun, from, events := j.begun, j.stored, j.waiting
	if begun && len(events) == 0 {
		j.writing = false
		l.mu.Unlock()
		return true, nil
	}
	var running store.RunningMatch
	if !begun {
		running = l.beginning(g)
	}
	l.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	began := time.Now()
	if begun {
		err = l.cfg.Store.Running.Append(ctx, g.id, from, events)
	} else {
		err = l.cfg.Store.Running.Begin(ctx, running)
	}
	if errors.Is(err, store.ErrNotFound) { // the match has ended meanwhile
		err = nil
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.noteJournal(j, err)
	switch {
	case err != nil:
		return false, err
	case !begun:
		j.begun = true
		return false, nil
	}
	j.stored, j.waiting, j.since = from+len(events), j.waiting[len(events):], began
	if len(j.waiting) == 0 {
		j.waiting, j.since = nil, time.Time{}
	}
	return false, nil
}

// noteJournal counts the journals that cannot be written. It logs when there is
// a first one, and when there is none any more. The lobby is locked.
func (l *Lobby) noteJournal(j *journal, err error) {
	if j.failing == (err != nil) {
		return
	}
	if j.failing = err != nil; j.failing {
		if l.failing++; l.failing == 1 {
			l.failed = time.Now()
			l.cfg.Log.Error("the journal of running matches cannot be written: they go on, and the server tries again; free the disk, or make the database reachable", "error", err)
		}
		return
	}
	if l.failing--; l.failing == 0 {
		l.cfg.Log.Info("the journal of running matches is complete again", "after", time.Since(l.failed))
	}
}

// journalLag returns the age of the oldest event of a running match that the
// database does not have. The lobby is locked.
func (l *Lobby) journalLag() (lag time.Duration) {
	for _, g := range l.running {
		if j := &g.journal; !j.since.IsZero() {
			lag = max(lag, time.Since(j.since))
		}
	}
	return lag
}

// beginning returns how a match has begun, for the store. The lobby is locked.
func (l *Lobby) beginning(g *game) store.RunningMatch {
	d := details{
		Rated: g.stakes.Rated(), Choice: g.choice, Stakes: g.stakes, Codes: g.codes, Salts: g.salts, Room: g.private,
		Keys: [2][]string{l.keys[g.players[0].Account], l.keys[g.players[1].Account]},
	}
	if l.clustered() {
		d.Players = &g.players
	}
	running := store.RunningMatch{ID: g.id, Rules: g.rules, Started: g.started, Seats: g.storeSeats()}
	running.Details, _ = json.Marshal(d) // it cannot fail for these
	return running
}

// seats are the players as the store knows them. The lobby is locked.
func (g *game) storeSeats() (seats [2]store.Seat) {
	for side, p := range g.players {
		seats[side] = store.Seat{Player: p.Account, Name: g.names[side], Kind: store.Kind(p.Kind.String())}
	}
	return seats
}

// ReturnTime is how long the players of a match may stay away after a restart
// of the server, of which nobody has told them. Once they have come back,
// [Config].Grace applies again.
const ReturnTime = 5 * time.Minute

// goOn starts the matches again that ran when the server stopped. Those with
// programs whose connections are lost are ended without a winner. The error says why
// the matches cannot be read.
func (l *Lobby) restore(ctx context.Context) error {
	if l.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTime)
	defer cancel()
	all, err := l.cfg.Store.Running.List(ctx)
	if err != nil {
		l.cfg.Log.Error("running matches cannot be read", "error", err)
		return err
	}
	for _, r := range all {
		if n := len(r.Events); !r.Behind && n > 0 && r.Events[n-1].Kind == match.GameEnded {
			l.storeEnded(ctx, r)
			continue
		}
		err := l.restoreMatch(r)
		if err == nil {
			l.cfg.Log.Info("match goes on", "match", r.ID, "events", len(r.Events))
			continue
		}
		if !errors.Is(err, errConnections) {
			l.cfg.Log.Error("match cannot go on", "match", r.ID, "error", err)
		}
		if err := l.void(ctx, r); err != nil {
			l.cfg.Log.Error("match was not stored", "match", r.ID, "error", err)
		}
	}
	return nil
}

var (
	errConnections = errors.New("a program that played it has lost its connection")
	errBehind      = errors.New("its players saw events that the database does not have: it is void")
)

// goOnWith starts one match again.
func (l *Lobby) restoreMatch(r store.RunningMatch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, err := l.recallLocked(r)
	if err != nil {
		return err
	}
	return l.runLocked(g)
}

// recall is a match as the store has it. The lobby is locked.
func (l *Lobby) recallLocked(r store.RunningMatch) (*game, error) {
	var d details
	if err := json.Unmarshal(r.Details, &d); err != nil {
		return nil, err
	}
	if r.Behind {
		return nil, errBehind
	}
	g := &game{
		id: r.ID, rules: r.Rules, started: r.Started, choice: d.Choice, stakes: knownStakes(d.Rated, d.Stakes), codes: d.Codes, salts: d.Salts, private: d.Room, history: r.Events,
	}
	g.journal = journal{begun: true, stored: r.Stored, waiting: slices.Clip(r.Events[r.Stored:]), shown: len(r.Events)}
	var err error
	if g.players, err = l.recallPlayers(r, d); err != nil {
		return nil, err
	}
	for side, p := range g.players {
		if p.ID == "" {
			g.players[side] = l.identifyLocked(p)
		}
	}
	l.completeLocked(g)
	return g, nil
}

// storeEnded stores a match that had ended when the server stopped, but had not
// been stored yet.
func (l *Lobby) storeEnded(ctx context.Context, r store.RunningMatch) {
	var d details
	err := json.Unmarshal(r.Details, &d)
	if err == nil {
		_, err = match.Replay(r.Rules, l.cfg.Audit, r.Events)
	}
	if err != nil {
		l.cfg.Log.Error("match cannot be stored: it is void", "match", r.ID, "error", err)
		if err := l.void(ctx, r); err != nil {
			l.cfg.Log.Error("match was not stored", "match", r.ID, "error", err)
		}
		return
	}
	g := &game{id: r.ID, choice: d.Choice, stakes: knownStakes(d.Rated, d.Stakes), salts: d.Salts}
	g.players, _ = l.recallPlayers(r, d) // a match without its programs can be stored
	end := r.Events[len(r.Events)-1]
	u := finished(g, r.Seats, live.Record{
		ID: r.ID, Rules: r.Rules, Started: r.Started, Took: end.At, Winner: end.Side, Reason: end.Reason,
		Events: r.Events, Seals: seals(d.Salts, r.Events),
	})
	if d.Players != nil && hotSeat(g.players) && !asKept(&u.match.Seats, end.Reason) {
		l.dropJournal(ctx, r.ID)
		return
	}
	if err := l.store(ctx, u); err != nil {
		l.storeLater(u, err)
		return
	}
	l.cfg.Log.Info("match is stored after all", "match", r.ID)
}

// seals returns the commitments to the layouts in the events of a match.
func seals(salts [2]string, events []match.Event) (seals [2]string) {
	for i := range events {
		if e := &events[i]; e.Kind == match.FleetPlaced && salts[e.Side] != "" {
			seals[e.Side] = match.Commitment(match.Opening(salts[e.Side], e.Layout()))
		}
	}
	return seals
}

// void stores a match that cannot go on as one that nobody won.
func (l *Lobby) void(ctx context.Context, r store.RunningMatch) error {
	took := time.Duration(0)
	if n := len(r.Events); n > 0 {
		took = r.Events[n-1].At
	}
	_, err := l.cfg.Store.Matches.Finish(ctx, store.Match{
		Summary: store.Summary{ID: r.ID, Started: r.Started, Took: took, Winner: match.Nobody, Reason: match.Closed, Seats: r.Seats},
		Rules:   r.Rules,
		Events:  append(slices.Clip(r.Events), match.Event{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: took}),
	})
	return err
}

// interrupted tells whether a match has ended only because the server does, and
// goes on when it is back.
func (l *Lobby) interrupted(g *game, r live.Record) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.Reason == match.Closed && l.ctx.Err() != nil && g.journal.kept && l.resumable(g)
}
