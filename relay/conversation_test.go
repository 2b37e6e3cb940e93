package relay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/memnet"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
)

// TestConversations plays the scripts in testdata/conversations, whose README describes the commands.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { runConversation(t, strings.Split(string(text), "\n")) })
		})
	}
}

// conversation is a script's state.
type conversation struct {
	*internalRelay
	t *testing.T
	// store is nil unless a config line asks for it.
	store   *store.Store
	clients map[string]*testClient
	vars    map[string]string
	mark    time.Time
}

func runConversation(t *testing.T, lines []string) {
	cfg, lobbyCfg := relay.Config{}, lobby.Config{}
	d := &conversation{t: t, clients: map[string]*testClient{}, vars: map[string]string{"fleet": fleetText}, mark: time.Now()}
	for _, setting := range strings.Fields(strings.TrimPrefix(lines[0], "config")) {
		key, value, _ := strings.Cut(setting, "=")
		number, _ := strconv.Atoi(value)
		limit, _ := time.ParseDuration(value)
		switch key {
		case "hello":
			cfg.HelloDelay = limit
		case "fill":
			cfg.Fill, cfg.FillBot = limit, "easy"
		case "places":
			cfg.Limits.WaitingPerAddr = number
		case "conns":
			cfg.Limits.MaxConnsPerAddr = number
		case "move":
			lobbyCfg.MoveTimeout = limit
		case "forfeit":
			lobbyCfg.Audit = audit.Forfeit
		case "ladder":
			lobbyCfg.Ladder = true
		case "store":
			d.store = storetest.Open(t)
			lobbyCfg.Store = d.store
		default:
			t.Fatalf("unknown setting %q", setting)
		}
	}
	n := memnet.New()
	server, l := startServerOn(t, n, cfg, lobbyCfg)
	d.internalRelay = &internalRelay{n, l, server}
	for i, line := range lines[1:] {
		if line == "" || line[0] == '#' {
			continue
		}
		// The test log is shown only if the script fails.
		t.Logf("%d: %s", i+2, line)
		d.runLine(os.Expand(line, func(name string) string { return d.vars[name] }))
	}
}

// runLine carries out a line of a script.
func (d *conversation) runLine(line string) {
	subject, rest, _ := strings.Cut(line, " ")
	verb, text, _ := strings.Cut(rest, " ")
	if strings.Contains(text, `\`) {
		var err error
		if text, err = strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`); err != nil {
			d.t.Fatal(err)
		}
	}
	c := d.clients[subject]
	switch {
	case subject == "sleep" || subject == "took":
		limit, err := time.ParseDuration(rest)
		if err != nil {
			d.t.Fatal(err)
		}
		if subject == "sleep" {
			time.Sleep(limit)
		} else if took := time.Since(d.mark); took != limit {
			d.t.Fatalf("it took %v, want %v", took, limit)
		}
		d.mark = time.Now()
	case subject == "waiting":
		synctest.Wait()
		n, _ := strconv.Atoi(rest)
		awaitWaiting(d.t, d.lobby, n)
		d.mark = time.Now()
	case subject == "program":
		d.registerProgram(verb, text)
	case subject == "tournament":
		d.startTournament(verb, text)
	case subject == "room":
		d.openRoom(verb, text)
	case subject == "record":
		m := newestMatch(d.t, d.store)
		if got := fmt.Sprintf("%v %v rated=%v %s", m.Winner, m.Reason, m.Rated, m.Casual); strings.TrimSpace(got) != rest {
			d.t.Fatalf("the newest match is %q, want %q", got, rest)
		}
	// "fail" closes the database.
	case subject == "fail":
		d.store.Close()
	case verb == "dial":
		d.clients[subject] = d.dial(d.t, text)
	case c == nil:
		d.t.Fatal("unknown command")
	case verb == "<":
		c.send(text)
	case verb == ">":
		c.expect(text + "\n")
	case verb == "...":
		c.skipTo(text)
	case verb == "=":
		name, pattern, _ := strings.Cut(text, " ")
		prefix, suffix, _ := strings.Cut(pattern, "*")
		line, err := c.readLine()
		value, found := strings.CutPrefix(line, prefix)
		value, ends := strings.CutSuffix(value, suffix)
		if err != nil || !found || !ends {
			d.t.Fatalf("received %q, %v, want %q", line, err, pattern)
		}
		d.vars[name] = value
	case verb == "end":
		c.expectClosed()
	case verb == "close":
		c.nc.Close()
		synctest.Wait()
		d.mark = time.Now()
	default:
		d.t.Fatal("unknown command")
	}
}

// registerProgram registers a program and stores its token in a variable.
func (d *conversation) registerProgram(name, owner string) {
	p, err := d.store.Accounts.CreatePerson(d.t.Context(), owner, store.Key{Fingerprint: "SHA256:" + owner})
	// An earlier program can have caused this error.
	if err != nil {
		p, err = d.store.Accounts.FindByName(d.t.Context(), owner)
	}
	if err == nil {
		_, d.vars[name], err = d.store.Programs.Register(d.t.Context(), p.ID, name, 2)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// openRoom opens ann's private match and stores its code in a variable.
func (d *conversation) openRoom(name, rules string) {
	r, err := match.Preset(rules)
	if err != nil {
		d.t.Fatal(err)
	}
	room, err := d.lobby.Offers.OpenPrivateMatch(account.Player{ID: "key-ann", Name: "ann"}, r, lobby.Rated)
	if err != nil {
		d.t.Fatal(err)
	}
	d.vars[name] = room.Terms.Code
}

// startTournament starts ann's tournament between program and a bot. It stores the code in the variable called
// name.
func (d *conversation) startTournament(name, program string) {
	ctx, tournaments := d.t.Context(), d.lobby.Tournaments
	ann, err := d.store.Accounts.FindByName(ctx, "ann")
	if err != nil {
		d.t.Fatal(err)
	}
	p, err := d.store.Accounts.FindByName(ctx, program)
	if err != nil {
		d.t.Fatal(err)
	}
	owner := account.PersonPlayer(ann)
	c, err := tournaments.Create(ctx, owner, tournament.Settings{
		Name: "class", Format: tournament.RoundRobin, Rules: match.Classic(), RatingMode: lobby.Casual,
	})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, p := range []account.Player{account.ProgramPlayer(p), d.lobby.Accounts.BotPlayer("easy")} {
		if _, err := tournaments.Join(ctx, c.Code, owner, d.lobby.NewTournamentEntrant(ctx, p, c.Rules)); err != nil {
			d.t.Fatal(err)
		}
	}
	if _, err := tournaments.Start(ctx, c.Code, owner); err != nil {
		d.t.Fatal(err)
	}
	d.vars[name] = c.Code
}
