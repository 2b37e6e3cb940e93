package tournament

import (
	"cmp"
	"slices"
	"time"

	"broadside/internal/pairing"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// Format is how a tournament's entrants are paired.
type Format string

// The formats. Package pairing describes them.
const (
	Swiss      Format = "swiss"
	RoundRobin Format = "round-robin"
	Knockout   Format = "knockout"
)

// Formats lists the formats in the order of menus.
var Formats = []Format{Swiss, RoundRobin, Knockout}

// Phase is a tournament's phase.
type Phase string

// The phases.
const (
	// Joining means that entrants can join.
	Joining Phase = "open"
	// Running means that matches are played.
	Running Phase = "running"
	// Paused means that no match starts.
	Paused Phase = "paused"
	// Over means that the table is final.
	Over Phase = "over"
)

// Settings are what a tournament's owner chooses.
type Settings struct {
	Name   string
	Format Format
	// Rounds is the number of rounds of a [Swiss]. 0 means enough to leave one entrant without a loss.
	Rounds int `json:",omitzero"`
	// Rules include the turn clock.
	Rules match.Rules
	// RatingMode is Rated or Casual.
	RatingMode ratingmode.Mode `json:"Stakes"`
	// Starts is when the tournament starts. If it is zero, the owner starts the tournament.
	Starts time.Time `json:",omitzero"`
	// Grace is how long a match waits for an absent player.
	Grace time.Duration
	// Break is the time between two rounds.
	Break time.Duration `json:",omitzero"`
}

// Entrant is a player, a program or a built-in bot in a tournament.
type Entrant struct {
	// ID is the player's ID.
	ID   string
	Name string
	Kind account.Kind
	// Owner is the ID of a program's owner.
	Owner string `json:",omitzero"`
	// Rating is the entrant's rating at the time of joining, or 0 if there was none.
	Rating float64 `json:",omitzero"`
	// Left reports that the entrant has withdrawn and loses all later matches.
	Left bool `json:",omitzero"`
	// Present reports that the entrant can play now.
	Present bool `json:"-"`
}

// Ending is how a game was decided.
type Ending string

// The endings.
const (
	Undecided Ending = ""
	Played    Ending = "played"
	// ByBye means that an entrant had no opponent.
	ByBye Ending = "bye"
	// ByForfeit means that one or both players did not appear in time or had left.
	ByForfeit Ending = "default"
	// NoResult means that the match had no winner several times.
	NoResult Ending = "no-result"
)

// Game is a match between two entrants of a tournament, which is played again if it has no winner.
type Game struct {
	// The entrants of Result are indexes of [Tournament].Entrants.
	pairing.Result
	// Match is the ID of the running or played match.
	Match  string `json:",omitzero"`
	Ending Ending `json:",omitzero"`
	// Opens is when the match can start.
	Opens time.Time `json:",omitzero"`
	// Failed is the number of matches without a winner.
	Failed int `json:",omitzero"`
}

// Tournament is a tournament's state. Its tables and rounds are computed from its games.
type Tournament struct {
	Settings
	// Code is the code for joining.
	Code string
	// Owner is the owner's account ID. It is empty if the tournament is scheduled.
	Owner     string
	OwnerName string
	Created   time.Time
	Phase     Phase
	// Alerted reports that the webhook has been told about a scheduled tournament.
	Alerted bool `json:",omitzero"`
	// Entrants are ordered by seed once the tournament has started.
	Entrants []Entrant `json:",omitzero"`
	// Round is the current round, from 0.
	Round int `json:",omitzero"`
	// Games are those of all rounds so far, in order.
	Games []Game `json:",omitzero"`
}

// Row is an entrant's row in the table.
type Row struct {
	// Place starts at 1.
	Place int
	Entrant
	pairing.Standing
}

func (t *Tournament) decidedResults() (all []pairing.Result) {
	for _, g := range t.Games {
		if g.Ending != Undecided {
			all = append(all, g.Result)
		}
	}
	return all
}

// Table returns the entrants, best first, as [pairing.Standings] ranks them.
func (t *Tournament) Table() []Row {
	var rows []Row
	for i, s := range pairing.Standings(len(t.Entrants), t.decidedResults()) {
		rows = append(rows, Row{Place: i + 1, Entrant: t.Entrants[s.Entrant], Standing: s})
	}
	return rows
}

// schedule returns all rounds' pairs as far as they are known. There are none for a Swiss
// tournament, because each round depends on the results.
func (t *Tournament) schedule() [][]pairing.Pair {
	switch t.Format {
	case RoundRobin:
		return pairing.RoundRobin(len(t.Entrants), 1)
	case Knockout:
		return pairing.Knockout(len(t.Entrants), t.decidedResults())
	}
	return nil
}

// Bracket returns all rounds of a knockout. The entrants of pairs are indexes of
// Entrants, [pairing.Bye] or [pairing.Open]. Other formats have no bracket.
func (t *Tournament) Bracket() [][]pairing.Pair {
	if t.Format != Knockout || t.Phase == Joining {
		return nil
	}
	return t.schedule()
}

// RoundGames returns a round's games.
func (t *Tournament) RoundGames(round int) (games []Game) {
	for _, g := range t.Games {
		if g.Round == round {
			games = append(games, g)
		}
	}
	return games
}

// RoundCount returns the number of rounds as far as it is known.
func (t *Tournament) RoundCount() int {
	if t.Format == Swiss {
		return t.Rounds
	}
	return len(t.schedule())
}

// EntrantIndex returns the index of the entrant with an ID, or -1.
func (t *Tournament) EntrantIndex(id string) int {
	return slices.IndexFunc(t.Entrants, func(e Entrant) bool { return e.ID == id })
}

// CanJoin reports whether a player who has not joined yet can join.
func (t *Tournament) CanJoin(p account.Player) bool {
	return t.Phase == Joining && t.EntrantIndex(p.ID) < 0 && p.Account != ""
}

// CanLeave reports whether a player takes part and can leave.
func (t *Tournament) CanLeave(p account.Player) bool {
	i := t.EntrantIndex(p.ID)
	return i >= 0 && t.Phase != Over && !t.Entrants[i].Left
}

// CanStart reports whether a player can start the tournament, or continue it after a pause.
func (t *Tournament) CanStart(p account.Player) bool {
	return t.isOwnedBy(p) && (t.Phase == Joining || t.Phase == Paused)
}

// CanPause reports whether a player can pause the tournament.
func (t *Tournament) CanPause(p account.Player) bool { return t.isOwnedBy(p) && t.Phase == Running }

func (t *Tournament) isOwnedBy(p account.Player) bool { return p.Account != "" && t.Owner == p.Account }

// startFirstRound starts the first round. There must be at least two entrants.
func (t *Tournament) startFirstRound(now time.Time) {
	slices.SortStableFunc(t.Entrants, func(a, b Entrant) int { return cmp.Compare(b.Rating, a.Rating) })
	n := len(t.Entrants)
	if t.Format == Swiss {
		if t.Rounds == 0 {
			t.Rounds = len(pairing.Knockout(n, nil))
		}
		t.Rounds = min(t.Rounds, n-1+n%2)
	}
	t.Phase = Running
	t.openRound(0, now)
}

// openNextRounds opens the next round if all games of the current one are decided, and ends the
// tournament after the last one. It reports whether the tournament has changed.
func (t *Tournament) openNextRounds(now time.Time) (changed bool) {
	for t.Phase == Running && !slices.ContainsFunc(t.Games, func(g Game) bool { return g.Ending == Undecided }) {
		changed = true
		t.openRound(t.Round+1, now.Add(t.Break))
	}
	return changed
}

// openRound adds a round's games, which open at a time, or ends the tournament.
func (t *Tournament) openRound(round int, opens time.Time) {
	pairs := t.roundPairs(round)
	if len(pairs) == 0 {
		t.Phase = Over
		return
	}
	t.Round = round
	for _, p := range pairs {
		// Otherwise both slots of a bracket are empty.
		if p.First >= 0 {
			t.Games = append(t.Games, t.newGame(round, p, opens))
		}
	}
}

// roundPairs returns a round's pairs, or none after the last one.
func (t *Tournament) roundPairs(round int) []pairing.Pair {
	if t.Format == Swiss {
		return t.swissPairs(round)
	}
	all := t.schedule()
	if round >= len(all) {
		return nil
	}
	return all[round]
}

func (t *Tournament) swissPairs(round int) []pairing.Pair {
	n := len(t.Entrants)
	var left []int
	for i, e := range t.Entrants {
		if e.Left {
			left = append(left, i)
		}
	}
	if round >= t.Rounds || len(left) >= n-1 {
		return nil
	}
	// Without a pairing, the tournament ends early.
	pairs, _ := pairing.Swiss(n, t.decidedResults(), left...)
	return pairs
}

// newGame returns a game of a round, which is decided if an entrant has no opponent.
func (t *Tournament) newGame(round int, p pairing.Pair, opens time.Time) Game {
	g := Game{Result: pairing.Result{Round: round, Pair: p}, Opens: opens}
	switch {
	case p.IsBye():
		g.decide(ByBye, [2]float64{1, 0})
	case t.Entrants[p.First].Left || t.Entrants[p.Second].Left:
		g.forfeit(!t.Entrants[p.First].Left, !t.Entrants[p.Second].Left)
	}
	return g
}

// isWaiting reports whether the game is neither played nor decided.
func (g *Game) isWaiting() bool { return g.Ending == Undecided && g.Match == "" }

// isPlaying reports whether the game's match is running.
func (g *Game) isPlaying() bool { return g.Ending == Undecided && g.Match != "" }

func (g *Game) decide(how Ending, points [2]float64) {
	g.Ending, g.Points, g.Unplayed = how, points, how != Played
}

// forfeit ends a game that is won by the side that is present, if there is one.
func (g *Game) forfeit(first, second bool) {
	var points [2]float64
	if first {
		points[0] = 1
	}
	if second {
		points[1] = 1
	}
	g.decide(ByForfeit, points)
}

// maxFailed is the number of matches without a winner after which a game is a draw.
const maxFailed = 3

// recordMatchEnd records the winner of a game's match, which is [match.Nobody] if there is none.
// With mustRepeat, the game is played again and the match does not count as failed.
func (g *Game) recordMatchEnd(winner match.Side, mustRepeat bool, now time.Time) {
	if winner != match.Nobody {
		var points [2]float64
		points[winner] = 1
		g.decide(Played, points)
		return
	}
	g.Match, g.Opens = "", now
	if !mustRepeat {
		g.Failed++
	}
	if g.Failed >= maxFailed {
		g.decide(NoResult, [2]float64{0.5, 0.5})
	}
}

// withdrawEntrant withdraws an entrant. Before the start, it removes the entrant.
func (t *Tournament) withdrawEntrant(i int) {
	if t.Phase == Joining {
		t.Entrants = slices.Delete(t.Entrants, i, i+1)
		return
	}
	t.Entrants[i].Left = true
	for k := range t.Games {
		g := &t.Games[k]
		if g.isWaiting() && g.Has(i) {
			g.forfeit(!t.Entrants[g.First].Left, !t.Entrants[g.Second].Left)
		}
	}
}

// restartWaits restarts the time that open games wait for absent players.
func (t *Tournament) restartWaits(now time.Time) {
	for i := range t.Games {
		g := &t.Games[i]
		if g.Ending == Undecided && g.Opens.Before(now) {
			g.Opens = now
		}
	}
}

func (t *Tournament) clone() *Tournament {
	copied := *t
	copied.Entrants, copied.Games = slices.Clone(t.Entrants), slices.Clone(t.Games)
	return &copied
}
