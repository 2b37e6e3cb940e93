package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/match"
)

// Visit is a person's presence in the lobby.
type Member struct {
	lobby         *Lobby
	player        Player // guarded by lobby.mu
	since         time.Time
	snapshots     chan *Snapshot  // capacity 1: the newest one
	showsFeatured bool            // guarded by lobby.mu: at the featured match
	calls         chan *Challenge // capacity 1: how it stands
	quiet         bool            // guarded by lobby.mu: wants no challenges

	// What follows is guarded by lobby.mu.
	revision int                // see [Member.AccountRevision]
	muted    map[string]Hearing // by ID
	deaf     bool               // until it is known who is muted for good
	places   []*TalkPlace       // where they hear and talk
	hushed   *time.Time         // until when an operator keeps them from talking, zero for the visit; nil: may talk

	unsaved   Settings // the last that were kept
	unsavedOf string   // the account that they are of
	savers    []chan<- error
}

// Snapshot is the lobby at one moment. It is shared by all who receive it and
// never changed.
type Snapshot struct {
	People       []Presence   `json:",omitzero"` // people, each once, in order of arrival
	Waiting      []Waiting    `json:",omitzero"` // for any opponent, in order of arrival
	Running      []Running    `json:",omitzero"` // matches, the newest first
	Closing      bool         `json:",omitzero"` // the server is shutting down
	Announcement Announcement `json:",omitzero"`

	// Dailies is how many seas of a day have been sunk since the server began:
	// when it grows, the table is another one.
	DailyRevision int `json:",omitzero"`

	// Featured is the match to show to those who look, see [Member.ShowFeatured]. It is
	// one of Running, or between two bots, or has ended a moment ago. Without
	// an ID there is none.
	Featured Running `json:",omitzero"`
}

// Presence is a person who is here.
type Presence struct {
	Player       Player
	Since        time.Time
	Playing      bool `json:",omitzero"`
	DoNotDisturb bool `json:",omitzero"` // wants no challenges
}

// Waiting is a player who waits for any opponent.
type Waiting struct {
	Offer  int // for [Lobby.Accept]
	Player Player
	Rules  match.Rules // with its clock
	Stakes Stakes      // as far as they are known before somebody takes the offer
	Since  time.Time
}

// Running is a match that is being played.
type Running struct {
	ID      string `json:",omitzero"`
	Rules   match.Rules
	Stakes  Stakes
	Players [2]Player `json:",omitzero"`
	Started time.Time `json:",omitzero"`
	// Watching is the number of spectators, see [Lobby.Watch].
	Watching int `json:",omitzero"`
}

// Enter lets a person into the lobby until [Member.Leave]. A guest gets an ID;
// a name that somebody else has gets a number.
func (l *Lobby) Enter(p Player) *Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := &Member{lobby: l, player: l.identifyLocked(p), since: time.Now(), snapshots: make(chan *Snapshot, 1), calls: make(chan *Challenge, 1)}
	l.members[v] = struct{}{}
	if l.challengeToLocked(v.player.ID) != nil {
		l.notifyLocked(v.player.ID)
	}
	l.learnMutes(v)
	v.tell(l.greetLocked(v)) // the newcomer sees itself at once, the others soon
	l.changedLocked()
	return v
}

// Unlisted returns the visit of a player who is not shown in the lobby and gets
// no news of it: a program, or a person who runs a command. The player stays as
// given, and is not told of mutes.
func (l *Lobby) Unlisted(p Player) *Member { return &Member{lobby: l, player: p} }

// Player is the person as the lobby knows them.
func (v *Member) Player() Player {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.player
}

// News yields the lobby's newest snapshot whenever it has changed, the first
// one at once. It is never closed. One goroutine receives at a time.
func (v *Member) Snapshots() <-chan *Snapshot { return v.snapshots }

// Challenges yields how it stands whenever it has changed: the challenge that
// the person may answer, or nil if there is none any more. It is never closed.
// One goroutine receives at a time.
func (v *Member) Challenges() <-chan *Challenge { return v.calls }

// SetQuiet says whether the person wants to be left alone, in all their
// sessions: nobody can challenge them then. A challenge that is there already
// stays.
func (v *Member) SetQuiet(quiet bool) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	v.lobby.setQuiet(v.player.ID, quiet)
}

// setQuiet is SetQuiet. The lobby is locked.
func (l *Lobby) setQuiet(id string, quiet bool) {
	for v := range l.members {
		if v.player.ID == id && v.quiet != quiet {
			v.quiet = quiet
			l.changedLocked()
		}
	}
}

// Leave ends the visit, and the person's offers and challenges with the last
// one. Leaving twice is leaving once.
func (v *Member) Leave() {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.members[v]; !ok {
		return
	}
	delete(l.members, v)
	v.showFeaturedLocked(false)
	l.changedLocked()
	for other := range l.members {
		if other.player.ID == v.player.ID {
			return
		}
	}
	l.endOffersLocked(v.player.ID, nil, ErrHasLeft, ErrHasLeft)
}

// tell replaces the snapshot that the visitor has not received yet.
func (v *Member) tell(s *Snapshot) { replace(v.snapshots, s) }

// replace puts something in a channel of capacity 1, in place of what has not
// been received yet. The lobby is locked and the only one to send.
func replace[T any](c chan T, v T) {
	select {
	case <-c:
	default:
	}
	c <- v
}

// tellEvery is the shortest time between two snapshots. A busy lobby changes
// many times a second, and every change would redraw every screen.
const tellEvery = 200 * time.Millisecond

// In a crowded lobby it takes longer until all have had their [Lobby.TurnIn].
const (
	tellPerVisitor = time.Millisecond
	tellAtLeast    = 2 * time.Second
)

// pace is the shortest time between two snapshots, from 200 ms to 2 s: the
// longer, the more are there. The lobby is locked.
func (l *Lobby) pace() time.Duration {
	return min(max(tellEvery, time.Duration(len(l.members))*tellPerVisitor), tellAtLeast)
}

// changed makes a new snapshot due. The lobby is locked.
func (l *Lobby) changedLocked() {
	if l.telling || len(l.members)+len(l.followers) == 0 {
		return
	}
	l.telling = true
	l.work.Add(1)
	time.AfterFunc(l.pace(), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.telling = false
		l.snapshot = l.snapshotLocked()
		for v := range l.members {
			v.tell(l.snapshot)
		}
		for f := range l.followers {
			replace(f, l.snapshot)
		}
	})
}

// Follow returns a channel that yields the lobby's newest snapshot whenever it has
// changed, the first one at once, until stop is called. It is never closed.
func (l *Lobby) Follow() (news <-chan *Snapshot, stop func()) {
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

// crowd is from how many visitors on newcomers are shown what was so a moment ago.
const crowd = 100

// greet is a snapshot for a visitor who has just come: in a crowd the last one,
// with the visitor in it. Its lists are shared with the last one, for when
// thousands come within seconds each of them is shown one. The lobby is locked.
func (l *Lobby) greetLocked(v *Member) *Snapshot {
	if len(l.members) < crowd {
		l.snapshot = l.snapshotLocked()
		return l.snapshot
	}
	if slices.ContainsFunc(l.snapshot.People, func(p Presence) bool { return p.Player.ID == v.player.ID }) {
		return l.snapshot // their other session is there
	}
	s := *l.snapshot
	// Only the last snapshot is added to, and behind what those before it show.
	s.People = append(s.People, Presence{Player: v.player, Since: v.since, Playing: l.playingLocked(v.player.ID), DoNotDisturb: v.quiet})
	l.snapshot = &s
	return l.snapshot
}

// take makes a snapshot. The lobby is locked.
func (l *Lobby) snapshotLocked() *Snapshot {
	s := &Snapshot{Closing: l.closing, Announcement: l.said, DailyRevision: l.dailies, Featured: l.describeFeaturedLocked()}
	playing := map[string]bool{}
	s.Running = l.matchesLocked()
	for _, g := range l.running {
		playing[g.players[0].ID], playing[g.players[1].ID] = true, true
	}
	places := map[string]int{} // in s.Here, by ID: who has several sessions is here once
	for v := range l.members {
		id := v.player.ID
		here := Presence{Player: v.player, Since: v.since, Playing: playing[id], DoNotDisturb: v.quiet}
		at, known := places[id]
		switch {
		case !known:
			places[id] = len(s.People)
			s.People = append(s.People, here)
		case here.Since.Before(s.People[at].Since):
			s.People[at] = here
		}
	}
	for _, t := range l.offers {
		if t.open() {
			s.Waiting = append(s.Waiting, Waiting{Offer: t.number, Player: t.player, Rules: t.rules, Stakes: t.Stakes(), Since: t.since})
		}
	}
	slices.SortFunc(s.People, func(a, b Presence) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Player.ID, b.Player.ID))
	})
	return s
}

// featured is the match to show to those who look. The lobby is locked.
func (l *Lobby) describeFeaturedLocked() Running {
	if l.featured.shown == nil {
		return Running{}
	}
	return l.featured.shown.describe()
}

// matches are the running matches that others may see. The lobby is locked.
func (l *Lobby) matchesLocked() []Running {
	var all []Running
	for _, g := range l.running {
		if !g.hotSeat {
			all = append(all, g.describe())
		}
	}
	slices.SortFunc(all, func(a, b Running) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.ID, b.ID))
	})
	return all
}
