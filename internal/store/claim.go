package store

import (
	"errors"
	"fmt"

	"broadside/match"
)

// This file moves the matches that people played without an account to the account that gets their key.

// maxClaimed limits how many matches an account gets with a key, because other changes have to wait.
const maxClaimed = 1000

// assignSeatOwners sets the players of seats whose keys belong to accounts by now.
func (t *tx) assignSeatOwners(m *Summary) error {
	for side := range m.Seats {
		seat := &m.Seats[side]
		if seat.Player != "" || seat.Key == "" {
			continue
		}
		var id, name string
		err := t.get(`SELECT players.id, players.name FROM keys JOIN players ON players.id = keys.player WHERE keys.fingerprint = $1`,
			[]any{cleanText(seat.Key)}, &id, &name)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		seat.Key = ""
		if id != m.Seats[1-side].Player {
			seat.Player, seat.Name = id, name
		}
	}
	return nil
}

func (t *tx) claimMatches(k Key) error {
	name, err := t.playerName(k.Player)
	if err != nil {
		return err
	}
	for range maxClaimed {
		err := t.claimNewestMatch(k, name)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("take over the key's matches: %w", err)
		}
	}
	return nil
}

// claimNewestMatch gives the newest match played with a key to its account, or returns [ErrNotFound].
func (t *tx) claimNewestMatch(k Key, name string) error {
	var side match.Side
	var m Match
	var events []byte
	err := t.get(`SELECT seats.side, `+summaryColumns+`, records.events FROM seats JOIN matches ON matches.id = seats.match`+joinSeats+`
		JOIN records ON records.match = matches.id WHERE seats.fingerprint = $1 ORDER BY seats.ended DESC LIMIT 1`,
		[]any{cleanText(k.Fingerprint)}, append(append([]any{&side}, m.scanTargets()...), &events)...)
	if err != nil {
		return err
	}
	if m.Seats[side.Other()].Player == k.Player {
		_, err := t.exec(`UPDATE seats SET fingerprint = '' WHERE match = $1 AND side = $2`, m.ID, int(side))
		return err
	}
	m.Seats[side].Player = k.Player
	if _, err := t.exec(`UPDATE seats SET player = $1, name = $2, fingerprint = '' WHERE match = $3 AND side = $4`,
		k.Player, name, m.ID, int(side)); err != nil {
		return err
	}
	if !m.isCounted() {
		return nil
	}
	_, m.Events, err = decodeRecord(events)
	if err != nil {
		return err
	}
	if err := t.addFigures(m, side); err != nil || m.Seats[side].Judged == 0 {
		return err
	}
	return t.addAccuracy(m.Summary, int(side), m.Seats[side].Accuracy)
}
