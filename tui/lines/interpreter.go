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
	// ownTopics has the commands of line mode only, topics all commands.
	ownTopics []topic
	topics    []command.Topic
	// runCommand runs a command of package command.
	runCommand func(c *command.Command, words []string)

	queue []queuedCommand
	// noticeTime is when to say that commands are waiting. It is zero if there is nothing to say.
	noticeTime time.Time
	// knowsQueue is set once the player knows that commands are waiting.
	knowsQueue bool
}

type queuedCommand struct {
	command lineCommand
	args    string
	line    string
}

// maxQueue is the maximum number of queued commands. Input is not read until there is room.
const maxQueue = 500

// queueNoticeDelay is how long a command waits before the player is told.
const queueNoticeDelay = 1500 * time.Millisecond

func (i *interpreter) isQueueFull() bool  { return len(i.queue) >= maxQueue }
func (i *interpreter) isQueueEmpty() bool { return len(i.queue) == 0 }

// isIdle reports whether all commands have been executed and answered.
func (i *interpreter) isIdle() bool {
	return i.isQueueEmpty() && (i.game == nil || i.game.isAnswered == nil)
}

// handleLine executes or queues the command in an input line.
func (i *interpreter) handleLine(line string) {
	line = strings.Join(strings.Fields(line), " ")
	switch {
	case line == "":
		return
	case line == term.Interrupt && !i.isQueueEmpty():
		line = "cancel"
	case line == term.Interrupt:
		line = "quit"
	}
	c, args, ok := i.parseCommand(line)
	if !ok {
		return
	}
	if c.name != "cancel" && (i.mustWaitForEarlier(c.when) || i.mustWaitForMatch(c.when)) {
		i.queue = append(i.queue, queuedCommand{c, args, line})
		if len(i.queue) == 1 {
			i.noticeTime = time.Now().Add(queueNoticeDelay)
		}
		return
	}
	i.execute(c, args)
}

// execute executes a command immediately. It cancels a pending confirmation that the command does not answer.
func (i *interpreter) execute(c lineCommand, args string) {
	if i.confirming.command != c.name {
		i.confirming = confirmation{}
	}
	c.run(args)
}

// mustWaitForEarlier reports whether a command has to wait for earlier ones. Queries only wait
// until the player is informed that commands are waiting. Thus a file of commands is
// answered in order, and a waiting player still gets an answer.
func (i *interpreter) mustWaitForEarlier(w timing) bool {
	return !i.isQueueEmpty() && !(w == anytime && i.knowsQueue)
}

// mustWaitForMatch reports whether a command cannot be executed yet.
func (i *interpreter) mustWaitForMatch(w timing) bool {
	g := i.game
	switch {
	case w == anytime && i.knowsQueue:
		return false
	case g != nil && (g.isAnswered != nil || !g.hasUpdate):
		return true
	case w == anytime || w == inOrder:
		return false
	case i.state.Offer != nil && !i.isPlaying():
		return true
	case g == nil:
		return false
	}
	v := g.view()
	switch {
	case w == inMatch || v.Phase == match.Over:
		return false
	case v.Phase == match.Placing:
		// The opponent may still be placing ships.
		return v.Ready[g.Side]
	}
	return v.Turn != g.Side || v.Pending
}

// executeQueue executes as many queued commands as possible.
func (i *interpreter) executeQueue() {
	for !i.isQueueEmpty() && !i.isLeaving && !i.mustWaitForMatch(i.queue[0].command.when) {
		next := i.queue[0]
		i.queue = i.queue[1:]
		i.noticeTime = time.Now().Add(queueNoticeDelay)
		i.execute(next.command, next.args)
	}
	if i.isQueueEmpty() {
		i.queue, i.knowsQueue = nil, false
	}
}

// dropMatchCommands removes queued commands for a match or turn that will not come.
func (i *interpreter) dropMatchCommands() {
	before := len(i.queue)
	i.queue = slices.DeleteFunc(i.queue, func(p queuedCommand) bool { return p.command.when >= inMatch })
	i.printDroppedCount(before - len(i.queue))
}

// clearQueue removes all queued commands and returns their number.
func (i *interpreter) clearQueue() int {
	n := len(i.queue)
	i.queue = nil
	return n
}

func (i *interpreter) printDroppedCount(n int) {
	if n > 0 {
		i.print("%d queued command was dropped.||%d queued commands were dropped.", n)
	}
}

// printQueue says that commands are waiting. It also answers the queries in the queue,
// up to the first wait command.
func (i *interpreter) printQueue() {
	i.noticeTime, i.knowsQueue = time.Time{}, true
	waiting := i.queue
	i.queue = nil
	for n, p := range waiting {
		if p.command.name == "wait" {
			i.queue = append(i.queue, waiting[n:]...)
			break
		}
		if p.command.when == anytime {
			i.execute(p.command, p.args)
		} else {
			i.queue = append(i.queue, p)
		}
	}
	if !i.isQueueEmpty() {
		i.print("Queued until it can run: %s. Type cancel to drop it.", i.queue[0].line)
	}
}

// parseCommand finds the command in a line, and its arguments. If there is none, it explains the error.
func (i *interpreter) parseCommand(line string) (c lineCommand, args string, ok bool) {
	if len([]rune(line)) > term.MaxInputLine {
		i.print("That line is too long: %d characters at most.", term.MaxInputLine)
		return c, "", false
	}
	words := strings.Fields(line)
	typed := words[0]
	words[0] = strings.ToLower(typed)
	if c, args, ok = i.findCommand(words); ok {
		return c, args, i.checkArguments(c, args)
	}
	words[0] = i.englishWord(commandWords, words[0])
	if c, args, ok = i.findCommand(words); ok {
		return c, args, i.checkArguments(c, args)
	}
	switch similar := i.firstWordsWithPrefix(words[0]); {
	case i.isPlacing() && layoutfile.IsShipLine(latinizeCells(line)):
		return i.commandByName("place"), line, true
	case isCellList(line):
		return i.commandByName("fire"), line, true
	case len(similar) == 1:
		words[0] = similar[0]
		if c, args, ok = i.findCommand(words); ok {
			return c, args, i.checkArguments(c, args)
		}
		i.print("Choose one of these commands:")
		i.printCommandHelp(command.WriteUsages, command.ListByFirstWord(i.topics, words[0]))
	case len(similar) > 1:
		i.print("%s could be any of these commands: %s.", shortenWord(typed), joinList(similar))
	default:
		near := command.NearestName(i.topics, words[0], i.localCommandWords()...)
		if near != "" {
			i.print("There is no command %s. Did you mean %s?", shortenWord(typed), near)
		} else {
			i.print("There is no command %s. Type help for the commands.", shortenWord(typed))
		}
	}
	return c, "", false
}

// findCommand returns the command named by the first words, and the other words as arguments.
func (i *interpreter) findCommand(words []string) (c lineCommand, args string, ok bool) {
	found, rest := command.Find(i.topics, words)
	if found == nil {
		return c, "", false
	}
	return i.commandByName(found.Name), strings.Join(rest, " "), true
}

// commandByName returns the command with a name.
func (i *interpreter) commandByName(name string) lineCommand {
	for _, t := range i.ownTopics {
		for _, e := range t.commands {
			if e.name == name {
				return e
			}
		}
	}
	c, _ := command.Find(i.topics, strings.Fields(name))
	e := lineCommand{name: name, run: func(args string) { i.runCommand(c, strings.Fields(args)) }}
	if c.Opens == command.Screen || c.Opens == command.AtTerminal {
		e.when = inOrder
	}
	return e
}

// firstWordsWithPrefix returns the first words of the commands that text abbreviates, without commands that cannot
// be abbreviated.
func (i *interpreter) firstWordsWithPrefix(text string) (words []string) {
	for _, t := range i.topics {
		for _, c := range t.Commands {
			first, _, _ := strings.Cut(c.Name, " ")
			if strings.HasPrefix(first, text) && !slices.Contains(words, first) && !i.commandByName(c.Name).noAbbreviation {
				words = append(words, first)
			}
		}
	}
	return words
}

// checkArguments reports whether a command accepts these arguments. If not, it says so.
func (i *interpreter) checkArguments(c lineCommand, args string) bool {
	takes := func(f form) bool { return f.args != "" }
	if args != "" && c.forms != nil && c.name != "wait" && !slices.ContainsFunc(c.forms, takes) {
		i.print("The command %s takes no arguments.", c.name)
		return false
	}
	return true
}

// printHelp explains one command or all of them.
func (i *interpreter) printHelp(name string) {
	if name != "" {
		if c, _, ok := i.parseCommand(strings.ToLower(name)); ok {
			first, _, _ := strings.Cut(c.name, " ")
			i.printCommandHelp(command.WriteHelp, command.ListByFirstWord(i.topics, first))
		}
		return
	}
	i.print("You play by typing commands. You can shorten a command as long as it stays unambiguous.")
	current := i.currentTopicTitle()
	for _, t := range i.topics {
		if t.Title == current {
			i.printTopicHelp(t)
		}
	}
	for _, t := range i.topics {
		if t.Title != current {
			i.printTopicHelp(t)
		}
	}
}

// currentTopicTitle returns the title of the help topic that matters now.
func (i *interpreter) currentTopicTitle() i18n.Key {
	switch {
	case i.watched != nil:
		return "Battle"
	case i.game == nil || i.game.isOver():
		return "Matches"
	case i.game.isPlacing():
		return "Placing your fleet"
	}
	return "Battle"
}

// printTopicHelp explains a topic's commands. If the topic has none of line mode only, it just names them.
func (i *interpreter) printTopicHelp(t command.Topic) {
	if slices.ContainsFunc(i.ownTopics, func(own topic) bool { return own.title == t.Title }) {
		i.add(i.lang.Text(t.Title) + ":")
		i.printCommandHelp(command.WriteUsages, t.Commands)
		return
	}
	var names []string
	for _, c := range t.Commands {
		first, _, _ := strings.Cut(c.Name, " ")
		names = append(names, first)
	}
	names = slices.Compact(names)
	i.add(i.lang.Text(t.Title) + ": " + joinList(names))
}

// printCommandHelp says what write writes about commands.
func (i *interpreter) printCommandHelp(write func(io.Writer, i18n.Language, []command.Command), all []command.Command) {
	var b strings.Builder
	write(&b, i.lang, all)
	i.addLines(b.String())
}
