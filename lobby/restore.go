package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

const (
	// ReturnTime is how long people may be away from their match after a server restart.
	// Once they have returned, [Config].Grace applies again. It is also how long guests may be
	// away from a match against a bot.
	ReturnTime = 5 * time.Minute
	// SessionReturnTime is how long a program may be away after another node has opened
	// the lobby, until its session is attached.
	SessionReturnTime = 10 * time.Second
)

// Reasons why a match cannot be restored.
var (
	errConnections = errors.New("a program that played it has lost its connection")
	errBehind      = errors.New("its players saw events that the database does not have: it is void")
)

// restore restores the matches that were running when the server stopped. Matches that
// cannot continue end without a winner. It returns an error if the matches cannot be
// read.
func (ms *Matches) restore(ctx context.Context) error {
	l := ms.lobby
	if l.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTimeout)
	defer cancel()
	all, err := l.cfg.Store.Running.List(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		restore := ms.restoreRunning
		if n := len(r.Events); !r.Behind && n > 0 && r.Events[n-1].Kind == match.GameEnded {
			restore = ms.storeEnded
		}
		err := restore(ctx, r)
		if err == nil {
			continue
		}
		if !errors.Is(err, errConnections) {
			l.cfg.Log.Error("match cannot continue", "match", r.ID, "error", err)
		}
		if err := ms.void(ctx, r); err != nil {
			l.cfg.Log.Error("match was not stored", "match", r.ID, "error", err)
		}
	}
	return nil
}

// restoreRunning continues a match.
func (ms *Matches) restoreRunning(_ context.Context, r store.RunningMatch) error {
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	g, _, err := ms.readLocked(r)
	if err != nil {
		return err
	}
	if err := ms.runLocked(g); err != nil {
		return err
	}
	l.cfg.Log.Info("match resumed", "match", r.ID, "events", len(r.Events))
	return nil
}

// readLocked returns the game and details of a stored match. The game is set even if the
// error is errConnections.
func (ms *Matches) readLocked(r store.RunningMatch) (*game, details, error) {
	var d details
	if err := json.Unmarshal(r.Details, &d); err != nil {
		return nil, d, err
	}
	if r.Behind {
		return nil, d, errBehind
	}
	at := d.Stakes
	if !d.Rated && at == Rated { // written by a version that only stored whether a match was rated
		at = Casual
	}
	g := &game{
		matches: ms, id: r.ID, rules: r.Rules, started: r.Started, choice: d.Choice, stakes: at,
		codes: d.Codes, salts: d.Salts, keys: d.Keys, private: d.Private, host: d.Host, ladder: d.Ladder, timed: d.Timed, history: r.Events,
	}
	g.journal.begun, g.journal.stored, g.journal.waiting, g.journal.shown = true, r.Stored, slices.Clip(r.Events[r.Stored:]), len(r.Events)
	if len(g.journal.waiting) > 0 {
		g.journal.since = time.Now()
	}
	var err error
	g.players, err = ms.playersOf(r, d)
	for side, p := range g.players {
		// Guests keep the name from before.
		if p.ID == "" {
			g.players[side].ID, g.players[side].Guest = ms.lobby.newPlayerIDLocked(p.Kind), true
		}
	}
	ms.completeLocked(g)
	return g, d, err
}

// playersOf returns the players of a stored match. It returns errConnections if a
// program's connection is gone.
func (ms *Matches) playersOf(r store.RunningMatch, d details) (players [2]Player, err error) {
	for side, s := range r.Seats {
		p := &players[side]
		switch {
		case s.Kind == store.Bot:
			*p = ms.lobby.Accounts.Bot(s.Name)
		case d.Players != nil:
			*p = d.Players[side]
		case s.Kind != store.Person:
			err = errConnections
			*p = Player{Account: s.Player, Name: s.Name, Kind: Program}
		case s.Key != "":
			*p = account.OfKey(s.Key)
			p.Name = s.Name
		default:
			*p = Player{ID: s.Player, Account: s.Player, Name: s.Name}
		}
	}
	return players, err
}

// storeEnded stores a match that had ended before the server stopped.
func (ms *Matches) storeEnded(ctx context.Context, r store.RunningMatch) error {
	l := ms.lobby
	if _, err := match.Replay(r.Rules, l.cfg.Audit, r.Events); err != nil {
		return err
	}
	l.mu.Lock()
	g, d, err := ms.readLocked(r)
	l.mu.Unlock()
	if err != nil && !errors.Is(err, errConnections) { // a match can be stored without its programs
		return err
	}
	end := r.Events[len(r.Events)-1]
	l.recorder.storeOrDrop(ctx, &record{g, recordOf(live.Record{
		ID: r.ID, Rules: r.Rules, Started: r.Started, Took: end.At, Winner: end.Side, Reason: end.Reason,
		Events: r.Events, Commitments: commitments(d.Salts, r.Events),
	}, r.Seats, d.Salts, g.stakes, g.private), g.players})
	return nil
}

// commitments returns the commitments to layouts found in a match's events.
func commitments(salts [2]string, events []match.Event) (all [2]string) {
	for i := range events {
		if e := &events[i]; e.Kind == match.FleetPlaced && salts[e.Side] != "" {
			all[e.Side] = match.Commitment(match.Opening(salts[e.Side], e.Layout()))
		}
	}
	return all
}

// void stores a match that cannot be restored, without a winner.
func (ms *Matches) void(ctx context.Context, r store.RunningMatch) error {
	took := time.Duration(0)
	if n := len(r.Events); n > 0 {
		took = r.Events[n-1].At
	}
	var d details
	private := json.Unmarshal(r.Details, &d) != nil || d.Private // unless it is known to be public
	_, err := ms.lobby.cfg.Store.Matches.Finish(ctx, store.Match{
		Summary: store.Summary{ID: r.ID, Started: r.Started, Took: took, Winner: match.Nobody, Reason: match.Closed, Seats: r.Seats, Private: private},
		Rules:   r.Rules,
		Events:  append(slices.Clip(r.Events), match.Event{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: took}),
	})
	return err
}
