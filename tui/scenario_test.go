package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/tui/widget"
)

// TestScenarios plays the scripts in testdata/scenarios. A script has scenarios, each of which starts
// with its title. The other lines are steps: what happens in the lobby, or what a session does and
// sees. Sessions are named after their players.
//
//	scenario A challenge is declined
//	size 80x24                          of all terminals from here on; or several, to play with each
//	players ann bob                     enter the lobby
//	ann press o enter                   keys, as Bubble Tea names them
//	bob see "ann challenges you"        waits for the text
//	bob press n
//	bob gone challenges                 waits until the text disappears
//	ann bob unseen easy                 is not on the screens of both now
//
// The first step may be "store", for a lobby with a store, "ladder", for one that also has a ladder, or
// "records", for one that has matches of ann, who enters. See [story.step] and verbs for all other steps. Time passes only while everyone waits.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d scripts: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scenarios(t, file, string(text)) {
			for _, size := range s.sizes {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+s.title+"/"+size, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { s.play(t, size) })
				})
			}
		}
	}
}

// scenario is a part of a script.
type scenario struct {
	title string
	sizes []string
	lines []scriptLine
}

type scriptLine struct {
	// at is the script's file and line.
	at    string
	words []string
}

// scenarios reads a script.
func scenarios(t *testing.T, file, script string) []*scenario {
	t.Helper()
	var all []*scenario
	for i, text := range strings.Split(script, "\n") {
		line := scriptLine{at: fmt.Sprintf("%s:%d", file, i+1)}
		text = strings.TrimSpace(text)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if title, ok := strings.CutPrefix(text, "scenario "); ok {
			all = append(all, &scenario{title: title, sizes: []string{"80x24"}})
			continue
		}
		words, err := splitWords(text)
		if err != nil || len(all) == 0 {
			t.Fatalf("%s: not a step of a scenario: %v", line.at, err)
		}
		line.words = words
		s := all[len(all)-1]
		if words[0] == "size" {
			s.sizes = words[1:]
			continue
		}
		s.lines = append(s.lines, line)
	}
	return all
}

// splitWords splits a line at blanks, except those between double quotes, as in Go.
func splitWords(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, err
			}
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			words, line = append(words, word), line[len(quoted):]
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		words, line = append(words, word), rest
	}
	return words, nil
}

// story is a scenario that is played.
type story struct {
	t             *testing.T
	lobby         *lobby.Lobby
	width, height int
	language      i18n.Language
	// accounts is set by the steps "store" and "records" only.
	accounts accountLobby
	// match is set by the step "match".
	match    *stagedMatch
	sessions map[string]*driver
	programs map[string]*lobby.Offer
	// codes has the codes by the words that stand for them, such as $CODE.
	codes map[string]string
}

func (s *scenario) play(t *testing.T, size string) {
	st := &story{t: t, sessions: map[string]*driver{}, programs: map[string]*lobby.Offer{}, codes: map[string]string{}}
	st.width, st.height = parseSize(t, size)
	lines, at := s.lines, ""
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("failed at %s", at)
		}
	})
	switch lines[0].words[0] {
	case "store":
		st.accounts = openAccounts(t)
		st.lobby, lines = st.accounts.Lobby, lines[1:]
	case "ladder":
		st.accounts = openLadder(t)
		st.lobby, lines = st.accounts.Lobby, lines[1:]
	case "records":
		d := openRecords(t, st.width, st.height, new(storeDelay))
		st.lobby, st.accounts, lines = d.lobby, accountLobby{Lobby: d.lobby, store: d.lobby.Store()}, lines[1:]
		st.sessions["ann"] = d
	default:
		st.lobby = newLobby()
		defer st.lobby.Close()
	}
	defer func() {
		for _, d := range st.sessions {
			d.close()
		}
	}()
	for _, line := range lines {
		at = line.at
		st.step(line.words)
	}
}

func parseSize(t testing.TB, size string) (width, height int) {
	t.Helper()
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		t.Fatalf("size %q: %v", size, err)
	}
	return width, height
}

func parseTime(t testing.TB, long string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(long)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// step does one step: one of the lobby, or NAME... VERB ARGUMENTS.
func (s *story) step(words []string) {
	s.t.Helper()
	words = slices.Clone(words)
	for i, w := range words {
		if code, ok := s.codes[w]; ok {
			words[i] = code
		}
	}
	if step := steps[words[0]]; step != nil {
		step(s, words[1:])
		return
	}
	if step := arrivals[words[1]]; step != nil {
		step(s, words[0], words[1:])
		return
	}
	at := slices.IndexFunc(words, func(w string) bool { return verbs[w] != nil })
	if at < 1 {
		s.t.Fatalf("no verb in %q", words)
	}
	for _, name := range words[:at] {
		if s.sessions[name] == nil {
			s.t.Fatalf("no session of %s", name)
		}
		verbs[words[at]](s, s.sessions[name], words[at+1:])
	}
}

// steps are what happens in the lobby.
var steps = map[string]func(s *story, args []string){
	// This sets the language of later sessions.
	"language": func(s *story, args []string) { s.language = i18n.MustParse(args[0]) },
	"players": func(s *story, names []string) {
		for _, name := range names {
			s.connect(name, nil)
		}
		for _, name := range names {
			for _, other := range names {
				if other != name {
					s.sessions[name].waitForText(other)
				}
			}
			s.sessions[name].wait("the lobby", func(string) bool { return len(s.sessions[name].m.env.Lobby.People) > 0 })
		}
	},
	// accounts NAME..., each with a key of the same name, and old enough for the daily table
	"accounts": func(s *story, names []string) {
		s.accounts.createAccounts(s.t, names...)
		s.check(storetest.AgeAccounts(s.accounts.folder))
	},
	// The server has puzzles for today.
	"puzzles": func(s *story, _ []string) { s.check(lobbytest.AddPuzzles(s.t.Context(), s.accounts.store)) },
	// schedule TEXT, a slot of the schedule of tournaments
	"schedule": func(s *story, args []string) {
		s.lobby.Tournaments.SetSchedule([]tournament.Slot{must.Get(tournament.ParseSlot(strings.Join(args, " ")))})
	},
	// Time passes without a look at the sessions.
	"pass": func(s *story, args []string) { time.Sleep(parseTime(s.t, args[0])) },
	// Two players start a battle. The second fires first. In the naval battle, they may have a clock.
	"fight": func(s *story, args []string) { startMatch(s.sessions[args[0]], s.sessions[args[1]]) },
	"naval": func(s *story, args []string) { startNavalBattle(s.sessions[args[0]], s.sessions[args[1]], args[2:]) },
	// Two players in a naval battle pass and fire in turn.
	"trade": func(s *story, args []string) {
		for i, cell := range args[2:] {
			d := s.sessions[args[i%2]]
			d.waitForText("p pass")
			d.press("p")
			d.fire(cell)
		}
	},
	// program NAME seeks RULES, or program NAME cancels
	"program": func(s *story, args []string) {
		if args[1] == "cancels" {
			s.programs[args[0]].Cancel()
			return
		}
		offer, err := s.lobby.Offers.FindOpponent(account.Player{Name: args[0], Kind: account.Program}, parseRules(s.t, args[2:]), lobby.Rated)
		s.programs[args[0]] = offer
		s.check(err)
	},
	// match FIRST SECOND RULES [CLOCK], without their sessions, then: begins, fires CELL... in turn, first
	// fires CELL, first resigns
	"match": func(s *story, args []string) {
		switch {
		case args[0] == "begins":
			s.match.placeFleets()
		case args[0] == "fires":
			s.match.fire(args[1:]...)
		case args[0] == "first" && args[1] == "resigns":
			s.match.first.Resign()
		case args[0] == "first" && args[1] == "fires":
			s.match.first.Fire(parseCell(s.t, args[2]))
		default:
			player := func(name string) account.Player { return account.Player{ID: "key-" + name, Name: name} }
			s.match = startStagedMatch(s.t, s.lobby, player(args[0]), player(args[1]), parseRules(s.t, args[2:]))
		}
	},
	// bot BOT plays PLAYER [casual]. The player has no session.
	"bot": func(s *story, args []string) {
		ratingMode := lobby.Rated
		if slices.Contains(args, "casual") {
			ratingMode = lobby.Casual
		}
		player := account.Player{ID: "key-" + args[2], Name: args[2]}
		_, err := s.lobby.Matches.PlayBot(player, args[0], match.Classic(), ratingMode)
		s.check(err)
	},
	"announce": func(s *story, args []string) { s.lobby.Announce(args[0]) },
}

func (s *story) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// arrivals are how sessions start, and what players do without a session.
var arrivals = map[string]func(s *story, name string, words []string){
	"connects": (*story).connect,
	// A player beats another in the ladder.
	"beats": func(s *story, name string, words []string) { s.accounts.beats(s.t, name, words[1]) },
	// NAME corresponds OTHER [NUMBER]: NAME plays so many correspondence matches with OTHER, by default one.
	"corresponds": func(s *story, name string, words []string) {
		n := 1
		if len(words) > 2 {
			fmt.Sscan(words[2], &n)
		}
		for range n {
			s.accounts.startCorrespondence(s.t, name, words[1])
		}
		s.sessions[name].waitForText("Your turn")
	},
	// NAME comes [as NAME] [key KEY]: a player whose account is stored
	"comes": func(s *story, name string, words []string) {
		player, key := name, ""
		for i, w := range words {
			switch w {
			case "as":
				player = words[i+1]
			case "key":
				key = "SHA256:" + words[i+1]
			}
		}
		s.sessions[name] = s.accounts.connect(s.t, player, key, Config{Width: s.width, Height: s.height, Language: s.language})
	},
}

// connect starts a session: NAME connects [as PLAYER] [keyless] [WxH] [resume | seat CODE | join CODE | watch NAME].
func (s *story) connect(name string, words []string) {
	player, id, width, height := name, "key-", s.width, s.height
	var opening session.StartScreen
	for i, w := range words {
		switch {
		case w == "as":
			player = words[i+1]
		// The player returns to a match by its resume code only.
		case w == "keyless":
			id = ""
		case w == "resume":
			opening.Rejoin = true
		case w == "seat":
			opening.ResumeCode = words[i+1]
		case w == "join":
			opening.PrivateCode = words[i+1]
		case w == "watch":
			opening.Watch = words[i+1]
		case strings.Contains(w, "x") && w[0] >= '0' && w[0] <= '9':
			width, height = parseSize(s.t, w)
		}
	}
	if id != "" {
		id += player
	}
	s.sessions[name] = startDriverWith(s.t, session.Config{Lobby: s.lobby, Player: account.Player{ID: id, Name: player}},
		Config{Width: width, Height: height, Language: s.language, Opening: opening})
}

// parseRules reads RULES [CLOCK], or custom SIZE SHIPS.
func parseRules(t testing.TB, words []string) match.Rules {
	t.Helper()
	if words[0] == "custom" {
		var size, ships int
		fmt.Sscan(strings.Join(words[1:], " "), &size, &ships)
		rules, err := match.CustomRules(size, ships, match.TouchAny)
		if err != nil {
			t.Fatal(err)
		}
		return rules
	}
	rules, err := match.Preset(words[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(words) > 1 {
		rules = rules.WithClock(parseTime(t, words[1]))
	}
	return rules
}

// pastes are the texts that "paste" names.
var pastes = map[string]string{"fleet": fleetText, "naval-fleet": navalText, "other-fleet": otherFleet}

// sides are the boards, as steps name them.
var sides = map[string]int{"own": widget.OwnBoard, "enemy": widget.EnemyBoard}

// verbs are what a session does or sees.
var verbs = map[string]func(s *story, d *driver, args []string){
	"press": func(_ *story, d *driver, args []string) { d.press(args...) },
	"type":  func(_ *story, d *driver, args []string) { d.typeText(strings.Join(args, " ")) },
	"paste": func(_ *story, d *driver, args []string) {
		text, ok := pastes[args[0]]
		if !ok {
			text = args[0]
		}
		d.send(tea.PasteMsg{Content: text})
	},
	"see": func(_ *story, d *driver, args []string) {
		for _, text := range args {
			d.waitForText(text)
		}
	},
	"unseen": func(_ *story, d *driver, args []string) {
		for _, text := range args {
			d.unseen(text)
		}
	},
	"gone": func(_ *story, d *driver, args []string) {
		d.wait("the end of "+args[0], func(screen string) bool { return !strings.Contains(screen, args[0]) })
	},
	"golden": func(_ *story, d *driver, args []string) { d.golden(args[0]) },
	// compare is golden at this size only.
	"compare": func(_ *story, d *driver, args []string) { d.compare(args[0]) },
	"fits":    func(_ *story, d *driver, args []string) { d.fits(strings.Join(args, " ")) },
	// point selects a row.
	"point":  func(_ *story, d *driver, args []string) { d.point(args[0]) },
	"settle": func(_ *story, d *driver, _ []string) { d.handlePending() },
	"waits":  func(s *story, d *driver, args []string) { d.handleFor(parseTime(s.t, args[0])) },
	// The text appears after exactly this time, in seconds of the session's clock.
	"waits-for": func(s *story, d *driver, args []string) {
		before := time.Now()
		d.waitForText(args[1])
		if took := time.Since(before); took != parseTime(s.t, args[0]) {
			s.t.Errorf("%q appeared after %v, want %s", args[1], took, args[0])
		}
	},
	// The session receives so many messages in this time.
	"wakes": func(s *story, d *driver, args []string) {
		wakes := 0
		d.onMessage = func(tea.Msg) { wakes++ }
		d.handleFor(parseTime(s.t, args[0]))
		d.onMessage = nil
		if fmt.Sprint(wakes) != args[1] {
			s.t.Errorf("%d messages in %s, want %s", wakes, args[0], args[1])
		}
	},
	// The screen is the same as when the session looked at it last.
	"looks": func(_ *story, d *driver, _ []string) { d.lookedScreen = d.screen() },
	"same": func(s *story, d *driver, _ []string) {
		if d.screen() != d.lookedScreen {
			s.t.Errorf("the screen has changed from\n%s\nto\n%s", d.lookedScreen, d.screen())
		}
	},
	"resize": func(_ *story, d *driver, args []string) {
		width, height := parseSize(d.t, args[0])
		d.send(tea.WindowSizeMsg{Width: width, Height: height})
	},
	// Ctrl+c or q has ended the session, or has not.
	"quits": func(s *story, d *driver, _ []string) {
		if d.handlePending(); !d.quit {
			s.t.Errorf("the session goes on:\n%s", d.screen())
		}
	},
	"stays": func(s *story, d *driver, _ []string) {
		if d.handlePending(); d.quit {
			s.t.Errorf("the session has ended:\n%s", d.screen())
		}
	},
	// The server cannot save the match, or can again.
	"paused": func(_ *story, d *driver, args []string) { d.game().last.Paused = args[0] == "on" },
	"leaves": func(_ *story, d *driver, _ []string) { d.close() },
	"rules":  func(s *story, d *driver, args []string) { d.m.env.Settings.Rules = parseRules(s.t, args) },
	"speaks": func(_ *story, d *driver, args []string) { d.m.env.Lang = i18n.MustParse(args[0]) },
	// Settings that the settings screen changes as well.
	"plays-casual": func(_ *story, d *driver, _ []string) { d.m.env.Settings.Casual = true },
	// The bottom bar of small terminals shows these labels, in order.
	"keeps-in-bar": func(_ *story, d *driver, args []string) { d.keepsInBar(args...) },
	// The session plays the bot easy: under its rules, it starts to place ships, or is the first to fire.
	"meets-easy":  func(_ *story, d *driver, _ []string) { d.startPlacement() },
	"fights-easy": func(_ *story, d *driver, _ []string) { d.startBattle() },
	// It fires at cells, in one turn each.
	"fires": func(_ *story, d *driver, args []string) {
		for _, cell := range args {
			d.fire(cell)
		}
	},
	// The players at the session's terminal fire in turn. They press too many keys and hand it over.
	"alternates": func(_ *story, d *driver, args []string) {
		for _, cell := range args {
			d.fire(cell)
			d.press("enter", "space")
			d.waitForText("press tab to hand over")
			d.press("tab", "tab", "space")
			d.waitForText("Hand over to")
			d.press("enter")
		}
	},
	// It marks cells for a salvo, or unmarks them.
	"marks": func(_ *story, d *driver, args []string) {
		for _, cell := range args {
			d.typeText(cell)
			d.press("enter")
		}
	},
	// The players dan and eve share the session's terminal.
	"meets-at-one-terminal":  func(_ *story, d *driver, _ []string) { d.startHotSeat() },
	"fights-at-one-terminal": func(_ *story, d *driver, _ []string) { d.startHotSeatBattle() },
	// It opens the daily sea, or fires at all its cells from one on until the fleet is sunk.
	"daily": func(_ *story, d *driver, _ []string) { d.daily() },
	// Each shot is at a new cell of the daily sea.
	"shoots": func(_ *story, d *driver, args []string) {
		for _, cell := range args {
			d.typeText(cell)
			d.press("enter")
			d.waitForText(cell + ": ")
		}
	},
	"sinks": func(_ *story, d *driver, args []string) { d.sinkAll(parseCell(d.t, args[0])) },
	// It opens a match's replay, which a seed and the rules determine.
	// This shows all shots of the replay.
	"shows-shots": func(_ *story, d *driver, _ []string) { d.showShots() },
	"replays":     func(_ *story, d *driver, args []string) { d.openReplay(args[0], args[1:]) },
	// The mouse: click BOARD CELL..., or click TEXT; point at BOARD CELL; drag FROM TO on the own board; turn
	// the wheel on a cell of it.
	"click": func(_ *story, d *driver, args []string) {
		if len(args) == 1 {
			d.clickText(args[0])
			return
		}
		for _, cell := range args[1:] {
			d.click(sides[args[0]], cell)
		}
	},
	"hover": func(_ *story, d *driver, args []string) {
		at := d.on(sides[args[0]], parseCell(d.t, args[1]))
		at.Button = tea.MouseNone
		d.send(tea.MouseMotionMsg(at))
	},
	"drag": func(_ *story, d *driver, args []string) { d.dragTo(args[0], args[1]) },
	"wheel": func(_ *story, d *driver, args []string) {
		at := d.on(widget.OwnBoard, parseCell(d.t, args[0]))
		at.Button = tea.MouseWheelDown
		d.send(tea.MouseWheelMsg(at))
	},
	// The wheel turns anywhere else.
	"scrolls": func(_ *story, d *driver, args []string) {
		button := map[string]tea.MouseButton{"up": tea.MouseWheelUp, "down": tea.MouseWheelDown}[args[0]]
		d.send(tea.MouseWheelMsg{X: 1, Y: 1, Button: button})
	},
	"told": func(_ *story, d *driver, args []string) { d.send(NewNotice(i18n.NewMessage("%s", args[0]))) },
	// The word stands for the code of the session's private match, seat, or what is on the screen.
	"offers": func(s *story, d *driver, args []string) { s.codes[args[0]] = d.m.env.State.Offer.Code },
	"reads": func(s *story, d *driver, args []string) {
		found := regexp.MustCompile(args[1]).FindStringSubmatch(d.screen())
		if found == nil {
			s.t.Fatalf("nothing like %s on\n%s", args[1], d.screen())
		}
		s.codes[args[0]] = found[1]
	},
	"holds": func(s *story, d *driver, args []string) { s.codes[args[0]] = d.game().SeatState.ResumeCode },
	// The session's bell has rung so many times.
	"rang": func(s *story, d *driver, args []string) {
		d.handlePending()
		if fmt.Sprint(d.bellCount) != args[0] {
			s.t.Errorf("the bell has rung %d times, want %s", d.bellCount, args[0])
		}
	},
}
