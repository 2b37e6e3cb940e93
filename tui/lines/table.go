package lines

import (
	"slices"
	"strconv"

	"broadside/internal/i18n"
)

// when says when a command can be carried out.
type when uint8

const (
	always when = iota // a question, or a command that ends waiting
	inTurn             // after earlier commands
	seated             // after earlier commands, once the match for which the player waits has begun
	aiming             // after earlier commands, once the player can fire or the match is over
)

// command is a command of line mode.
type command struct {
	name    string
	also    []string  // other words for it, which cannot be abbreviated
	args    i18n.Text // how the arguments are written; empty: there are none
	about   i18n.Text // what it does, in a sentence
	when    when
	whole   bool // it cannot be abbreviated, since it cannot be undone
	do      func(args string)
	section i18n.Text // the heading in the help, if it is the first of a section
}

func named(all []command, name string) command {
	return all[slices.IndexFunc(all, func(c command) bool { return c.name == name })]
}

// commands returns all commands, in the order of the help.
func (s *Session) commands() []command {
	return []command{
		{section: "To begin a match", name: "play", when: inTurn, do: s.finder.play,
			about: "Play the next who comes."},
		{name: "bot", args: "NAME", when: inTurn, do: s.finder.playBot,
			about: "Play a bot. Without a name: which bots there are."},
		{name: "opponents", also: []string{"who", "wer"}, do: s.finder.listOpponents,
			about: "Who is here, and who waits for an opponent."},
		{name: "challenge", args: "NAME", when: inTurn, do: s.finder.challenge,
			about: "Ask somebody who is here for a match, or play who waits. A number from the list of opponents will do."},
		{name: "accept", when: inTurn, do: s.finder.accept,
			about: "Accept a challenge."},
		{name: "decline", do: s.finder.decline,
			about: "Decline a challenge."},
		{name: "room", when: inTurn, do: s.finder.openPrivate,
			about: "Open a private room, and hear its code."},
		{name: "join", args: "CODE", when: inTurn, do: s.finder.join,
			about: "Join a private room."},
		{name: "resume", also: []string{"back"}, args: "CODE", when: inTurn, do: s.finder.resume,
			about: "Continue a match that you left as a guest, by its resume code. Without a code: your own match, even if another session plays it."},
		{name: "refuse", do: s.finder.refuse,
			about: "Keep your seat when somebody has entered its resume code."},
		{name: "rules", also: []string{"regeln"}, args: "NAME", when: inTurn, do: s.preferences.setRules,
			about: "Choose the rules of your next match. Without a name: what the rules are."},
		{name: "clock", also: []string{"uhr"}, args: "SECONDS", when: inTurn, do: s.preferences.setClock,
			about: "Choose the time for one shot in your next match, or off."},
		{name: "cancel", do: s.finder.cancel,
			about: "Stop waiting for an opponent, and drop what you have said ahead."},

		{section: "To place your fleet", name: "place", args: "random, or SHIP CELL CELL", when: seated, do: s.inPlacement((*placement).place),
			about: "Place random places all ships and begins. Place carrier A1 A5 places one ship by its first and last cell; place carrier A1 down does the same. Place undo takes the last ship back, place clear all of them. Place fleet and a name takes one of your saved fleets."},
		{name: "ready", when: seated, do: s.inPlacement((*placement).ready),
			about: "Begin with the ships that you have placed one by one."},
		{name: "fleet", also: []string{"flotte"}, do: s.tellFleet,
			about: "Where your ships lie, and how they are."},

		{section: "To play", name: "fire", also: []string{"feuer"}, args: "CELL", when: aiming, do: s.inGame((*game).fire),
			about: "Fire at a cell, such as B7: row B, column 7. The cell alone does the same. Where a turn has several shots, name a cell for each: fire B7 C3 D10."},
		{name: "move", args: "SHIP forward", when: aiming, do: s.inGame((*game).move),
			about: "Where ships move: move one of yours before you fire, forward, backward, clockwise or anticlockwise. Name it by its type, or by a cell that it lies on."},
		{name: "pass", also: []string{"passen"}, when: aiming, do: s.inGame((*game).pass),
			about: "Where ships move: leave yours where they are. To fire does the same."},
		{name: "moves", also: []string{"züge"}, do: s.inGame((*game).listMoves),
			about: "Where ships move: which of yours can move, and how."},
		{name: "status", also: []string{"lage"}, do: s.status,
			about: "Whose turn it is, and how the match stands."},
		{name: "chart", also: []string{"karte"}, args: "row B, or column 7, or B7", do: s.seeing((*game).tellChart, (*watched).tellBoards),
			about: "What you know of the enemy's waters: all of it, a row, a column, or one cell."},
		{name: "board", also: []string{"brett"}, args: "row B, or column 7, or B7", do: s.seeing((*game).tellBoard, (*watched).tellBoards),
			about: "Your own waters, in the same way."},
		{name: "known", do: s.seeing((*game).tellKnown, nil),
			about: "What you know of the enemy, in short: hits, sunk ships, and how much is unknown."},
		{name: "log", args: "NUMBER", do: s.tellLog,
			about: "What happened last: five shots, or as many as you say."},
		{name: "time", also: []string{"zeit"}, do: s.inGame((*game).tellTime),
			about: "How much time is left."},
		{name: "wait", when: aiming, do: func(string) {},
			about: "Do nothing more before it is your turn. For files of commands."},
		{name: "claim", when: inTurn, do: s.inGame((*game).claim),
			about: "Claim the win over somebody who has been away for too long."},
		{name: "seal", do: s.seeing((*game).tellCommitments, nil),
			about: "The seals of both fleets, which prove that nobody moves a ship."},
		{name: "remove", when: inTurn, whole: true, do: s.inGame((*game).remove),
			about: "Remove your opponent from your private room, until the battle begins. You are asked to say it again."},
		{name: "resign", also: []string{"aufgeben"}, when: inTurn, whole: true, do: s.inGame((*game).resign),
			about: "Give the match up. You are asked to say it again."},
		{name: "rematch", also: []string{"revanche"}, when: inTurn, do: s.finder.rematch,
			about: "After a match: play the same opponent again."},
		{name: "lobby", when: inTurn, do: s.finder.toLobby,
			about: "After a match, or watching one: go back to the lobby."},

		{section: "To watch and to talk", name: "matches", do: s.finder.listMatches,
			about: "The matches that are on."},
		{name: "watch", args: "NAME", when: inTurn, do: s.finder.watch,
			about: "Watch the match of somebody, or the one of that number in the list of matches."},
		{name: "say", also: []string{"sag"}, args: "TEXT", do: s.chats.speak,
			about: "Say something: in a match to those who play it, else in the lobby."},
		{name: "talk", do: s.chats.tellLast,
			about: "What was said last."},
		{name: "mute", args: "NAME", do: s.chats.mute,
			about: "Do not hear somebody any more. With the words for good after the name: not in later visits, either."},
		{name: "unmute", args: "NAME", do: s.chats.unmute,
			about: "Hear somebody again."},
		{name: "rated", args: "on, or off", do: s.preferences.setRated, about: "whether your next match is rated or casual"},
		{name: "quiet", args: "on, or off", do: s.preferences.setQuiet,
			about: "Whether others can challenge you."},
		{name: "language", also: []string{"sprache"}, args: "en, or de", do: s.preferences.setLanguage,
			about: "The language: en for English, de for German."},

		{section: "For your account", name: "name", args: "NAME", when: inTurn, do: s.identity.setName,
			about: "Make an account of your key, or give your account another name."},
		{name: "link", args: "CODE", when: inTurn, do: s.identity.link,
			about: "Add this key to an account that you have, by the code from the other machine. Without a code: a code for another machine."},

		{section: "At any time", name: "again", also: []string{"repeat", "nochmal"}, do: s.again,
			about: "Hear the last answer again."},
		{name: "help", also: []string{"hilfe", "?"}, args: "COMMAND", do: s.interpreter.help,
			about: "The commands, or one of them."},
		{name: "quit", also: []string{"exit", "bye", "ende"}, when: inTurn, do: s.quit,
			about: "Leave."},
	}
}

// inGame makes a command of one that needs a running match.
func (s *Session) inGame(do func(*game, string)) func(string) {
	return func(args string) {
		if s.inMatch() {
			do(s.game, args)
		}
	}
}

// inPlacement makes a command of one that needs ships to place.
func (s *Session) inPlacement(do func(*placement, string)) func(string) {
	return s.inGame(func(g *game, args string) {
		if !g.placing() {
			s.say("Your fleet is placed already.")
			return
		}
		do(g.placement, args)
	})
}

// seeing makes a command of one that needs a view: of the match that is watched, if
// watching is not nil, or else of the match that is played or just over.
func (s *Session) seeing(playing func(*game, string), watching func(*watched, string)) func(string) {
	return func(args string) {
		switch {
		case s.watched != nil && watching != nil:
			watching(s.watched, args)
		case s.game == nil:
			s.inMatch()
		case s.game.seen:
			playing(s.game, args)
		}
	}
}

// status says how the match stands that is played or watched, or what the player waits
// for.
func (s *Session) status(string) {
	switch {
	case s.state.Offer != nil && s.game == nil:
		s.say("You are waiting for an opponent.")
	case s.watched != nil:
		s.watched.tellStatus()
	case s.game == nil:
		s.say("You are in the lobby. Your next match: %s.", s.terms(s.chosen.Rules))
	default:
		s.game.tellStatus()
	}
}

// tellFleet says where the player's ships are.
func (s *Session) tellFleet(string) {
	switch {
	case s.game == nil:
		s.inMatch()
	case s.game.placing():
		s.game.placement.tellFleet()
	default:
		s.game.tellFleet()
	}
}

// tellLog repeats the last events of the match that is played or watched.
func (s *Session) tellLog(count string) {
	var log []string
	switch {
	case s.game != nil:
		log = s.game.log
	case s.watched != nil:
		log = s.watched.log
	}
	n := 5
	if count != "" {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n < 1 {
			s.say("Say log, or log and a number.")
			return
		}
	}
	if len(log) == 0 {
		s.say("Nothing has happened yet.")
		return
	}
	s.add(log[max(0, len(log)-n):]...)
}
