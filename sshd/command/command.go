package command

import (
	"log/slog"

	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/tui/text"
)

// Topic is a group of commands in the help.
type Topic struct {
	Title    i18n.Key
	Commands []Command
}

// Command is an entry in the list of commands.
type Command struct {
	// Name has one or two words.
	Name string
	// Aliases are other names for the first word, separated by spaces.
	Aliases string
	Forms   []Form
	// Options explains options that commonOptions does not explain.
	Options map[string]i18n.Message
	Who     Who
	Where   Where
	Opens   Opens
	// LongRunning commands count as sessions, with their time limit.
	LongRunning bool
	Run         func(*Call) error
}

// Form is a way to use a command.
type Form struct {
	// Args are the arguments and options. Words in capitals are values. [x] is optional, a|b is a choice,
	// and … means that more words may follow.
	Args string
	// Summary is an imperative in lower case, without a full stop.
	Summary i18n.Key
}

// Who says which users may run a command.
type Who uint8

const (
	Everyone Who = iota
	// Accounts stands for players with an account.
	Accounts
	Operators
)

// Where says where a command works.
type Where uint8

const (
	Anywhere Where = iota
	// SSH commands work only as ssh HOST NAME, not in line mode.
	SSH
)

// Opens says what a command opens instead of writing text.
type Opens uint8

const (
	Nothing Opens = iota
	// Screen stands for a screen, or line mode if no screen can be shown.
	Screen
	// AtTerminal is like Screen, but only at a terminal.
	AtTerminal
	LineMode
)

// Config configures the commands.
type Config struct {
	// Host opens the sessions in which commands run. There is no command feed if it has no website.
	Host *session.Host
	// Relay is nil if there is no command relay, and Nodes if there are no commands nodes and worlds.
	Relay *relay.Server
	Nodes Nodes
	// Log may be nil.
	Log *slog.Logger
	// Operator configures the commands of operators. It is nil if there are none.
	Operator *Operator
}

// Operator configures the commands of operators.
type Operator struct {
	Operators *access.Operators
}

// actorName returns the name by which the audit log knows the operator with a key. It is empty if the key is
// not an operator's.
func (o *Operator) actorName(fingerprint string) string {
	if o == nil {
		return ""
	}
	name, ok := o.Operators.Name(fingerprint)
	if !ok || name == fingerprint {
		return name
	}
	return text.Clean(name, 40) + " " + fingerprint
}

// Commands runs commands. Its methods may be called from any goroutine.
type Commands struct {
	cfg Config
	// exports has an element while a part of an export is read.
	exports chan struct{}
}

// New returns a server's commands.
func New(cfg Config) *Commands {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Commands{cfg: cfg, exports: make(chan struct{}, 1)}
}

// usableTopics returns the commands that a user may run. The actor is the user's name as an operator, or empty.
func (c *Commands) usableTopics(actor string) (all []Topic) {
	for _, t := range allTopics {
		var usable []Command
		for _, command := range t.Commands {
			if c.isAvailable(&command) && (command.Who != Operators || actor != "") {
				usable = append(usable, command)
			}
		}
		if len(usable) > 0 {
			all = append(all, Topic{t.Title, usable})
		}
	}
	return all
}

// isAvailable reports whether the server is configured for a command.
func (c *Commands) isAvailable(command *Command) bool {
	switch command.Name {
	case "relay":
		return c.cfg.Relay != nil
	case "feed":
		return c.cfg.Host != nil && c.cfg.Host.Website != ""
	case "nodes", "worlds":
		return c.cfg.Nodes != nil
	}
	return true
}

// LineModeTopics returns the commands that work in line mode.
func (c *Commands) LineModeTopics() (all []Topic) {
	for _, t := range c.usableTopics("") {
		var usable []Command
		for _, command := range t.Commands {
			if command.Where != SSH {
				usable = append(usable, command)
			}
		}
		all = append(all, Topic{t.Title, usable})
	}
	return all
}
