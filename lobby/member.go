package lobby

import (
	"slices"
	"time"

	"broadside/lobby/chat"
)

// Member is a player's session in the lobby, until [Member.Leave].
type Member struct {
	Chat *chat.Member

	lobby      *Lobby
	since      time.Time
	listed     bool            // the lobby shows the player
	snapshots  chan *Snapshot  // capacity 1; nil if not listed
	challenges chan *Challenge // capacity 1; nil if not listed

	// lobby.mu guards all below.
	player        Player
	keys          []string // fingerprints with which the player has signed in
	revision      int      // see [Member.AccountRevision]
	showsFeatured bool
	doNotDisturb  bool
}

// Enter adds a person's session to the lobby. A guest gets an ID, and a name that
// another player has gets a number.
func (l *Lobby) Enter(p Player) *Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.members.identifyLocked(p)
	m := &Member{
		Chat: l.Chat.Enter(p), lobby: l, player: p, since: time.Now(), listed: true,
		snapshots: make(chan *Snapshot, 1), challenges: make(chan *Challenge, 1),
	}
	l.members.addLocked(m)
	if l.Offers.challengeToLocked(p.ID) != nil {
		l.Offers.notifyLocked(p.ID)
	}
	replace(m.snapshots, l.greetingLocked(m))
	l.changedLocked()
	return m
}

// Unlisted returns a session of a person who is not shown in the lobby and receives
// neither snapshots nor challenges, for a command. The player stays as given.
func (l *Lobby) Unlisted(p Player) *Member {
	return &Member{Chat: l.Chat.Unlisted(p), lobby: l, player: p}
}

// Player returns the session's player as they are now.
func (m *Member) Player() Player {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	return m.player
}

// Snapshots yields the newest snapshot of the lobby, at once and whenever it has
// changed. It is never closed. Only one goroutine may receive at a time.
func (m *Member) Snapshots() <-chan *Snapshot { return m.snapshots }

// Challenges yields the challenge that the player may answer, or nil if there is none,
// whenever that has changed. It is never closed. Only one goroutine may receive at a
// time.
func (m *Member) Challenges() <-chan *Challenge { return m.challenges }

// SetDoNotDisturb says whether nobody may challenge the player, in all their sessions.
// It does not affect a challenge that the player has received.
func (m *Member) SetDoNotDisturb(on bool) {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.members.byID[m.player.ID] {
		if o.doNotDisturb != on {
			o.doNotDisturb = on
			l.changedLocked()
		}
	}
}

// SignIn makes the session one of another player, the owner of the account that a key
// opens from now on. Offers of the former player end.
func (m *Member) SignIn(p Player, fingerprint string) {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.player.ID != p.ID {
		l.Offers.endOfPlayerLocked(m.player.ID, nil, ErrHasLeft, ErrHasLeft)
		if m.listed {
			l.members.removeLocked(m)
			m.player = p
			l.members.addLocked(m)
		}
		m.player = p
		m.Chat.SetPlayer(p)
		if l.Offers.challengeToLocked(p.ID) != nil {
			l.Offers.notifyLocked(p.ID)
		}
	}
	m.addKeyLocked(fingerprint)
	l.accountChangedLocked(p)
}

// AddKey says that the player has proved to own a key. With it, the player can continue
// running matches while the database cannot be read.
func (m *Member) AddKey(fingerprint string) {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	m.addKeyLocked(fingerprint)
}

func (m *Member) addKeyLocked(fingerprint string) {
	m.keys = append(m.keys, fingerprint)
	m.lobby.Matches.addKeyLocked(m.player.ID, fingerprint)
}

// AccountRevision returns a number that grows when the player's account has changed in
// any session: its name, its keys, or whom it has muted. A snapshot follows each change.
func (m *Member) AccountRevision() int {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	return m.revision
}

// Leave ends the session, and the player's offers and challenges with the last session.
// It may be called more than once.
func (m *Member) Leave() {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.members.all[m]; !ok {
		return
	}
	l.members.removeLocked(m)
	m.Chat.Leave()
	m.showFeaturedLocked(false)
	l.changedLocked()
	if len(l.members.byID[m.player.ID]) == 0 {
		l.Offers.endOfPlayerLocked(m.player.ID, nil, ErrHasLeft, ErrHasLeft)
	}
}

// accountChanged tells the sessions of an account's owner that the account has changed.
// The player has its current name.
func (l *Lobby) accountChanged(p Player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accountChangedLocked(p)
}

func (l *Lobby) accountChangedLocked(p Player) {
	for _, m := range slices.Clone(l.members.byID[p.ID]) {
		m.revision++
		if m.player.Name != p.Name {
			l.members.removeLocked(m)
			m.player.Name = p.Name
			l.members.addLocked(m)
			m.Chat.SetPlayer(m.player)
		}
	}
	l.changedLocked()
}

// mutesChanged tells the sessions of a player that the player has muted or unmuted
// somebody.
func (l *Lobby) mutesChanged(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members.byID[id] {
		m.revision++
	}
	l.changedLocked()
}
