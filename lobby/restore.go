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
)

// ReturnTime is how long players and programs may be away from their match after a server restart.
// Once players have returned, [Config].Grace applies again. It is also how long guests may be away
// from a match against a bot.
const ReturnTime = 5 * time.Minute

// errCannotReturn is why a match is not restored: the opponent would wait forever.
var errCannotReturn = errors.New("a program of the match cannot return to it")

// restoreMatches restores the matches that were running when the server stopped. Matches that
// cannot continue end without a winner. It returns an error if it cannot read the matches.
func (ms *Matches) restoreMatches(ctx context.Context) error {
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
		err := ms.restoreMatch(r)
		if err == nil {
			continue
		}
		l.cfg.Log.Warn("cannot continue a match", "match", r.ID, "error", err)
		if err := ms.storeVoidMatch(ctx, r); err != nil {
			l.cfg.Log.Error("cannot store a match", "match", r.ID, "error", err)
		}
	}
	return nil
}

func (ms *Matches) restoreMatch(r store.RunningMatch) error {
	l := ms.lobby
	var d matchDetails
	if err := json.Unmarshal(r.Details, &d); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g := ms.newRestoredGameLocked(r, d)
	if slices.ContainsFunc(g.players[:], func(p account.Player) bool { return p.Kind == account.Program && !p.Returns }) {
		return errCannotReturn
	}
	if err := ms.runLocked(g); err != nil {
		return err
	}
	l.cfg.Log.Info("match resumed", "match", r.ID, "events", len(r.Events))
	return nil
}

func (ms *Matches) newRestoredGameLocked(r store.RunningMatch, d matchDetails) *game {
	g := &game{
		matches: ms, id: r.ID, rules: r.Rules, started: r.Started, choice: d.Choice, ratingMode: d.RatingMode, restored: true,
		codes: d.Codes, keys: d.Keys, private: d.Private, host: d.Host, ladder: d.Ladder, timed: d.Timed, meanwhile: d.Meanwhile, history: r.Events,
	}
	g.players = ms.restoredPlayers(r)
	for side, p := range g.players {
		// Guests keep the name from before.
		if p.ID == "" {
			g.players[side].ID, g.players[side].Guest = ms.lobby.newPlayerIDLocked(p.Kind), true
		}
		g.players[side].Returns = p.Kind == account.Program && g.codes[side] != ""
	}
	ms.initGameLocked(g)
	return g
}

func (ms *Matches) restoredPlayers(r store.RunningMatch) (players [2]account.Player) {
	for side, s := range r.Seats {
		p := &players[side]
		switch {
		case s.Kind == store.Bot:
			*p = ms.lobby.Accounts.BotPlayer(s.Name)
		case s.Kind == store.Program:
			*p = account.Player{ID: s.Player, Account: s.Player, Name: s.Name, Kind: account.Program}
		case s.Key != "":
			*p = account.KeyPlayer(s.Key)
			p.Name = s.Name
		default:
			*p = account.Player{ID: s.Player, Account: s.Player, Name: s.Name}
		}
	}
	return players
}

func (ms *Matches) storeVoidMatch(ctx context.Context, r store.RunningMatch) error {
	took := time.Duration(0)
	n := len(r.Events)
	if n > 0 {
		took = r.Events[n-1].At
	}
	var d matchDetails
	// A match is private unless it is known to be public.
	private := json.Unmarshal(r.Details, &d) != nil || d.Private
	_, err := ms.lobby.cfg.Store.Matches.Finish(ctx, store.Match{
		Summary: store.Summary{ID: r.ID, Started: r.Started, Took: took, Winner: match.Nobody, Reason: match.Closed, Seats: r.Seats, Private: private},
		Rules:   r.Rules,
		Events:  append(slices.Clip(r.Events), match.Event{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: took}),
	})
	return err
}
