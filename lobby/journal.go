package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"broadside/lobby/cluster"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/match/live"
)

// journal writes down what happens in a running match, so that it can go on
// after a restart. It keeps up with the match without the match waiting for it:
// what happens while the disk is busy is written together. All of it is guarded
// by the lobby's lock.
type journal struct {
	kept    bool          // there is a journal
	begun   bool          // its beginning is on the disk, or on its way there
	written int           // events of which that is true
	pending []match.Event // those after them
	writing bool          // a goroutine is at work
}

// details is what the store keeps of a running match beside its events.
type details struct {
	Rated  bool      `json:"rated"`
	Choice Stakes    `json:"choice"`
	Stakes Stakes    `json:"stakes"`
	Codes  [2]string `json:"codes"` // see [Seating.Code]
	Salts  [2]string `json:"salts"` // of the commitments to both fleets
}

// goesOn tells whether a match can go on after a restart: nobody's connection
// is part of it.
func (g *game) goesOn() bool { return !g.hotSeat && g.count(Program) == 0 && g.count(Person) > 0 }

// openJournal writes down that a match has begun. A match that cannot go on is
// written down, too, if somebody ought to find it among their matches as one
// that nobody won. The lobby is locked.
func (l *Lobby) openJournal(g *game) {
	g.journal.kept = l.cfg.Store != nil && !g.hotSeat && g.count(Person) > 0
	if g.journal.kept && !g.journal.begun { // else it was begun before a restart
		l.writeOn(g)
	}
}

// happened takes in what has happened in a match, on its goroutine.
func (l *Lobby) happened(g *game, events []match.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !g.journal.kept { // the disk has failed
		return
	}
	g.journal.pending = append(g.journal.pending, events...)
	l.writeOn(g)
}

// writeOn sees to it that what is pending is written. The lobby is locked.
func (l *Lobby) writeOn(g *game) {
	if !g.journal.writing {
		g.journal.writing = true
		l.work.Go(func() { l.write(g) })
	}
}

// write writes a match's journal until nothing is pending. Only one goroutine
// does so for a match at a time.
func (l *Lobby) write(g *game) {
	j := &g.journal
	for {
		l.mu.Lock()
		begun, from, events := j.begun, j.written, j.pending
		if begun && len(events) == 0 {
			j.writing = false
			l.mu.Unlock()
			return
		}
		j.begun, j.written, j.pending = true, from+len(events), nil
		running := store.Running{ID: g.id, Rules: g.rules, Started: g.started, Seats: g.seats(), Events: events}
		running.Details, _ = json.Marshal(details{g.stakes.Rated(), g.choice, g.stakes, g.codes, g.salts}) // of these it cannot fail
		l.mu.Unlock()

		ctx, cancel := context.WithTimeout(context.Background(), storeTime)
		var err error
		if begun {
			err = l.cfg.Store.Append(ctx, running.ID, from, events)
		} else {
			err = l.cfg.Store.Begin(ctx, running)
		}
		cancel()
		if err != nil && !errors.Is(err, store.ErrNotFound) { // which is a match that has ended meanwhile
			l.cfg.Log.Error("match would not survive a restart", "match", running.ID, "error", err)
			l.mu.Lock()
			j.kept, j.writing, j.pending = false, false, nil // what comes after a gap is worth nothing
			l.mu.Unlock()
			return
		}
	}
}

// seats are the players as the store knows them. The lobby is locked.
func (g *game) seats() (seats [2]store.Seat) {
	for side, p := range g.players {
		seats[side] = store.Seat{Player: p.Account, Name: g.names[side], Kind: store.Kind(p.Kind.String())}
	}
	return seats
}

// ReturnTime is how long the players of a match may stay away after a restart
// of the server, of which nobody has told them.
const ReturnTime = 5 * time.Minute

// goOn starts the matches again that ran when the server stopped. Those with
// programs, whose connections are lost, are ended without a winner.
func (l *Lobby) goOn() {
	if l.cfg.Store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, 10*storeTime)
	defer cancel()
	all, err := l.cfg.Store.Running(ctx)
	if err != nil {
		l.cfg.Log.Error("running matches cannot be read", "error", err)
		return
	}
	for _, r := range all {
		if r.Started.After(l.began) { // at another node, which has not come to tell
			continue
		}
		err := l.goOnWith(r)
		if err == nil {
			l.cfg.Log.Info("match goes on", "match", r.ID, "events", len(r.Events))
			continue
		}
		if errors.Is(err, errElsewhere) {
			continue
		}
		if errors.Is(err, cluster.ErrCut) || errors.Is(err, context.DeadlineExceeded) {
			l.cfg.Log.Error("match does not go on yet: the other nodes are out of reach", "match", r.ID, "error", err)
			continue
		}
		if !errors.Is(err, errConnections) {
			l.cfg.Log.Error("match cannot go on", "match", r.ID, "error", err)
		}
		if err := l.void(ctx, r); err != nil {
			l.cfg.Log.Error("match was not stored", "match", r.ID, "error", err)
		}
	}
}

var errConnections = errors.New("a program that played it has lost its connection")

// goOnWith starts one match again, unless another node does.
func (l *Lobby) goOnWith(r store.Running) error {
	g, err := l.recall(r)
	if err == nil {
		err = l.reopen(g)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		return l.run(g)
	case g == nil:
	case l.runs(g) && (errors.Is(err, cluster.ErrCut) || errors.Is(err, context.DeadlineExceeded)):
		g.starting = false
		l.turn(g) // until the other nodes are in reach
	case l.runs(g):
		delete(l.running, g.id)
	default: // this node has heard of the other one meanwhile
		g.starting = false
	}
	return err
}

// recall is a match as the store has it, among those that run.
func (l *Lobby) recall(r store.Running) (*game, error) {
	var d details
	if err := json.Unmarshal(r.Details, &d); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running[r.ID] != nil {
		return nil, errElsewhere
	}
	here := l.node.ID()
	g := &game{
		id: r.ID, owner: here, homes: [2]string{here, here}, starting: true,
		rules: r.Rules, started: r.Started, choice: d.Choice, stakes: knownStakes(d.Rated, d.Stakes), codes: d.Codes, salts: d.Salts, history: r.Events,
	}
	g.journal = journal{begun: true, written: len(r.Events)}
	for side, s := range r.Seats {
		switch s.Kind {
		case store.Person:
			g.players[side] = Player{ID: s.Player, Account: s.Player, Name: s.Name}
			if s.Player == "" {
				g.players[side] = l.identify(Player{Name: s.Name})
			}
		case store.Bot:
			g.players[side] = l.bot(s.Name)
		default:
			return nil, errConnections
		}
	}
	l.complete(g)
	l.running[g.id] = g
	return g, nil
}

// errElsewhere is why a match does not go on here.
var errElsewhere = errors.New("it goes on at another node")

// reopen makes a match that the store has brought back known to all nodes,
// unless one of them goes on with it. The lobby is not locked.
func (l *Lobby) reopen(g *game) error {
	ctx, cancel := l.waiting()
	defer cancel()
	rev, err := l.node.Create(ctx, cluster.Matches, g.id, encode(g.played()))
	if errors.Is(err, cluster.ErrConflict) {
		return errElsewhere
	}
	if err != nil {
		return err
	}
	l.revised(g, rev, nil)
	if err := l.node.Drop(ctx, g.id); err != nil || len(g.history) == 0 {
		return err
	}
	return l.append(ctx, g, g.history, [2]uint64{})
}

// void stores a match that cannot go on as one that nobody won.
func (l *Lobby) void(ctx context.Context, r store.Running) error {
	took := time.Duration(0)
	if n := len(r.Events); n > 0 {
		took = r.Events[n-1].At
	}
	_, err := l.cfg.Store.Finish(ctx, store.Match{
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
	return r.Reason == match.Closed && l.ctx.Err() != nil && g.journal.kept && g.goesOn()
}
