package narrate

import (
	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// Narrator says what happens in one match to its reader, a player or a spectator. It is not safe for concurrent
// use.
type Narrator struct {
	// Side is the reader's side, or match.Nobody for a spectator.
	Side match.Side
	// Names are the players' names. The reader's own name is not used.
	Names [2]string
	// SharedTerminal means that both players read at the same terminal.
	SharedTerminal bool

	// timedOut is set while the results of shots that the clock fired are not known yet.
	timedOut bool
}

func (n *Narrator) opponentName() string { return n.Names[n.Side.Other()] }

// ChangeLines describes what changed between two updates: events, pauses and connections. If the update lacks
// events, it describes the last shots instead.
func (n *Narrator) ChangeLines(before, now *live.Update) []Line {
	v := &now.View
	lines := n.EventLines(now.Events, v)
	if now.Missed && len(now.Events) == 0 {
		lines = n.recentShotLines(v)
	}
	if v.Phase == match.Over {
		return lines
	}
	if now.Paused && !before.Paused {
		lines = append(lines, detailLine("The match is paused: the server can't save it at the moment."))
	}
	if before.Paused && !now.Paused {
		lines = append(lines, detailLine("The match continues."))
	}
	for side, name := range n.Names {
		if now.Away[side] != before.Away[side] && match.Side(side) != n.Side && !n.SharedTerminal {
			lines = append(lines, presenceLine(name, now.Away[side]))
		}
	}
	return lines
}

// recentShotLines describes each side's last turn, the older one first.
func (n *Narrator) recentShotLines(v *match.View) (lines []Line) {
	for _, side := range [2]match.Side{v.Turn, v.Turn.Other()} {
		if side != match.Nobody && len(v.Last[side]) > 0 {
			lines = append(lines, n.ShotsLine(side, v.Last[side], false, v))
		}
	}
	return lines
}

// EventLines describes events. The view must be from after the last event.
func (n *Narrator) EventLines(events []match.Event, v *match.View) (lines []Line) {
	for i, e := range events {
		switch e.Kind {
		case match.FleetPlaced, match.FleetKept:
			lines = append(lines, n.placementLine(e, v))
		case match.BattleStarted:
			lines = append(lines, n.BattleStartLine(e.Side))
		case match.ShotFired:
			n.timedOut = n.timedOut || e.Auto
		case match.ShotAnswered:
			if !match.ContinuesSalvo(events, i) {
				lines = append(lines, n.ShotsLine(e.Side.Other(), match.SalvoShots(events[i:]), n.timedOut, v))
			}
			n.timedOut = false
		case match.FleetMoved:
			lines = append(lines, n.MoveLine(e, v))
		case match.AnswersDisputed:
			lines = append(lines, n.DisputeLine(e.Side))
		}
	}
	return lines
}

func (n *Narrator) placementLine(e match.Event, v *match.View) Line {
	if e.Side != n.Side {
		return detailLine("%s is ready.", n.Names[e.Side])
	}
	line := detailLine("Your fleet is placed: %s.", ShipPositions(v.Rules, e.Layout()))
	if !v.Ready[e.Side.Other()] {
		line.Detail = joinMessages(line.Detail, i18n.NewMessage("%s is still placing ships.", n.opponentName()))
	}
	return line
}

// BattleStartLine says that the battle starts. It tells spectators which side fires first.
func (n *Narrator) BattleStartLine(first match.Side) Line {
	if n.Side == match.Nobody {
		return sentenceLine(BeginsText, n.Names[first])
	}
	return sentenceLine("The battle starts.")
}

// ShotsLine describes the results of a side's shots in one turn. There must be at least one shot. timedOut means
// that the clock fired them.
func (n *Narrator) ShotsLine(by match.Side, shots []match.Shot, timedOut bool, v *match.View) Line {
	line := n.firedLine(by, shots, v)
	if timedOut {
		line.Full = joinMessages(i18n.NewMessage("Time is up."), line.Full)
	}
	hits, sunk := 0, false
	for _, shot := range shots {
		if shot.Result != match.Miss {
			hits++
		}
		sunk = sunk || shot.Result == match.Sunk
	}
	if len(shots) > 1 {
		line.Brief = i18n.NewMessage("%s: %d of %d hit||%s: %d of %d hit", n.nameOrYou(by), hits, len(shots))
	}
	if hits > 0 && n.Side == by {
		line.Tone = Good
	} else if hits > 0 && n.Side != match.Nobody {
		line.Tone = Bad
	}
	if sunk && v.Phase == match.Battle {
		line.Detail = n.ShipsLeft(by.Other(), v)
	}
	return line
}

// firedLine says at which cells a side fired, with which results.
func (n *Narrator) firedLine(by match.Side, shots []match.Shot, v *match.View) Line {
	first := shots[0].Cell.String()
	brief := i18n.NewMessage("%s %s: %s", n.nameOrYou(by), first, ResultName(shots[0].Result))
	switch own := by == n.Side; {
	case len(shots) > 1 && own:
		results := n.shotResults(by, shots, v)
		return Line{Full: i18n.NewMessage("You fired: %s.", results), Results: results}
	case len(shots) > 1:
		return Line{Full: i18n.NewMessage("%s fired: %s.", n.Names[by], n.shotResults(by, shots, v))}
	case own:
		result := n.shotResult(by, shots[0], v)
		return Line{
			Full: i18n.NewMessage("You fired at %s: %s.", first, result), Brief: brief,
			Results: i18n.NewMessage("%s %s: %s", n.nameOrYou(by), first, result),
		}
	}
	return Line{Full: i18n.NewMessage(FiredText, n.Names[by], first, n.shotResult(by, shots[0], v)), Brief: brief}
}

// nameOrYou returns a side's name, or You for the reader.
func (n *Narrator) nameOrYou(side match.Side) any {
	if side == n.Side {
		return i18n.Key("You")
	}
	return n.Names[side]
}

// ShotResults lists shots as in "B4 miss, C7 hit".
func ShotResults(shots []match.Shot) i18n.Message {
	spectator := Narrator{Side: match.Nobody}
	return spectator.shotResults(match.First, shots, &match.View{})
}

// shotResults lists shots as in "B4 miss, C7 carrier hit". It names only the reader's ships.
func (n *Narrator) shotResults(by match.Side, shots []match.Shot, v *match.View) (all i18n.Message) {
	for _, shot := range shots {
		all = appendItem(all, i18n.NewMessage("%s %s", shot.Cell.String(), n.shotResult(by, shot, v)))
	}
	return all
}

// shotResult says what a shot did. It names the reader's ships, and those that the reader has sunk.
func (n *Narrator) shotResult(by match.Side, shot match.Shot, v *match.View) i18n.Message {
	if by == n.Side {
		return ResultWithShip(&v.Charts[by], shot)
	}
	ship := ShipNameAt(v.Rules, v.Fleets[by.Other()], shot.Cell)
	switch {
	case by.Other() != n.Side || shot.Result == match.Miss || ship.Key == "":
		return i18n.NewMessage(ResultName(shot.Result))
	case shot.Result == match.Hit:
		return i18n.NewMessage("%s hit", ship)
	}
	return i18n.NewMessage("%s sunk", ship)
}

// ShipsLeft says how many ships a side has left.
func (n *Narrator) ShipsLeft(side match.Side, v *match.View) i18n.Message {
	switch left := v.Charts[side.Other()].ShipsAfloat(); n.Side {
	case side:
		return i18n.NewMessage("You have %d ship left.||You have %d ships left.", left)
	case side.Other():
		return i18n.NewMessage("%d ship is left to sink.||%d ships are left to sink.", left)
	default:
		return i18n.NewMessage("%s has %d ship left.||%s has %d ships left.", n.Names[side], left)
	}
}

// UnansweredShots describes shots without results, because the match ended before them.
func (n *Narrator) UnansweredShots(by match.Side, cells []match.Cell) i18n.Message {
	return i18n.NewMessage("%s fired at %s but got no result.", n.Names[by], CellNames(cells...))
}

// MoveLine describes a ship's move, or says that no ship moved. The reader must be allowed to see it.
func (n *Narrator) MoveLine(e match.Event, v *match.View) Line {
	if e.Move == match.Stay && e.Auto {
		return sentenceLine("Your time to move is up.")
	}
	if e.Move == match.Stay {
		return detailLine("Your ships stay where they are.")
	}
	ship := v.Fleets[e.Side][e.Move.ShipIndex()]
	class, stern, bow := ClassName(v.Rules.Fleet[e.Move.ShipIndex()]), ship.Stern.String(), ship.Bow().String()
	line := Line{Brief: i18n.NewMessage("%s: %s–%s", class, stern, bow)}
	if e.Side == n.Side {
		line.Full = i18n.NewMessage("Your %s is now at %s to %s.", class, stern, bow)
		return line
	}
	how := MoveKindName(e.Move.Kind())
	line.Full = i18n.NewMessage("%s moved: %s %s, now from %s to %s.", n.Names[e.Side], class, how, stern, bow)
	return line
}

// DisputeLine says that a side's results contradict each other.
func (n *Narrator) DisputeLine(side match.Side) Line {
	if side == n.Side {
		return sentenceLine("Your results contradict each other: the match is disputed.")
	}
	return sentenceLine("%s's results contradict each other: the match is disputed.", n.Names[side])
}

// presenceLine says that a player lost the connection or is back.
func presenceLine(name string, away bool) Line {
	if !away {
		return sentenceLine("%s is back.", name)
	}
	return Line{Full: i18n.NewMessage("%s lost the connection.", name), Brief: i18n.NewMessage("%s is away.", name)}
}

// StatusLine tells spectators what a match is waiting for, or who won.
func (n *Narrator) StatusLine(v *match.View) Line {
	switch {
	case v.Phase == match.Over:
		return n.Verdict(v)
	case v.Phase == match.Battle:
		return sentenceLine(AimingText, n.Names[v.Turn])
	case v.Ready[match.First]:
		return sentenceLine("%s is placing ships.", n.Names[match.Second])
	case v.Ready[match.Second]:
		return sentenceLine("%s is placing ships.", n.Names[match.First])
	}
	return sentenceLine(PlacingText)
}

// ShotCounts says how many shots each side fired.
func (n *Narrator) ShotCounts(v *match.View) i18n.Message {
	first := n.Side
	if first == match.Nobody {
		first = match.First
	}
	fired, other := i18n.NewMessage("%d shot||%d shots", v.Charts[first].Fired), v.Charts[first.Other()].Fired
	if n.Side == match.Nobody {
		return i18n.NewMessage("%s fired %s, %s fired %d.", n.Names[first], fired, n.Names[first.Other()], other)
	}
	return i18n.NewMessage("You fired %s, %s fired %d.", fired, n.opponentName(), other)
}

// RoundsAndTime says how many rounds a match took, and how long. It is zero if every round is one shot by each
// side, because the number of shots then says the same.
func RoundsAndTime(v *match.View) i18n.Message {
	if !v.Rules.Moving && !v.Rules.Salvo {
		return i18n.Message{}
	}
	return i18n.NewMessage("%d round in %s.||%d rounds in %s.", v.RoundCount(), MinutesAndSeconds(v.Took))
}

var resultWords = [...]i18n.Key{
	match.Miss: "miss", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last ship sunk",
}

// ResultName returns a result in one or two words. An unknown result counts as [match.LastSunk].
func ResultName(r match.Result) i18n.Key { return resultWords[min(r, match.LastSunk)] }
