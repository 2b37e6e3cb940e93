package lobby

import "time"

// Meter hears of what happens in a lobby. Its functions may be nil, are called
// from any goroutine, and must not wait.
type Meter struct {
	Paired func(waited time.Duration) // somebody who waited for anybody has an opponent
	Shot   func(took time.Duration)   // a shot has been told to all, since it was fired
	Ended  func(took time.Duration)   // a match has ended
}

// Census is how much there is in a lobby at one moment.
type Stats struct {
	People   int // screens and others that visit
	Guests   int // of them, those without an account
	Waiting  int // for any opponent
	Matches  int // that run
	Watching int // spectators of matches

	JournalLag time.Duration // age of the oldest event of a running match that the database does not have
	Unstored   int           // matches that have ended and are not stored yet
}

// Census counts.
func (l *Lobby) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := Stats{People: len(l.members), Matches: len(l.running)}
	for v := range l.members {
		if v.player.Guest {
			c.Guests++
		}
	}
	for _, t := range l.offers {
		if t.open() {
			c.Waiting++
		}
	}
	c.JournalLag, c.Unstored = l.journalLag(), len(l.backlog.waiting)
	for _, g := range l.running {
		c.Watching += g.watching
	}
	return c
}
