package lines

import (
	"slices"
	"strconv"

	"broadside/internal/i18n"
	"broadside/sshd/command"
)

// timing defines when a command can be executed.
type timing uint8

const (
	// anytime is for queries, and for commands that end waiting.
	anytime timing = iota
	// inOrder is after earlier commands, like the timings below.
	inOrder
	// inMatch is once the match that the player is waiting for has started.
	inMatch
	// onTurn is once the player can fire or the match is over.
	onTurn
)

// lineCommand is a command of line mode. Its aliases are separated by spaces. A command that cannot be undone
// cannot be abbreviated.
type lineCommand struct {
	name           string
	aliases        string
	forms          []form
	when           timing
	noAbbreviation bool
	run            func(args string)
}

// form is a way to use a command, see [command.Form].
type form struct {
	args  string
	about i18n.Key
}

// topic is a group of commands in the help.
type topic struct {
	title    i18n.Key
	commands []lineCommand
}

// commandTopics returns the commands that exist in line mode only, in the order of the help. Those that
// package command lists for line mode come in addition.
func (s *Session) commandTopics() []topic {
	return []topic{
		{"Matches", []lineCommand{
			{name: "quick", when: inOrder, run: s.finder.startQuickGame, forms: []form{
				{"", "play the bot easy immediately, with a random fleet"},
			}},
			{name: "bot", when: inOrder, run: s.finder.playBot, forms: []form{
				{"[NAME]", "play a bot, or list the bots"},
			}},
			{name: "opponents", run: s.finder.listOpponents, forms: []form{
				{"", "list who is online, and who is waiting for an opponent"},
			}},
			{name: "challenge", when: inOrder, run: s.finder.challengePlayer, forms: []form{
				{"NAME|NUMBER", "challenge a player, or play one who is waiting"},
			}},
			{name: "accept", when: inOrder, run: s.finder.acceptChallenge, forms: []form{
				{"", "accept a challenge"},
				{"OFFER", "accept an offer"},
			}},
			{name: "decline", run: s.finder.declineChallenge, forms: []form{{"", "decline a challenge"}}},
			{name: "request", when: inOrder, run: s.finder.requestLadderMatch, forms: []form{
				{"NAME", "request a match against a program on the ladder"},
			}},
			{name: "private", when: inOrder, run: s.finder.openPrivateMatch, forms: []form{
				{"", "open a private match and get its code"},
			}},
			{name: "refuse", run: s.finder.refuseTakeover, forms: []form{
				{"", "keep your seat when another player enters its resume code"},
			}},
			{name: "cancel", run: s.finder.cancelWaiting, forms: []form{
				{"", "stop waiting for an opponent, and drop queued commands"},
			}},
			{name: "matches", run: s.finder.listMatches, forms: []form{{"", "list the running matches"}}},
			{name: "rematch", when: inOrder, run: s.finder.offerRematch, forms: []form{
				{"", "play the same opponent again after a match"},
			}},
			{name: "lobby", when: inOrder, run: s.finder.returnToLobby, forms: []form{
				{"", "return to the lobby after a match or after watching one"},
			}},
		}},
		{"Placing your fleet", []lineCommand{
			{name: "place", when: inMatch, run: s.placementCommand((*placement).runPlaceCommand), forms: []form{
				{"random", "place all ships and start"},
				{"SHIP CELL CELL", "place a ship from first to last cell"},
				{"SHIP CELL down", "place a ship from its first cell and direction"},
				{"undo | clear", "remove the last ship, or all ships"},
				{"fleet NAME", "load a saved fleet"},
			}},
			{name: "ready", when: inMatch, run: s.placementCommand((*placement).submitPlaced), forms: []form{
				{"", "start with the ships you have placed"},
			}},
			{name: "fleet", run: s.printFleet, forms: []form{{"", "show where your ships are, and which are hit"}}},
		}},
		{"Battle", []lineCommand{
			{name: "fire", when: onTurn, run: s.gameCommand((*game).fireAtCells), forms: []form{
				{"CELL", "fire at a cell, such as B7: row B, column 7"},
				{"CELL CELL…", "fire all shots of a salvo"},
			}},
			{name: "move", when: onTurn, run: s.gameCommand((*game).moveShip), forms: []form{
				{"SHIP|CELL forward|backward|clockwise|anticlockwise", "move a ship before you fire, if ships move"},
			}},
			{name: "pass", when: onTurn, run: s.gameCommand((*game).passMove), forms: []form{
				{"", "leave your ships where they are, as firing does"},
			}},
			{name: "moves", run: s.gameCommand((*game).printMoves), forms: []form{
				{"", "show which of your ships can move, and how"},
			}},
			{name: "status", run: s.printStatus, forms: []form{{"", "show whose turn it is, and the state of the match"}}},
			{name: "chart", run: s.viewCommand((*game).printChart, (*watchedMatch).printWatchedBoard), forms: []form{
				{"[row B | column 7 | B7]", "show your chart of the enemy waters"},
				{"NAME [row B | column 7 | B7]", "show the chart of a player you watch"},
			}},
			{name: "board", run: s.viewCommand((*game).printBoard, (*watchedMatch).printWatchedBoard), forms: []form{
				{"[row B | column 7 | B7]", "show your own waters"},
			}},
			{name: "known", run: s.viewCommand((*game).printChartSummary, nil), forms: []form{
				{"", "summarize your chart: hits, sunk ships, unknown cells"},
			}},
			{name: "log", run: s.printLog, forms: []form{{"[NUMBER]", "show the latest events (default: 5)"}}},
			{name: "time", run: s.gameCommand((*game).printTimeLeft), forms: []form{{"", "show how much time is left"}}},
			{name: "wait", when: onTurn, run: func(string) {}, forms: []form{
				{"", "wait for your turn before the next command, for scripts"},
			}},
			{name: "claim", when: inOrder, run: s.gameCommand((*game).claimWin), forms: []form{
				{"", "claim the win over an opponent who has been away too long"},
			}},
			{name: "remove", when: inOrder, noAbbreviation: true, run: s.gameCommand((*game).removeOpponent), forms: []form{
				{"", "remove the opponent from your private match before the battle"},
			}},
			{name: "resign", when: inOrder, noAbbreviation: true, run: s.gameCommand((*game).resign), forms: []form{
				{"", "resign (type it again to confirm)"},
			}},
		}},
		{"Chat", []lineCommand{
			{name: "say", run: s.chats.sendMessage, forms: []form{
				{"TEXT", "send a chat message to the match you are in, or to the lobby"},
			}},
			{name: "chat", aliases: "talk", run: s.chats.printMessages, forms: []form{
				{"", "show the latest chat messages"},
			}},
			{name: "mute", run: s.chats.mutePlayer, forms: []form{
				{"NAME", "mute a player for this session"},
				{"NAME permanently", "mute a player in later sessions, too"},
			}},
			{name: "unmute", run: s.chats.unmutePlayer, forms: []form{{"NAME", "unmute a player"}}},
		}},
		{"Settings", []lineCommand{
			{name: "rules", when: inOrder, run: s.preferences.setRules, forms: []form{
				{"", "show the current rules"},
				{"NAME", "choose the rules of your next match"},
			}},
			{name: "clock", when: inOrder, run: s.preferences.setClock, forms: []form{
				{"SECONDS|off", "choose the time per shot in your next match"},
			}},
			{name: "rated", run: s.preferences.setRated, forms: []form{{"on|off", "choose rated or casual matches"}}},
			{name: "quiet", run: s.preferences.setDoNotDisturb, forms: []form{
				{"on|off", "choose whether others can challenge you"},
			}},
			{name: "remarks", run: s.preferences.setRemarks, forms: []form{
				{"on|off", "choose whether bots comment on your matches"},
			}},
			{name: "language", run: s.preferences.setLanguage, forms: []form{{"en|de|fr|es", "choose the language"}}},
			{name: "name", aliases: "register", when: inOrder, run: s.identity.setName, forms: []form{
				{"", "show your name"},
				{"YOURNAME", "create an account with your key, or rename your account"},
			}},
			{name: "link", when: inOrder, run: s.identity.linkKey, forms: []form{
				{"", "get a code that adds another key to your account"},
				{"CODE", "add this key to the account with the code"},
			}},
		}},
		{"At any time", []lineCommand{
			{name: "again", run: s.repeatLastOutput, forms: []form{{"", "repeat the last output"}}},
			{name: "help", run: s.interpreter.printHelp, forms: []form{{"[COMMAND]", "list the commands, or explain one"}}},
			{name: "quit", when: inOrder, run: s.quit, forms: []form{{"", "leave line mode"}}},
		}},
	}
}

// mergeTopics returns all commands: those of line mode only, and the others that work in line mode. Topics of the
// same title become one.
func mergeTopics(own []topic, others []command.Topic) (all []command.Topic) {
	for _, t := range own {
		var commands []command.Command
		for _, e := range t.commands {
			c := command.Command{Name: e.name, Aliases: e.aliases}
			for _, f := range e.forms {
				c.Forms = append(c.Forms, command.Form{Args: f.args, Summary: f.about})
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

// gameCommand returns a command that runs do in a running match.
func (s *Session) gameCommand(do func(*game, string)) func(string) {
	return func(args string) {
		if s.requireMatch() {
			do(s.game, args)
		}
	}
}

// placementCommand returns a command that runs do while the player places ships.
func (s *Session) placementCommand(do func(*placement, string)) func(string) {
	return s.gameCommand(func(g *game, args string) {
		if !g.isPlacing() {
			s.print("Your fleet is already placed.")
			return
		}
		do(g.placement, args)
	})
}

// viewCommand returns a command about the match on view. It calls watching for a watched match, and playing
// for a match that is being played or just over. Watching may be nil.
func (s *Session) viewCommand(playing func(*game, string), watching func(*watchedMatch, string)) func(string) {
	return func(args string) {
		switch {
		case s.watched != nil && watching != nil:
			watching(s.watched, args)
		case s.game == nil:
			s.requireMatch()
		case s.game.hasUpdate:
			playing(s.game, args)
		}
	}
}

// printStatus describes the match being played or watched, or what the player is waiting for.
func (s *Session) printStatus(string) {
	switch {
	case s.state.Offer != nil && s.game == nil:
		s.print("You are waiting for an opponent.")
	case s.watched != nil:
		s.watched.printStatus()
	case s.game == nil:
		s.print("You are in the lobby. Your next match: %s.", s.matchTerms(s.settings.Rules))
	default:
		s.game.printStatus()
	}
}

// printFleet prints where the player's ships are.
func (s *Session) printFleet(string) {
	switch {
	case s.game == nil:
		s.requireMatch()
	case s.game.isPlacing():
		s.game.placement.printFleet()
	default:
		s.game.printFleet()
	}
}

// printLog prints the latest events again, of the match being played or watched.
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
