package narrate

import (
	"fmt"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// Clock formats a duration as minutes and seconds, rounded up. Negative durations are
// 0:00.
func Clock(d time.Duration) string {
	s := int((max(0, d) + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// TimeLeft describes the time that is left: whole minutes, and seconds in the last one.
func TimeLeft(l i18n.Language, d time.Duration) string {
	if d <= time.Minute {
		return Clock(d)
	}
	return l.Text("%d min", int((d+time.Minute-1)/time.Minute))
}

// TimeToChange returns when [TimeLeft] changes for a time d, which must be positive.
func TimeToChange(d time.Duration) time.Duration {
	unit := time.Second
	if d > time.Minute {
		unit = time.Minute
	}
	return (d-1)%unit + 1
}

// ClockName describes a turn clock as a setting: off, or its seconds.
func ClockName(l i18n.Language, d time.Duration) string {
	if d == 0 {
		return l.Text("off")
	}
	return l.Text("%d second||%d seconds", int(d/time.Second))
}

// Minutes describes roughly how long an activity has lasted.
func Minutes(l i18n.Language, d time.Duration) string {
	if d < time.Minute {
		return l.Text("less than a minute")
	}
	return l.Text("%d minute||%d minutes", int(d/time.Minute))
}

var contacts = map[match.Contact]i18n.Key{
	match.TouchNone: "no contact", match.TouchCorners: "corners may touch", match.TouchAny: "ships may touch",
}

// Rules summarizes a rule set.
func Rules(l i18n.Language, r match.Rules) string {
	return l.Text("%s: %s, %s", r.Name, l.Text("%d ship||%d ships", len(r.Fleet)), strings.Join(Traits(l, r), ", "))
}

// Traits describes how close ships may be, whether they move, and whether players fire
// salvos.
func Traits(l i18n.Language, r match.Rules) []string {
	all := []string{l.Text(contacts[r.Contact])}
	if r.Moving {
		all = append(all, l.Text("ships move"))
	}
	if r.Salvo {
		all = append(all, l.Text("salvos"))
	}
	return all
}

// Terms describes the rules and the clock of a match briefly.
func Terms(l i18n.Language, r match.Rules) string {
	if r.Clock == 0 {
		return l.Text("%s, no clock", r.Name)
	}
	return l.Text("%s, %s per shot", r.Name, Clock(r.Clock))
}

// Ship returns a ship type's translated name, given its name in the rules. An unknown
// type keeps its name.
func Ship(l i18n.Language, name string) string { return ClassName(match.Class{Name: name}).In(l) }

// theShips has the ship types with an article, as the object of placing.
var theShips = map[string]i18n.Key{
	"carrier": "the carrier", "battleship": "the battleship", "cruiser": "the cruiser", "submarine": "the submarine",
	"destroyer": "the destroyer", "corvette": "the corvette", "minesweeper": "the minesweeper",
	"frigate": "the frigate", "gunboat": "the gunboat", "cutter": "the cutter",
}

// TheShip returns a ship type's name with its article, as the object of a sentence.
func TheShip(l i18n.Language, name string) string {
	if known, ok := theShips[name]; ok {
		return l.Text(known)
	}
	return name
}

var spokenResults = [...]i18n.Key{
	match.Water: "miss", match.Hit: "hit!", match.Sunk: "hit and sunk!", match.LastSunk: "the last ship is sunk!",
}

// ResultKey returns the text of the spoken answer to a shot. An unknown result counts as
// [match.LastSunk].
func ResultKey(r match.Result) i18n.Key { return spokenResults[min(r, match.LastSunk)] }

// Shot describes a shot. shooter is empty if the reader fired; auto means that the clock
// fired.
func Shot(shooter string, at match.Cell, r match.Result, auto bool) i18n.Message {
	cell := at.String()
	switch {
	case auto && shooter == "":
		return i18n.NewMessage("You ran out of time: a random shot at %s: %s", cell, ResultKey(r))
	case auto:
		return i18n.NewMessage("%s ran out of time: a random shot at %s: %s", shooter, cell, ResultKey(r))
	case shooter == "":
		return i18n.NewMessage("You fired at %s: %s", cell, ResultKey(r))
	}
	return i18n.NewMessage("%s fired at %s: %s", shooter, cell, ResultKey(r))
}

// resultWords are results in one or two words.
var resultWords = [...]i18n.Key{match.Water: "miss", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last ship sunk"}

// ResultWord returns a result in one or two words.
func ResultWord(r match.Result) i18n.Key { return resultWords[r] }

// Briefly is a short form of Shot for narrow spaces.
func Briefly(shooter string, at match.Cell, r match.Result) i18n.Message {
	told := resultWords[r]
	if shooter == "" {
		return i18n.NewMessage("You %s: %s", at.String(), told)
	}
	return i18n.NewMessage("%s %s: %s", shooter, at.String(), told)
}

// Results describes the results of shots, such as "B4 water, C7 hit".
func Results(shots []match.Shot) i18n.Message {
	var all i18n.Message
	for i, shot := range shots {
		one := i18n.NewMessage("%s %s", shot.Cell.String(), resultWords[shot.Result])
		if i == 0 {
			all = one
		} else {
			all = i18n.NewMessage("%v, %v", all, one)
		}
	}
	return all
}

// Salvo is [Shot] for several shots of one turn.
func Salvo(shooter string, shots []match.Shot, auto bool) i18n.Message {
	results := Results(shots)
	switch {
	case auto && shooter == "":
		return i18n.NewMessage("You ran out of time: %v", results)
	case auto:
		return i18n.NewMessage("%s ran out of time: %v", shooter, results)
	case shooter == "":
		return i18n.NewMessage("You fired: %v", results)
	}
	return i18n.NewMessage("%s fired: %v", shooter, results)
}

// SalvoBriefly is a short form of Salvo for narrow spaces.
func SalvoBriefly(shooter string, shots []match.Shot) i18n.Message {
	hits := 0
	for _, shot := range shots {
		if shot.Result != match.Water {
			hits++
		}
	}
	if shooter == "" {
		return i18n.NewMessage("You: %d of %d hit||You: %d of %d hit", hits, len(shots))
	}
	return i18n.NewMessage("%s: %d of %d hit||%s: %d of %d hit", shooter, hits, len(shots))
}

// Rounds describes how many rounds a match took, and how long. It is empty if a round is
// one shot by each side at a fleet that does not move, since the number of shots then
// says the same.
func Rounds(l i18n.Language, v *match.View) string {
	if !v.Rules.Moving && !v.Rules.Salvo {
		return ""
	}
	return l.Text("%d round in %s.||%d rounds in %s.", v.Rounds(), Clock(v.Took))
}

// Presence describes that a player has lost the connection or has returned.
func Presence(name string, away bool) i18n.Message {
	if away {
		return i18n.NewMessage("%s lost the connection.", name)
	}
	return i18n.NewMessage("%s is back.", name)
}

// Disputed describes that a player's answers contradict each other.
func Disputed(name string) i18n.Message {
	return i18n.NewMessage("%s's answers contradict each other: the match is disputed.", name)
}

// EndingSeen describes for spectators why a match ended.
func EndingSeen(l i18n.Language, v *match.View, names [2]string) string {
	if v.Winner == match.Nobody {
		switch v.Reason {
		case match.Endless:
			return l.Text("The match took too long.")
		case match.Aborted:
			return l.Text("%s aborted the match.", names[v.Aborter])
		case match.Removed:
			return l.Text("%s removed %s from the match.", names[v.Aborter], names[v.Aborter.Other()])
		}
		return l.Text("The match was ended by the server.")
	}
	winner, loser := names[v.Winner], names[v.Winner.Other()]
	switch v.Reason {
	case match.FleetSunk:
		return l.Text("%s's last ship is sunk.", loser)
	case match.Resigned:
		return l.Text("%s resigned.", loser)
	case match.Left, match.Hangup:
		return l.Text("%s left.", loser)
	case match.Silent:
		return l.Text("%s did not move in time.", loser)
	case match.Contradiction:
		return l.Text("%s's answers contradicted each other.", loser)
	}
	if v.Reason.Breach() {
		return l.Text("%s broke the protocol (%s).", loser, v.Reason.String())
	}
	return l.Text("%s won.", winner)
}

// ShotsSeen describes for spectators how many shots were fired.
func ShotsSeen(l i18n.Language, v *match.View, names [2]string) string {
	return l.Text("%s fired %s, %s fired %d.", names[match.First],
		l.Text("%d shot||%d shots", v.Charts[match.First].Fired), names[match.Second], v.Charts[match.Second].Fired)
}

// ShotsFired describes for one side how many shots were fired.
func ShotsFired(l i18n.Language, v *match.View, side match.Side, opponent string) string {
	return l.Text("You fired %s, %s fired %d.", l.Text("%d shot||%d shots", v.Charts[side].Fired), opponent, v.Charts[side.Other()].Fired)
}

// Ending describes for one side why a match ended.
func Ending(l i18n.Language, v *match.View, side match.Side, opponent string) string {
	switch v.Reason {
	case match.Closed:
		return l.Text("The server ended the match. Nobody won.")
	case match.Endless:
		return l.Text("The match took too long. Nobody won.")
	case match.Aborted:
		if v.Aborter == side {
			return l.Text("You aborted the match before it counted.")
		}
		return l.Text("%s aborted the match before it counted.", opponent)
	case match.Removed:
		if v.Aborter == side {
			return l.Text("You removed %s from your match.", opponent)
		}
		return l.Text("The owner of the match removed you.")
	}
	if v.Winner == side {
		switch v.Reason {
		case match.FleetSunk:
			return l.Text("You sank %s's entire fleet.", opponent)
		case match.Resigned:
			return l.Text("%s resigned.", opponent)
		case match.Left, match.Hangup:
			return l.Text("%s left and did not come back.", opponent)
		case match.Silent:
			return l.Text("%s did not move in time.", opponent)
		case match.Contradiction:
			return l.Text("%s's answers contradicted each other.", opponent)
		}
		if v.Reason.Breach() {
			return l.Text("%s is a program that broke the protocol (%s).", opponent, v.Reason.String())
		}
		return ""
	}
	switch v.Reason {
	case match.FleetSunk:
		return l.Text("%s sank your last ship.", opponent)
	case match.Resigned:
		return l.Text("You resigned.")
	case match.Left, match.Hangup:
		return l.Text("You were away too long.")
	case match.Silent:
		return l.Text("You did not move in time.")
	case match.Contradiction:
		return l.Text("Your answers contradicted each other.")
	}
	if v.Reason.Breach() {
		return l.Text("You broke the protocol.")
	}
	return ""
}

var endings = map[match.Reason]i18n.Key{
	match.FleetSunk: "The last ship is sunk.", match.Resigned: "The opponent resigned.",
	match.Left: "The opponent left.", match.Hangup: "The opponent left.", match.Silent: "The opponent did not move in time.",
	match.Closed: "The server ended the match.", match.Endless: "The match took too long.",
	match.Aborted: "The match was aborted before it counted.", match.Removed: "The owner of the match removed the opponent.",
}

// EndingOf describes briefly why a match ended.
func EndingOf(r match.Reason) i18n.Message {
	if t, ok := endings[r]; ok {
		return i18n.NewMessage(t)
	}
	return i18n.NewMessage("A program broke the protocol: %s.", r.String())
}

var reasons = map[match.Reason]i18n.Key{
	match.FleetSunk: "sunk", match.Resigned: "resigned", match.Left: "left", match.Closed: "closed",
	match.Endless: "too long", match.Contradiction: "disputed", match.Silent: "timed out", match.Hangup: "left",
	match.Aborted: "aborted", match.Removed: "removed",
}

// Reason returns why a match ended, in a word of at most eleven characters for lists.
func Reason(r match.Reason) i18n.Key {
	if t, ok := reasons[r]; ok {
		return t
	}
	return "protocol"
}

// Afloat describes how many ships the opponent on a chart still has.
func Afloat(l i18n.Language, c *match.Chart) string {
	return l.Text("%d of %d afloat", c.ShipsLeft(), len(c.Rules.Fleet))
}
