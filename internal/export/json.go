package export

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// Version is the version of the format. Increase it for a change that old readers would
// misread.
const Version = 1

// Record is the JSON form of a match.
type Record struct {
	Version int       `json:"version"`
	ID      string    `json:"id"`
	Rules   Rules     `json:"rules"`
	Started time.Time `json:"started"` // UTC
	Took    int64     `json:"took_ms"`
	Rated   bool      `json:"rated"`
	Casual  string    `json:"casual,omitempty"` // why it is not rated
	Players [2]Player `json:"players"`          // the second shoots first
	Winner  *int      `json:"winner"`           // index of Players; null if nobody won
	Reason  string    `json:"reason"`           // why it ended: see docs/records.md
	Events  []Event   `json:"events"`
}

// Rules are the rules of a match.
type Rules struct {
	Name    string        `json:"name"`
	Size    int           `json:"size"`            // cells along a side
	Fleet   []match.Class `json:"fleet"`           // longest first
	Contact match.Contact `json:"contact"`         // how close ships may be
	Moving  bool          `json:"moving"`          // whether ships may move
	Salvo   bool          `json:"salvo,omitempty"` // whether a turn has one shot for each ship afloat
	Clock   float64       `json:"clock_s"`         // seconds for a shot, 0 for no limit
}

// Player is one side of a match.
type Player struct {
	Name  string `json:"name"` // at the time of the match
	Kind  string `json:"kind"` // person, program or bot
	Guest bool   `json:"guest,omitempty"`
	Shots int    `json:"shots"`
	Hits  int    `json:"hits"`
	// Accuracy is from 0 to 1; see docs/records.md; nil if the match was not analysed.
	Accuracy *float64 `json:"accuracy,omitempty"`
	Rating   *Rating  `json:"rating,omitempty"` // of rated matches
	Layout   []Ship   `json:"layout"`           // null if the server did not hold it
}

// Rating is a player's rating before and after a match.
type Rating struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Provisional reports whether After is provisional.
	Provisional bool `json:"provisional,omitempty"`
}

// Ship is the position of a ship.
type Ship struct {
	Class string `json:"class"`
	From  string `json:"from"` // its stern
	To    string `json:"to"`   // its bow
}

// Event is something that happened.
type Event struct {
	At     int64  `json:"ms"` // since Started
	Event  string `json:"event"`
	Player *int   `json:"player,omitempty"` // index of Players
	Cell   string `json:"cell,omitempty"`
	Result string `json:"result,omitempty"`
	Auto   bool   `json:"auto,omitempty"`   // the clock did it
	Ship   *int   `json:"ship,omitempty"`   // that moved, index of the player's layout
	Move   string `json:"move,omitempty"`   // the manoeuvre, or stay
	Reason string `json:"reason,omitempty"` // of the end
}

// Of returns the record of a match.
func Of(m store.Match) Record {
	r := Record{
		Version: Version, ID: m.ID, Started: m.Started.UTC(), Took: m.Took.Milliseconds(), Rated: m.Rated, Casual: m.Casual,
		Rules:  rulesOf(m.Rules),
		Winner: Index(m.Winner), Reason: m.Reason.String(), Events: make([]Event, 0, len(m.Events)),
	}
	for side, seat := range m.Seats {
		p := &r.Players[side]
		*p = Player{Name: seat.Name, Kind: string(seat.Kind), Guest: isGuest(seat), Shots: seat.Shots, Hits: seat.Hits, Accuracy: accuracy(seat.Judged, seat.Share)}
		if m.Rated {
			p.Rating = &Rating{Before: math.Round(seat.Before), After: math.Round(seat.After), Provisional: seat.Provisional}
		}
	}
	for _, e := range m.Events {
		if e.Kind == match.FleetPlaced {
			r.Players[e.Side].Layout = shipsOf(m.Rules, e.Layout())
		}
		r.Events = append(r.Events, EventOf(e))
	}
	return r
}

// rulesOf returns the JSON form of rules.
func rulesOf(r match.Rules) Rules {
	return Rules{
		Name: r.Name, Size: r.Size, Fleet: r.Fleet, Contact: r.Contact,
		Moving: r.Moving, Salvo: r.Salvo, Clock: r.Clock.Seconds(),
	}
}

// EventOf returns the JSON form of an event, without layouts.
func EventOf(e match.Event) Event {
	x := Event{At: e.At.Milliseconds(), Event: kinds[e.Kind], Player: Index(e.Side), Auto: e.Auto}
	switch e.Kind {
	case match.ShotFired:
		x.Cell = e.Cell.String()
	case match.ShotAnswered:
		x.Cell, x.Result = e.Cell.String(), results[e.Result]
	case match.FleetMoved:
		x.Move = "stay"
		if e.Move != match.Stay {
			ship := e.Move.Ship()
			x.Ship, x.Move = &ship, e.Move.Manoeuvre().String()
		}
	case match.GameEnded, match.GameAborted:
		x.Reason = e.Reason.String()
	}
	return x
}

// accuracy returns an accuracy to three decimals, or nil if there is nothing to average.
func accuracy(of int, share float64) *float64 {
	if of == 0 {
		return nil
	}
	share = math.Round(1000*share) / 1000
	return &share
}

// kinds and results are the names of events and results in records.
var (
	kinds = map[match.Kind]string{
		match.FleetPlaced: "placed", match.FleetKept: "kept", match.BattleBegun: "begun", match.ShotFired: "fired",
		match.ShotAnswered: "answered", match.AnswersDisputed: "disputed", match.GameEnded: "ended",
		match.FleetMoved: "moved", match.GameAborted: "aborted",
	}
	results = map[match.Result]string{match.Water: "water", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last"}
)

// ResultName returns the name of a result in JSON.
func ResultName(r match.Result) string { return results[r] }

// shipsOf returns the JSON form of a layout.
func shipsOf(r match.Rules, l match.Layout) (ships []Ship) {
	for i, ship := range l {
		ships = append(ships, Ship{Class: r.Fleet[i].Name, From: ship.Stern.String(), To: ship.Bow().String()})
	}
	return ships
}

// Index returns a pointer to the index of a side's player; nil for Nobody.
func Index(side match.Side) *int {
	if side == match.Nobody {
		return nil
	}
	i := int(side)
	return &i
}

// JSON returns the record of a match as JSON, on lines that end with a newline.
func JSON(m store.Match) ([]byte, error) {
	b, err := json.MarshalIndent(Of(m), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the record of match %s: %w", m.ID, err)
	}
	return append(b, '\n'), nil
}
