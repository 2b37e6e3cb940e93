package lines

import (
	"io"
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/sshd/command"
	"broadside/tui/term"
)

// interpreter reads commands and executes them in order. It queues a command that
// cannot be executed yet.
type interpreter struct {
	*player
	own    []topic                                  // commands of line mode only
	topics []command.Topic                          // all commands
	run    func(c *command.Command, words []string) // runs a command of package command

	waiting []pending
	late    time.Time // when to say that commands are waiting; zero: never
	told    bool      // the player knows that commands are waiting
}

// pending is a queued command.
type pending struct {
	command entry
	args    string
	line    string
}

const (
	maxWaiting  = 500                     // commands; further input is not read until there is room
	patientTime = 1500 * time.Millisecond // before the player is informed that a command is waiting
)

func (i *interpreter) full() bool  { return len(i.waiting) >= maxWaiting }
func (i *interpreter) empty() bool { return len(i.waiting) == 0 }

// idle reports whether all commands have been executed and answered.
func (i *interpreter) idle() bool { return i.empty() && (i.game == nil || i.game.awaited == nil) }

// read interprets an input line.
func (i *interpreter) read(line string) {
	line = strings.Join(strings.Fields(line), " ")
	switch {
	case line == "":
		return
	case line == term.Interrupt && !i.empty():
		line = "cancel"
	case line == term.Interrupt:
		line = "quit"
	}
	c, args, ok := i.parse(line)
	if !ok {
		return
	}
	if c.name != "cancel" && (i.isBehind(c.when) || i.mustWait(c.when)) {
		if i.waiting = append(i.waiting, pending{c, args, line}); len(i.waiting) == 1 {
			i.late = time.Now().Add(patientTime)
		}
		return
	}
	i.carryOut(c, args)
}

// carryOut executes a command. It cancels a pending confirmation that the command does
// not answer.
func (i *interpreter) carryOut(c entry, args string) {
	if i.confirming.command != c.name {
		i.confirming = confirmation{}
	}
	c.do(args)
}

// isBehind reports whether a command has to wait for earlier ones. Queries only wait
// until the player is informed that commands are waiting. Thus a file of commands is
// answered in order, and a waiting player still gets an answer.
func (i *interpreter) isBehind(w when) bool { return !i.empty() && !(w == always && i.told) }

// mustWait reports whether a command cannot be executed yet.
func (i *interpreter) mustWait(w when) bool {
	g := i.game
	switch {
	case w == always && i.told:
		return false
	case g != nil && (g.awaited != nil || !g.seen):
		return true
	case w == always || w == inTurn:
		return false
	case i.state.Offer != nil:
		return true
	case g == nil:
		return false
	}
	v := g.view()
	switch {
	case w == seated || v.Phase == match.Over:
		return false
	case v.Phase == match.Placing:
		return v.Ready[g.Side] // the opponent is still placing
	}
	return v.Turn != g.Side || v.Pending
}

// proceed executes as many queued commands as possible.
func (i *interpreter) proceed() {
	for !i.empty() && !i.done && !i.mustWait(i.waiting[0].command.when) {
		next := i.waiting[0]
		i.waiting = i.waiting[1:]
		i.late = time.Now().Add(patientTime)
		i.carryOut(next.command, next.args)
	}
	if i.empty() {
		i.waiting, i.told = nil, false
	}
}

// drop removes queued commands for a match or turn that will not come.
func (i *interpreter) drop() {
	before := len(i.waiting)
	i.waiting = slices.DeleteFunc(i.waiting, func(p pending) bool { return p.command.when >= seated })
	i.printDropped(before - len(i.waiting))
}

// clear removes all queued commands and returns their number.
func (i *interpreter) clear() int {
	n := len(i.waiting)
	i.waiting = nil
	return n
}

func (i *interpreter) printDropped(n int) {
	if n > 0 {
		i.print("%d queued command was dropped.||%d queued commands were dropped.", n)
	}
}

// printWaiting says that commands are waiting. It also answers the queries in the queue,
// up to the first wait command.
func (i *interpreter) printWaiting() {
	i.late, i.told = time.Time{}, true
	waiting := i.waiting
	i.waiting = nil
	for n, p := range waiting {
		if p.command.name == "wait" {
			i.waiting = append(i.waiting, waiting[n:]...)
			break
		}
		if p.command.when == always {
			i.carryOut(p.command, p.args)
		} else {
			i.waiting = append(i.waiting, p)
		}
	}
	if !i.empty() {
		i.print("Queued until it can run: %s. Type cancel to drop it.", i.waiting[0].line)
	}
}

// parse finds the command in a line, and its arguments. If there is none, it explains the error.
func (i *interpreter) parse(line string) (c entry, args string, ok bool) {
	if len([]rune(line)) > term.MaxInputLine {
		i.print("That line is too long: %d characters at most.", term.MaxInputLine)
		return c, "", false
	}
	words := strings.Fields(line)
	typed := words[0]
	words[0] = strings.ToLower(typed)
	if c, args, ok = i.find(words); ok {
		return c, args, i.accepts(c, args)
	}
	words[0] = i.englishWord(commandWords, words[0])
	if c, args, ok = i.find(words); ok {
		return c, args, i.accepts(c, args)
	}
	switch similar := i.beginningWith(words[0]); {
	case i.placing() && layoutfile.IsShip(latinCells(line)):
		return i.named("place"), line, true
	case areCells(line):
		return i.named("fire"), line, true
	case len(similar) == 1:
		words[0] = similar[0]
		if c, args, ok = i.find(words); ok {
			return c, args, i.accepts(c, args)
		}
		i.print("Choose one of these commands:")
		i.explain(command.ListForms, command.Named(i.topics, words[0]))
	case len(similar) > 1:
		i.print("%s could be any of these commands: %s.", quote(typed), list(similar))
	default:
		near := command.Suggest(i.topics, words[0], i.ownCommands()...)
		if near != "" {
			i.print("There is no command %s. Did you mean %s?", quote(typed), near)
		} else {
			i.print("There is no command %s. Type help for the commands.", quote(typed))
		}
	}
	return c, "", false
}

// find returns the command that words begin with, and the other words.
func (i *interpreter) find(words []string) (c entry, args string, ok bool) {
	found, rest := command.Find(i.topics, words)
	if found == nil {
		return c, "", false
	}
	return i.named(found.Name), strings.Join(rest, " "), true
}

// named returns the command with a name.
func (i *interpreter) named(name string) entry {
	for _, t := range i.own {
		for _, e := range t.entries {
			if e.name == name {
				return e
			}
		}
	}
	c, _ := command.Find(i.topics, strings.Fields(name))
	e := entry{name: name, do: func(args string) { i.run(c, strings.Fields(args)) }}
	if c.Opens == command.Screen || c.Opens == command.AtTerminal {
		e.when = inTurn
	}
	return e
}

// beginningWith returns the first words of the commands that begin with a text, without those that must be
// written in full.
func (i *interpreter) beginningWith(text string) (words []string) {
	for _, t := range i.topics {
		for _, c := range t.Commands {
			first, _, _ := strings.Cut(c.Name, " ")
			if strings.HasPrefix(first, text) && !slices.Contains(words, first) && !i.named(c.Name).whole {
				words = append(words, first)
			}
		}
	}
	return words
}

// accepts reports whether a command accepts these arguments. If not, it says so.
func (i *interpreter) accepts(c entry, args string) bool {
	takes := func(f form) bool { return f.args != "" }
	if args != "" && c.forms != nil && c.name != "wait" && !slices.ContainsFunc(c.forms, takes) {
		i.print("The command %s takes no arguments.", c.name)
		return false
	}
	return true
}

// help explains one command or all of them.
func (i *interpreter) help(name string) {
	if name != "" {
		if c, _, ok := i.parse(strings.ToLower(name)); ok {
			first, _, _ := strings.Cut(c.name, " ")
			i.explain(command.Explain, command.Named(i.topics, first))
		}
		return
	}
	i.print("You play by typing commands. You can shorten a command as long as it stays unambiguous.")
	current := i.section()
	for _, t := range i.topics {
		if t.Title == current {
			i.explainTopic(t)
		}
	}
	for _, t := range i.topics {
		if t.Title != current {
			i.explainTopic(t)
		}
	}
}

// section returns the title of the commands that matter now.
func (i *interpreter) section() i18n.Key {
	switch {
	case i.watched != nil:
		return "Battle"
	case i.game == nil || i.game.over():
		return "Matches"
	case i.game.placing():
		return "Placing your fleet"
	}
	return "Battle"
}

// explainTopic explains the commands of a topic, or only names them if none is about matches.
func (i *interpreter) explainTopic(t command.Topic) {
	if slices.ContainsFunc(i.own, func(own topic) bool { return own.title == t.Title }) {
		i.add(i.l.Text(t.Title) + ":")
		i.explain(command.ListForms, t.Commands)
		return
	}
	var names []string
	for _, c := range t.Commands {
		first, _, _ := strings.Cut(c.Name, " ")
		names = append(names, first)
	}
	names = slices.Compact(names)
	i.add(i.l.Text(t.Title) + ": " + list(names))
}

// explain says what write writes about commands.
func (i *interpreter) explain(write func(io.Writer, i18n.Language, []command.Command), all []command.Command) {
	var b strings.Builder
	write(&b, i.l, all)
	i.addLines(b.String())
}
