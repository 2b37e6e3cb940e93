package command

import (
	"broadside/internal/i18n"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
)

// allTopics holds all commands, in the order of the help.
var allTopics = []Topic{
	{Title: "Matches", Commands: []Command{
		{Name: "play", Opens: Screen, Run: (*Call).playMatch, Forms: []Form{
			{"[--vs BOT] [--rules RULES] [--casual]", "play the next available player, or a bot"},
		}},
		{Name: "resume", Opens: Screen, Run: (*Call).resumeMatch, Forms: []Form{
			{"[CODE]", "continue your match, or the match with a resume code"},
		}},
		{Name: "join", Opens: Screen, Run: (*Call).joinPrivateMatch, Forms: []Form{{"CODE", "join a private match"}}},
		{Name: "plain", Opens: LineMode, Where: SSH, Run: (*Call).openLineMode, Forms: []Form{
			{"", "play in line mode, with typed commands, also for screen readers"},
		}},
		{Name: "watch", Opens: AtTerminal, LongRunning: true, Run: (*Call).watchMatch, Forms: []Form{
			{"[MATCH|PLAYER|featured] [--json]", "follow a running match"},
			{"--list [--json]", "list the running matches"},
		}},
	}},
	{Title: "Correspondence matches", Commands: []Command{
		{Name: "turns", Who: Accounts, Run: (*Call).listTurns, Forms: []Form{
			{"[--all] [--json] [--quiet]", "list the matches in which it is your turn"},
		}, Options: map[string]i18n.Message{
			"all":   i18n.NewMessage("list your other correspondence matches, too"),
			"quiet": i18n.NewMessage("write nothing: the exit status is 0 if it is your turn, otherwise 1"),
		}},
		{Name: "open", Who: Accounts, Opens: Screen, Run: (*Call).openMatch, Forms: []Form{
			{"MATCH|next", "open a correspondence match"},
		}},
		{Name: "fire", Who: Accounts, Where: SSH, Run: (*Call).fireInTurn, Forms: []Form{
			{"MATCH|next CELL…", "fire your shot or your salvo, without moving a ship"},
		}},
		{Name: "place", Who: Accounts, Where: SSH, Run: (*Call).placeFleet, Forms: []Form{
			{"MATCH|next random|FLEET", "place a random fleet, or a saved one"},
		}},
		{Name: "offers", Who: Accounts, Run: (*Call).listOffers, Forms: []Form{
			{"[--json]", "list the open offers: yours, and those that you can accept"},
		}},
		{Name: "offer", Who: Accounts, Run: (*Call).offerMatch, Forms: []Form{
			{"PACE [OPPONENT] [--rules RULES] [--casual]", "offer a match with 1d, 3d or 7d (days) for each turn"},
		}},
		{Name: "accept", Who: Accounts, Where: SSH, Run: (*Call).acceptOffer, Forms: []Form{{"OFFER", "accept an offer"}}},
		{Name: "withdraw", Who: Accounts, Run: (*Call).withdrawOffer, Forms: []Form{
			{"OFFER", "withdraw your offer, or decline one to you"},
		}},
		{Name: "feed", Who: Accounts, Run: (*Call).resetFeed, Forms: []Form{
			{"", "get new addresses of your private feed of turns, for feed readers"},
		}},
	}},
	{Title: "Results", Commands: []Command{
		{Name: "leaderboard", Run: (*Call).listLeaderboard, Forms: []Form{
			{"[--rules RULES] [--of all|people|bots] [--limit NUMBER] [--json]", "list the best players"},
		}},
		{Name: "history", Aliases: "games", Run: (*Call).listHistory, Forms: []Form{
			{"[NAME] [--limit NUMBER] [--json]", "list the last matches of everyone, or of a player"},
		}},
		{Name: "profile", Run: (*Call).showProfile, Forms: []Form{
			{"[NAME] [--json]", "show a player's ratings and statistics (default: yours)"},
		}},
		{Name: "daily", Opens: AtTerminal, Run: (*Call).showDaily, Forms: []Form{
			{"[--day DAY] [--limit NUMBER] [--json]", "show the leaderboard of the Daily sea, and your result"},
		}, Options: map[string]i18n.Message{
			"limit": i18n.NewMessage("how many to list, at most %d (default: %d)", maxRows, 10),
		}},
		{Name: "puzzle", Aliases: "puzzles", Opens: AtTerminal, Run: (*Call).showPuzzle, Forms: []Form{
			{"[CELL]", "show today's next puzzle, or answer it with a cell"},
			{"NUMBER [CELL]", "show a puzzle, or answer it"},
			{"more", "show the easiest other puzzle"},
		}},
		{Name: "ladder", Run: (*Call).showLadder, Forms: []Form{
			{"[--rules RULES] [--json]", "list the programs on the ladder"},
			{"NAME [--rules RULES] [--json]", "show a player's results on the ladder"},
		}},
		{Name: "bots", Run: (*Call).listBots, Forms: []Form{
			{"[--rules RULES] [--json]", "list the bots, weakest first"},
		}},
		{Name: "rules", Where: SSH, Run: (*Call).listRules, Forms: []Form{{"[--json]", "list the rule sets"}}},
		{Name: "replay", Run: (*Call).writeReplay, Forms: []Form{
			{"MATCH [--cast]", "write a finished match as text or as an animation"},
		}},
		{Name: "record", Run: (*Call).writeRecord, Forms: []Form{
			{"MATCH [--short | --json]", "write a finished match as JSON or as one short line"},
		}},
		{Name: "export", LongRunning: true, Where: SSH, Run: (*Call).exportMatches, Forms: []Form{
			{"[--since DAY] [--rules RULES]", "write all public matches, one short line each"},
		}, Options: map[string]i18n.Message{
			"since": i18n.NewMessage("the first day, in UTC (default: all days)"),
			"rules": i18n.NewMessage("only matches under these rules: %s", presetNames()),
		}},
	}},
	{Title: "Tournaments", Commands: []Command{
		{Name: "tournament", Aliases: "cup", Run: (*Call).showTournament, Forms: []Form{
			{"[--json]", "list your tournaments"},
			{"CODE [--json]", "show a tournament"},
		}},
		{Name: "tournament new", Run: (*Call).createTournament, Forms: []Form{
			{"NAME… [--format swiss|round-robin|knockout] [--rounds NUMBER] [--rules RULES] [--clock TIME] [--rated]" +
				" [--start WHEN] [--grace TIME] [--break TIME] [--json]", "organize a tournament"},
		}, Options: map[string]i18n.Message{
			"format": i18n.NewMessage("how players are paired (default: %s)", string(tournament.Swiss)),
			"rounds": i18n.NewMessage("rounds of a Swiss tournament (default: enough to find one winner)"),
			"clock":  i18n.NewMessage("time for each turn (default: %v)", tournament.DefaultClock),
			"rated":  i18n.NewMessage("play rated matches"),
			"start":  i18n.NewMessage("in 30m, or at 2030-01-31T18:00 in UTC (default: when you type tournament start)"),
			"grace":  i18n.NewMessage("how long a match waits for an absent player (default: %v)", tournament.DefaultGrace),
			"break":  i18n.NewMessage("break between two rounds (default: none)"),
		}},
		{Name: "tournament join", Run: newTournamentChange(session.JoinTournament), Forms: []Form{
			{"CODE [NAME]… [--json]", "enter yourself, or your programs and bots"},
		}},
		{Name: "tournament leave", Run: newTournamentChange(session.LeaveTournament), Forms: []Form{
			{"CODE [NAME]… [--json]", "withdraw yourself, or your programs and bots"},
		}},
		{Name: "tournament start", Run: newTournamentChange(session.StartTournament), Forms: []Form{
			{"CODE [--json]", "start your tournament, or continue it after a pause"},
		}},
		{Name: "tournament pause", Run: newTournamentChange(session.PauseTournament), Forms: []Form{
			{"CODE [--json]", "pause your tournament"},
		}},
		{Name: "tournament end", Run: newTournamentChange(session.EndTournament), Forms: []Form{
			{"CODE [--json]", "end your tournament"},
		}},
		{Name: "tournament table", Run: (*Call).writeTournamentTable, Forms: []Form{
			{"CODE [--csv | --json]", "show the table, and the bracket of a knockout"},
		}},
		{Name: "tournament next", Run: (*Call).writeTournamentNext, Forms: []Form{
			{"CODE [--json]", "show your next opponent and the current round"},
		}},
		{Name: "tournament export", Run: (*Call).exportTournament, Forms: []Form{
			{"CODE [--json]", "write the matches as CSV, or everything as JSON"},
		}},
	}},
	{Title: "Your account", Commands: []Command{
		{Name: "whoami", Run: (*Call).showIdentity, Forms: []Form{{"[--json]", "show your account, key and programs"}}},
		{Name: "register", Where: SSH, Run: (*Call).registerAccount, Forms: []Form{{"NAME [--json]", "create an account for your key"}}},
		{Name: "friends", Who: Accounts, Run: (*Call).listFriends, Forms: []Form{
			{"[--json]", "list the players you follow"},
		}},
		{Name: "friends add", Aliases: "follow", Who: Accounts, Run: (*Call).followPlayer, Forms: []Form{
			{"NAME", "follow a player"},
		}},
		{Name: "friends remove", Aliases: "unfollow", Who: Accounts, Run: (*Call).unfollowPlayer, Forms: []Form{
			{"NAME", "no longer follow a player"},
		}},
		{Name: "fleet list", Who: Accounts, Run: (*Call).listFleets, Forms: []Form{{"[--json]", "list your saved fleets"}}},
		{Name: "fleet import", Who: Accounts, Where: SSH, Run: (*Call).importFleet, Forms: []Form{
			{"NAME [--rules RULES] < FILE", "save the fleet in a layout file"},
		}, Options: map[string]i18n.Message{
			"rules": i18n.NewMessage("rules of the fleet: %s (default: the first that fit)", presetNames()),
		}},
		{Name: "fleet export", Who: Accounts, Run: (*Call).exportFleet, Forms: []Form{{"NAME", "write a saved fleet"}}},
		{Name: "fleet remove", Who: Accounts, Run: (*Call).removeFleet, Forms: []Form{{"NAME", "delete a saved fleet"}}},
	}},
	{Title: "Programs", Commands: []Command{
		{Name: "token new", Who: Accounts, Run: (*Call).createToken, Forms: []Form{
			{"NAME [--json]", "register a program and write its secret token"},
		}},
		{Name: "token list", Who: Accounts, Run: (*Call).listTokens, Forms: []Form{{"[--json]", "list your programs"}}},
		{Name: "token revoke", Who: Accounts, Run: (*Call).revokeToken, Forms: []Form{
			{"NAME", "revoke a program's token"},
		}},
		{Name: "relay", LongRunning: true, Where: SSH, Run: (*Call).serveRelay, Forms: []Form{
			{"[--vs OPPONENT | --room CODE | --tournament CODE | --ladder] [--games NUMBER] [--rules RULES]" +
				" [--layout LAYOUT]… [--casual] [--program NAME] [--ready]", "speak the line protocol, for programs"},
		}, Options: map[string]i18n.Message{
			"vs":         i18n.NewMessage("a bot, a player, or any"),
			"games":      i18n.NewMessage("matches to play on this connection, swapping sides after each"),
			"rules":      i18n.NewMessage("rule set: %s", presetNames()),
			"layout":     i18n.NewMessage("the fleet that the server keeps for you: ships separated by ;, or uniform"),
			"room":       i18n.NewMessage("join a private match"),
			"tournament": i18n.NewMessage("play in a tournament"),
			"ladder":     i18n.NewMessage("play on the program ladder"),
			"ready":      i18n.NewMessage("send the role only after the directive ready"),
			"program":    i18n.NewMessage("play rated matches as this registered program (see token)"),
		}},
	}},
	{Title: "Server", Commands: []Command{
		{Name: "worlds", Run: (*Call).listWorlds, Forms: []Form{{"[--json]", "list the worlds of this service"}}},
		{Name: "version", Run: (*Call).showVersion, Forms: []Form{{"[--json]", "show the server's version"}}},
	}},
	{Title: "For operators", Commands: []Command{
		{Name: "list", Who: Operators, Where: SSH, Run: (*Call).listSessions, Forms: []Form{
			{"[--json]", "list the connected players"},
		}},
		{Name: "nodes", Who: Operators, Where: SSH, Run: (*Call).listNodes, Forms: []Form{
			{"[--json]", "list the nodes of this service"},
		}},
		{Name: "kick", Who: Operators, Where: SSH, Run: (*Call).kickPlayer, Forms: []Form{
			{"NAME|SESSION", "end a player's sessions (the player may reconnect)"},
		}},
		{Name: "ban", Who: Operators, Where: SSH, Run: (*Call).addBan, Forms: []Form{
			{"NAME|FINGERPRINT|ADDRESS[/PREFIX] [--for TIME] [--reason TEXT]…", "ban a player, key, address or network"},
		}},
		{Name: "unban", Who: Operators, Where: SSH, Run: (*Call).removeBans, Forms: []Form{
			{"NAME|FINGERPRINT|ADDRESS[/PREFIX]", "remove bans"},
		}},
		{Name: "bans", Who: Operators, Where: SSH, Run: (*Call).listBans, Forms: []Form{{"[--json]", "list active bans"}}},
		{Name: "mute", Who: Operators, Where: SSH, Run: (*Call).mutePlayer, Forms: []Form{
			{"NAME|SESSION [--for TIME] [--reason TEXT]…", "mute a player (a guest: until they disconnect)"},
		}},
		{Name: "unmute", Who: Operators, Where: SSH, Run: (*Call).unmutePlayer, Forms: []Form{{"NAME|SESSION", "unmute a player"}}},
		{Name: "rename", Who: Operators, Where: SSH, Run: (*Call).renamePlayer, Forms: []Form{{"OLD NEW", "rename a player"}}},
		{Name: "broadcast", Who: Operators, Where: SSH, Run: (*Call).broadcastMessage, Forms: []Form{
			{"TEXT…", "show a message to everyone connected"},
		}},
		{Name: "lockdown", Who: Operators, Where: SSH, Run: (*Call).changeLockdown, Forms: []Form{
			{"[on|off]", "let in only existing accounts, or show the state"},
		}},
		{Name: "log", Who: Operators, Where: SSH, Run: (*Call).listActions, Forms: []Form{
			{"[--limit NUMBER] [--json]", "list operators' actions, newest first"},
		}},
	}},
}
