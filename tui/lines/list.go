package lines

import (
	"slices"
	"strconv"

	"broadside/internal/i18n"
	"broadside/sshd/command"
)

// when defines when a command can be executed.
type when uint8

const (
	always when = iota // a query, or a command that ends waiting
	inTurn             // after earlier commands
	seated             // after earlier commands, once the match that the player is waiting for has started
	aiming             // after earlier commands, once the player can fire or the match is over
)

// entry is a command of line mode.
type entry struct {
	name    string
	aliases string // other names
	forms   []form
	when    when
	whole   bool // cannot be abbreviated because it cannot be undone
	do      func(args string)
}

// form is a way to use a command, see [command.Form].
type form struct {
	args  string
	about i18n.Key
}

// topic is a group of entries in the help.
type topic struct {
	title   i18n.Key
	entries []entry
}

// list returns the commands that exist in line mode only, in the order of the help. Those that package command
// lists for line mode come in addition.
func (s *Session) list() []topic {
	return []topic{
		{"Matches", []entry{
			{name: "quick", when: inTurn, do: s.finder.quickGame, forms: []form{
				{"", "play the bot easy immediately, with a random fleet"},
			}},
			{name: "bot", when: inTurn, do: s.finder.playBot, forms: []form{
				{"[NAME]", "play a bot, or list the bots"},
			}},
			{name: "opponents", do: s.finder.listOpponents, forms: []form{
				{"", "list who is online, and who is waiting for an opponent"},
			}},
			{name: "challenge", when: inTurn, do: s.finder.challenge, forms: []form{
				{"NAME|NUMBER", "challenge a player, or play one who is waiting"},
			}},
			{name: "accept", when: inTurn, do: s.finder.accept, forms: []form{{"", "accept a challenge"}}},
			{name: "decline", do: s.finder.decline, forms: []form{{"", "decline a challenge"}}},
			{name: "request", when: inTurn, do: s.finder.request, forms: []form{
				{"NAME", "request a match against a program on the ladder"},
			}},
			{name: "private", when: inTurn, do: s.finder.openPrivate, forms: []form{
				{"", "open a private match and get its code"},
			}},
			{name: "refuse", do: s.finder.refuse, forms: []form{
				{"", "keep your seat when another player enters its resume code"},
			}},
			{name: "cancel", do: s.finder.cancel, forms: []form{
				{"", "stop waiting for an opponent, and drop queued commands"},
			}},
			{name: "matches", do: s.finder.listMatches, forms: []form{{"", "list the running matches"}}},
			{name: "rematch", when: inTurn, do: s.finder.rematch, forms: []form{
				{"", "play the same opponent again after a match"},
			}},
			{name: "lobby", when: inTurn, do: s.finder.toLobby, forms: []form{
				{"", "return to the lobby after a match or after watching one"},
			}},
		}},
		{"Placing your fleet", []entry{
			{name: "place", when: seated, do: s.inPlacement((*placement).place), forms: []form{
				{"random", "place all ships and start"},
				{"SHIP CELL CELL", "place a ship from first to last cell"},
				{"SHIP CELL down", "place a ship from its first cell and direction"},
				{"undo | clear", "remove the last ship, or all ships"},
				{"fleet NAME", "load a saved fleet"},
			}},
			{name: "ready", when: seated, do: s.inPlacement((*placement).ready), forms: []form{
				{"", "start with the ships you have placed"},
			}},
			{name: "fleet", do: s.describeFleet, forms: []form{{"", "show where your ships are, and which are hit"}}},
		}},
		{"Battle", []entry{
			{name: "fire", when: aiming, do: s.inGame((*game).fire), forms: []form{
				{"CELL", "fire at a cell, such as B7: row B, column 7"},
				{"CELL CELL…", "fire all shots of a salvo"},
			}},
			{name: "move", when: aiming, do: s.inGame((*game).move), forms: []form{
				{"SHIP|CELL forward|backward|clockwise|anticlockwise", "move a ship before you fire, if ships move"},
			}},
			{name: "pass", when: aiming, do: s.inGame((*game).pass), forms: []form{
				{"", "leave your ships where they are, as firing does"},
			}},
			{name: "moves", do: s.inGame((*game).listMoves), forms: []form{
				{"", "show which of your ships can move, and how"},
			}},
			{name: "status", do: s.status, forms: []form{{"", "show whose turn it is, and the state of the match"}}},
			{name: "chart", do: s.seeing((*game).describeChart, (*watched).describeBoards), forms: []form{
				{"[row B | column 7 | B7]", "show your chart of the enemy waters"},
				{"NAME [row B | column 7 | B7]", "show the chart of a player you watch"},
			}},
			{name: "board", do: s.seeing((*game).describeBoard, (*watched).describeBoards), forms: []form{
				{"[row B | column 7 | B7]", "show your own waters"},
			}},
			{name: "known", do: s.seeing((*game).summarizeChart, nil), forms: []form{
				{"", "summarize your chart: hits, sunk ships, unknown cells"},
			}},
			{name: "log", do: s.printLog, forms: []form{{"[NUMBER]", "show the latest events (default: 5)"}}},
			{name: "time", do: s.inGame((*game).printTime), forms: []form{{"", "show how much time is left"}}},
			{name: "wait", when: aiming, do: func(string) {}, forms: []form{
				{"", "wait for your turn before the next command, for scripts"},
			}},
			{name: "claim", when: inTurn, do: s.inGame((*game).claim), forms: []form{
				{"", "claim the win over an opponent who has been away too long"},
			}},
			{name: "remove", when: inTurn, whole: true, do: s.inGame((*game).remove), forms: []form{
				{"", "remove the opponent from your private match before the battle"},
			}},
			{name: "resign", when: inTurn, whole: true, do: s.inGame((*game).resign), forms: []form{
				{"", "resign; type it again to confirm"},
			}},
		}},
		{"Chat", []entry{
			{name: "say", do: s.chats.send, forms: []form{
				{"TEXT", "send a chat message to the match you are in, or to the lobby"},
			}},
			{name: "chat", aliases: "talk", do: s.chats.printLast, forms: []form{
				{"", "show the latest chat messages"},
			}},
			{name: "mute", do: s.chats.mute, forms: []form{
				{"NAME", "mute a player for this session"},
				{"NAME permanently", "mute a player in later sessions, too"},
			}},
			{name: "unmute", do: s.chats.unmute, forms: []form{{"NAME", "unmute a player"}}},
		}},
		{"Settings", []entry{
			{name: "rules", when: inTurn, do: s.preferences.setRules, forms: []form{
				{"", "show the current rules"},
				{"NAME", "choose the rules of your next match"},
			}},
			{name: "clock", when: inTurn, do: s.preferences.setClock, forms: []form{
				{"SECONDS|off", "choose the time per shot in your next match"},
			}},
			{name: "rated", do: s.preferences.setRated, forms: []form{{"on|off", "choose rated or casual matches"}}},
			{name: "quiet", do: s.preferences.setQuiet, forms: []form{
				{"on|off", "choose whether others can challenge you"},
			}},
			{name: "language", do: s.preferences.setLanguage, forms: []form{{"en|de|fr|es", "choose the language"}}},
			{name: "name", aliases: "register", when: inTurn, do: s.identity.setName, forms: []form{
				{"", "show your name"},
				{"YOURNAME", "create an account with your key, or rename your account"},
			}},
			{name: "link", when: inTurn, do: s.identity.link, forms: []form{
				{"", "get a code that adds another key to your account"},
				{"CODE", "add this key to the account with the code"},
			}},
		}},
		{"At any time", []entry{
			{name: "again", do: s.again, forms: []form{{"", "repeat the last output"}}},
			{name: "help", do: s.interpreter.help, forms: []form{{"[COMMAND]", "list the commands, or explain one"}}},
			{name: "quit", when: inTurn, do: s.quit, forms: []form{{"", "leave line mode"}}},
		}},
	}
}

// topics returns all commands: those of line mode only, and the others that work in line mode. Topics of the
// same title become one.
func topics(own []topic, others []command.Topic) (all []command.Topic) {
	for _, t := range own {
		var commands []command.Command
		for _, e := range t.entries {
			c := command.Command{Name: e.name, Aliases: e.aliases}
			for _, f := range e.forms {
				c.Forms = append(c.Forms, command.Form{Args: f.args, About: f.about})
			}
			commands = append(commands, c)
		}
		all = append(all, command.Topic{Title: t.title, Commands: commands})
	}
	for _, t := range others {
		at := slices.IndexFunc(all, func(o command.Topic) bool { return o.Title == t.Title })
		if at < 0 {
			all = append(all, t)
		} else {
			all[at].Commands = append(all[at].Commands, t.Commands...)
		}
	}
	return all
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
