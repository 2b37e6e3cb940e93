package export

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// Version is the version of a record's format. Increase it for a change that old readers would misread.
const Version = 1

// Record is a finished match.
type Record struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	// Started is in UTC.
	Started time.Time `json:"started"`
	Took    int64     `json:"took_ms"`
	Rated   bool      `json:"rated"`
	// Casual says why the match is not rated.
	Casual string `json:"casual,omitempty"`
	// The second of the players fires first.
	Players [2]Player `json:"players"`
	match.Record
}

// Player is one side of a match.
type Player struct {
	Seat
	// Rating is absent from casual matches.
	Rating *Rating `json:"rating,omitempty"`
	// Layout is null if the server does not know it.
	Layout []Ship `json:"layout"`
}

// Rating is a player's rating before and after a match.
type Rating struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Provisional says whether After is provisional.
	Provisional bool `json:"provisional,omitempty"`
}

// Ship is a ship's position.
type Ship struct {
	Class string `json:"class"`
	// From is the stern, and To the bow.
	From string `json:"from"`
	To   string `json:"to"`
}

// NewRecord converts a finished match.
func NewRecord(m store.Match) Record {
	r := Record{
		Version: Version, ID: m.ID, Started: m.Started.UTC(), Took: m.Took.Milliseconds(), Rated: m.Rated, Casual: m.Casual,
		Record: match.NewRecord(m.Rules, m.Events),
	}
	for side, seat := range m.Seats {
		p := &r.Players[side]
		p.Seat = newSeat(seat)
		if m.Rated {
			p.Rating = &Rating{Before: math.Round(seat.Before), After: math.Round(seat.After), Provisional: seat.Provisional}
		}
	}
	for _, e := range m.Events {
		if e.Kind == match.FleetPlaced {
			r.Players[e.Side].Layout = newShips(m.Rules, e.Layout())
		}
	}
	return r
}

// roundAccuracy rounds an accuracy to three decimals. It returns nil if no shots were judged.
func roundAccuracy(judged int, share float64) *float64 {
	if judged == 0 {
		return nil
	}
	share = math.Round(1000*share) / 1000
	return &share
}

func newShips(r match.Rules, l match.Layout) (ships []Ship) {
	for i, ship := range l {
		ships = append(ships, Ship{Class: r.Fleet[i].Name, From: ship.Stern.String(), To: ship.Bow().String()})
	}
	return ships
}

// EncodeMatch returns a match's record as indented JSON that ends with a line feed.
func EncodeMatch(m store.Match) ([]byte, error) {
	b, err := json.MarshalIndent(NewRecord(m), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the record of match %s: %w", m.ID, err)
	}
	return append(b, '\n'), nil
}
