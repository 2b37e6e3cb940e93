package lines

import (
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/spelling"
	"broadside/internal/term/console"
	"broadside/match"
	"broadside/match/layoutfile"
)

// when says when a command can be carried out.
type when uint8

const (
	always when = iota // a question, or the end of something that waits
	inTurn             // after what was asked for before
	seated             // the same, in a match: it waits for one that is coming
	aiming             // the same, when a shot can be fired, or the match is over
)

// command is something that can be said.
type command struct {
	name    string
	also    []string  // other words for it, to be written whole
	args    i18n.Text // how what follows is written; empty: nothing follows
	about   i18n.Text // what it does, in a sentence
	when    when
	whole   bool // it is not abbreviated: it cannot be taken back
	do      func(s *Session, rest string)
	section i18n.Text // of the help, if it is the first of one
}

// commands is the table of all that can be said, in the order of the help.
func commands() []command {
	return []command{
		{section: "To begin a match", name: "play", when: inTurn, do: (*Session).playNow,
			about: "Play the next who comes."},
		{name: "bot", args: "NAME", when: inTurn, do: (*Session).playBot,
			about: "Play a bot. Without a name: which bots there are."},
		{name: "opponents", also: []string{"who", "wer"}, do: (*Session).listOpponents,
			about: "Who is here, and who waits for an opponent."},
		{name: "challenge", args: "NAME", when: inTurn, do: (*Session).challenge,
			about: "Ask somebody who is here for a match, or play who waits. A number from the list of opponents will do."},
		{name: "accept", when: inTurn, do: (*Session).accept,
			about: "Accept a challenge."},
		{name: "decline", do: (*Session).decline,
			about: "Decline a challenge."},
		{name: "room", when: inTurn, do: (*Session).openRoom,
			about: "Open a private room, and hear its code."},
		{name: "join", args: "CODE", when: inTurn, do: (*Session).join,
			about: "Join a private room."},
		{name: "resume", also: []string{"back"}, args: "CODE", when: inTurn, do: (*Session).resume,
			about: "Continue a match that you left as a guest, by its resume code. Without a code: your own match, even if another session plays it."},
		{name: "refuse", do: (*Session).refuse,
			about: "Keep your seat when somebody has entered its resume code."},
		{name: "rules", also: []string{"regeln"}, args: "NAME", when: inTurn, do: (*Session).setRules,
			about: "Choose the rules of your next match. Without a name: what the rules are."},
		{name: "clock", also: []string{"uhr"}, args: "SECONDS", when: inTurn, do: (*Session).setClock,
			about: "Choose the time for one shot in your next match, or off."},
		{name: "cancel", do: (*Session).cancel,
			about: "Stop waiting for an opponent, and drop what you have said ahead."},

		{section: "To place your fleet", name: "place", args: "random, or SHIP CELL CELL", when: seated, do: (*Session).place,
			about: "Place random places all ships and begins. Place carrier A1 A5 places one ship by its first and last cell; place carrier A1 down does the same. Place undo takes the last ship back, place clear all of them. Place fleet and a name takes one of your saved fleets."},
		{name: "ready", when: seated, do: (*Session).ready,
			about: "Begin with the ships that you have placed one by one."},
		{name: "fleet", also: []string{"flotte"}, do: (*Session).tellFleet,
			about: "Where your ships lie, and how they are."},

		{section: "To play", name: "fire", also: []string{"feuer"}, args: "CELL", when: aiming, do: (*Session).fire,
			about: "Fire at a cell, such as B7: row B, column 7. The cell alone does the same. Where a turn has several shots, name a cell for each: fire B7 C3 D10."},
		{name: "move", args: "SHIP forward", when: aiming, do: (*Session).move,
			about: "Where ships move: move one of yours before you fire, forward, backward, clockwise or anticlockwise. Name it by its type, or by a cell that it lies on."},
		{name: "pass", also: []string{"passen"}, when: aiming, do: (*Session).pass,
			about: "Where ships move: leave yours where they are. To fire does the same."},
		{name: "moves", also: []string{"züge"}, do: (*Session).listMoves,
			about: "Where ships move: which of yours can move, and how."},
		{name: "status", also: []string{"lage"}, do: (*Session).status,
			about: "Whose turn it is, and how the match stands."},
		{name: "chart", also: []string{"karte"}, args: "row B, or column 7, or B7", do: (*Session).tellChart,
			about: "What you know of the enemy's waters: all of it, a row, a column, or one cell."},
		{name: "board", also: []string{"brett"}, args: "row B, or column 7, or B7", do: (*Session).tellBoard,
			about: "Your own waters, in the same way."},
		{name: "known", do: (*Session).known,
			about: "What you know of the enemy, in short: hits, sunk ships, and how much is unknown."},
		{name: "log", args: "NUMBER", do: (*Session).tellLog,
			about: "What happened last: five shots, or as many as you say."},
		{name: "time", also: []string{"zeit"}, do: (*Session).time,
			about: "How much time is left."},
		{name: "wait", when: aiming, do: func(*Session, string) {},
			about: "Do nothing more before it is your turn. For files of commands."},
		{name: "claim", when: inTurn, do: (*Session).claim,
			about: "Claim the win over somebody who has been away for too long."},
		{name: "seal", do: (*Session).tellSeals,
			about: "The seals of both fleets, which prove that nobody moves a ship."},
		{name: "remove", when: inTurn, whole: true, do: (*Session).remove,
			about: "Remove your opponent from your private room, until the battle begins. You are asked to say it again."},
		{name: "resign", also: []string{"aufgeben"}, when: inTurn, whole: true, do: (*Session).resign,
			about: "Give the match up. You are asked to say it again."},
		{name: "rematch", also: []string{"revanche"}, when: inTurn, do: (*Session).rematch,
			about: "After a match: play the same opponent again."},
		{name: "lobby", when: inTurn, do: (*Session).toLobby,
			about: "After a match, or watching one: go back to the lobby."},

		{section: "To watch and to talk", name: "matches", do: (*Session).listMatches,
			about: "The matches that are on."},
		{name: "watch", args: "NAME", when: inTurn, do: (*Session).watch,
			about: "Watch the match of somebody, or the one of that number in the list of matches."},
		{name: "say", also: []string{"sag"}, args: "TEXT", do: (*Session).speak,
			about: "Say something: in a match to those who play it, else in the lobby."},
		{name: "talk", do: (*Session).tellTalk,
			about: "What was said last."},
		{name: "mute", args: "NAME", do: (*Session).mute,
			about: "Do not hear somebody any more. With the words for good after the name: not in later visits, either."},
		{name: "unmute", args: "NAME", do: (*Session).unmute,
			about: "Hear somebody again."},
		{name: "rated", args: "on, or off", do: (*Session).setRated, about: "whether your next match is rated or casual"},
		{name: "quiet", args: "on, or off", do: (*Session).setQuiet,
			about: "Whether others can challenge you."},
		{name: "language", also: []string{"sprache"}, args: "en, or de", do: (*Session).setLanguage,
			about: "The language: en for English, de for German."},

		{section: "For your account", name: "name", args: "NAME", when: inTurn, do: (*Session).setName,
			about: "Make an account of your key, or give your account another name."},
		{name: "link", args: "CODE", when: inTurn, do: (*Session).link,
			about: "Add this key to an account that you have, by the code from the other machine. Without a code: a code for another machine."},

		{section: "At any time", name: "again", also: []string{"repeat", "nochmal"}, do: (*Session).again,
			about: "Hear the last answer again."},
		{name: "help", also: []string{"hilfe", "?"}, args: "COMMAND", do: (*Session).help,
			about: "The commands, or one of them."},
		{name: "quit", also: []string{"exit", "bye", "ende"}, when: inTurn, do: (*Session).quit,
			about: "Leave."},
	}
}

// maxKept is how many commands wait at most. More than that waits unread.
const maxKept = 500

// kept is a command that waits.
type kept struct {
	command command
	rest    string
	line    string
}

// keptTime is how long something waits before that is told.
const keptTime = 1500 * time.Millisecond

// take takes a line that was typed.
func (s *Session) take(line string) {
	line = strings.Join(strings.Fields(line), " ")
	switch {
	case line == "":
		return
	case line == console.Interrupt && len(s.kept) > 0:
		line = "cancel"
	case line == console.Interrupt:
		line = "quit"
	}
	c, rest, ok := s.parse(line)
	if !ok {
		return
	}
	if c.name != "cancel" && (s.behind(c.when) || s.busy(c.when)) {
		s.keep(kept{c, rest, line})
		return
	}
	s.carryOut(c, rest)
}

// carryOut does what a command says. A question that the command does not answer
// is dropped.
func (s *Session) carryOut(c command, rest string) {
	if s.confirming != c.name {
		s.confirming = ""
	}
	c.do(s, rest)
}

// confirmed reports whether a command is given for the second time in a row.
func (s *Session) confirmed(name string) bool {
	again := s.confirming == name
	if s.confirming = ""; !again {
		s.confirming = name
	}
	return again
}

// behind tells whether something of a kind has to wait for what waits already.
// Questions do for a moment, so that a file of commands is answered in its
// order; after that somebody may be asking who has spoken too early.
func (s *Session) behind(w when) bool { return len(s.kept) > 0 && !(w == always && s.told) }

// parse finds the command in a line, or says what is wrong.
func (s *Session) parse(line string) (c command, rest string, ok bool) {
	if len([]rune(line)) > console.MaxLine {
		s.say("That line is too long: %d characters at most.", console.MaxLine)
		return c, "", false
	}
	first, rest, _ := strings.Cut(line, " ")
	word := strings.ToLower(first)
	all := commands()
	var like []command
	for _, c := range all {
		if c.name == word || slices.Contains(c.also, word) {
			return s.fits(c, rest)
		}
		if strings.HasPrefix(c.name, word) && !c.whole {
			like = append(like, c)
		}
	}
	if s.placing() && layoutfile.IsShip(line) {
		return named(all, "place"), line, true
	}
	if areCells(line) {
		return named(all, "fire"), line, true
	}
	switch len(like) {
	case 1:
		return s.fits(like[0], rest)
	case 0:
		var names []string
		for _, c := range all {
			names = append(append(names, c.name), c.also...)
		}
		if near := spelling.Nearest(word, names); near != "" {
			s.say("There is no command %s. Did you mean %s?", short(first), near)
		} else {
			s.say("There is no command %s. Say help for the commands.", short(first))
		}
	default:
		var names []string
		for _, c := range like {
			names = append(names, c.name)
		}
		s.say("%s is short for several commands: %s.", short(first), s.list(names))
	}
	return c, "", false
}

// fits tells whether what follows a command can follow it.
func (s *Session) fits(c command, rest string) (command, string, bool) {
	if c.args == "" && rest != "" && c.name != "wait" {
		s.say("Nothing follows the command %s.", c.name)
		return c, "", false
	}
	return c, rest, true
}

func named(all []command, name string) command {
	return all[slices.IndexFunc(all, func(c command) bool { return c.name == name })]
}

// short is a word as it is repeated to who has typed it.
func short(word string) string {
	if r := []rune(word); len(r) > 30 {
		return string(r[:30])
	}
	return word
}

// busy tells whether something of a kind has to wait.
func (s *Session) busy(w when) bool {
	switch {
	case w == always && s.told:
		return false
	case s.asked != nil || s.game != nil && !s.game.seen:
		return true
	case w == always || w == inTurn:
		return false
	case s.state.Offer != nil:
		return true
	case s.game == nil:
		return false
	}
	v := &s.game.last.View
	if w == seated || v.Phase == match.Over {
		return false
	}
	if v.Phase == match.Placing {
		return v.Ready[s.game.Side] // the opponent's ships are missing
	}
	return v.Turn != s.game.Side || v.Pending
}

// keep lets a command wait.
func (s *Session) keep(k kept) {
	s.kept = append(s.kept, k)
	if len(s.kept) == 1 {
		s.late = time.Now().Add(keptTime)
	}
}

// proceed carries out what has waited long enough.
func (s *Session) proceed() {
	for len(s.kept) > 0 && !s.over && !s.busy(s.kept[0].command.when) {
		k := s.kept[0]
		s.kept = s.kept[1:]
		s.late = time.Now().Add(keptTime)
		s.carryOut(k.command, k.rest)
	}
	if len(s.kept) == 0 {
		s.kept, s.told = nil, false
	}
}

// drop forgets what waits for a turn, or a seat, that will not come.
func (s *Session) drop() {
	before := len(s.kept)
	s.kept = slices.DeleteFunc(s.kept, func(k kept) bool { return k.command.when >= seated })
	if n := before - len(s.kept); n > 0 {
		s.say("%d commands that you had said ahead are dropped.", n)
	}
}

// idle tells whether everything is done that was asked for.
func (s *Session) idle() bool { return len(s.kept) == 0 && s.asked == nil }

// tellKept says that something waits, and answers the questions that do, as far
// as nobody has asked them to.
func (s *Session) tellKept() {
	s.late, s.told = time.Time{}, true
	waiting := s.kept
	s.kept = nil
	for i, k := range waiting {
		if k.command.name == "wait" {
			s.kept = append(s.kept, waiting[i:]...)
			break
		}
		if k.command.when == always {
			s.carryOut(k.command, k.rest)
		} else {
			s.kept = append(s.kept, k)
		}
	}
	if len(s.kept) > 0 {
		s.say("What you have said waits for its turn: %s. To drop it, say cancel.", s.kept[0].line)
	}
}

func (s *Session) help(rest string) {
	all := commands()
	if rest != "" {
		c, _, ok := s.parse(strings.ToLower(rest))
		if ok {
			s.explain(c)
		}
		return
	}
	s.say("You play by typing commands. Each can be shortened, as long as it is clear which one you mean.")
	for _, c := range all {
		if c.section != "" {
			s.say("%s:", c.section)
		}
		s.explain(c)
	}
}

// explain says what a command does.
func (s *Session) explain(c command) {
	usage := c.name
	if c.args != "" {
		usage += " " + s.l.Say(c.args)
	}
	s.said = append(s.said, usage+": "+s.l.Say(c.about))
}

func (s *Session) again(string) {
	if len(s.last) == 0 {
		s.say("Nothing was said yet.")
	}
	s.said = append(s.said, s.last...)
}

// quit leaves. Who plays is asked first.
func (s *Session) quit(string) {
	if s.playing() && !s.confirmed("quit") {
		s.say("Your match is still on. Say quit once more to leave it for now, or resign to give it up.")
		return
	}
	if s.playing() {
		s.sayWayBack()
	} else {
		s.say("Goodbye.")
	}
	s.over = true
}
