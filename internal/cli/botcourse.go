package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/bots"
	"broadside/bots/arena"
	"broadside/bots/infer"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay/client"
	"broadside/tui/board"
	"broadside/tui/text"
)

// openCourseFile opens the file to which a bot writes its games, and creates its folder. The name - stands
// for standard output. With an empty name, everything is discarded.
func openCourseFile(name string, console io.Writer) (course io.Writer, closeCourse func() error, err error) {
	switch name {
	case "":
		return io.Discard, func() error { return nil }, nil
	case "-":
		return console, func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, nil, fmt.Errorf("create course folder: %w", err)
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, nil, fmt.Errorf("create course file: %w", err)
	}
	w := bufio.NewWriter(file)
	return w, func() error { return errors.Join(w.Flush(), file.Close()) }, nil
}

// recordedBot is a bot that records its game: the fleet, every shot, and after each shot both
// boards and the bot's open list.
type recordedBot struct {
	bots.Bot
	gameNumber int
	layout     match.Layout
	// fleet is nil if the server places it.
	fleet *match.Fleet
	// view shows the bot as the first side. The enemy's fleet is unknown.
	view       match.View
	enemyShots []match.Cell
	course     io.Writer
	onStart    func()
}

// newRecordedBot returns a bot for one game. Without a layout, the bot places its fleet.
func newRecordedBot(bot bots.Bot, rules match.Rules, layout match.Layout, number int,
	course io.Writer, onStart func()) *recordedBot {
	v := match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
	return &recordedBot{Bot: bot, gameNumber: number, layout: layout, view: v, course: course, onStart: onStart}
}

// The client finds the last two by a type assertion, so the compiler would not notice if they were missing.
var (
	_ client.Player  = (*recordedBot)(nil)
	_ client.Starter = (*recordedBot)(nil)
	_ client.Watcher = (*recordedBot)(nil)
)

// Place implements [client.Player].
func (b *recordedBot) Place() match.Layout {
	if b.layout == nil {
		b.layout = b.Bot.Place()
	}
	b.fleet = match.NewFleet(b.layout)
	b.writeStart()
	return b.layout
}

// writeStart writes the fleet and the boards before the first shot.
func (b *recordedBot) writeStart() {
	fmt.Fprintf(b.course, "Game %d\n%s%s", b.gameNumber, layoutfile.Format(b.view.Rules, b.layout), arena.BoardLegend(b.view.Rules))
	b.writeBoards()
}

// Start implements [client.Starter].
func (b *recordedBot) Start() {
	if b.fleet == nil {
		b.writeStart()
	}
	b.onStart()
}

// ObserveShot implements [client.Watcher].
func (b *recordedBot) ObserveShot(cell match.Cell, r match.Result) {
	b.view.Charts[match.First].Record(cell, r)
	fmt.Fprintf(b.course, "fires at %v: %v\n", cell, r)
	b.writeBoards()
}

// ObserveEnemyShot implements [client.Watcher].
func (b *recordedBot) ObserveEnemyShot(cell match.Cell, r match.Result) {
	b.enemyShots = append(b.enemyShots, cell)
	if b.fleet == nil {
		fmt.Fprintf(b.course, "is shot at %v\n", cell)
		return
	}
	b.fleet.Fire(cell)
	b.view.Charts[match.Second].Record(cell, r)
	fmt.Fprintf(b.course, "is shot at %v: %v\n", cell, r)
	b.writeBoards()
}

// observedOpponent returns what the game has revealed about the opponent, for the bot's memory.
func (b *recordedBot) observedOpponent() infer.Game {
	chart := &b.view.Charts[match.First]
	return infer.Game{Struck: chart.Hits.Union(chart.Sunk), Shots: b.enemyShots}
}

// Move implements [client.Mover].
func (b *recordedBot) Move(status match.FleetStatus) match.Move {
	move := b.Bot.Move(status)
	if move != match.Stay && b.fleet.ApplyMove(status, move) == nil {
		fmt.Fprintf(b.course, "moves %v\n", move)
		b.writeBoards()
	}
	return move
}

// writeBoards writes both boards and the open list.
func (b *recordedBot) writeBoards() {
	if b.course == io.Discard {
		return
	}
	if b.fleet != nil {
		b.view.Fleets[match.First], b.view.Damage[match.First] = b.fleet.Layout(), b.fleet.Damage()
	}
	whole := board.WholeWindow(b.view.Rules.Size)
	wide, _ := board.Small.OuterSize(whole.Columns, whole.Rows)
	const gap = 4
	fmt.Fprintf(b.course, "\n%-*s%s\n", wide+gap, "own field", "enemy field")
	left := board.NewFleet(&b.view, match.First).Draw(board.Small, whole)
	right := board.NewChart(&b.view.Charts[match.First]).Draw(board.Small, whole)
	for _, line := range text.JoinColumns(gap, left, right) {
		fmt.Fprintln(b.course, strings.TrimRight(ansi.Strip(line), " "))
	}
	if l, ok := b.Bot.(bots.Lister); ok {
		if open, ok := l.OpenList(&b.view.Charts[match.First]); ok {
			fmt.Fprintf(b.course, "open list: %v\n", open)
		}
	}
	fmt.Fprintln(b.course)
}
