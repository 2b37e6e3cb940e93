package svg

import (
	"regexp"
	"strconv"
	"strings"

	"broadside/match"
	"broadside/tui/board"
)

// State is what is known about a cell. It is also the class of the cell's element.
type State string

// A cell's states.
const (
	Sea   State = "sea"   // not fired at
	Miss  State = "miss"  // fired at without a hit
	Clear State = "clear" // not fired at, but water by the contact rule
	Ship  State = "ship"  // part of a ship that was not hit here
	Hit   State = "hit"   // hit part of a ship that is afloat
	Sunk  State = "sunk"  // part of a sunk ship
)

// berthStates maps what a square holds to its state.
var berthStates = [...]State{
	match.Sea: Sea, match.SeaMiss: Miss, match.SeaDeduced: Clear, match.Hull: Ship, match.HullHit: Hit, match.HullSunk: Sunk,
}

// stateGlyphs are the states' characters, as in the terminal.
var stateGlyphs = map[State]string{
	Sea: board.SignNothing, Miss: board.SignMiss, Clear: board.SignDeduced,
	Ship: board.SignHull, Hit: board.SignHit, Sunk: board.SignSunk,
}

// Cell is a cell as drawn. Hull and Tile are path data in a square of 10 units. Both may be empty.
type Cell struct {
	State State `json:"state"`
	// Hull is part of a ship, and Tile covers it.
	Hull  string `json:"hull,omitempty"`
	Tile  string `json:"tile,omitempty"`
	Glyph string `json:"glyph"`
	// Last is set if the last turn fired at the cell.
	Last bool `json:"last,omitempty"`
	// OddsStep is from 1 to 9, or 0 without odds.
	OddsStep int `json:"heat,omitempty"`
}

// oddsSteps is the number of steps of the odds.
const oddsSteps = 9

// The tiles of cells.
const (
	// fullTile overlaps its neighbours, so that there are no seams.
	fullTile  = "M-.1-.1h10.2v10.2H-.1z"
	shotTile  = "M.7 .7h8.6v8.6H.7z"
	smallTile = "M2 2.2h6v5.6H2z"
)

// stateTiles are the states' tiles. The cells of ships have a tile only if there is no hull.
var stateTiles = map[State]string{Miss: shotTile, Clear: fullTile, Hit: shotTile, Ship: shotTile, Sunk: fullTile}

func newCell(square match.Square) Cell {
	s := berthStates[square.State]
	c := Cell{State: s, Tile: stateTiles[s], Glyph: stateGlyphs[s]}
	if square.Ship == 0 {
		return c
	}
	c.Hull, c.Tile = hullPath(square.Part), ""
	if s == Hit {
		c.Tile = smallTile
	}
	return c
}

// Parts of a hull that points east, in a square of 10 units.
const (
	sternPart  = "M1 1.4 L10.1 1.4 L10.1 8.6 L1 8.6Z"
	middlePart = "M0 1.4 L10.1 1.4 L10.1 8.6 L0 8.6Z"
	bowPart    = "M0 1.4 L5 1.4 Q8.4 2.2 9.7 5 Q8.4 7.8 5 8.6 L0 8.6Z"
	wholePart  = "M1 1.4 L5 1.4 Q8.4 2.2 9.7 5 Q8.4 7.8 5 8.6 L1 8.6Z"
)

func hullPath(p match.Part) string {
	path := middlePart
	switch {
	case p.Stern && p.Bow:
		path = wholePart
	case p.Stern:
		path = sternPart
	case p.Bow:
		path = bowPart
	}
	return rotatePath(path, p.Heading)
}

// rotatePath returns a path that points east, rotated to another heading.
func rotatePath(path string, h match.Heading) string {
	if h == match.East {
		return path
	}
	return pathPoint.ReplaceAllStringFunc(path, func(point string) string {
		x, y, _ := strings.Cut(point, " ")
		switch h {
		case match.West:
			return mirrorCoordinate(x) + " " + y
		case match.South:
			return y + " " + x
		default:
			return y + " " + mirrorCoordinate(x)
		}
	})
}

// pathPoint matches a point of a path.
var pathPoint = regexp.MustCompile(`[0-9.]+ [0-9.]+`)

// mirrorCoordinate mirrors a coordinate in a square of 10 units.
func mirrorCoordinate(coordinate string) string {
	x, err := strconv.ParseFloat(coordinate, 64)
	// pathPoint matches only numbers.
	if err != nil {
		return coordinate
	}
	return strconv.FormatFloat(10-x, 'f', -1, 64)
}
