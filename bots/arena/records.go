package arena

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// recordVersion is the version of records files and settings. Increase it for changes that
// old readers would misread.
const recordVersion = 3

// Record is one game of a tournament, stored as a line of its records file.
type Record struct {
	Version int `json:"version"`
	// Pairing, Unit and Game are numbers from 0: the unit's within the pairing, and the game's within
	// the unit.
	Pairing int `json:"pairing"`
	Unit    int `json:"unit"`
	Game    int `json:"game"`
	// Players are by side. The second player fires first.
	Players []string `json:"players"`
	// Note is an error message, or empty.
	Note string `json:"note,omitempty"`
	// Shots counts the shots by side.
	Shots  []int32 `json:"shots"`
	Rounds int32   `json:"rounds"`
	// ThinkingTime is the time that each side took to choose its shots, in nanoseconds. It is
	// missing in games that were not timed.
	ThinkingTime []time.Duration `json:"ns,omitempty"`
	// Record has no Rules and Events in brief records.
	match.Record
}

// Replay rebuilds the match from its events and validates each of them. It returns an error
// for records without events.
func (r *Record) Replay() (*match.Game, error) { return audit.ReplayRecord(&r.Record) }

// formatRecord returns the record of game g of a unit as a line.
func formatRecord(cfg *Config, p *pairing, u *unit, g int, o *outcome) ([]byte, error) {
	r := Record{
		Version: recordVersion, Pairing: p.index, Unit: u.number, Game: g, Players: []string{p.players[g], p.players[1-g]},
		Note: u.games[g].note, Shots: o.shots[:], Rounds: o.rounds, Record: match.Record{Winner: o.winner.JSONIndex(), Reason: o.reason},
	}
	if !cfg.Brief {
		r.Record = match.NewRecord(cfg.Rules, o.events)
	}
	if o.thinkingTime != [2]time.Duration{} {
		r.ThinkingTime = o.thinkingTime[:]
	}
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write a record: %w", err)
	}
	return append(b, '\n'), nil
}

func (r *Record) gameResult() (result, error) {
	g := result{note: r.Note, roundCount: r.Rounds, reason: r.Reason, winner: -1}
	if r.Version != recordVersion || len(r.Players) != 2 || len(r.Shots) != 2 ||
		r.ThinkingTime != nil && len(r.ThinkingTime) != 2 || r.Game < 0 || r.Game > 1 {
		return g, errors.New("not a record of this version")
	}
	for side := range 2 {
		player := side ^ r.Game
		g.shots[player] = r.Shots[side]
		if r.ThinkingTime != nil {
			g.thinkingTime[player] = r.ThinkingTime[side]
		}
	}
	if r.Reason == 0 || r.Winner != nil && (*r.Winner < 0 || *r.Winner > 1) {
		return g, errors.New("the record has no result")
	}
	if r.Winner != nil {
		g.winner = int8(*r.Winner ^ r.Game)
	}
	return g, nil
}

// ReadRecords reads records up to the end or an incomplete last line. It calls yield with
// each record and its end's offset. An error from yield stops it.
func ReadRecords(r io.Reader, yield func(rec *Record, end int64) error) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	end := int64(0)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		end += int64(len(line))
		rec := &Record{}
		if err := json.Unmarshal(line, rec); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := yield(rec, end); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}
