package lines

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/layoutfile"
)

// placement has the commands for placing the player's fleet.
type placement struct {
	*game
	layout match.Layout // Length is 0 for ships that are not placed
	order  []int        // the placed ships, in order of placing
}

// place places one ship or all of them.
func (p *placement) place(text string) {
	word := p.englishWord(argumentWords, strings.ToLower(text))
	switch name, saved := strings.CutPrefix(word, "fleet"); {
	case word == "":
		p.printMissing()
	case word == "random" || word == "r":
		p.submit(p.Rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case word == "clear":
		clear(p.layout)
		p.order = nil
		p.print("The board is empty.")
	case word == "undo":
		p.undo()
	case saved:
		p.placeSaved(strings.TrimSpace(name))
	default:
		p.placeShip(text)
	}
}

// placeSaved places one of the player's saved fleets.
func (p *placement) placeSaved(name string) {
	all, err := ask(p.player, p.own.Fleets)
	if err != nil {
		p.fail(err)
		return
	}
	var names []string
	for _, saved := range all {
		layout, fits := account.FleetFor(p.Rules, saved)
		if fits && strings.EqualFold(saved.Name, name) {
			p.submit(layout)
			return
		}
		if fits {
			names = append(names, saved.Name)
		}
	}
	if len(names) == 0 {
		p.print("You have no saved fleet for these rules. Fleets are saved with: ssh HOST fleet")
		return
	}
	p.print("Type: place fleet NAME. Your fleets: %s.", list(names))
}

// placeShip places one ship.
func (p *placement) placeShip(text string) {
	i, ship, err := layoutfile.ParseShip(p.Rules, p.layout, withLength(latinCells(text)))
	if err != nil {
		p.fail(err)
		return
	}
	p.layout[i] = ship
	p.order = append(p.order, i)
	p.print("The %s is at %s to %s.", p.ship(p.Rules.Fleet[i]), ship.Stern.String(), ship.Bow().String())
	if len(p.order) == len(p.layout) {
		p.print("All ships are placed. Type ready to start.")
	}
}

// withLength adds the length to a ship that is given only by its two ends.
func withLength(text string) string {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return text
	}
	from, err := layoutfile.ParseCell(fields[0])
	to, failed := layoutfile.ParseCell(fields[1])
	if err != nil || failed != nil {
		return text
	}
	length := 1 + max(abs(int(to.X-from.X)), abs(int(to.Y-from.Y)))
	return strconv.Itoa(min(length, 9)) + " " + text
}

func abs(n int) int { return max(n, -n) }

// undo removes the ship that was placed last.
func (p *placement) undo() {
	n := len(p.order)
	if n == 0 {
		p.print("No ships are placed.")
		return
	}
	i := p.order[n-1]
	p.order, p.layout[i] = p.order[:n-1], match.Ship{}
	p.print("The %s is removed.", p.ship(p.Rules.Fleet[i]))
}

// ready submits a fleet that was placed ship by ship.
func (p *placement) ready(string) {
	if err := p.Rules.Check(p.layout); err != nil {
		p.fail(err)
		return
	}
	p.submit(slices.Clone(p.layout))
}

func (p *placement) submit(l match.Layout) {
	p.request(p.own.Place(match.First, l), func() bool { return p.view().Ready[p.Side] })
}

// printMissing lists the ships still to be placed, and explains how to place them.
func (p *placement) printMissing() {
	var missing []match.Class
	for i, c := range p.Rules.Fleet {
		if p.layout[i].Length == 0 {
			missing = append(missing, c)
		}
	}
	if len(missing) == 0 {
		p.print("All ships are placed. Type ready to start.")
		return
	}
	p.print("Place your fleet: %s.", strings.Join(p.fleet(missing), "; "))
	first := p.Rules.Fleet[0]
	p.print("Type place random, or place the ships one by one: place %s A1 %s.", first.Name, match.NewCell(first.Length-1, 0).String())
	if !p.last.Deadline.IsZero() {
		p.printTime("")
	}
}

// describeFleet describes the positions of the placed ships, and the remaining steps.
func (p *placement) describeFleet() {
	placed := p.positions(p.Rules, p.layout)
	if placed != "" {
		p.add(placed)
	}
	p.printMissing()
}
