package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/match"
)

// Snapshot is the lobby at one moment. It is shared by all receivers and never changes.
type Snapshot struct {
	People       []Presence   `json:",omitzero"` // each once, in order of arrival
	Waiting      []Waiting    `json:",omitzero"` // for any opponent, in order of arrival
	Running      []Running    `json:",omitzero"` // matches, the newest first
	Closing      bool         `json:",omitzero"` // the server is shutting down
	Announcement Announcement `json:",omitzero"`

	// DailyRevision grows when the leaderboard of the daily puzzle has changed.
	DailyRevision int `json:",omitzero"`

	// Featured is the match to show to sessions that use [Member.ShowFeatured]. It is
	// one of Running or between two bots, and may have just ended. Without an ID there
	// is none.
	Featured Running `json:",omitzero"`
}

// Presence is a person in the lobby.
type Presence struct {
	Player       Player
	Since        time.Time
	Playing      bool `json:",omitzero"`
	DoNotDisturb bool `json:",omitzero"` // nobody may challenge the person
}

// Waiting is a player who waits for any opponent.
type Waiting struct {
	Offer  int // for [Offers.Accept]
	Player Player
	Rules  match.Rules // with its clock
	Stakes Stakes      // see [Offer.Stakes]
	Since  time.Time
}

// Running is a running match.
type Running struct {
	ID       string `json:",omitzero"`
	Rules    match.Rules
	Stakes   Stakes
	Players  [2]Player `json:",omitzero"`
	Started  time.Time `json:",omitzero"`
	Watching int       `json:",omitzero"` // number of spectators, see [Matches.Watch]
}

// Announcement is an operator's message to everybody in the lobby.
type Announcement struct {
	Text string // printable; empty if there is none
	At   time.Time
}

// MaxAnnouncement is the greatest number of characters in an announcement, so that it
// fits into one line of the smallest terminal.
const MaxAnnouncement = 70

// Announce shows a printable text to everybody in the lobby.
func (l *Lobby) Announce(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.announcement = Announcement{text, time.Now()}
	l.changedLocked()
}

// The shortest time between two snapshots. It grows with the number of members, since
// each snapshot redraws every screen.
const (
	minSnapshotPause = 200 * time.Millisecond
	pausePerMember   = time.Millisecond
	maxSnapshotPause = 2 * time.Second
)

func (l *Lobby) snapshotPauseLocked() time.Duration {
	return min(max(minSnapshotPause, time.Duration(len(l.members.all))*pausePerMember), maxSnapshotPause)
}

// replace puts a value into a channel of capacity 1, in place of one that has not been
// received yet. The caller must be the only sender.
func replace[T any](c chan T, v T) {
	select {
	case <-c:
	default:
	}
	c <- v
}

// changedLocked publishes a new snapshot soon.
func (l *Lobby) changedLocked() {
	if l.publishing || len(l.members.all)+len(l.followers) == 0 {
		return
	}
	l.publishing = true
	l.work.Add(1)
	time.AfterFunc(l.snapshotPauseLocked(), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.publishing = false
		l.snapshot = l.snapshotLocked()
		for m := range l.members.all {
			replace(m.snapshots, l.snapshot)
		}
		for f := range l.followers {
			replace(f, l.snapshot)
		}
	})
}

// Follow returns a channel that yields the newest snapshot, at once and whenever the
// lobby has changed, until stop is called. It is never closed.
func (l *Lobby) Follow() (snapshots <-chan *Snapshot, stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := make(chan *Snapshot, 1)
	l.followers[f] = struct{}{}
	l.snapshot = l.snapshotLocked()
	f <- l.snapshot
	return f, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.followers, f)
	}
}

// manyMembers is the number of members from which on a new member does not get a new
// snapshot.
const manyMembers = 100

// greetingLocked returns a snapshot for a new member. If there are many members, it is
// the last one with the new member added, so that thousands can enter within seconds.
func (l *Lobby) greetingLocked(m *Member) *Snapshot {
	if len(l.members.all) < manyMembers {
		l.snapshot = l.snapshotLocked()
		return l.snapshot
	}
	if slices.ContainsFunc(l.snapshot.People, func(p Presence) bool { return p.Player.ID == m.player.ID }) {
		return l.snapshot // another session of the player is in it
	}
	s := *l.snapshot
	// Only the newest snapshot's array is appended to, beyond what former ones show.
	s.People = append(s.People, Presence{Player: m.player, Since: m.since, Playing: l.Matches.playingLocked(m.player.ID), DoNotDisturb: m.doNotDisturb})
	l.snapshot = &s
	return l.snapshot
}

// snapshotLocked returns the lobby as it is now.
func (l *Lobby) snapshotLocked() *Snapshot {
	s := &Snapshot{
		Running: l.Matches.listLocked(), Waiting: l.Offers.waitingLocked(), Closing: l.closing, Announcement: l.announcement,
		DailyRevision: l.dailyRevision, Featured: l.featured.describeLocked(),
	}
	for id, sessions := range l.members.byID {
		first := slices.MinFunc(sessions, func(a, b *Member) int { return a.since.Compare(b.since) })
		s.People = append(s.People, Presence{first.player, first.since, l.Matches.playingLocked(id), first.doNotDisturb})
	}
	slices.SortFunc(s.People, func(a, b Presence) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Player.ID, b.Player.ID))
	})
	return s
}
