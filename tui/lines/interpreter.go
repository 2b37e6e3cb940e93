package lines

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/spelling"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/term"
)

// interpreter reads commands and executes them in order. It queues a command that
// cannot be executed yet.
type interpreter struct {
	*player
	commands func() []command

	waiting []pending
	late    time.Time // when to say that commands are waiting; zero: never
	told    bool      // the player knows that commands are waiting
}

// pending is a queued command.
type pending struct {
	command command
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
func (i *interpreter) carryOut(c command, args string) {
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

// parse finds the command in a line. If there is none, it explains the error.
func (i *interpreter) parse(line string) (c command, args string, ok bool) {
	if len([]rune(line)) > term.MaxInputLine {
		i.print("That line is too long: %d characters at most.", term.MaxInputLine)
		return c, "", false
	}
	first, args, _ := strings.Cut(line, " ")
	word := strings.ToLower(first)
	all := i.commands()
	var names, similar []string // of the commands that start with word
	if !slices.ContainsFunc(all, func(c command) bool { return c.name == word }) {
		word = i.englishWord(commandWords, word)
	}
	for _, c := range all {
		if c.name == word {
			return c, args, i.accepts(c, args)
		}
		names = append(names, c.name)
		if strings.HasPrefix(c.name, word) && !c.whole {
			similar = append(similar, c.name)
		}
	}
	if i.placing() && layoutfile.IsShip(latinCells(line)) {
		return named(all, "place"), line, true
	}
	if areCells(line) {
		return named(all, "fire"), line, true
	}
	switch near := spelling.Nearest(word, append(names, i.ownCommands()...)); {
	case len(similar) == 1:
		c = named(all, similar[0])
		return c, args, i.accepts(c, args)
	case len(similar) > 1:
		i.print("%s could be any of these commands: %s.", quote(first), list(similar))
	case near != "":
		i.print("There is no command %s. Did you mean %s?", quote(first), near)
	default:
		i.print("There is no command %s. Type help for the commands.", quote(first))
	}
	return c, "", false
}

// accepts reports whether a command accepts these arguments. If not, it says so.
func (i *interpreter) accepts(c command, args string) bool {
	if c.args == "" && args != "" && c.name != "wait" {
		i.print("The command %s takes no arguments.", c.name)
		return false
	}
	return true
}

// help explains one command or all of them.
func (i *interpreter) help(name string) {
	if name != "" {
		if c, _, ok := i.parse(strings.ToLower(name)); ok {
			i.explain(c)
		}
		return
	}
	i.print("You play by typing commands. You can shorten a command as long as it stays unambiguous.")
	current := i.section()
	all, rest := splitSection(i.commands(), current)
	for _, c := range append(all, rest...) {
		if c.section != "" {
			i.print("%s:", c.section)
		}
		i.explain(c)
	}
}

// section returns the section of the commands that matter now.
func (i *interpreter) section() i18n.Key {
	switch {
	case i.watched != nil:
		return "To watch and chat"
	case i.game == nil || i.game.over():
		return "To begin a match"
	case i.game.placing():
		return "To place your fleet"
	}
	return "To play"
}

// splitSection returns the commands of a section, and all others.
func splitSection(commands []command, section i18n.Key) (in, others []command) {
	var now i18n.Key
	for _, c := range commands {
		now = cmp.Or(c.section, now)
		if now == section {
			in = append(in, c)
		} else {
			others = append(others, c)
		}
	}
	return in, others
}

// explain describes a command.
func (i *interpreter) explain(c command) {
	usage := c.name
	if c.args != "" {
		usage += " " + i.l.Text(c.args)
	}
	i.add(usage + ": " + i.l.Text(c.about))
}
