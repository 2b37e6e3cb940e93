package plain

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/speech"
	"broadside/words"
)

// game is a seat taken by this session, and the last that came from it.
type game struct {
	seating  *lobby.Seating
	seat     *live.Seat
	side     match.Side
	opponent string
	box      *live.Mailbox
	stop     context.CancelFunc // of the goroutine that waits for its updates
	last     live.Update
	seen     bool             // an update has come
	layout   match.Layout     // as far as it is placed
	order    []int            // the ships of it, in the order in which they were placed
	table    lobby.TableState // what the opponent wants after the match
	log      []string         // what has happened
	reminded time.Duration    // what was left when the person was last told; 0: not yet
	deadline time.Time        // for which that was
	total    time.Duration    // that there was then
}

// logKept is how many happenings are kept.
const logKept = 200

// sit takes a seat.
func (s *Session) sit(seating *lobby.Seating) {
	s.rise()
	s.unwatch()
	g := &game{
		seating: seating, seat: seating.Seat, side: seating.Seat.Side(), opponent: clean(seating.Opponent.Name),
		box: seating.Seat.Attach(), layout: make(match.Layout, len(seating.Rules().Fleet)), table: seating.Table(),
	}
	s.game = g
	if seating.Opponent.Kind == lobby.Person {
		s.matchTalk = hearing{place: s.visit.TalkAt(seating)}
	}
	ctx, cancel := context.WithCancel(s.ctx)
	g.stop = cancel
	s.pump(ctx, func(ctx context.Context) (func(), bool) {
		var u live.Update
		err := g.box.Recv(ctx, &u)
		return func() { s.updated(g, u, err) }, err == nil
	})
}

// rise leaves the seat, and the table with it. While the match runs, that is
// leaving it.
func (s *Session) rise() {
	g := s.game
	if g == nil {
		return
	}
	s.matchTalk.leave()
	g.stop()
	g.seat.Detach(g.box)
	if g.over() {
		g.seating.Rise()
	}
	s.game, s.asked, s.leave = nil, nil, false
}

func (g *game) over() bool { return g.seen && g.last.View.Phase == match.Over }

// playing tells whether a match of this session runs.
func (s *Session) playing() bool { return s.game != nil && !s.game.over() }

// placing tells whether the person has ships to place.
func (s *Session) placing() bool {
	if s.game == nil {
		return s.ticket != nil // it may be so soon
	}
	v := &s.game.last.View
	return !s.game.seen || v.Phase == match.Placing && !v.Ready[s.game.side]
}

// inMatch tells whether a match runs, or says that none does.
func (s *Session) inMatch() bool {
	if s.playing() {
		return true
	}
	if s.game != nil {
		s.say("The match is over. Say rematch for another one, or lobby.")
	} else {
		s.say("You are not in a match. Say play, or bot easy, to begin one.")
	}
	return false
}

// ask asks the match for something and lets what comes after it wait until the
// answer is there.
func (s *Session) ask(answered func(*game) bool) { s.asked = answered }

// updated takes in what has happened in the match.
func (s *Session) updated(g *game, u live.Update, err error) {
	if g != s.game {
		return
	}
	if err != nil {
		if errors.Is(err, live.ErrReplaced) {
			s.drop()
			s.game = nil // which another session has
			s.asked = nil
			s.matchTalk.leave()
			s.say("Your match goes on in another session of yours.")
		}
		return
	}
	before := g.last
	came := !g.seen
	g.last, g.seen = u, true
	if u.Refused != nil {
		s.fail(u.Refused)
	}
	if s.asked != nil && (u.Refused != nil || g.over() || s.asked(g)) {
		s.asked = nil
	}
	if came {
		s.welcome(g)
	} else {
		s.tell(g, &before)
	}
	s.setDeadline(g)
}

// note says what has happened, and keeps it.
func (s *Session) note(g *game, text words.Text, args ...any) {
	s.say(text, args...)
	g.log = append(g.log, s.said[len(s.said)-1])
	if len(g.log) > logKept {
		g.log = g.log[1:]
	}
}

// welcome says where somebody is who has just sat down.
func (s *Session) welcome(g *game) {
	v := &g.last.View
	if v.Phase == match.Placing && !v.Ready[g.side] {
		s.say("You play against %s: %s.", who(s.l, g.seating.Opponent), terms(s.l, v.Rules))
	}
	if code := g.seating.Code(); code != "" && v.Phase != match.Over {
		s.say("Should the connection break, come back with: ssh HOST resume %s", code)
	}
	if v.Phase == match.Over {
		s.tellEnd(g)
		return
	}
	s.status("")
}

// tell says what an update has brought.
func (s *Session) tell(g *game, before *live.Update) {
	u := &g.last
	v := &u.View
	other := g.side.Other()
	auto := false
	for _, e := range u.Events {
		switch e.Kind {
		case match.FleetPlaced, match.FleetKept:
			if e.Side == other {
				s.say("%s is ready.", g.opponent)
			} else {
				s.tellPlaced(g, e.Layout)
			}
		case match.BattleBegun:
			s.note(g, "The battle begins.")
		case match.FleetMoved:
			if e.Move != match.Stay {
				i := e.Move.Ship()
				l := v.Fleets[g.side][i]
				s.say("Your %s lies from %s to %s now.", s.ship(v.Rules.Fleet[i]), l.Stern.String(), l.Bow().String())
			} else if e.Auto {
				s.say("Your time to move is over.")
			} else {
				s.say("Your ships stay where they are.")
			}
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			s.tellShot(g, e, auto)
			auto = false
		case match.AnswersDisputed:
			if e.Side == g.side {
				s.note(g, "Your answers cannot all be true: the match is disputed.")
			} else {
				s.note(g, "The answers of %s cannot all be true: the match is disputed.", g.opponent)
			}
		}
	}
	if u.Missed {
		s.say("Something was too fast to be told. Say status.")
	}
	if v.Phase == match.Over {
		s.tellEnd(g)
		return
	}
	s.tellAway(g, before)
	mine := v.Phase == match.Battle && v.Turn == g.side && !v.Pending
	was := before.View.Phase == match.Battle && before.View.Turn == g.side && !before.View.Pending
	if mine && (!was || before.View.Charts[g.side].Fired < v.Charts[g.side].Fired) {
		s.tellTurn(g)
	}
}

// tellTurn says that it is the person's turn.
func (s *Session) tellTurn(g *game) {
	if !g.last.Deadline.IsZero() {
		s.say("Your turn. You have %s.", s.duration(time.Until(g.last.Deadline)))
	} else {
		s.say("Your turn.")
	}
	if v := &g.last.View; v.MayMove {
		if helm := v.Helm(g.side); len(helm.Moves()) > 0 {
			s.say("Before you fire, you may move a ship.")
		}
	}
}

// tellPlaced says where the fleet lies.
func (s *Session) tellPlaced(g *game, l match.Layout) {
	s.say("Your fleet is placed. %s", s.lies(g.seating.Rules(), l))
	if !g.last.View.Ready[g.side.Other()] {
		s.say("%s is still placing ships.", g.opponent)
	}
}

// lies is where the ships of a layout lie.
func (s *Session) lies(r match.Rules, l match.Layout) string {
	var all []string
	for i, c := range r.Fleet {
		if i < len(l) && l[i].Length > 0 {
			all = append(all, s.l.Say("%s %s to %s", s.ship(c), l[i].Stern.String(), l[i].Bow().String()))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return sentence(strings.Join(all, ", "))
}

// tellShot says what a shot did.
func (s *Session) tellShot(g *game, e match.Event, auto bool) {
	cell := e.Cell.String()
	if e.Side != g.side { // they answer for the shot of the person
		if auto {
			s.note(g, "Your time is over: a random shot.")
		}
		left := g.last.View.Charts[g.side].ShipsLeft()
		switch e.Result {
		case match.Water:
			s.note(g, "%s: water.", cell)
		case match.Hit:
			s.note(g, "%s: hit.", cell)
		case match.Sunk:
			s.note(g, "%s: hit and sunk. %d ships are left to sink.", cell, left)
		default:
			s.note(g, "%s: hit and sunk, the last ship.", cell)
		}
		return
	}
	if auto {
		s.note(g, "The time of %s is over: a random shot.", g.opponent)
	}
	hit := ""
	v := &g.last.View
	for i, ship := range v.Fleets[g.side] {
		if cells := ship.Cells(); cells.Has(e.Cell) {
			hit = s.ship(v.Rules.Fleet[i])
		}
	}
	switch e.Result {
	case match.Water:
		s.note(g, "%s fires at %s: water.", g.opponent, cell)
	case match.Hit:
		s.note(g, "%s fires at %s: your %s is hit.", g.opponent, cell, hit)
	case match.Sunk:
		s.note(g, "%s fires at %s: your %s is sunk. You have %d ships left.", g.opponent, cell, hit, v.Charts[g.side.Other()].ShipsLeft())
	default:
		s.note(g, "%s fires at %s: your %s is sunk, your last ship.", g.opponent, cell, hit)
	}
}

// tellAway says who has left, and who is back.
func (s *Session) tellAway(g *game, before *live.Update) {
	u := &g.last
	other := g.side.Other()
	switch {
	case u.Late[other] && !before.Late[other]:
		s.note(g, "%s is away for too long. Say claim to claim the win, or go on waiting.", g.opponent)
	case u.Away[other] && !before.Away[other]:
		s.note(g, "%s has lost the connection.", g.opponent)
	case !u.Away[other] && before.Away[other]:
		s.note(g, "%s is back.", g.opponent)
	}
	if until := u.AwayUntil[other]; !until.IsZero() && before.AwayUntil[other].IsZero() {
		s.say("You can claim the win in %s.", s.duration(time.Until(until)))
	}
}

// tellEnd says how the match has ended.
func (s *Session) tellEnd(g *game) {
	s.drop()
	v := &g.last.View
	o := g.seating.Outcome()
	if o.GoesOn {
		s.say("The server is going down. Come back when it is up: your match goes on.")
		if code := g.seating.Code(); code != "" {
			s.say("Come back with: ssh HOST resume %s", code)
		}
		return
	}
	switch v.Winner {
	case g.side:
		s.note(g, "You have won.")
	case g.side.Other():
		s.note(g, "You have lost.")
	default:
		s.note(g, "Nobody has won.")
	}
	if why := speech.Ending(s.l, v, g.side, g.opponent); why != "" {
		s.said = append(s.said, why)
	}
	s.say("You fired %d shots, and %s %d.", v.Charts[g.side].Fired, g.opponent, v.Charts[g.side.Other()].Fired)
	if rounds := speech.Rounds(s.l, v); rounds != "" {
		s.said = append(s.said, rounds)
	}
	if o.Rated {
		before, after := int(math.Round(o.Before[g.side])), int(math.Round(o.After[g.side]))
		switch {
		case after > before:
			s.say("Your rating is %s now, %d more than before.", strconv.Itoa(after), after-before)
		case after < before:
			s.say("Your rating is %s now, %d less than before.", strconv.Itoa(after), before-after)
		default:
			s.say("Your rating is %s, as before.", strconv.Itoa(after))
		}
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		s.say("The match is disputed: answers contradicted each other.")
	}
	s.say("Say rematch, or lobby. Say chart to hear where the ships of %s were.", g.opponent)
}

func (s *Session) fire(text string) {
	if !s.inMatch() {
		return
	}
	g := s.game
	v := &g.last.View
	cell, err := match.ParseCell(text)
	chart := &v.Charts[g.side]
	switch {
	case text == "":
		s.say("Say where: fire and a cell, such as fire B7.")
	case err != nil:
		s.fail(err)
	case !v.Rules.Contains(cell):
		s.say("%s is off the board: rows go to %s, columns to %d.", cell.String(), lastRow(v.Rules), v.Rules.Size)
	case v.Phase == match.Placing:
		s.say("Place your fleet first: say place random, or place each ship.")
	case chart.Shots.Has(cell) && !v.Rules.Moving:
		s.say("You have fired at %s already: %s. Choose another cell.", cell.String(), marks[chart.At(cell)])
	case chart.Deduced.Has(cell) && !v.Rules.Moving:
		s.say("%s must be water, beside a sunk ship. Choose another cell.", cell.String())
	default:
		fired := chart.Fired
		g.seat.Fire(cell)
		s.ask(func(g *game) bool { return g.last.View.Charts[g.side].Fired > fired })
	}
}

// manoeuvres are what a ship can do, by the words for it.
var manoeuvres = map[string]match.Manoeuvre{
	"forward": match.Forward, "vor": match.Forward, "backward": match.Backward, "back": match.Backward, "zurück": match.Backward,
	"clockwise": match.Clockwise, "rechtsherum": match.Clockwise, "anticlockwise": match.Anticlockwise, "linksherum": match.Anticlockwise,
}

// move moves a ship, named by its type, if there is one of it, or by a cell that
// it lies on.
func (s *Session) move(text string) {
	if !s.inMatch() {
		return
	}
	g := s.game
	v := &g.last.View
	name, how, _ := strings.Cut(strings.ToLower(text), " ")
	m, known := manoeuvres[how]
	if !known {
		s.say("Say move, a ship or one of its cells, and forward, backward, clockwise or anticlockwise: move B3 forward.")
		return
	}
	var found []int
	cell, noCell := match.ParseCell(name)
	for i, l := range v.Fleets[g.side] {
		cells := l.Cells()
		if noCell == nil && cells.Has(cell) || noCell != nil && (v.Rules.Fleet[i].Name == name || strings.EqualFold(s.ship(v.Rules.Fleet[i]), name)) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		s.say("There is no ship of yours: %s.", short(name))
	case 1:
		g.seat.Sail(match.MoveOf(found[0], m))
		s.ask(func(g *game) bool { return !g.last.View.MayMove })
	default:
		s.say("You have several of these. Name the one by a cell that it lies on: move B3 %s.", how)
	}
}

// pass leaves the fleet where it is.
func (s *Session) pass(string) {
	if s.inMatch() {
		s.game.seat.Sail(match.Stay)
		s.ask(func(g *game) bool { return !g.last.View.MayMove })
	}
}

// listMoves says which ships can move, and how.
func (s *Session) listMoves(string) {
	if !s.inMatch() {
		return
	}
	g := s.game
	v := &g.last.View
	if !v.MayMove {
		err := match.ErrMoved
		if !v.Rules.Moving {
			err = match.ErrNoMoves
		}
		s.fail(err)
		return
	}
	helm := v.Helm(g.side)
	ways := make([][]string, len(v.Fleets[g.side]))
	for _, m := range helm.Moves() {
		ways[m.Ship()] = append(ways[m.Ship()], s.l.Say(manoeuvreNames[m.Manoeuvre()]))
	}
	none := true
	for i, how := range ways {
		if len(how) > 0 {
			none = false
			ship := v.Fleets[g.side][i]
			s.say("%s, %s to %s: %s.", sentenceCase(s.ship(v.Rules.Fleet[i])), ship.Stern.String(), ship.Bow().String(), strings.Join(how, ", "))
		}
	}
	if none {
		s.say("None of your ships can move now.")
	}
}

// manoeuvreNames are what ships can do, as it is said.
var manoeuvreNames = [match.Manoeuvres]words.Text{"forward", "backward", "clockwise", "anticlockwise"}

func lastRow(r match.Rules) string { return string(rune('A' + r.Size - 1)) }

func (s *Session) resign(string) {
	if !s.inMatch() {
		return
	}
	s.game.seat.Resign()
	s.ask(func(g *game) bool { return false })
}

func (s *Session) claim(string) {
	if !s.inMatch() {
		return
	}
	s.game.seat.Claim()
	s.ask(func(g *game) bool { return false })
}

func (s *Session) rematch(string) {
	switch {
	case s.game == nil:
		s.say("There is nobody to play again. Say play, or bot easy.")
		return
	case s.playing():
		s.say("Your match is still on. Say resign to give it up.")
		return
	case s.ticket != nil:
		s.say("You are waiting for an opponent. Say cancel to stop waiting.")
		return
	}
	t, err := s.game.seating.Rematch()
	if err != nil {
		s.fail(err)
		return
	}
	s.ticket = t
	select {
	case seating := <-t.Seated():
		s.seated(seating)
	default:
		s.say("Waiting for %s to agree to a rematch.", s.game.opponent)
	}
}

// tableChanged takes in what the opponent wants after the match.
func (s *Session) tableChanged() {
	g := s.game
	before := g.table
	g.table = g.seating.Table()
	switch {
	case !g.over() || s.ticket != nil:
	case g.table.Gone && !before.Gone:
		s.say("%s has left.", g.opponent)
	case g.table.Wanted && !before.Wanted:
		s.say("%s wants a rematch. Say rematch to play.", g.opponent)
	}
}

// sayWayBack says how to come back to a match that is being left.
func (s *Session) sayWayBack() {
	if code := s.game.seating.Code(); code != "" {
		s.say("You leave your match. Come back within %s with: ssh HOST resume %s", s.duration(lobby.DefaultGrace), code)
		return
	}
	s.say("You leave your match. Come back within %s and it goes on.", s.duration(lobby.DefaultGrace))
}

// status says whose turn it is, and how the match stands.
func (s *Session) status(string) {
	switch {
	case s.ticket != nil && s.game == nil:
		s.say("You are waiting for an opponent.")
		return
	case s.sight != nil:
		s.tellSight()
		return
	case s.game == nil:
		s.say("You are in the lobby. Your next match: %s.", terms(s.l, s.chosen.Rules))
		return
	case !s.game.seen:
		s.say("The match is about to begin.")
		return
	}
	g := s.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	switch {
	case v.Phase == match.Over:
		s.say("The match is over. Say rematch for another one, or lobby.")
		return
	case v.Phase == match.Placing && !v.Ready[g.side]:
		s.tellPlacing(g)
	case v.Phase == match.Placing:
		s.say("Your fleet is placed. %s is still placing ships.", g.opponent)
	case v.Turn == g.side && v.Pending:
		s.say("You wait for the answer of %s.", g.opponent)
	case v.Turn == g.side:
		s.tellTurn(g)
	default:
		s.say("%s is aiming.", g.opponent)
	}
	if v.Phase == match.Battle {
		s.say("You have %d ships left.", v.Charts[other].ShipsLeft())
		s.say("%s has %d.", g.opponent, v.Charts[g.side].ShipsLeft())
	}
	switch {
	case u.Late[other]:
		s.say("%s is away for too long. Say claim to claim the win, or go on waiting.", g.opponent)
	case u.Away[other]:
		s.say("%s is away.", g.opponent)
	}
}

// time says how much time is left.
func (s *Session) time(string) {
	if !s.inMatch() {
		return
	}
	u := &s.game.last
	switch {
	case !u.Deadline.IsZero() && s.mine(s.game):
		s.say("You have %s.", s.duration(time.Until(u.Deadline)))
	case !u.Deadline.IsZero():
		s.say("%s has %s.", s.game.opponent, s.duration(time.Until(u.Deadline)))
	default:
		s.say("No clock runs.")
	}
	if until := u.AwayUntil[s.game.side.Other()]; !until.IsZero() {
		s.say("You can claim the win in %s.", s.duration(time.Until(until)))
	}
}

// mine tells whether the match waits for the person.
func (s *Session) mine(g *game) bool {
	v := &g.last.View
	return g.seen && (v.Phase == match.Placing && !v.Ready[g.side] || v.Phase == match.Battle && v.Turn == g.side && !v.Pending)
}

// reminders are how much time is left when the person is told so, unless that
// is more than half of all.
var reminders = []time.Duration{time.Minute, 10 * time.Second, 5 * time.Second}

// setDeadline notes by when the person has to act.
func (s *Session) setDeadline(g *game) {
	if d := g.last.Deadline; !d.Equal(g.deadline) {
		g.deadline, g.total, g.reminded = d, time.Until(d), 0
	}
}

// alarm is how long it takes until there is something to say by itself, and
// what says it. With nothing to say it is long.
func (s *Session) alarm(now time.Time) (time.Duration, func()) {
	wait, do := time.Hour, func() {}
	if len(s.kept) > 0 && !s.late.IsZero() {
		wait, do = s.late.Sub(now), s.tellKept
	}
	g := s.game
	if g == nil || g.deadline.IsZero() || !s.mine(g) {
		return wait, do
	}
	for _, r := range reminders {
		if 2*r > g.total || g.reminded != 0 && r >= g.reminded {
			continue
		}
		if at := g.deadline.Sub(now) - r; at < wait {
			wait, do = at, func() {
				g.reminded = r
				if left := time.Until(g.deadline); left > r/2 { // else there is more to come
					s.say("%s left.", s.duration(left))
				}
			}
		}
		break
	}
	return wait, do
}

func (s *Session) tellSeals(string) {
	if s.game == nil || !s.game.seen {
		s.inMatch()
		return
	}
	g := s.game
	told := false
	for side, seal := range g.last.Seals {
		if seal == "" {
			continue
		}
		told = true
		if match.Side(side) == g.side {
			s.say("The seal of your fleet: %s", seal)
		} else {
			s.say("The seal of the fleet of %s: %s", g.opponent, seal)
		}
	}
	if !told {
		s.say("There are no seals yet.")
	}
}

func (s *Session) tellLog(text string) {
	log := []string(nil)
	switch {
	case s.game != nil:
		log = s.game.log
	case s.sight != nil:
		log = s.sight.log
	}
	n := 5
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			s.say("Say log, or log and a number.")
			return
		}
	}
	if len(log) == 0 {
		s.say("Nothing has happened yet.")
		return
	}
	s.said = append(s.said, slices.Clone(log[max(0, len(log)-n):])...)
}
