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
		{section: "to-begin-a-match", name: "play", when: inTurn, do: s.finder.play, about: "play-the-next-opponent"},
		{name: "quick", when: inTurn, do: s.finder.quickGame, about: "play-an-easy-bot-at-once"},
		{name: "bot", args: "name-capitals", when: inTurn, do: s.finder.playBot, about: "play-a-bot-without-a"},
		{name: "opponents", do: s.finder.listOpponents, about: "list-players"},
		{name: "challenge", args: "name-capitals", when: inTurn, do: s.finder.challenge, about: "challenge-a-player-who-is"},
		{name: "accept", when: inTurn, do: s.finder.accept, about: "accept-a-challenge"},
		{name: "decline", do: s.finder.decline, about: "decline-a-challenge"},
		{name: "ladder", args: "name-capitals", do: s.finder.ladder, about: "the-ladder-of-programs-line"},
		{name: "request", args: "name-capitals", when: inTurn, do: s.finder.request, about: "request-a-match-against-a"},
		{name: "private", when: inTurn, do: s.finder.openPrivate, about: "open-a-private-match-and"},
		{name: "join", args: "code-capitals", when: inTurn, do: s.finder.join, about: "join-a-private-match-sentence"},
		{name: "resume", args: "code-capitals", when: inTurn, do: s.finder.resume, about: "continue-a-match-that-you"},
		{name: "refuse", do: s.finder.refuse, about: "keep-your-seat-when-somebody"},
		{name: "cup", args: "code-and-change", when: inTurn, do: s.finder.cup, about: "your-cups-or-one-of-them"},
		{name: "rules", args: "name-capitals", when: inTurn, do: s.preferences.setRules, about: "choose-the-rules-of-your"},
		{name: "clock", args: "seconds", when: inTurn, do: s.preferences.setClock, about: "choose-the-time-per-shot"},
		{name: "cancel", do: s.finder.cancel, about: "stop-waiting-for-an-opponent"},

		{section: "to-place-your-fleet", name: "place", args: "random-or-ship-cell-cell", when: seated, do: s.inPlacement((*placement).place), about: "place-random-places-all-ships"},
		{name: "ready", when: seated, do: s.inPlacement((*placement).ready), about: "start-with-the-ships-that"},
		{name: "fleet", do: s.describeFleet, about: "where-your-ships-are-and"},

		{section: "to-play", name: "fire", args: "cell", when: aiming, do: s.inGame((*game).fire), about: "fire-at-a-cell-such"},
		{name: "move", args: "ship-forward", when: aiming, do: s.inGame((*game).move), about: "if-ships-move-move-one"},
		{name: "pass", when: aiming, do: s.inGame((*game).pass), about: "if-ships-move-keep-yours"},
		{name: "moves", do: s.inGame((*game).listMoves), about: "if-ships-move-which-of"},
		{name: "status", do: s.status, about: "whose-turn-it-is-and"},
		{name: "chart", args: "row-b-or-column-7", do: s.seeing((*game).describeChart, (*watched).describeBoards), about: "what-you-know-about-the"},
		{name: "board", args: "row-b-or-column-7", do: s.seeing((*game).describeBoard, (*watched).describeBoards), about: "the-same-for-your-own"},
		{name: "known", do: s.seeing((*game).summarizeChart, nil), about: "a-summary-of-the-enemys"},
		{name: "log", args: "number", do: s.printLog, about: "the-latest-events-five-shots"},
		{name: "time", do: s.inGame((*game).printTime), about: "how-much-time-is-left"},
		{name: "wait", when: aiming, do: func(string) {}, about: "wait-for-your-turn-before"},
		{name: "claim", when: inTurn, do: s.inGame((*game).claim), about: "claim-the-win-over-an"},
		{name: "remove", when: inTurn, whole: true, do: s.inGame((*game).remove), about: "remove-your-opponent-from-your"},
		{name: "resign", when: inTurn, whole: true, do: s.inGame((*game).resign), about: "resign-you-must-say-it"},
		{name: "rematch", when: inTurn, do: s.finder.rematch, about: "after-a-match-play-the"},
		{name: "lobby", when: inTurn, do: s.finder.toLobby, about: "after-a-match-or-watching"},

		{section: "to-watch-and-chat", name: "matches", do: s.finder.listMatches, about: "the-running-matches"},
		{name: "watch", args: "name-capitals", when: inTurn, do: s.finder.watch, about: "watch-a-players-match-or"},
		{name: "say", args: "text", do: s.chats.send, about: "send-a-chat-message-to"},
		{name: "talk", do: s.chats.printLast, about: "the-latest-chat-messages"},
		{name: "mute", args: "name-capitals", do: s.chats.mute, about: "mute-a-player-with-the"},
		{name: "unmute", args: "name-capitals", do: s.chats.unmute, about: "unmute-a-player"},
		{name: "friends", do: s.chats.listFriends, about: "the-players-you-follow"},
		{name: "follow", args: "name-capitals", do: s.chats.follow, about: "follow-a-player"},
		{name: "unfollow", args: "name-capitals", do: s.chats.unfollow, about: "unfollow-a-player"},
		{name: "rated", args: "on-or-off", do: s.preferences.setRated, about: "whether-your-next-match-is"},
		{name: "quiet", args: "on-or-off", do: s.preferences.setQuiet, about: "whether-others-can-challenge-you"},
		{name: "language", args: "en-or-de", do: s.preferences.setLanguage, about: "the-language-en-for-english"},

		{section: "for-your-account", name: "name", args: "name-capitals", when: inTurn, do: s.identity.setName, about: "create-an-account-with-your"},
		{name: "link", args: "code-capitals", when: inTurn, do: s.identity.link, about: "add-this-key-to-your"},

		{section: "at-any-time", name: "again", do: s.again, about: "repeat-the-last-answer"},
		{name: "help", args: "command", do: s.interpreter.help, about: "the-commands-or-one-of"},
		{name: "quit", when: inTurn, do: s.quit, about: "leave-title-sentence"},
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
			s.print("your-fleet-is-placed-already")
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
		s.print("you-are-waiting-for-an-opponent")
	case s.watched != nil:
		s.watched.printStatus()
	case s.game == nil:
		s.print("you-are-in-the-your", s.terms(s.chosen.Rules))
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
			s.print("say-log-or-log-and")
			return
		}
	}
	if len(log) == 0 {
		s.print("nothing-has-happened-yet")
		return
	}
	s.add(log[max(0, len(log)-n):]...)
}
