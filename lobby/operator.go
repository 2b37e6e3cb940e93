package lobby

import (
	"context"
	"errors"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/live"
)

// Announcement is what an operator says to all who are here.
type Announcement struct {
	Text string // clean; empty if nothing has been said
	At   time.Time
}

// MaxAnnouncement is the longest announcement, in characters: with what says
// whom it is from it fills a line of the smallest terminal.
const MaxAnnouncement = 70

// Announce shows a text to all who are here. It must be clean.
func (l *Lobby) Announce(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = Announcement{text, time.Now()}
	l.changedLocked()
}

// Expel makes a person lose the matches that they play, and their link codes
// worthless. It takes nothing else from them: who holds their connection is to
// cut it. It may wait for their matches.
func (l *Lobby) Expel(id string) {
	l.RevokeLinks(id)
	l.mu.Lock()
	seats := l.seatsOf(id)
	l.mu.Unlock()
	for _, s := range seats {
		s.Forfeit(match.Left)
	}
}

// RevokeLinks makes the link codes of an account worthless.
func (l *Lobby) RevokeLinks(account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dropLinks(account)
}

// seatsOf are the seats of a person in running matches. The lobby is locked.
func (l *Lobby) seatsOf(id string) (seats []*live.Seat) {
	for _, g := range l.running {
		for side, p := range g.players {
			if p.ID == id {
				seats = append(seats, g.match.Seat(match.Side(side)))
			}
		}
	}
	return seats
}

// RenameBy gives an account another name by an operator's will. It waits for
// the disk. The error is a sentence for the operator. A match that runs goes on
// under the old name.
func (l *Lobby) RenameBy(ctx context.Context, account, name, by string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := l.cfg.Store.Accounts.Rename(ctx, account, name, by); err != nil {
		if errors.Is(err, store.ErrNameTaken) {
			return ErrNameTaken
		}
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rename(account, name)
	return nil
}
