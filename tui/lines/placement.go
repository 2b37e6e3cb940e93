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
	// In layout, ships that are not placed have length 0.
	layout match.Layout
	// placedShips are indexes in order of placing.
	placedShips []int
}

// runPlaceCommand runs the command place in all its forms.
func (p *placement) runPlaceCommand(text string) {
	word := p.englishWord(argumentWords, strings.ToLower(text))
	switch name, saved := strings.CutPrefix(word, "fleet"); {
	case word == "":
		p.printUnplacedShips()
	case word == "random" || word == "r":
		p.submitFleet(p.Rules.RandomLayout(rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))))
	case word == "clear":
		clear(p.layout)
		p.placedShips = nil
		p.print("The board is empty.")
	case word == "undo":
		p.removeLastShip()
	case saved:
		p.placeSavedFleet(strings.TrimSpace(name))
	default:
		p.placeShip(text)
	}
}

// placeSavedFleet sends one of the player's saved fleets.
func (p *placement) placeSavedFleet(name string) {
	all, err := queryStore(p.player, p.session.Fleets)
	if err != nil {
		p.printError(err)
		return
	}
	var names []string
	for _, saved := range all {
		layout, fits := account.ParseFleet(p.Rules, saved)
		if fits && strings.EqualFold(saved.Name, name) {
			p.submitFleet(layout)
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
	p.print("Type: place fleet NAME. Your fleets: %s.", joinList(names))
}

// placeShip places the ship that a text describes.
func (p *placement) placeShip(text string) {
	i, ship, err := layoutfile.ParseShip(p.Rules, p.layout, addShipLength(latinizeCells(text)))
	if err != nil {
		p.printError(err)
		return
	}
	p.layout[i] = ship
	p.placedShips = append(p.placedShips, i)
	p.print("The %s is at %s to %s.", p.className(p.Rules.Fleet[i]), ship.Stern.String(), ship.Bow().String())
	if len(p.placedShips) == len(p.layout) {
		p.print("All ships are placed. Type ready to start.")
	}
}

// addShipLength adds the length to a ship that is given only by its two ends.
func addShipLength(text string) string {
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

// removeLastShip removes the ship that was placed last.
func (p *placement) removeLastShip() {
	n := len(p.placedShips)
	if n == 0 {
		p.print("No ships are placed.")
		return
	}
	i := p.placedShips[n-1]
	p.placedShips, p.layout[i] = p.placedShips[:n-1], match.Ship{}
	p.print("The %s is removed.", p.className(p.Rules.Fleet[i]))
}

// submitPlaced sends the fleet that was placed ship by ship.
func (p *placement) submitPlaced(string) {
	if err := p.Rules.CheckLayout(p.layout); err != nil {
		p.printError(err)
		return
	}
	p.submitFleet(slices.Clone(p.layout))
}

func (p *placement) submitFleet(l match.Layout) {
	p.checkAndAwait(p.session.Place(match.First, l), func() bool { return p.view().Ready[p.Side] })
}

// printUnplacedShips lists the ships that are not placed yet, and explains how to place them.
func (p *placement) printUnplacedShips() {
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
	p.print("Place your fleet: %s.", strings.Join(p.classesWithLengths(missing), "; "))
	first := p.Rules.Fleet[0]
	end := match.NewCell(first.Length-1, 0).String()
	p.print("Type place random, or place the ships one by one: place %s A1 %s.", first.Name, end)
	if !p.lastUpdate.Deadline.IsZero() {
		p.printTimeLeft("")
	}
}

// printFleet prints the positions of the placed ships, and the remaining steps.
func (p *placement) printFleet() {
	placed := p.positionsSentence(p.Rules, p.layout)
	if placed != "" {
		p.add(placed)
	}
	p.printUnplacedShips()
}
