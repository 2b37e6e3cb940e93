package command

import (
	"log/slog"

	"github.com/spf13/cobra"

	"broadside/internal/access"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui/text"
)

// Config configures the commands.
type Config struct {
	Host  *session.Host // opens the sessions of the users who run commands
	Relay *relay.Server // nil: the relay command is missing
	Nodes Nodes
	Log   *slog.Logger // nil: no log
	// Operator configures the commands of operators; nil: they are missing.
	Operator *Operator
}

// Operator configures the commands of operators.
type Operator struct {
	Admins access.Admins // the operators' keys
}

// actor returns the name, for the operators' log, of the operator with a key. It is empty
// if the key is not an operator's.
func (o *Operator) actor(fingerprint string) string {
	if o == nil {
		return ""
	}
	name, ok := o.Admins.Name(fingerprint)
	if !ok || name == fingerprint {
		return name
	}
	return text.Clean(name, 40) + " " + fingerprint
}

// group is the audience of a command. The help lists groups in this order.
type group int

const (
	forEveryone group = iota
	forOperators
)

// entry is a command of the list.
type entry struct {
	group  group
	create func(*call) *cobra.Command // returns nil if this server does not have the command
}

// entries holds all commands in the order of the help.
var entries = []entry{
	{forEveryone, play},
	{forEveryone, resume},
	{forEveryone, join},
	{forEveryone, plain},
	{forEveryone, watch},
	{forEveryone, leaderboard},
	{forEveryone, listBots},
	{forEveryone, listRules},
	{forEveryone, ladderCommand},
	{forEveryone, dailyCommand},
	{forEveryone, games},
	{forEveryone, profileCommand},
	{forEveryone, replay},
	{forEveryone, record},
	{forEveryone, exportGames},
	{forEveryone, fleet},
	{forEveryone, whoami},
	{forEveryone, registerAccount},
	{forEveryone, friends},
	{forEveryone, cupCommands},
	{forEveryone, token},
	{forEveryone, relayStream},
	{forEveryone, worlds},
	{forEveryone, version},
	{forOperators, list},
	{forOperators, nodes},
	{forOperators, kick},
	{forOperators, ban},
	{forOperators, unban},
	{forOperators, bans},
	{forOperators, mute},
	{forOperators, unmute},
	{forOperators, rename},
	{forOperators, broadcast},
	{forOperators, lockdown},
	{forOperators, operatorLog},
}

// New returns a function that creates a user's commands, for [sshd.Config].
func New(cfg Config) func(user sshd.User, name string) []*cobra.Command {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	f := factory{cfg: cfg, exports: make(chan struct{}, 1), named: map[string]entry{}}
	for _, r := range entries {
		if c := r.create(f.newCall(sshd.User{})); c != nil {
			for _, name := range append(c.Aliases, c.Name()) {
				f.named[name] = r
			}
		}
	}
	return func(user sshd.User, name string) []*cobra.Command {
		if r, ok := f.named[name]; ok {
			if one := f.create(user, r); len(one) > 0 {
				return one
			}
		}
		return f.create(user, entries...)
	}
}

// factory creates commands. It does not change once it is complete.
type factory struct {
	cfg     Config
	exports chan struct{}
	named   map[string]entry // also has aliases
}

func (f *factory) newCall(user sshd.User) *call {
	return &call{cfg: f.cfg, exports: f.exports, user: user, output: output{lang: user.Language}}
}

// create returns new commands, without those that the user may not run.
func (f *factory) create(user sshd.User, all ...entry) (created []*cobra.Command) {
	actor := f.cfg.Operator.actor(user.Fingerprint)
	for _, r := range all {
		c := f.newCall(user)
		if r.group == forOperators {
			if c.actor = actor; actor == "" {
				continue
			}
		}
		if command := r.create(c); command != nil {
			created = append(created, command)
		}
	}
	return created
}
