package session

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match"
)

// witness is a session whose states, updates and answers are encoded and searched for secrets.
type witness struct {
	*user
	// side is Nobody for a spectator.
	side match.Side
	// hidden holds texts that must never appear, by description.
	hidden map[string]string
	// fleet is the fleet as its owner saw it last.
	fleet match.Layout
	// seen holds what was received before the end of the match.
	seen [][]byte
	over bool
	// count is the number of updates.
	count int
	// looked is the number of answers to queries.
	looked int
}

// visit opens a client's session.
func visit(t *testing.T, l *lobby.Lobby, side match.Side, c Client) *witness {
	s := must.Get((&Host{Lobby: l}).Open(t.Context(), c))
	ctx, cancel := context.WithCancel(t.Context())
	u := &user{t: t, Session: s, updates: make(chan Update), cancel: cancel}
	go u.read(ctx)
	return &witness{user: u, side: side, hidden: map[string]string{}}
}

// see encodes what the session has received, and searches it.
func (w *witness) see(x any) []byte {
	w.t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		w.t.Fatal(err)
	}
	for what, secret := range w.hidden {
		if bytes.Contains(b, []byte(secret)) {
			w.t.Errorf("%s gets %s: %T %s", w.Player().Name, what, x, b)
		}
	}
	if !w.over {
		w.seen = append(w.seen, b)
	}
	return b
}

// got records an update. others are those of the players whose fleets are secret.
func (w *witness) got(u Update, others ...*witness) {
	w.t.Helper()
	w.count++
	if u.Match != nil {
		w.over = u.Match.View.Phase == match.Over
	}
	b := w.see(u)
	state := w.State()
	if u.Kind == LobbyChanged {
		w.see(*state.Lobby)
	}
	// The snapshot is encoded separately.
	state.Lobby = nil
	w.see(state)
	if u.Match == nil || w.over {
		return
	}
	v := &u.Match.View
	for side := match.First; side <= match.Second; side++ {
		if known := v.Charts[side].Hits.Union(v.Charts[side].Sunk); !known.IsSubsetOf(&v.Charts[side].Shots) {
			w.t.Errorf("%s: a chart of side %d knows of ships that were not shot at", w.Player().Name, side)
		}
		if side == w.side {
			w.fleet = v.Fleets[side]
		} else if v.Fleets[side] != nil || v.Damage[side] != (match.Damage{}) {
			w.t.Errorf("%s gets the fleet of side %d: %+v", w.Player().Name, side, u)
		}
	}
	for _, e := range u.Match.Events {
		if e.Side != w.side && (e.Layout() != nil || e.Kind == match.FleetMoved) {
			w.t.Errorf("%s gets an event that is side %d's secret: %+v", w.Player().Name, e.Side, e)
		}
	}
	for _, other := range others {
		for _, ship := range other.fleet {
			text, err := ship.MarshalText()
			if err != nil {
				w.t.Fatal(err)
			}
			if !slices.Contains(w.fleet, ship) && bytes.Contains(b, text) {
				w.t.Errorf("%s gets the ship %s of %s: %s", w.Player().Name, text, other.Player().Name, b)
			}
		}
	}
}

// play moves and fires as the update allows.
func (w *witness) play(u Update, rng *rand.Rand) {
	if u.Kind != MatchChanged || u.Match.View.Phase != match.Battle || u.Match.View.Turn != w.side || u.Match.View.Pending {
		return
	}
	v := &u.Match.View
	if status := v.FleetStatus(w.side); v.CanMove && rng.IntN(2) == 0 {
		if moves := status.LegalMoves(); len(moves) > 0 {
			w.must(w.Move(match.First, moves[rng.IntN(len(moves))]))
		}
	}
	open := v.Charts[w.side].OpenCells()
	w.must(w.Fire(match.First, 0, open.Nth(rng.IntN(open.Len()))))
}

// TestSecrets plays matches under all rules between two sessions, with a spectator.
// Everything that they receive contains nothing that its reader may
// not see: a fleet or a salt before the end, or at any time another player's address, key,
// code or settings.
func TestSecrets(t *testing.T) {
	custom := must.Get(account.CustomRules(12, 8, match.Rules{Contact: match.TouchCorners}))
	sailing := must.Get(account.CustomRules(12, 7, match.Rules{Contact: match.TouchNone, Moving: true}))
	for i, rules := range []match.Rules{match.Classic(), match.Hasbro(), match.Naval(), custom, sailing} {
		t.Run(rules.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { watchMatch(t, rules, rand.New(rand.NewPCG(1, uint64(i)))) })
		})
	}
}

func watchMatch(t *testing.T, rules match.Rules, rng *rand.Rand) {
	s := must.Get(store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)}))
	defer s.Close()
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	defer l.Close()

	annsKey, annsAddress := "SHA256:"+strings.Repeat("ANN", 14), "203.0.113.7"
	ann := visit(t, l, match.First, Client{Name: "anns-laptop", Fingerprint: annsKey, Addr: netip.MustParseAddr(annsAddress)})
	defer ann.leave()
	bob := visit(t, l, match.Second, Client{Name: "bob", Addr: netip.MustParseAddr("203.0.113.8")})
	defer bob.leave()
	carol := visit(t, l, match.Nobody, Client{Name: "carol", Addr: netip.MustParseAddr("203.0.113.9")})
	defer carol.leave()
	all := []*witness{ann, bob, carol}
	hide := func(what, secret string, from ...*witness) {
		t.Helper()
		if len(secret) < 6 {
			t.Fatalf("%s is %q", what, secret)
		}
		for _, w := range from {
			w.hidden[what], w.hidden[what+" without hyphens"] = secret, strings.ReplaceAll(secret, "-", "")
		}
	}
	// read reads the next update, if there is one.
	read := func() bool {
		synctest.Wait()
		select {
		case u := <-ann.updates:
			ann.got(u, bob)
			ann.play(u, rng)
		case u := <-bob.updates:
			bob.got(u, ann)
			bob.play(u, rng)
		case u := <-carol.updates:
			carol.got(u, ann, bob)
		default:
			return false
		}
		return true
	}

	hide("ann's address", annsAddress, all...)
	hide("ann's key", annsKey, bob, carol)
	hide("ann's client", "anns-laptop", bob, carol)
	ann.must(ann.Register(ann.t.Context(), "ann"))
	ann.must(<-ann.SaveSettings(account.Settings{Rules: match.Hasbro(), Theme: "anns-theme"}))
	hide("ann's settings", "anns-theme", bob, carol)
	ann.must(ann.SaveFleet(ann.t.Context(), "anns-fleet", rules, rules.RandomLayout(rng)))
	hide("ann's saved fleet", "anns-fleet", bob, carol)
	code := must.Get(ann.NewLinkCode())
	hide("ann's link code", code.Code, bob, carol)
	ann.must(ann.OpenPrivateMatch(rules, lobby.Casual))
	hide("ann's room code", ann.State().Offer.Code, bob, carol)
	for read() {
	}
	bob.must(bob.JoinPrivateMatch(ann.State().Offer.Code))
	synctest.Wait()
	hide("bob's resume code", bob.State().Seat.ResumeCode, ann, carol)
	carol.must(carol.FindAndWatch("ann"))
	for _, w := range all {
		must.Do(w.Say(t.Context(), MatchChat, "aside-of-"+w.Player().Name))
	}
	ann.must(ann.Place(match.First, rules.RandomLayout(rng)))
	bob.must(bob.Place(match.First, rules.RandomLayout(rng)))
	for ann.count < 120 && read() {
	}
	if !ann.over {
		ann.must(ann.Resign(match.First))
	}
	for read() {
	}
	if !ann.over || !bob.over || !carol.over || ann.count < 50 || carol.count < 20 {
		t.Fatalf("the match was not seen to its end: %d, %d and %d updates", ann.count, bob.count, carol.count)
	}
	// Close stores the match.
	l.Close()
	games, err := ann.FinishedMatches(t.Context(), "", store.Cursor{}, 10)
	if err != nil || len(games) != 1 {
		t.Fatalf("the games are %+v, %v", games, err)
	}
	if others, err := carol.FinishedMatches(t.Context(), "", store.Cursor{}, 10); err != nil || len(others) != 0 {
		t.Errorf("carol lists a private match: %+v, %v", others, err)
	}
	for _, w := range all {
		for _, b := range w.seen {
			if w.side != match.Nobody && strings.Contains(string(b), "aside-of-carol") {
				t.Errorf("%s gets what a spectator says: %s", w.Player().Name, b)
			}
		}
		w.answers(games[0])
	}
}

// answers sends every query that a player can send, and searches the answers.
func (w *witness) answers(game store.Summary) {
	w.t.Helper()
	ctx := w.t.Context()
	w.see([]store.Summary{game})
	w.look(w.Occupancy(), nil)
	w.look(w.RunningMatches(), nil)
	w.look(w.MatchRecord(ctx, game.ID))
	for _, board := range []store.Category{store.AllPlayers, store.People, store.ProgramsAndBots} {
		w.look(w.Leaderboard(ctx, board, game.RuleSet, 10))
	}
	w.look(w.Profile(ctx, game.Seats[0].Player, false))
	w.look(w.FindAccount(ctx, "ann"))
	w.look(w.Fleets(ctx))
	w.look(w.Settings(ctx))
	w.look(w.Keys(ctx))
	w.look(w.MutedPlayers(ctx))
	w.look(w.MuteState(game.Seats[0].Player), nil)
	w.look(w.DailyLeaderboard(ctx, daily.PuzzleDay(time.Now()), 10))
	if w.looked < 12 {
		w.t.Errorf("%s got answers to %d queries, want at least 12", w.Player().Name, w.looked)
	}
}

// look searches the answer to a query. Guests get none to some of them.
func (w *witness) look(answer any, err error) {
	w.t.Helper()
	if err != nil {
		if w.Player().Account != "" {
			w.t.Errorf("%T: %v", answer, err)
		}
		return
	}
	w.looked++
	w.see(answer)
}
