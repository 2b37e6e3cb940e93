package command

import (
	"cmp"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"

	"broadside/internal/access"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui/format"
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
	return format.Clean(name, 40) + " " + fingerprint
}

// group is the audience of a command. The help lists groups in this order.
type group int

const (
	forEveryone group = iota
	forOperators
)

// registration is one command. Each command's file registers it in an init function, so
// adding a command only requires a new file.
type registration struct {
	group    group
	position int // in the help, within the group
	create   func(*call) *cobra.Command
}

// registrations holds all commands in the order of the help. It does not change after
// initialization.
var registrations []registration

func register(g group, position int, create func(*call) *cobra.Command) {
	registrations = append(registrations, registration{g, position, create})
	slices.SortFunc(registrations, func(a, b registration) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.position, b.position))
	})
}

// New returns a function that creates a user's commands, for [sshd.Config].
func New(cfg Config) func(user sshd.User, name string) []*cobra.Command {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	f := factory{cfg: cfg, exports: make(chan struct{}, 1), named: map[string]registration{}}
	for _, r := range registrations {
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
		return f.create(user, registrations...)
	}
}

// factory creates commands. It does not change once it is complete.
type factory struct {
	cfg     Config
	exports chan struct{}
	named   map[string]registration // also has aliases
}

func (f *factory) newCall(user sshd.User) *call {
	return &call{cfg: f.cfg, exports: f.exports, user: user, output: output{lang: user.Language}}
}

// create returns new commands, without those that the user may not run.
func (f *factory) create(user sshd.User, all ...registration) (created []*cobra.Command) {
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
