package phrase

import (
	"fmt"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// Clock is a duration as minutes and seconds, rounded up; 0:00 if it is
// negative.
func Clock(d time.Duration) string {
	s := int((max(0, d) + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// ClockName is a turn clock as a setting: off, or its seconds.
func ClockName(l i18n.Language, d time.Duration) string {
	if d == 0 {
		return l.Say("off")
	}
	return l.Say("%d seconds", int(d/time.Second))
}

// Minutes is how long something has been going on, roughly.
func Minutes(l i18n.Language, d time.Duration) string {
	if d < time.Minute {
		return l.Say("less than a minute")
	}
	return l.Say("%d minutes", int(d/time.Minute))
}

var contacts = map[match.Contact]i18n.Text{
	match.TouchNone: "no contact", match.TouchCorners: "corners may touch", match.TouchAny: "ships may touch",
}

// Rules says what a rule set is about.
func Rules(l i18n.Language, r match.Rules) string {
	about := l.Say("%s: %s, %s", r.Name, l.Say("%d ships", len(r.Fleet)), contacts[r.Contact])
	if r.Salvo {
		about += ", " + l.Say("salvos")
	}
	return about
}

// Terms are the rules and the clock of a match in a few words.
func Terms(l i18n.Language, r match.Rules) string {
	if r.Clock == 0 {
		return l.Say("%s, no clock", r.Name)
	}
	return l.Say("%s, %s a shot", r.Name, Clock(r.Clock))
}

// Ship is a type of ship, by its name in the rules. One that is not known is
// said as it is.
func Ship(l i18n.Language, name string) string { return ClassName(match.Class{Name: name}).In(l) }

// theShips are the same with an article, as what is put down.
var theShips = map[string]i18n.Text{
	"carrier": "the carrier", "battleship": "the battleship", "cruiser": "the cruiser", "submarine": "the submarine",
	"destroyer": "the destroyer", "corvette": "the corvette", "minesweeper": "the minesweeper",
	"frigate": "the frigate", "gunboat": "the gunboat", "cutter": "the cutter",
}

// TheShip is Ship with its article, as the object of a sentence.
func TheShip(l i18n.Language, name string) string {
	if known, ok := theShips[name]; ok {
		return l.Say(known)
	}
	return name
}

// Told is the answer to a shot as people say it.
func Told(r match.Result) i18n.Text {
	switch r {
	case match.Water:
		return "water"
	case match.Hit:
		return "hit!"
	case match.Sunk:
		return "hit and sunk!"
	}
	return "the last ship is sunk!"
}

// Shot tells of a shot. The shooter is named, or empty for the one who is
// spoken to; auto tells that the clock fired.
func Shot(shooter string, at match.Cell, r match.Result, auto bool) i18n.Message {
	cell := at.String()
	switch {
	case auto && shooter == "":
		return i18n.Mean("Time ran out for you: a random shot at %s: %s", cell, Told(r))
	case auto:
		return i18n.Mean("Time ran out for %s: a random shot at %s: %s", shooter, cell, Told(r))
	case shooter == "":
		return i18n.Mean("You fired at %s: %s", cell, Told(r))
	}
	return i18n.Mean("%s fired at %s: %s", shooter, cell, Told(r))
}

// resultWords are results in a word or two.
var resultWords = [...]i18n.Text{match.Water: "water", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last ship sunk"}

// Briefly is Shot in a few words, for where there is room for no more.
func Briefly(shooter string, at match.Cell, r match.Result) i18n.Message {
	told := resultWords[r]
	if shooter == "" {
		return i18n.Mean("You %s: %s", at.String(), told)
	}
	return i18n.Mean("%s %s: %s", shooter, at.String(), told)
}

// Results returns what shots did, such as "B4 water, C7 hit".
func Results(shots []match.Shot) i18n.Message {
	var all i18n.Message
	for i, shot := range shots {
		one := i18n.Mean("%s %s", shot.Cell.String(), resultWords[shot.Result])
		if i == 0 {
			all = one
		} else {
			all = i18n.Mean("%v, %v", all, one)
		}
	}
	return all
}

// Salvo is [Shot] for several shots of one turn.
func Salvo(shooter string, shots []match.Shot, auto bool) i18n.Message {
	results := Results(shots)
	switch {
	case auto && shooter == "":
		return i18n.Mean("Time ran out for you: %v", results)
	case auto:
		return i18n.Mean("Time ran out for %s: %v", shooter, results)
	case shooter == "":
		return i18n.Mean("You fired: %v", results)
	}
	return i18n.Mean("%s fired: %v", shooter, results)
}

// SalvoBriefly is Salvo in a few words, for where there is room for no more.
func SalvoBriefly(shooter string, shots []match.Shot) i18n.Message {
	hits := 0
	for _, shot := range shots {
		if shot.Result != match.Water {
			hits++
		}
	}
	if shooter == "" {
		return i18n.Mean("You: %d of %d hit", hits, len(shots))
	}
	return i18n.Mean("%s: %d of %d hit", shooter, hits, len(shots))
}

// Rounds says how many rounds a match took, and how long; nothing where a round is a
// shot of each side at a fleet that does not move, since the shots say as much.
func Rounds(l i18n.Language, v *match.View) string {
	if !v.Rules.Moving && !v.Rules.Salvo {
		return ""
	}
	return l.Say("%d rounds in %s.", v.Rounds(), Clock(v.Took))
}

// Presence says that a player has lost the connection, or is back.
func Presence(name string, away bool) i18n.Message {
	if away {
		return i18n.Mean("%s has lost the connection.", name)
	}
	return i18n.Mean("%s is back.", name)
}

// Disputed says that a player's answers contradict each other.
func Disputed(name string) i18n.Message {
	return i18n.Mean("The answers of %s cannot all be true: the match is disputed.", name)
}

// EndingSeen says why a match ended, for spectators.
func EndingSeen(l i18n.Language, v *match.View, names [2]string) string {
	if v.Winner == match.Nobody {
		switch v.Reason {
		case match.Endless:
			return l.Say("The match went on for too long.")
		case match.Aborted:
			return l.Say("%s has aborted the match.", names[v.Aborter])
		case match.Removed:
			return l.Say("%s has removed %s from the room.", names[v.Aborter], names[v.Aborter.Other()])
		}
		return l.Say("The match was ended by the server.")
	}
	winner, loser := names[v.Winner], names[v.Winner.Other()]
	switch v.Reason {
	case match.FleetSunk:
		return l.Say("The last ship of %s is sunk.", loser)
	case match.Resigned:
		return l.Say("%s has resigned.", loser)
	case match.Left, match.Hangup:
		return l.Say("%s has left.", loser)
	case match.Silent:
		return l.Say("%s did not move in time.", loser)
	case match.Contradiction:
		return l.Say("The answers of %s contradicted each other.", loser)
	case match.Unrevealed, match.OtherFleet, match.FalseAnswer:
		return unproved(l, v.Reason, loser)
	}
	if v.Reason.Breach() {
		return l.Say("%s broke the protocol (%s).", loser, v.Reason.String())
	}
	return l.Say("%s is the winner.", winner)
}

// ShotsSeen says how much was fired, for spectators.
func ShotsSeen(l i18n.Language, v *match.View, names [2]string) string {
	return l.Say("%s fired %s, %s fired %d.", names[match.First],
		l.Say("%d shots", v.Charts[match.First].Fired), names[match.Second], v.Charts[match.Second].Fired)
}

// ShotsFired says how much was fired, for one of the sides.
func ShotsFired(l i18n.Language, v *match.View, side match.Side, opponent string) string {
	return l.Say("You fired %s, %s fired %d.", l.Say("%d shots", v.Charts[side].Fired), opponent, v.Charts[side.Other()].Fired)
}

// Ending says why a match ended, for one of its sides.
func Ending(l i18n.Language, v *match.View, side match.Side, opponent string) string {
	switch v.Reason {
	case match.Closed:
		return l.Say("The server has ended the match. Nobody won.")
	case match.Endless:
		return l.Say("The match went on for too long. Nobody won.")
	case match.Aborted:
		if v.Aborter == side {
			return l.Say("You have aborted the match before it counted.")
		}
		return l.Say("%s has aborted the match before it counted.", opponent)
	case match.Removed:
		if v.Aborter == side {
			return l.Say("You have removed %s from your room.", opponent)
		}
		return l.Say("The owner of the room has removed you.")
	}
	if v.Winner == side {
		switch v.Reason {
		case match.FleetSunk:
			return l.Say("You have sunk every ship of %s.", opponent)
		case match.Resigned:
			return l.Say("%s has resigned.", opponent)
		case match.Left, match.Hangup:
			return l.Say("%s has left and did not come back.", opponent)
		case match.Silent:
			return l.Say("%s did not move in time.", opponent)
		case match.Contradiction:
			return l.Say("The answers of %s contradicted each other.", opponent)
		case match.Unrevealed, match.OtherFleet, match.FalseAnswer:
			return unproved(l, v.Reason, opponent)
		}
		if v.Reason.Breach() {
			return l.Say("%s is a program that broke the protocol (%s).", opponent, v.Reason.String())
		}
		return ""
	}
	switch v.Reason {
	case match.FleetSunk:
		return l.Say("%s has sunk your last ship.", opponent)
	case match.Resigned:
		return l.Say("You have resigned.")
	case match.Left, match.Hangup:
		return l.Say("You were away for too long.")
	case match.Silent:
		return l.Say("You did not move in time.")
	case match.Contradiction:
		return l.Say("Your answers contradicted each other.")
	}
	if v.Reason.Breach() {
		return l.Say("You broke the protocol.")
	}
	return ""
}

// unproved returns why the reveal of a fleet that the loser had committed to
// decided the match.
func unproved(l i18n.Language, why match.Reason, loser string) string {
	switch why {
	case match.OtherFleet:
		return l.Say("%s revealed another fleet than the one it had committed to.", loser)
	case match.FalseAnswer:
		return l.Say("%s gave an answer that its fleet does not bear out.", loser)
	}
	return l.Say("%s did not reveal its fleet.", loser)
}

// Revealing returns what a match waits for after the last shot.
func Revealing(v *match.View, names [2]string) i18n.Message {
	if v.Due[match.First] == v.Due[match.Second] {
		return i18n.Mean("The last shot has been fired. The fleets have to be revealed.")
	}
	who := match.First
	if v.Due[match.Second] {
		who = match.Second
	}
	return i18n.Mean("The last shot has been fired. %s has to reveal its fleet.", names[who])
}

// EndingOf says in a few words why a match ended.
func EndingOf(r match.Reason) i18n.Message {
	switch r {
	case match.FleetSunk:
		return i18n.Mean("The last ship is sunk.")
	case match.Resigned:
		return i18n.Mean("The other resigned.")
	case match.Left, match.Hangup:
		return i18n.Mean("The other left.")
	case match.Closed:
		return i18n.Mean("The server ended the match.")
	case match.Endless:
		return i18n.Mean("It went on for too long.")
	case match.Aborted:
		return i18n.Mean("The match was aborted before it counted.")
	case match.Removed:
		return i18n.Mean("The owner of the room removed the opponent.")
	case match.Silent:
		return i18n.Mean("The other did not move in time.")
	case match.Unrevealed:
		return i18n.Mean("The other side did not reveal its fleet.")
	case match.OtherFleet:
		return i18n.Mean("The other side revealed another fleet than the one it had committed to.")
	case match.FalseAnswer:
		return i18n.Mean("The other side gave an answer that its fleet does not bear out.")
	}
	return i18n.Mean("A program broke the protocol: %s.", r.String())
}

var reasons = map[match.Reason]i18n.Text{
	match.FleetSunk: "sunk", match.Resigned: "resigned", match.Left: "left", match.Closed: "closed",
	match.Endless: "endless", match.Contradiction: "disputed", match.Silent: "silent", match.Hangup: "left",
	match.Unrevealed: "unrevealed", match.OtherFleet: "other fleet", match.FalseAnswer: "answer",
	match.Aborted: "aborted", match.Removed: "removed",
}

// Reason is why a match ended, in a word for a list, of at most eleven
// characters.
func Reason(r match.Reason) i18n.Text {
	if t, ok := reasons[r]; ok {
		return t
	}
	return "protocol"
}

// Afloat says how many ships a chart's other side still has.
func Afloat(l i18n.Language, c *match.Chart) string {
	return l.Say("%d of %s afloat", c.ShipsLeft(), l.Say("%d ships ¦ of which some float", len(c.Rules.Fleet)))
}
