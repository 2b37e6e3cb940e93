package lines

import (
	"slices"
	"strconv"

	"broadside/internal/i18n"
)

// when defines when a command can be executed.
type when uint8

const (
	always when = iota // a query, or a command that ends waiting
	inTurn             // after earlier commands
	seated             // after earlier commands, once the match that the player is waiting for has started
	aiming             // after earlier commands, once the player can fire or the match is over
)

// command is a command of line mode.
type command struct {
	name    string
	args    i18n.Key // syntax of the arguments; empty: none
	about   i18n.Key // a one-sentence description
	when    when
	whole   bool // cannot be abbreviated because it cannot be undone
	do      func(args string)
	section i18n.Key // heading in the help, for the first command of a section
}

func named(all []command, name string) command {
	return all[slices.IndexFunc(all, func(c command) bool { return c.name == name })]
}

// commands returns all commands, in the order of the help.
func (s *Session) commands() []command {
	return []command{
		{section: "To begin a match", name: "play", when: inTurn, do: s.finder.play, about: "Play the next opponent."},
		{name: "quick", when: inTurn, do: s.finder.quickGame, about: "Play the bot easy at once, with a random fleet."},
		{name: "bot", args: "NAME", when: inTurn, do: s.finder.playBot, about: "Play a bot. Without a name: list the bots."},
		{name: "opponents", do: s.finder.listOpponents, about: "List who is online, and who is waiting for an opponent."},
		{name: "challenge", args: "NAME", when: inTurn, do: s.finder.challenge, about: "Challenge a player, or play one who is waiting. A number from the list of opponents works, too."},
		{name: "accept", when: inTurn, do: s.finder.accept, about: "Accept a challenge."},
		{name: "decline", do: s.finder.decline, about: "Decline a challenge."},
		{name: "ladder", args: "NAME", do: s.finder.ladder, about: "Show the best players on the ladder of programs. With a name: show that player."},
		{name: "request", args: "NAME", when: inTurn, do: s.finder.request, about: "Request a match against a program on the ladder."},
		{name: "private", when: inTurn, do: s.finder.openPrivate, about: "Open a private match and get its code."},
		{name: "join", args: "CODE", when: inTurn, do: s.finder.join, about: "Join a private match."},
		{name: "resume", args: "CODE", when: inTurn, do: s.finder.resume, about: "Continue a match that you left as a guest, with its resume code. Without a code: continue your own match, even if another session is playing it."},
		{name: "refuse", do: s.finder.refuse, about: "Keep your seat when another player enters its resume code."},
		{name: "cup", args: "CODE [join|leave|start|…]", when: inTurn, do: s.finder.cup, about: "List your tournaments. With a code: show that tournament, or join it with join after the code."},
		{name: "rules", args: "NAME", when: inTurn, do: s.preferences.setRules, about: "Choose the rules of your next match. Without a name: show the current rules."},
		{name: "clock", args: "SECONDS", when: inTurn, do: s.preferences.setClock, about: "Choose the time per shot in your next match, or off."},
		{name: "cancel", do: s.finder.cancel, about: "Stop waiting for an opponent, and drop queued commands."},

		{section: "To place your fleet", name: "place", args: "random | SHIP CELL CELL | …", when: seated, do: s.inPlacement((*placement).place), about: "random: place all ships and start. SHIP CELL CELL: place a ship from first to last cell. SHIP CELL down, or right: place a ship from its first cell and direction. undo: remove the last ship. clear: remove all ships. fleet NAME: load a saved fleet."},
		{name: "ready", when: seated, do: s.inPlacement((*placement).ready), about: "Start with the ships you have placed."},
		{name: "fleet", do: s.describeFleet, about: "Show where your ships are, and which are hit."},

		{section: "To play", name: "fire", args: "CELL", when: aiming, do: s.inGame((*game).fire), about: "Fire at a cell, such as B7: row B, column 7. The cell alone works, too. If a turn has several shots, give a cell for each: fire B7 C3 D10."},
		{name: "move", args: "SHIP forward", when: aiming, do: s.inGame((*game).move), about: "With moving ships: move one of your ships before you fire, forward, backward, clockwise or anticlockwise. Identify it by its type or one of its cells."},
		{name: "pass", when: aiming, do: s.inGame((*game).pass), about: "With moving ships: leave yours where they are. Firing does the same."},
		{name: "moves", do: s.inGame((*game).listMoves), about: "With moving ships: show which of yours can move, and how."},
		{name: "status", do: s.status, about: "Show whose turn it is, and the state of the match."},
		{name: "chart", args: "[row B | column 7 | B7]", do: s.seeing((*game).describeChart, (*watched).describeBoards), about: "Show what you know about the enemy's waters: everything, a row, a column, or one cell."},
		{name: "board", args: "[row B | column 7 | B7]", do: s.seeing((*game).describeBoard, (*watched).describeBoards), about: "Show the same for your own waters."},
		{name: "known", do: s.seeing((*game).summarizeChart, nil), about: "Summarize the enemy's waters: hits, sunk ships, and how much is unknown."},
		{name: "log", args: "NUMBER", do: s.printLog, about: "Show the latest events: five shots, or as many as you ask for."},
		{name: "time", do: s.inGame((*game).printTime), about: "Show how much time is left."},
		{name: "wait", when: aiming, do: func(string) {}, about: "Wait for your turn before running the next command. Useful in scripts."},
		{name: "claim", when: inTurn, do: s.inGame((*game).claim), about: "Claim the win over an opponent who has been away too long."},
		{name: "remove", when: inTurn, whole: true, do: s.inGame((*game).remove), about: "Remove your opponent from your private match before the battle begins. Type it again to confirm."},
		{name: "resign", when: inTurn, whole: true, do: s.inGame((*game).resign), about: "Resign. Type it again to confirm."},
		{name: "rematch", when: inTurn, do: s.finder.rematch, about: "Play the same opponent again after a match."},
		{name: "lobby", when: inTurn, do: s.finder.toLobby, about: "Return to the lobby after a match or after watching one."},

		{section: "To watch and chat", name: "matches", do: s.finder.listMatches, about: "List the running matches."},
		{name: "watch", args: "NAME", when: inTurn, do: s.finder.watch, about: "Watch a player's match, or a match by its number in the list."},
		{name: "say", args: "TEXT", do: s.chats.send, about: "Send a chat message to the match you are in, or otherwise to the lobby."},
		{name: "talk", do: s.chats.printLast, about: "Show the latest chat messages."},
		{name: "mute", args: "NAME", do: s.chats.mute, about: "Mute a player for this session. Add permanently after the name to mute them in later sessions, too."},
		{name: "unmute", args: "NAME", do: s.chats.unmute, about: "Unmute a player."},
		{name: "friends", do: s.chats.listFriends, about: "List the players you follow, and show which are online."},
		{name: "follow", args: "NAME", do: s.chats.follow, about: "Follow a player who has an account."},
		{name: "unfollow", args: "NAME", do: s.chats.unfollow, about: "No longer follow a player."},
		{name: "rated", args: "on|off", do: s.preferences.setRated, about: "Choose whether your next match is rated."},
		{name: "quiet", args: "on|off", do: s.preferences.setQuiet, about: "Choose whether others can challenge you."},
		{name: "language", args: "en|de|es|fr", do: s.preferences.setLanguage, about: "Choose the language: en for English, de for German, es for Spanish, fr for French."},

		{section: "For your account", name: "name", args: "NAME", when: inTurn, do: s.identity.setName, about: "Create an account with your key, or rename your account."},
		{name: "link", args: "CODE", when: inTurn, do: s.identity.link, about: "Add this key to your account with the code from your other computer. Without a code: get a code for another computer."},

		{section: "At any time", name: "again", do: s.again, about: "Repeat the last answer."},
		{name: "help", args: "COMMAND", do: s.interpreter.help, about: "List the commands, or explain one of them."},
		{name: "quit", when: inTurn, do: s.quit, about: "Leave."},
	}
}

// inGame adapts a command that needs a running match.
func (s *Session) inGame(do func(*game, string)) func(string) {
	return func(args string) {
		if s.requireMatch() {
			do(s.game, args)
		}
	}
}

// inPlacement adapts a command that needs ships to place.
func (s *Session) inPlacement(do func(*placement, string)) func(string) {
	return s.inGame(func(g *game, args string) {
		if !g.placing() {
			s.print("Your fleet is already placed.")
			return
		}
		do(g.placement, args)
	})
}

// seeing adapts a command that needs a match to view. It calls watching for the
// watched match, or playing for a match that is being played or just over. Watching
// may be nil.
func (s *Session) seeing(playing func(*game, string), watching func(*watched, string)) func(string) {
	return func(args string) {
		switch {
		case s.watched != nil && watching != nil:
			watching(s.watched, args)
		case s.game == nil:
			s.requireMatch()
		case s.game.seen:
			playing(s.game, args)
		}
	}
}

// status describes the match being played or watched, or what the player is waiting
// for.
func (s *Session) status(string) {
	switch {
	case s.state.Offer != nil && s.game == nil:
		s.print("You are waiting for an opponent.")
	case s.watched != nil:
		s.watched.printStatus()
	case s.game == nil:
		s.print("You are in the lobby. Your next match: %s.", s.terms(s.chosen.Rules))
	default:
		s.game.printStatus()
	}
}

// describeFleet describes the positions of the player's ships.
func (s *Session) describeFleet(string) {
	switch {
	case s.game == nil:
		s.requireMatch()
	case s.game.placing():
		s.game.placement.describeFleet()
	default:
		s.game.describeFleet()
	}
}

// printLog repeats the latest events of the match being played or watched.
func (s *Session) printLog(count string) {
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
			s.print("Type: log, or log NUMBER.")
			return
		}
	}
	if len(log) == 0 {
		s.print("Nothing has happened yet.")
		return
	}
	s.add(log[max(0, len(log)-n):]...)
}
