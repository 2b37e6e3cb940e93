package commands

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/control"
	"broadside/gate"
	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/sshd"
	"broadside/tui"
	"broadside/words"
)

// Operator is what the commands of operators need.
type Operator struct {
	Admins gate.Admins // whose commands these are
	Gate   *gate.Gate
	Lobby  *lobby.Lobby
	House  House
	Nodes  func() control.Report // what this node knows of all; it does not wait
}

// House is who is here, at all doors. Its methods may be called from any
// goroutine and do not wait.
type House interface {
	Here() []Here
	// Cut ends the connections that are chosen, with a sentence for the
	// persons, and returns how many they were.
	Cut(which func(Here) bool, parting words.Message) int
}

// Here is a connection of somebody who is here.
type Here struct {
	Session     string // the number of an SSH connection, or p and the number of a program's
	Player      lobby.Player
	User        string // what they call themselves
	Addr        netip.Addr
	Fingerprint string // empty for guests without a key and for programs
	Since       time.Time
}

// Kinds of players, for people.
var (
	lobbyKinds = map[lobby.Kind]words.Text{lobby.Person: "person", lobby.Bot: "bot", lobby.Program: "program"}
	storeKinds = map[store.Kind]words.Text{store.Person: "person", store.Bot: "bot", store.Program: "program"}
)

// called tells whether somebody goes by a name, or by a session's number.
func (h Here) called(name string) bool {
	return strings.EqualFold(h.name(), name) || strings.EqualFold(h.Session, name)
}

func (h Here) name() string {
	if h.Player.Name != "" {
		return h.Player.Name
	}
	return h.User
}

// operators are the commands of operators, in the order of the help.
var operators = []command{
	list, nodes, kick, ban, unban, bans, mute, unmute, rename, broadcast, lockdown, allow, disallow, allowed, actLog,
}

// isOperator tells whether a visitor is one.
func (o *Operator) isOperator(who sshd.Visitor) bool {
	_, ok := o.Admins.Name(who.Fingerprint)
	return ok
}

// actor is how the log calls the operator who asks.
func (c *call) actor() string {
	name, _ := c.cfg.Operator.Admins.Name(c.who.Fingerprint)
	if name == c.who.Fingerprint {
		return name
	}
	return tui.Clean(name, 40) + " " + c.who.Fingerprint
}

var list = command{
	name: "list", args: "[--json]", about: "Who is here, with session, address, key and since when",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			here := c.cfg.Operator.House.Here()
			if *asJSON {
				out := []hereOut{}
				for _, h := range here {
					out = append(out, hereOut{h.Session, h.name(), h.Player.Kind.String(), h.Player.Account != "", h.Addr.String(), h.Fingerprint, utc(h.Since)})
				}
				return c.json(out)
			}
			rows := [][]string{c.heads("SESSION", "NAME", "KIND", "ADDRESS", "KEY", "SINCE (UTC)")}
			for _, h := range here {
				kind := lobbyKinds[h.Player.Kind]
				if h.Player.Kind == lobby.Person && h.Player.Account == "" {
					kind = "guest"
				}
				rows = append(rows, []string{h.Session, dash(tui.Clean(h.name(), 40)), c.lang.Say(kind), h.Addr.String(), dash(h.Fingerprint), c.stamp(h.Since)})
			}
			return c.table(rows)
		}
	},
}

type hereOut struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Account bool   `json:"account"`
	Address string `json:"address"`
	Key     string `json:"key"`
	Since   string `json:"since"`
}

var kick = command{
	name: "kick", args: "NAME|SESSION", about: "End somebody's sessions; they may come back", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			name, err := c.one("name somebody who is here")
			if err != nil {
				return err
			}
			n := c.cfg.Operator.House.Cut(func(h Here) bool { return h.called(name) }, words.Mean("An operator has ended your session."))
			if n == 0 {
				return failed("nobody here is called %q: ssh HOST list tells who is", name)
			}
			if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "kick", Subject: name}); err != nil {
				return err
			}
			return c.print("kicked: %s (%s)", name, c.connections(n))
		}
	},
}

var mute = command{
	name: "mute", args: "NAME|SESSION [--for TIME] [--reason TEXT]", about: "Keep a player from talking, a guest while they are here", most: maxArgs,
	set: func(f flags) func(*call) error {
		span, reason := forFlag(f), reasonFlag(f)
		return func(c *call) error {
			expires, err := until(*span)
			if err != nil {
				return err
			}
			p, err := c.account("name a player")
			if guest, here := c.guest(); here && err != nil {
				return c.hush(guest, expires, *reason)
			}
			if err != nil {
				return err
			}
			why, err := c.reason(*reason)
			if err != nil {
				return err
			}
			if err := c.cfg.Store.Mute(c.ctx, store.Mute{Player: p.ID, Reason: why, By: c.actor(), Expires: expires}); err != nil {
				return err
			}
			return c.print("muted: %s, %s", p.Name, c.until(expires))
		}
	},
}

var unmute = command{
	name: "unmute", args: "NAME|SESSION", about: "Let a player talk again", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if done, err := c.unhush(); done || err != nil {
				return err
			}
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			switch err := c.cfg.Store.Unmute(c.ctx, p.ID, c.actor()); {
			case errors.Is(err, store.ErrNotFound):
				return failed("no operator has muted %s", p.Name)
			case err != nil:
				return err
			}
			return c.print("not muted any more: %s", p.Name)
		}
	},
}

// guest is the guest who is here by the name or session of the first argument.
func (c *call) guest() (Here, bool) {
	for _, h := range c.cfg.Operator.House.Here() {
		if len(c.args) > 0 && h.called(c.args[0]) && h.Player.Guest && h.Player.Kind == lobby.Person {
			return h, true
		}
	}
	return Here{}, false
}

// hush mutes a guest, until a time or as long as they are here.
func (c *call) hush(guest Here, expires time.Time, reason string) error {
	why, err := c.reason(reason)
	if err != nil {
		return err
	}
	name := tui.Clean(guest.name(), 40)
	if !c.cfg.Operator.Lobby.Hush(guest.Player.ID, expires) {
		return failed("nobody here is called %q: ssh HOST list tells who is", c.args[0])
	}
	if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "mute", Subject: name, Details: why}); err != nil {
		return err
	}
	if expires.IsZero() {
		return c.print("muted: %s, while they are here", name)
	}
	return c.print("muted: %s, %s", name, c.until(expires))
}

// unhush lets somebody talk again who was muted as a guest, if there is one.
func (c *call) unhush() (done bool, err error) {
	for _, h := range c.cfg.Operator.House.Here() {
		if len(c.args) == 0 || !h.called(c.args[0]) || !c.cfg.Operator.Lobby.Unhush(h.Player.ID) {
			continue
		}
		if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "unmute", Subject: h.name()}); err != nil {
			return true, err
		}
		return true, c.print("not muted any more: %s", h.name())
	}
	return false, nil
}

var rename = command{
	name: "rename", args: "OLD NEW", about: "Give a player another name", most: 2,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) != 2 {
				return wrong("give the old name and the new one")
			}
			p, err := c.account("")
			if err != nil {
				return err
			}
			err = c.cfg.Operator.Lobby.RenameBy(c.ctx, p.ID, c.args[1], c.actor())
			for _, known := range []error{lobby.ErrName, lobby.ErrNameReserved, lobby.ErrNameTaken} {
				if errors.Is(err, known) {
					return failure{known}
				}
			}
			if err != nil {
				return err
			}
			return c.print("renamed: %s is now %s", p.Name, c.args[1])
		}
	},
}

var broadcast = command{
	name: "broadcast", args: "TEXT", about: "Show a line to all who are here", most: maxArgs,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			text := strings.Join(c.args, " ")
			switch {
			case text == "":
				return wrong("there is nothing to say")
			case utf8.RuneCountInString(text) > lobby.MaxAnnouncement:
				return wrong("at most %d characters fit on every screen", lobby.MaxAnnouncement)
			}
			if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "broadcast", Details: text}); err != nil {
				return err
			}
			c.cfg.Operator.Lobby.Announce(text)
			return c.print("said")
		}
	},
}

var lockdown = command{
	name: "lockdown", args: "[on|off]", about: "Let nobody in but who is here or allowed; end that; or tell whether it is so", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) > 0 {
				if c.args[0] != "on" && c.args[0] != "off" {
					return wrong("lockdown is on or off")
				}
				var inside []string
				for _, h := range c.cfg.Operator.House.Here() {
					if h.Player.Account != "" {
						inside = append(inside, h.Player.Account)
					}
				}
				if err := c.cfg.Operator.Gate.Lockdown(c.ctx, c.args[0] == "on", inside, c.actor()); err != nil {
					return err
				}
			}
			state := words.Text("lockdown: off")
			if c.cfg.Operator.Gate.Locked() {
				state = "lockdown: on"
			}
			return c.print(state)
		}
	},
}

var allow = command{
	name: "allow", args: "NAME|FINGERPRINT", about: "Let a player in during a lockdown", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			if err := c.cfg.Store.Allow(c.ctx, p.ID, c.actor()); err != nil {
				return err
			}
			return c.print("allowed: %s", p.Name)
		}
	},
}

var disallow = command{
	name: "disallow", args: "NAME|FINGERPRINT", about: "Take back allow", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			switch err := c.cfg.Store.Disallow(c.ctx, p.ID, c.actor()); {
			case errors.Is(err, store.ErrNotFound):
				return failed("the list has no %s: ssh HOST allowed shows it", p.Name)
			case err != nil:
				return err
			}
			return c.print("not allowed any more: %s", p.Name)
		}
	},
}

var allowed = command{
	name: "allowed", args: "[--json]", about: "Who is let in during a lockdown",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			all, err := c.cfg.Store.Allowed(c.ctx)
			if err != nil {
				return err
			}
			names := []string{}
			for _, p := range all {
				names = append(names, p.Name)
			}
			if *asJSON {
				return c.json(names)
			}
			for _, n := range names {
				fmt.Fprintln(c.out, tui.Clean(n, 40))
			}
			return nil
		}
	},
}

var actLog = command{
	name: "log", args: "[--limit N] [--json]", about: "What operators have done, newest first",
	set: func(f flags) func(*call) error {
		limit, asJSON := limitFlag(f, 20), jsonFlag(f)
		return func(c *call) error {
			if err := checkLimit(*limit); err != nil {
				return err
			}
			acts, err := c.cfg.Store.Acts(c.ctx, store.Mark{}, *limit)
			if err != nil {
				return err
			}
			out, rows := []actOut{}, [][]string{c.heads("AT (UTC)", "OPERATOR", "ACT", "SUBJECT", "DETAILS")}
			for _, a := range acts {
				out = append(out, actOut{utc(a.At), a.Actor, a.Act, a.Subject, a.Details})
				rows = append(rows, []string{
					c.stamp(a.At), tui.Clean(a.Actor, 100), a.Act, dash(tui.Clean(a.Subject, 60)), tui.Clean(a.Details, 200),
				})
			}
			if *asJSON {
				return c.json(out)
			}
			return c.table(rows)
		}
	},
}

type actOut struct {
	At      string `json:"at"`
	Actor   string `json:"operator"`
	Act     string `json:"act"`
	Subject string `json:"subject"`
	Details string `json:"details"`
}

// maxArgs is the most words of a text.
const maxArgs = 64

// one is the only argument.
func (c *call) one(missing words.Text) (string, error) {
	if len(c.args) == 0 {
		return "", usageError{words.Errorf(missing)}
	}
	return c.args[0], nil
}

// account is the account of the person whom the first argument names, or whose
// key it is.
func (c *call) account(missing words.Text) (store.Player, error) {
	name, err := c.one(missing)
	if err != nil {
		return store.Player{}, err
	}
	var p store.Player
	if strings.HasPrefix(name, keyPrefix) {
		p, err = c.cfg.Store.PlayerByKey(c.ctx, name)
	} else {
		p, err = c.cfg.Store.PlayerByName(c.ctx, name)
	}
	if errors.Is(err, store.ErrNotFound) || err == nil && p.Kind != store.Person {
		return p, failed("there is no account of a person for %q", name)
	}
	return p, err
}

func forFlag(f flags) *string {
	return f.String("for", "", f.lang.Say("for how long, such as 30m, 24h or 7d; without it, for good"))
}

func reasonFlag(f flags) *string {
	return f.String("reason", "", f.lang.Say("why, for the person to read"))
}

// reason is what --reason says, with the words that follow it: ssh does not
// keep them together.
func (c *call) reason(flag string) (string, error) {
	if flag == "" && len(c.args) > 1 {
		return "", wrong("there is one %q too many", c.args[1])
	}
	text := strings.Trim(strings.Join(append([]string{flag}, c.args[min(1, len(c.args)):]...), " "), `"' `)
	if utf8.RuneCountInString(text) > maxReason {
		return "", wrong("a reason has at most %d characters", maxReason)
	}
	return text, nil
}

// maxReason is the longest reason, in characters.
const maxReason = 200

// maxTime is the longest time that an act is for.
const maxTime = 10 * 365 * 24 * time.Hour

// until is when a time from now is over, for what --for says; zero: never.
func until(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); err == nil {
			d = time.Duration(min(max(n, 0), 10000)) * 24 * time.Hour
		}
	}
	if err != nil || d < time.Second || d > maxTime {
		return time.Time{}, wrong("--for cannot be %q: give a time such as 30m, 24h or 7d, at most ten years", text)
	}
	return time.Now().Add(d), nil
}

func (c *call) until(t time.Time) string {
	if t.IsZero() {
		return c.lang.Say("for good")
	}
	return c.lang.Say("until %s UTC", c.stamp(t))
}

func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func (c *call) connections(n int) string { return c.lang.Say("%d connections", n) }

// forOperators are the commands of operators as package sshd knows them.
func forOperators(cfg Config) []sshd.Command {
	if cfg.Operator == nil {
		return nil
	}
	var all []sshd.Command
	for _, c := range operators {
		s := c.over(cfg)
		s.For = cfg.Operator.isOperator
		all = append(all, s)
	}
	return all
}
