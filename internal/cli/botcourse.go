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
	"broadside/tui/board"
	"broadside/tui/text"
)

// openCourse opens the file for the log of a bot's games and creates its folder. The name
// - stands for standard output. An empty name discards everything.
func openCourse(name string, console io.Writer) (course io.Writer, closeCourse func() error, err error) {
	switch name {
	case "":
		return io.Discard, func() error { return nil }, nil
	case "-":
		return console, func() error { return nil }, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, nil, fmt.Errorf("creating the folder for the course of the games: %w", err)
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, nil, fmt.Errorf("creating the file for the course of the games: %w", err)
	}
	w := bufio.NewWriter(file)
	return w, func() error { return errors.Join(w.Flush(), file.Close()) }, nil
}

// recordedBot is a bot that records its game: the fleet, every shot, and after each shot both
// boards and the bot's open list.
type recordedBot struct {
	bots.Bot
	number int // the game's number
	layout match.Layout
	fleet  *match.Fleet // nil if the server draws it
	view   match.View   // the bot is First; the enemy's fleet is unknown
	shots  []match.Cell // the opponent's shots
	course io.Writer
	begins func() // called when the game starts
}

// newRecordedBot returns a bot for one game. Without a layout, the bot places its fleet.
func newRecordedBot(bot bots.Bot, rules match.Rules, layout match.Layout, number int,
	course io.Writer, begins func()) *recordedBot {
	v := match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
	return &recordedBot{Bot: bot, number: number, layout: layout, view: v, course: course, begins: begins}
}

// Place implements [client.Player].
func (s *recordedBot) Place() match.Layout {
	if s.layout == nil {
		s.layout = s.Bot.Place()
	}
	s.fleet = match.NewFleet(s.layout)
	s.showStart()
	return s.layout
}

// showStart writes what is known when the game starts.
func (s *recordedBot) showStart() {
	fmt.Fprintf(s.course, "Game %d\n%s%s", s.number, layoutfile.Format(s.view.Rules, s.layout), arena.BoardLegend(s.view.Rules))
	s.show()
}

// Start implements [client.Starter].
func (s *recordedBot) Start() {
	if s.fleet == nil {
		s.showStart()
	}
	s.begins()
}

// HasShot implements [client.Watcher].
func (s *recordedBot) HasShot(cell match.Cell, r match.Result) {
	s.view.Charts[match.First].Record(cell, r)
	fmt.Fprintf(s.course, "fires at %v: %v\n", cell, r)
	s.show()
}

// ShotAt implements [client.Watcher].
func (s *recordedBot) ShotAt(cell match.Cell, r match.Result) {
	s.shots = append(s.shots, cell)
	if s.fleet == nil {
		fmt.Fprintf(s.course, "is shot at %v\n", cell)
		return
	}
	s.fleet.Shoot(cell)
	s.view.Charts[match.Second].Record(cell, r)
	fmt.Fprintf(s.course, "is shot at %v: %v\n", cell, r)
	s.show()
}

// opponent returns what the game has revealed about the opponent.
func (s *recordedBot) opponent() infer.Game {
	chart := &s.view.Charts[match.First]
	return infer.Game{Struck: chart.Hits.Union(chart.Sunk), Shots: s.shots}
}

// Move implements [client.Mover].
func (s *recordedBot) Move(helm match.Helm) match.Move {
	move := s.Bot.Move(helm)
	if move != match.Stay && s.fleet.Sail(helm, move) == nil {
		fmt.Fprintf(s.course, "moves %v\n", move)
		s.show()
	}
	return move
}

// show writes both boards and the open list.
func (s *recordedBot) show() {
	if s.course == io.Discard {
		return
	}
	if s.fleet != nil {
		s.view.Fleets[match.First], s.view.Damage[match.First] = s.fleet.Layout(), s.fleet.Damage()
	}
	whole := board.WholeWindow(s.view.Rules.Size)
	wide, _ := board.Small.OuterSize(whole.Columns, whole.Rows)
	const gap = 4
	fmt.Fprintf(s.course, "\n%-*s%s\n", wide+gap, "own field", "enemy field")
	left := board.NewFleet(&s.view, match.First).Draw(board.Small, whole)
	right := board.NewChart(&s.view.Charts[match.First]).Draw(board.Small, whole)
	for _, line := range text.JoinColumns(gap, left, right) {
		fmt.Fprintln(s.course, strings.TrimRight(ansi.Strip(line), " "))
	}
	if l, ok := s.Bot.(bots.Lister); ok {
		if open, ok := l.OpenList(&s.view.Charts[match.First]); ok {
			fmt.Fprintf(s.course, "open list: %v\n", open)
		}
	}
	fmt.Fprintln(s.course)
}
