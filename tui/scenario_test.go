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
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// TestScenarios plays the scripts in testdata/scenarios. A script has scenarios, each of which begins
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
// See [story.step] and verbs for all steps. Time passes only while everyone waits.
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
	at    string // file:line
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
	accounts      withAccounts // with the step "store" only
	match         *stagedMatch // see the step "match"
	sessions      map[string]*driver
	programs      map[string]*lobby.Offer
	codes         map[string]string // by the word that stands for them, such as $CODE
}

func (s *scenario) play(t *testing.T, size string) {
	width, height := parseSize(t, size)
	st := &story{
		t: t, width: width, height: height, sessions: map[string]*driver{}, programs: map[string]*lobby.Offer{}, codes: map[string]string{},
	}
	lobbyConfig := lobby.Config{Seed: 1, BotPace: -1}
	if len(s.lines) > 0 && s.lines[0].words[0] == "store" {
		lobbyConfig.Store = storetest.Open(t)
		s = &scenario{lines: s.lines[1:]}
	}
	st.lobby = lobbytest.Open(lobbyConfig)
	st.accounts = withAccounts{st.lobby, lobbyConfig.Store}
	defer st.lobby.Close()
	defer func() {
		for _, d := range st.sessions {
			d.close()
		}
	}()
	at := ""
	defer func() {
		if t.Failed() {
			t.Logf("failed at %s", at)
		}
	}()
	for _, line := range s.lines {
		at = line.at
		if err := st.step(line.words); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

func parseSize(t testing.TB, size string) (width, height int) {
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		t.Fatalf("size %q: %v", size, err)
	}
	return width, height
}

// step does one step: one of the lobby, or NAME... VERB ARGUMENTS.
func (s *story) step(words []string) error {
	switch words[0] {
	case "language": // of later sessions
		s.language = i18n.MustParse(words[1])
		return nil
	case "players":
		for _, name := range words[1:] {
			s.connect(name, []string{"connects"})
		}
		for _, name := range words[1:] {
			for _, other := range words[1:] {
				if other != name {
					s.sessions[name].see(other)
				}
			}
			s.sessions[name].wait("the lobby", func(string) bool { return len(s.sessions[name].m.env.Lobby.People) > 0 })
		}
		return nil
	case "pass": // without a look at the sessions
		long, err := time.ParseDuration(words[1])
		time.Sleep(long)
		return err
	case "fight": // two players start a battle; the second fires first
		fight(s.sessions[words[1]], s.sessions[words[2]])
		return nil
	case "program": // program NAME seeks RULES, or program NAME cancels
		return s.program(words[1], words[2:])
	case "match": // match FIRST SECOND RULES [CLOCK], without their sessions, then: begins, fires CELL... in turn, first fires CELL, first resigns
		return s.stageMatch(words[1:])
	case "bot": // bot BOT plays PLAYER, a player without a session
		_, err := s.lobby.Matches.PlayBot(account.Player{ID: "key-" + words[3], Name: words[3]}, words[1], match.Classic(), lobby.Rated)
		return err
	}
	at := slices.IndexFunc(words, func(w string) bool { return verbs[w] != nil })
	switch words[1] {
	case "connects":
		s.connect(words[0], words[1:])
		return nil
	case "comes": // NAME comes [as NAME] [key KEY]: a player whose account is stored
		name, key := words[0], ""
		for i, w := range words {
			switch w {
			case "as":
				name = words[i+1]
			case "key":
				key = "SHA256:" + words[i+1]
			}
		}
		s.sessions[words[0]] = s.accounts.comes(s.t, name, key)
		return nil
	}
	if at < 1 {
		return fmt.Errorf("no verb in %q", words)
	}
	for i, w := range words {
		if code, ok := s.codes[w]; ok && i > at {
			words[i] = code
		}
	}
	for _, name := range words[:at] {
		d := s.sessions[name]
		if d == nil {
			return fmt.Errorf("no session of %s", name)
		}
		if err := verbs[words[at]](s, d, words[at+1:]); err != nil {
			return fmt.Errorf("%s %s: %w", name, words[at], err)
		}
	}
	return nil
}

// connect starts a session: NAME connects [as PLAYER] [keyless] [WxH] [resume | seat CODE | join CODE | watch NAME].
func (s *story) connect(name string, words []string) {
	player, id, width, height := name, "key-", s.width, s.height
	var opening session.Opening
	for i, w := range words {
		switch {
		case w == "as":
			player = words[i+1]
		case w == "keyless": // returns to a match by its resume code only
			id = ""
		case w == "resume":
			opening.Mine = true
		case w == "seat":
			opening.Seat = s.codes[words[i+1]]
		case w == "join":
			opening.PrivateCode = s.codes[words[i+1]]
		case w == "watch":
			opening.Watch = words[i+1]
		case strings.Contains(w, "x") && w[0] >= '0' && w[0] <= '9':
			width, height = parseSize(s.t, w)
		}
	}
	if id != "" {
		id += player
	}
	s.sessions[name] = driveWith(s.t, session.Config{Lobby: s.lobby, Player: account.Player{ID: id, Name: player}},
		Config{Width: width, Height: height, Language: s.language, Opening: opening})
}

func (s *story) program(name string, does []string) error {
	if does[0] == "cancels" {
		s.programs[name].Cancel()
		return nil
	}
	rules, err := parseRules(does[1:])
	if err != nil {
		return err
	}
	s.programs[name], err = s.lobby.Offers.Seek(account.Player{Name: name, Kind: account.Program}, rules, lobby.Rated)
	return err
}

// parseRules reads RULES [CLOCK].
func parseRules(words []string) (match.Rules, error) {
	rules, err := match.Preset(words[0])
	if err != nil || len(words) == 1 {
		return rules, err
	}
	clock, err := time.ParseDuration(words[1])
	return rules.WithClock(clock), err
}

func (s *story) stageMatch(words []string) error {
	switch {
	case words[0] == "begins":
		s.match.begin()
	case words[0] == "fires":
		s.match.fire(words[1:]...)
	case words[0] == "first" && words[1] == "resigns":
		s.match.first.Resign()
	case words[0] == "first" && words[1] == "fires":
		s.match.first.Fire(cellNamed(s.t, words[2]))
	default:
		rules, err := parseRules(words[2:])
		if err != nil {
			return err
		}
		player := func(name string) account.Player { return account.Player{ID: "key-" + name, Name: name} }
		s.match = stage(s.t, s.lobby, player(words[0]), player(words[1]), rules)
	}
	return nil
}

// pastes are the texts that "paste" names.
var pastes = map[string]string{"fleet": fleetText, "naval-fleet": navalText, "other-fleet": otherFleet}

// verbs are what a session does or sees.
var verbs = map[string]func(s *story, d *driver, args []string) error{
	"press": func(_ *story, d *driver, args []string) error { d.press(args...); return nil },
	"type": func(_ *story, d *driver, args []string) error {
		for _, r := range strings.Join(args, " ") {
			d.press(map[bool]string{true: "space", false: string(r)}[r == ' '])
		}
		return nil
	},
	"paste": func(_ *story, d *driver, args []string) error {
		text, ok := pastes[args[0]]
		if !ok {
			text = args[0]
		}
		d.send(tea.PasteMsg{Content: text})
		return nil
	},
	"see": func(_ *story, d *driver, args []string) error {
		for _, text := range args {
			d.see(text)
		}
		return nil
	},
	"unseen": func(_ *story, d *driver, args []string) error {
		for _, text := range args {
			d.unseen(text)
		}
		return nil
	},
	"gone": func(_ *story, d *driver, args []string) error {
		d.wait("the end of "+args[0], func(screen string) bool { return !strings.Contains(screen, args[0]) })
		return nil
	},
	"golden":  func(_ *story, d *driver, args []string) error { d.golden(args[0]); return nil },
	"compare": func(_ *story, d *driver, args []string) error { d.compare(args[0]); return nil }, // golden, at this size only
	"fits":    func(_ *story, d *driver, args []string) error { d.fits(args[0]); return nil },
	"point":   func(_ *story, d *driver, args []string) error { d.point(args[0]); return nil }, // selects a row
	"settle":  func(_ *story, d *driver, _ []string) error { d.settle(); return nil },
	"waits": func(_ *story, d *driver, args []string) error {
		long, err := time.ParseDuration(args[0])
		d.pass(long)
		return err
	},
	"resize": func(_ *story, d *driver, args []string) error {
		width, height := parseSize(d.t, args[0])
		d.send(tea.WindowSizeMsg{Width: width, Height: height})
		return nil
	},
	"leaves": func(_ *story, d *driver, _ []string) error { d.close(); return nil },
	// The session plays the bot easy: it starts to place ships, or is the first to fire.
	"meets-easy":  func(_ *story, d *driver, _ []string) error { d.challenge(); return nil },
	"fights-easy": func(_ *story, d *driver, _ []string) error { d.begin(); return nil },
	// The players dan and eve share the session's terminal.
	"meets-at-one-terminal":  func(_ *story, d *driver, _ []string) error { d.together(); return nil },
	"fights-at-one-terminal": func(_ *story, d *driver, _ []string) error { d.fighting(); return nil },
	// The word stands for the code of the session's private match, seat, or what is on the screen.
	"offers": func(s *story, d *driver, args []string) error {
		s.codes[args[0]] = d.m.env.State.Offer.Code
		return nil
	},
	"reads": func(s *story, d *driver, args []string) error {
		found := regexp.MustCompile(args[1]).FindStringSubmatch(d.screen())
		if found == nil {
			return fmt.Errorf("nothing like %s on\n%s", args[1], d.screen())
		}
		s.codes[args[0]] = found[1]
		return nil
	},
	"holds": func(s *story, d *driver, args []string) error {
		s.codes[args[0]] = d.game().SeatState.Code
		return nil
	},
}
