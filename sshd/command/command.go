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
	Nodes  func() control.Report // returns this node's information about all nodes; it does not wait
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

// New returns a function that creates the commands of a user, for [sshd.Config].
func New(cfg Config) func(sshd.User) []*cobra.Command {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	exports := make(chan struct{}, 1)
	return func(user sshd.User) []*cobra.Command {
		actor := cfg.Operator.actor(user.Fingerprint)
		var all []*cobra.Command
		for _, r := range registrations {
			c := &call{cfg: cfg, exports: exports, user: user, output: output{lang: user.Language}}
			if r.group == forOperators {
				if c.actor = actor; actor == "" {
					continue
				}
			}
			if command := r.create(c); command != nil {
				all = append(all, command)
			}
		}
		return all
	}
}
