package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
)

// Snapshot is the lobby's state at one moment. All receivers share it, and it never changes.
type Snapshot struct {
	// People lists each person once, in order of arrival.
	People []Presence
	// Waiting is in order of arrival.
	Waiting []WaitingPlayer
	// Running lists the newest match first.
	Running []RunningMatch
	// Closing reports that the server is shutting down.
	Closing      bool
	Announcement Announcement

	// DailyRevision grows when the Daily sea's leaderboard changes.
	DailyRevision int
	// TournamentRevision grows when a tournament changes.
	TournamentRevision int
	// Scheduled lists the scheduled tournaments that are not over, the first to start first.
	Scheduled []*tournament.Tournament

	// Featured is the match for sessions that use [Member.ShowFeatured]. It is one of
	// Running or a match between two bots, and may have just ended. Its ID is empty if
	// there is none.
	Featured RunningMatch
}

// Presence is a person in the lobby.
type Presence struct {
	Player  account.Player
	Since   time.Time
	Playing bool
	// DoNotDisturb reports that the player refuses challenges.
	DoNotDisturb bool
}

// WaitingPlayer is a player waiting for any opponent.
type WaitingPlayer struct {
	// Offer is the number for [Offers.Accept].
	Offer  int
	Player account.Player
	// Rules include the turn clock.
	Rules      match.Rules
	RatingMode RatingMode
}

// RunningMatch is a running match.
type RunningMatch struct {
	ID         string
	Rules      match.Rules
	RatingMode RatingMode
	Players    [2]account.Player
	Started    time.Time
	// Watching is the number of counted spectators, see [Matches.Watch].
	Watching int
	// Private reports that public lists leave the match out.
	Private bool
}

// Announcement is an operator's message to all players in the lobby.
type Announcement struct {
	// Text is printable. It is empty if there is no announcement.
	Text string
	At   time.Time
}

// MaxAnnouncement is the maximum length of an announcement in characters. It fits on one line of the
// smallest terminal.
const MaxAnnouncement = 70

// Announce shows a printable text to all players in the lobby.
func (l *Lobby) Announce(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.announcement = Announcement{text, time.Now()}
	l.publishSoonLocked()
}

// Limits of the time between two snapshots, which grows with the number of members, because each
// snapshot redraws every screen.
const (
	minSnapshotPause = 200 * time.Millisecond
	pausePerMember   = time.Millisecond
	maxSnapshotPause = 2 * time.Second
)

func (l *Lobby) snapshotPauseLocked() time.Duration {
	return min(max(minSnapshotPause, time.Duration(len(l.members.all))*pausePerMember), maxSnapshotPause)
}

// sendNewest sends v on a channel of capacity 1, and drops a value that has not been received yet. The
// caller must be the only sender.
func sendNewest[T any](c chan T, v T) {
	select {
	case <-c:
	default:
	}
	c <- v
}

// deliver sends v on c, one of the member's channels, as sendNewest does, and wakes the member. The caller must
// hold the lock.
func deliver[T any](m *Member, c chan T, v T) {
	sendNewest(c, v)
	m.wake.Send()
}

func (l *Lobby) publishSoonLocked() {
	if l.publishing || len(l.members.all)+len(l.subscribers) == 0 {
		return
	}
	l.publishing = true
	l.work.Add(1)
	time.AfterFunc(l.snapshotPauseLocked(), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.publishing = false
		l.snapshot = l.newSnapshotLocked()
		for m := range l.members.all {
			deliver(m, m.snapshots, l.snapshot)
		}
		for f := range l.subscribers {
			sendNewest(f, l.snapshot)
		}
	})
}

// SubscribeSnapshots returns a channel that yields the newest snapshot, immediately and after every
// change, until stop is called. The channel is never closed.
func (l *Lobby) SubscribeSnapshots() (snapshots <-chan *Snapshot, stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := make(chan *Snapshot, 1)
	l.subscribers[f] = struct{}{}
	l.snapshot = l.newSnapshotLocked()
	f <- l.snapshot
	return f, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.subscribers, f)
	}
}

// manyMembers is the number of members above which a new member gets an extended copy of
// the last snapshot instead of a new one.
const manyMembers = 100

// Snapshot returns the lobby's current state.
func (l *Lobby) Snapshot() *Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newSnapshotLocked()
}

// firstSnapshotLocked returns a snapshot for a new member. If there are many members, it is
// the last snapshot with the new member added, so that thousands can enter within
// seconds.
func (l *Lobby) firstSnapshotLocked(m *Member) *Snapshot {
	if len(l.members.all) < manyMembers {
		l.snapshot = l.newSnapshotLocked()
		return l.snapshot
	}
	if l.snapshotHas[m.player.ID] {
		// The snapshot already lists the player, who has another session.
		return l.snapshot
	}
	l.snapshotHas[m.player.ID] = true
	s := *l.snapshot
	// Only the newest snapshot's array is extended, beyond the part that earlier
	// snapshots use.
	s.People = append(s.People, Presence{Player: m.player, Since: m.since, Playing: l.Matches.isPlayingLocked(m.player.ID), DoNotDisturb: m.doNotDisturb})
	l.snapshot = &s
	return l.snapshot
}

func (l *Lobby) newSnapshotLocked() *Snapshot {
	s := &Snapshot{
		People:  make([]Presence, 0, len(l.members.byID)),
		Running: l.Matches.listLocked(), Waiting: l.Offers.listWaitingLocked(), Closing: l.closing, Announcement: l.announcement,
		DailyRevision: l.dailyRevision, TournamentRevision: l.tournamentRevision, Scheduled: l.scheduled, Featured: l.featured.describeLocked(),
	}
	clear(l.snapshotHas)
	for id, sessions := range l.members.byID {
		l.snapshotHas[id] = true
		first := slices.MinFunc(sessions, func(a, b *Member) int { return a.since.Compare(b.since) })
		s.People = append(s.People, Presence{first.player, first.since, l.Matches.isPlayingLocked(id), first.doNotDisturb})
	}
	slices.SortFunc(s.People, func(a, b Presence) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Player.ID, b.Player.ID))
	})
	return s
}
