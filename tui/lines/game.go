package lines

import (
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
)

// game is a match of this session, with the commands for playing it.
type game struct {
	*player
	*session.Match
	placement       *placement
	countdown       countdown
	opponent        string
	narrator        narrate.Narrator
	lastUpdate      live.Update
	hasUpdate       bool
	log             eventLog
	accuracyPrinted bool
	// isAnswered reports whether the server has answered the last action. It is nil if no action is pending.
	isAnswered func() bool
}

func newGame(p *player, m *session.Match) *game {
	g := &game{player: p, Match: m, opponent: collapseSpaces(p.shortName(m.Opponent))}
	g.narrator.Side, g.narrator.Names[m.Side.Other()] = m.Side, g.opponent
	g.placement = &placement{game: g, layout: make(match.Layout, len(m.Rules.Fleet))}
	return g
}

func (g *game) view() *match.View { return &g.lastUpdate.View }

// enemyChart returns the player's chart of the enemy waters.
func (g *game) enemyChart() *match.Chart { return &g.view().Charts[g.Side] }

func (g *game) isOver() bool { return g.hasUpdate && g.view().Phase == match.Over }

// isPlacing reports whether the player has ships to place, or will have once the first
// update arrives.
func (g *game) isPlacing() bool {
	return !g.hasUpdate || g.view().Phase == match.Placing && !g.view().Ready[g.Side]
}

// isMyTurn reports whether the match is waiting for the player.
func (g *game) isMyTurn() bool { return g.hasUpdate && (g.isPlacing() || g.mustFire(g.view())) }

func (g *game) mustFire(v *match.View) bool {
	return v.Phase == match.Battle && v.Turn == g.Side && !v.Pending
}

// checkAndAwait is checkAndSync after an action of the match. Later commands wait until answered returns true
// or the match is over.
func (g *game) checkAndAwait(err error, answered func() bool) {
	if g.reportAndSync(err) {
		g.isAnswered = answered
	}
}

// neverAnswered is the answered function of actions that end the match.
func neverAnswered() bool { return false }

// handleUpdate applies an update of the match and prints what happened.
func (g *game) handleUpdate(u *live.Update) {
	before, first := g.lastUpdate, !g.hasUpdate
	g.lastUpdate, g.hasUpdate = *u, true
	g.lastUpdate.Names[g.Side.Other()] = g.opponent
	if u.Refused != nil {
		g.printError(u.Refused)
	}
	if g.isAnswered != nil && (u.Refused != nil || g.isOver() || g.isAnswered()) {
		g.isAnswered = nil
	}
	r := report{g, &before}
	if first {
		// These events happened before the player came.
		for _, line := range g.narrator.EventLines(u.Events, &u.View) {
			g.log.add(line.Text(g.lang))
		}
		r.printWelcome()
	} else {
		r.printChanges()
	}
	g.countdown.setDeadline(g.lastUpdate.Deadline)
}

// moveKinds maps words to kinds of moves.
var moveKinds = map[string]match.MoveKind{
	"forward": match.Forward, "backward": match.Backward, "back": match.Backward,
	"clockwise": match.Clockwise, "cw": match.Clockwise, "anticlockwise": match.Anticlockwise, "ccw": match.Anticlockwise,
}

// moveShip moves a ship, named by its class or one of its cells.
func (g *game) moveShip(text string) {
	name, how, _ := strings.Cut(strings.ToLower(text), " ")
	m, known := moveKinds[g.englishWord(argumentWords, how)]
	if !known {
		g.print("Type: move SHIP DIRECTION, or move CELL DIRECTION, such as move B3 forward. Directions: forward, backward, clockwise, anticlockwise.")
		return
	}
	switch found := g.findShips(name); len(found) {
	case 0:
		g.print("You have no such ship: %s.", shortenWord(name))
	case 1:
		g.sendMove(match.NewMove(found[0], m))
	default:
		g.print("You have several of these. Name one of the ship's cells: move B3 %s.", how)
	}
}

// findShips returns the indexes of the player's ships with a class name, or of the one on a named cell.
func (g *game) findShips(name string) (found []int) {
	v := g.view()
	cell, err := layoutfile.ParseCell(latinizeCells(name))
	for i, ship := range v.Fleets[g.Side] {
		class, cells := v.Rules.Fleet[i], ship.Cells()
		isNamed := class.Name == name || strings.EqualFold(g.className(class), name)
		if err == nil && cells.Has(cell) || err != nil && isNamed {
			found = append(found, i)
		}
	}
	return found
}

// passMove passes without moving a ship.
func (g *game) passMove(string) { g.sendMove(match.Stay) }

func (g *game) sendMove(m match.Move) {
	g.checkAndAwait(g.session.Move(match.First, m), func() bool { return !g.view().CanMove })
}

// printMoves lists the ships that can move, and their moves.
func (g *game) printMoves(string) {
	v := g.view()
	switch {
	case !v.Rules.Moving:
		g.printError(match.ErrNoMoves)
		return
	case !v.CanMove:
		g.printError(match.ErrMoved)
		return
	}
	status := v.FleetStatus(g.Side)
	ways := make([][]string, len(v.Fleets[g.Side]))
	for _, m := range status.LegalMoves() {
		ways[m.ShipIndex()] = append(ways[m.ShipIndex()], g.lang.Text(narrate.MoveKindName(m.Kind())))
	}
	none := true
	for i, how := range ways {
		if len(how) > 0 {
			none = false
			ship := v.Fleets[g.Side][i]
			g.print("%s, %s to %s: %s.", capitalize(g.className(v.Rules.Fleet[i])), ship.Stern.String(), ship.Bow().String(), joinList(how))
		}
	}
	if none {
		g.print("None of your ships can move now.")
	}
}

// resign resigns the match, after confirmation.
func (g *game) resign(string) {
	switch {
	case g.isConfirmed("resign"):
		g.checkAndAwait(g.session.Resign(match.First), neverAnswered)
	case g.state.WouldResigningAbort(g.view()):
		g.print("Abort this match? It does not count yet. Type resign again to abort it.")
	default:
		g.print("Resign this match? Type resign again to confirm.")
	}
}

// removeOpponent removes the opponent from the player's private match, after confirmation.
func (g *game) removeOpponent(string) {
	switch {
	case g.isConfirmed("remove") || !g.state.CanRemoveOpponent(g.view()):
		g.runStoreAction(g.session.RemoveOpponent)
	case g.state.WouldRemovalAbort(g.view()):
		g.print("Remove %s from your match? This counts as aborting the match. Type remove again.", g.opponent)
	default:
		g.print("Remove %s from your match? It ends without a result. Type remove again.", g.opponent)
	}
}

// claimWin claims the win over an absent opponent.
func (g *game) claimWin(string) { g.checkAndAwait(g.session.ClaimWin(), neverAnswered) }

// pausedMessage is the message shown while the match cannot be saved.
const pausedMessage i18n.Key = "The match is paused: the server can't save it at the moment."

// printStatus prints whose turn it is, how many ships are left, and who is away.
func (g *game) printStatus() {
	if !g.hasUpdate {
		g.print("The match is about to start.")
		return
	}
	u, v, other := &g.lastUpdate, g.view(), g.Side.Other()
	switch {
	case v.Phase == match.Over:
		g.print("The match is over. Type rematch for another one, or lobby.")
		return
	case g.isPlacing():
		g.placement.printUnplacedShips()
	case v.Phase == match.Placing:
		g.print("Your fleet is placed. %s is still placing ships.", g.opponent)
	case g.mustFire(v):
		g.printTurn()
	case v.Turn == g.Side:
		g.print("You are waiting for %s to answer.", g.opponent)
	case g.Pace > 0:
		g.print("It is %s's turn.", g.opponent)
	default:
		g.print("%s is aiming.", g.opponent)
	}
	if g.Pace > 0 && !g.isMyTurn() {
		g.printTimeLeft("")
	}
	if v.Phase == match.Battle {
		g.print("You have %d ship left.||You have %d ships left.", v.Charts[other].ShipsAfloat())
		g.print("%s has %d.", g.opponent, v.Charts[g.Side].ShipsAfloat())
	}
	if u.Paused {
		g.print(pausedMessage)
	}
	switch {
	case u.Late[other]:
		g.print(absentMessage, g.opponent)
	case u.Away[other]:
		g.print("%s is away.", g.opponent)
	}
}

// absentMessage is the message about an opponent who has been away so long that the player
// can claim the win.
const absentMessage i18n.Key = "%s has been away too long. Type claim to claim the win, or keep waiting."

// printTurn says that it is the player's turn.
func (g *game) printTurn() {
	if !g.lastUpdate.Deadline.IsZero() {
		g.print("Your turn. You have %s.", g.timeLeft(g.lastUpdate.Deadline))
	} else {
		g.print("Your turn.")
	}
	v := g.view()
	if v.Rules.Salvo {
		g.print("Your salvo has %d shot.||Your salvo has %d shots.", v.Shots)
	}
	if v.CanMove {
		status := v.FleetStatus(g.Side)
		if len(status.LegalMoves()) > 0 {
			g.print("You may move a ship before you fire.")
		}
	}
}

// printTimeLeft says how much time is left.
func (g *game) printTimeLeft(string) {
	switch u := &g.lastUpdate; {
	case u.Deadline.IsZero():
		g.print("No clock is running.")
	case g.isMyTurn():
		g.print("You have %s.", g.timeLeft(u.Deadline))
	default:
		g.print("%s has %s.", g.opponent, g.timeLeft(u.Deadline))
	}
	g.printClaimTime()
}

// printClaimTime says when the player can claim the win over an absent opponent.
func (g *game) printClaimTime() {
	until := g.lastUpdate.AwayUntil[g.Side.Other()]
	if !until.IsZero() {
		g.print("You can claim the win in %s.", g.timeLeft(until))
	}
}

// printReminder says that time is short, unless no more than half of left remains.
func (g *game) printReminder(left time.Duration) {
	g.countdown.lastReminder = left
	actual := time.Until(g.lastUpdate.Deadline)
	if actual > left/2 {
		g.print("Time left: %s.", g.durationText(actual))
	}
}

// eventLog has a match's latest events, as sentences.
type eventLog []string

const maxLog = 200

func (l *eventLog) add(sentences ...string) {
	all := append(*l, sentences...)
	*l = slices.Delete(all, 0, max(0, len(all)-maxLog))
}
