package relay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

// direct carries out a directive and answers it, unless the answer is to come
// later. It returns whether the client is to be let in at once.
func (c *conn) direct(d directive) (ready bool) {
	answer, ready := c.obey(d)
	if answer != "" {
		c.say("%% %s", answer)
	}
	return ready
}

// orders are the directives that there are. Each is carried out by the client's
// reader, and returns the answer and whether the client is to be let in at once.
// Those in anytime may come when the client has its role.
var orders = map[string]func(c *conn, args []string) (answer string, ready bool){
	"ready":  (*conn).ready,
	"hello":  (*conn).hello,
	"token":  (*conn).token,
	"rules":  (*conn).rules,
	"vs":     (*conn).versus,
	"layout": (*conn).layout,
	"rated":  (*conn).rated,
	"casual": (*conn).casual,
	"games":  (*conn).series,
	"commit": (*conn).commit,
	"reveal": (*conn).reveal,
}

var anytime = map[string]bool{"ready": true, "commit": true, "reveal": true}

// known names the directives, for who has sent another one.
const known = "hello, token, rules, vs, layout, commit, reveal, games, rated, casual and ready"

// obey carries out a directive. It returns the answer, and whether the client
// is to be let in at once.
func (c *conn) obey(d directive) (answer string, ready bool) {
	c.mu.Lock()
	c.talks = true
	if c.readied == nil {
		c.readied = make(chan struct{}, 1)
	}
	in := c.in
	c.unmet |= needs[d.verb] // so that it is not let in while the answer takes its time
	c.mu.Unlock()
	do := orders[d.verb]
	switch {
	case do == nil:
		return "error unknown directive: there are " + known, false
	case in && !anytime[d.verb]:
		return late(d.verb), false
	}
	answer, ready = do(c, d.args)
	return answer, c.settle(d.verb, answer) || ready
}

// need is a set of what a client may want that nothing else stands in for.
type need uint8

const (
	needRules need = 1 << iota
	needOpponent
)

// needs are the directives that say it.
var needs = map[string]need{"rules": needRules, "vs": needOpponent}

// settle notes whether a directive has what it needs, and returns whether the
// client is to be let in now because of it.
func (c *conn) settle(verb, answer string) (due bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	met, refused, inRoom := needs[verb], !strings.HasPrefix(answer, "ok "), c.wish.room != ""
	switch {
	case verb == "ready": // it knows, and plays all the same
		met = needRules | needOpponent
	case refused && (verb != "rules" || !inRoom):
		return false
	case inRoom: // it has rules of its own, and has said them
		met |= needRules
	}
	c.unmet &^= met
	return c.due && c.unmet == 0 && met != 0
}

func late(verb string) string {
	return "error late " + verb + " has to come before your first role: connect anew"
}

// set changes what the client wants and returns that this is well, unless it
// has been let in already.
func (c *conn) set(verb string, change func(*wish)) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in {
		return late(verb)
	}
	change(&c.wish)
	return "ok " + verb
}

// ready says that the client waits for nothing: before its first game that all
// its directives have come, later that it has read how the last game ended.
func (c *conn) ready([]string) (string, bool) {
	select {
	case c.readied <- struct{}{}:
	default:
	}
	return "ok ready", true
}

// maxGames is the longest series.
const maxGames = 1_000_000

func (c *conn) series(args []string) (string, bool) {
	n := 0
	if len(args) == 1 {
		n, _ = strconv.Atoi(args[0]) // 0 is as wrong as no number
	}
	if n < 1 || n > maxGames {
		return fmt.Sprintf("error games say how many games the series has, from 1 to %d", maxGames), false
	}
	return c.set(fmt.Sprintf("games %d", n), func(w *wish) { w.games = n }), false
}

// diskTime bounds how long a directive waits for the disk.
const diskTime = 5 * time.Second

// lookedUp notes whether the result of a lookup for a directive is known, and returns
// the error for the client.
func (c *conn) lookedUp(verb string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		err = session.ErrStore
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(err, session.ErrStore) {
		if c.unknown == nil {
			c.unknown = map[string]bool{}
		}
		c.unknown[verb] = true
	} else {
		delete(c.unknown, verb)
	}
	return err
}

// hello notes by what name the client goes. One that has shown a token has its
// name from there.
func (c *conn) hello(args []string) (string, bool) {
	name, wrong := parseHello(args)
	if wrong != "" {
		return "error hello " + wrong, false
	}
	c.mu.Lock()
	registered := c.wish.player.Account != ""
	c.mu.Unlock()
	if !registered && name != "" {
		ctx, cancel := context.WithTimeout(c.ctx, diskTime)
		defer cancel()
		_, err := session.Ask(ctx, c.session, session.CheckProgramName{Name: name})
		if err = c.lookedUp("hello", err); err != nil {
			return "error name " + err.Error(), false
		}
	}
	return c.set("hello", func(w *wish) {
		if w.player.Account == "" {
			w.player.Name = name
		}
	}), false
}

// token makes the client a registered program.
func (c *conn) token(args []string) (string, bool) {
	if len(args) != 1 {
		return "error token say token and the secret that ssh HOST token new NAME has shown", false
	}
	ctx, cancel := context.WithTimeout(c.ctx, diskTime)
	defer cancel()
	p, err := session.Ask(ctx, c.session, session.FindProgram{Token: args[0]})
	if owner := c.server.cfg.AdmitOwner; err == nil && owner != nil {
		err = owner(ctx, p.Owner)
	}
	if err = c.lookedUp("token", err); err != nil {
		return "error token " + err.Error(), false
	}
	answer := c.set("token", func(w *wish) { w.player = p })
	if strings.HasPrefix(answer, "ok") {
		answer += " " + p.Name
	}
	return answer, false
}

func (c *conn) rules(args []string) (string, bool) {
	if c.wish.room != "" {
		return "error rules the room has rules of its own", false
	}
	if len(args) != 1 {
		return "error rules name one, such as rules classic", false
	}
	rules, err := match.Preset(args[0])
	if err != nil {
		return "error rules " + err.Error(), false
	}
	if why := c.misfit(rules); why != "" {
		return "error rules " + why, false
	}
	return c.set("rules", func(w *wish) { w.rules = rules }), false
}

// misfit says why the layout that the client has sent cannot be played by some
// rules. It is empty if it can, or there is none.
func (c *conn) misfit(r match.Rules) string {
	if c.wish.layout == nil {
		return ""
	}
	if err := r.Check(c.wish.layout); err != nil {
		return "the layout that you sent before does not fit these rules: send layout after them"
	}
	return ""
}

// layout notes a fleet that the server is to hold for the client.
func (c *conn) layout(args []string) (string, bool) {
	if len(args) == 0 {
		return "error layout say layout uniform, or layout and the ships with ; between them", false
	}
	if len(args) == 1 && args[0] == "uniform" {
		return c.set("layout", func(w *wish) { w.uniform, w.layout, w.commits = true, nil, false }), false
	}
	l, err := parseLayout(c.wish.rules, args)
	if err != nil {
		return "error layout " + err.Error(), false
	}
	return c.set("layout", func(w *wish) { w.uniform, w.layout, w.commits = false, l, false }), false
}

// parseLayout reads one fleet as a layout file has it, with ; in place of line
// ends.
func parseLayout(r match.Rules, args []string) (match.Layout, error) {
	all, err := match.ParseLayouts(r, strings.ReplaceAll(strings.Join(args, " "), ";", "\n"))
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, errors.New("it has the fleets of two players: send one")
	}
	return all[0], nil
}

func (c *conn) rated(args []string) (string, bool)  { return c.choose(session.Rated, args), false }
func (c *conn) casual(args []string) (string, bool) { return c.choose(session.Casual, args), false }

// choose notes what the client wants to play for. In a room its owner has chosen.
func (c *conn) choose(s session.Stakes, args []string) string {
	if len(args) > 0 {
		return fmt.Sprintf("error %v takes nothing", s)
	}
	return c.set(s.String(), func(w *wish) { w.choice = s })
}

// versus notes the opponent that a client wants.
func (c *conn) versus(args []string) (string, bool) {
	answer := ""
	switch {
	case len(args) == 1 && args[0] == "any":
		answer = c.set("vs any", func(w *wish) { w.bot, w.room, w.opponent = "", "", "" })
	case len(args) == 2 && args[0] == "bot":
		if _, err := bots.New(args[1], bots.Config{Rules: c.wish.rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return "error vs " + err.Error(), false
		}
		answer = c.set("vs bot "+args[1], func(w *wish) { w.bot, w.room, w.opponent = args[1], "", "" })
	case len(args) == 2 && args[0] == "room":
		ctx, cancel := context.WithTimeout(c.ctx, diskTime)
		defer cancel()
		room, err := session.Ask(ctx, c.session, session.FindPrivate{Code: args[1]})
		if err != nil {
			return "error vs " + err.Error(), false
		}
		if why := c.misfit(room.Rules); why != "" {
			return "error vs " + why, false
		}
		said := "vs room " + room.Code + " rules=" + room.Rules.Name + " " + i18n.English.Say(room.Stakes.Word())
		answer = c.set(said, func(w *wish) { w.bot, w.room, w.opponent, w.rules = "", room.Code, "", room.Rules })
	case len(args) == 2 && args[0] == "player":
		ctx, cancel := context.WithTimeout(c.ctx, diskTime)
		defer cancel()
		if _, err := session.Ask(ctx, c.session, session.CanPlayNamed{Name: args[1]}); err != nil {
			return "error vs " + err.Error(), false
		}
		answer = c.set("vs player "+args[1], func(w *wish) { w.bot, w.room, w.opponent = "", "", args[1] })
	default:
		return "error vs say vs any, vs bot NAME, vs player NAME or vs room CODE", false
	}
	return answer, strings.HasPrefix(answer, "ok")
}

// say writes a line to a client that understands more than the base protocol.
func (c *conn) say(format string, args ...any) {
	c.put([]byte(printable(fmt.Sprintf(format, args...)) + "\n"))
}

// printable drops everything but printable ASCII, of which lines are made.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

func (c *conn) isTalking() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.talks
}
