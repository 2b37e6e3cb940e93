package command

import (
	"cmp"
	"log/slog"
	"slices"

	"github.com/spf13/cobra"

	"broadside/internal/access"
	"broadside/internal/control"
	"broadside/internal/session"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui/format"
)

// Config configures the commands.
type Config struct {
	Host  session.Host  // opens the sessions of the users who run commands
	Relay *relay.Server // nil: the relay command is missing
	Log   *slog.Logger  // nil: no log
	// Operator configures the commands of operators; nil: they are missing.
	Operator *Operator
}

// Operator configures the commands of operators.
type Operator struct {
	Admins access.Admins         // the operators' keys
	Nodes  func() control.Report // returns what this node knows about all nodes; it does not wait
}

// actor returns the name of the operator with a key in the operators' log. It is
// empty if the key is not an operator's.
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

// registration is one of the commands. Each file of a command registers its own in
// an init function.
type registration struct {
	position int // in the help
	operator bool
	create   func(*call) *cobra.Command
}

// registrations are the commands in the order of the help. They do not change after
// initialization.
var registrations []registration

// register adds a command for everyone.
func register(position int, create func(*call) *cobra.Command) {
	add(registration{position: position, create: create})
}

// registerOperator adds a command for operators. The help lists them after the
// others.
func registerOperator(position int, create func(*call) *cobra.Command) {
	add(registration{position: position, operator: true, create: create})
}

func add(r registration) {
	i, _ := slices.BinarySearchFunc(registrations, r, func(a, b registration) int {
		switch {
		case a.operator == b.operator:
			return cmp.Compare(a.position, b.position)
		case a.operator:
			return 1
		}
		return -1
	})
	registrations = slices.Insert(registrations, i, r)
}

// New returns a function that creates the commands of a user, for [sshd.Config].
func New(cfg Config) func(sshd.User) []*cobra.Command {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return func(user sshd.User) []*cobra.Command {
		actor := cfg.Operator.actor(user.Fingerprint)
		var all []*cobra.Command
		for _, r := range registrations {
			if r.operator && actor == "" {
				continue
			}
			c := &call{cfg: cfg, user: user, output: output{lang: user.Language}}
			if r.operator {
				c.actor = actor
			}
			if command := r.create(c); command != nil {
				all = append(all, command)
			}
		}
		return all
	}
}
