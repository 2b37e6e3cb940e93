package lobby

import (
	"cmp"
	"slices"
	"time"

	"broadside/match"
)

// Visit is a person's presence in the lobby.
type Visit struct {
	lobby  *Lobby
	player Player // guarded by lobby.mu
	since  time.Time
	news   chan *Snapshot  // capacity 1: the newest one
	looks  bool            // guarded by lobby.mu: at the featured match
	calls  chan *Challenge // capacity 1: how it stands
	quiet  bool            // guarded by lobby.mu: wants no challenges

	// What follows is guarded by lobby.mu.
	revision int                // see [Visit.AccountRevision]
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
	Here    []Presence   `json:",omitzero"` // people, each once, in order of arrival
	Waiting []Waiting    `json:",omitzero"` // for any opponent, in order of arrival
	Running []Running    `json:",omitzero"` // matches, the newest first
	Closing bool         `json:",omitzero"` // the server is shutting down
	Said    Announcement `json:",omitzero"`

	// Dailies is how many seas of a day have been sunk since the server began:
	// when it grows, the table is another one.
	Dailies int `json:",omitzero"`

	// Featured is the match to show to those who look, see [Visit.Look]. It is
	// one of Running, or between two bots, or has ended a moment ago. Without
	// an ID there is none.
	Featured Running `json:",omitzero"`
}

// Presence is a person who is here.
type Presence struct {
	Player  Player
	Since   time.Time
	Playing bool `json:",omitzero"`
	Quiet   bool `json:",omitzero"` // wants no challenges
}

// Waiting is a player who waits for any opponent.
type Waiting struct {
	Offer  int // for [Lobby.Take]
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

// Enter lets a person into the lobby until [Visit.Leave]. A guest gets an ID;
// a name that somebody else has gets a number.
func (l *Lobby) Enter(p Player) *Visit {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := &Visit{lobby: l, player: l.identify(p), since: time.Now(), news: make(chan *Snapshot, 1), calls: make(chan *Challenge, 1)}
	l.visits[v] = struct{}{}
	if l.challenged(v.player.ID) != nil {
		l.call(v.player.ID)
	}
	l.learnMutes(v)
	v.tell(l.greet(v)) // the newcomer sees itself at once, the others soon
	l.changed()
	return v
}

// Unlisted returns the visit of a player who is not shown in the lobby and gets
// no news of it: a program, or a person who runs a command. The player stays as
// given, and is not told of mutes.
func (l *Lobby) Unlisted(p Player) *Visit { return &Visit{lobby: l, player: p} }

// Player is the person as the lobby knows them.
func (v *Visit) Player() Player {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.player
}

// News yields the lobby's newest snapshot whenever it has changed, the first
// one at once. It is never closed. One goroutine receives at a time.
func (v *Visit) News() <-chan *Snapshot { return v.news }

// Challenges yields how it stands whenever it has changed: the challenge that
// the person may answer, or nil if there is none any more. It is never closed.
// One goroutine receives at a time.
func (v *Visit) Challenges() <-chan *Challenge { return v.calls }

// SetQuiet says whether the person wants to be left alone, in all their
// sessions: nobody can challenge them then. A challenge that is there already
// stays.
func (v *Visit) SetQuiet(quiet bool) {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	v.lobby.setQuiet(v.player.ID, quiet)
}

// setQuiet is SetQuiet. The lobby is locked.
func (l *Lobby) setQuiet(id string, quiet bool) {
	for v := range l.visits {
		if v.player.ID == id && v.quiet != quiet {
			v.quiet = quiet
			l.changed()
		}
	}
}

// Leave ends the visit, and the person's offers and challenges with the last
// one. Leaving twice is leaving once.
func (v *Visit) Leave() {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.visits[v]; !ok {
		return
	}
	delete(l.visits, v)
	v.look(false)
	l.changed()
	for other := range l.visits {
		if other.player.ID == v.player.ID {
			return
		}
	}
	l.part(v.player.ID, nil, ErrHasLeft, ErrHasLeft)
}

// tell replaces the snapshot that the visitor has not received yet.
func (v *Visit) tell(s *Snapshot) { replace(v.news, s) }

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
	return min(max(tellEvery, time.Duration(len(l.visits))*tellPerVisitor), tellAtLeast)
}

// changed makes a new snapshot due. The lobby is locked.
func (l *Lobby) changed() {
	if l.telling || len(l.visits)+len(l.followers) == 0 {
		return
	}
	l.telling = true
	l.work.Add(1)
	time.AfterFunc(l.pace(), func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.telling = false
		l.snapshot = l.take()
		for v := range l.visits {
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
	l.snapshot = l.take()
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
func (l *Lobby) greet(v *Visit) *Snapshot {
	if len(l.visits) < crowd {
		l.snapshot = l.take()
		return l.snapshot
	}
	if slices.ContainsFunc(l.snapshot.Here, func(p Presence) bool { return p.Player.ID == v.player.ID }) {
		return l.snapshot // their other session is there
	}
	s := *l.snapshot
	// Only the last snapshot is added to, and behind what those before it show.
	s.Here = append(s.Here, Presence{Player: v.player, Since: v.since, Playing: l.playing(v.player.ID), Quiet: v.quiet})
	l.snapshot = &s
	return l.snapshot
}

// take makes a snapshot. The lobby is locked.
func (l *Lobby) take() *Snapshot {
	s := &Snapshot{Closing: l.closing, Said: l.said, Dailies: l.dailies, Featured: l.featured()}
	playing := map[string]bool{}
	s.Running = l.matches()
	for _, g := range l.running {
		playing[g.players[0].ID], playing[g.players[1].ID] = true, true
	}
	places := map[string]int{} // in s.Here, by ID: who has several sessions is here once
	for v := range l.visits {
		id := v.player.ID
		here := Presence{Player: v.player, Since: v.since, Playing: playing[id], Quiet: v.quiet}
		at, known := places[id]
		switch {
		case !known:
			places[id] = len(s.Here)
			s.Here = append(s.Here, here)
		case here.Since.Before(s.Here[at].Since):
			s.Here[at] = here
		}
	}
	for _, t := range l.offers {
		if t.open() {
			s.Waiting = append(s.Waiting, Waiting{Offer: t.number, Player: t.player, Rules: t.rules, Stakes: t.Stakes(), Since: t.since})
		}
	}
	slices.SortFunc(s.Here, func(a, b Presence) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Player.ID, b.Player.ID))
	})
	return s
}

// featured is the match to show to those who look. The lobby is locked.
func (l *Lobby) featured() Running {
	if l.stage.shown == nil {
		return Running{}
	}
	return l.stage.shown.describe()
}

// matches are the running matches that others may see. The lobby is locked.
func (l *Lobby) matches() []Running {
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
