package lobby

import (
	"slices"
	"time"

	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/match/live"
)

// Member is a player's session in the lobby. It ends with [Member.Leave].
type Member struct {
	Chat *chat.Member

	lobby *Lobby
	since time.Time
	// listed reports that the lobby shows the player.
	listed bool
	// The channels have capacity 1, and are nil if the session is not listed.
	snapshots  chan *Snapshot
	challenges chan *Challenge
	seats      chan *Seat

	// lobby.mu guards the fields below.
	player account.Player
	// keys holds fingerprints of the keys that the player signed in with.
	keys            []string
	accountRevision int
	turnRevision    int
	showsFeatured   bool
	doNotDisturb    bool
	wake            live.Signal
}

// Enter adds a person's session to the lobby. A guest gets an ID, and a number after the name if the
// name is taken.
func (l *Lobby) Enter(p account.Player) *Member {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.members.identifyLocked(l.restoreNameLocked(p))
	m := &Member{
		Chat: l.Chat.NewMember(p), lobby: l, player: p, since: time.Now(), listed: true,
		snapshots: make(chan *Snapshot, 1), challenges: make(chan *Challenge, 1), seats: make(chan *Seat, 1),
	}
	l.members.addLocked(m)
	if l.Offers.findChallengeLocked(p.ID) != nil {
		l.Offers.sendChallengeLocked(p.ID)
	}
	deliver(m, m.snapshots, l.firstSnapshotLocked(m))
	l.publishSoonLocked()
	return m
}

// restoreNameLocked gives a person with a key but without an account the name from their other
// session or their running match.
func (l *Lobby) restoreNameLocked(p account.Player) account.Player {
	if l.cfg.Store == nil || p.Account != "" || p.ID == "" {
		return p
	}
	others := l.members.byID[p.ID]
	if len(others) > 0 {
		p.Name = others[0].player.Name
	} else if g, side := l.Matches.findUnfinishedLocked(p); g != nil && !g.hotSeat {
		p.Name = g.names[side]
	}
	return p
}

// NewUnlistedMember returns a session for running a command. The lobby does not list it, and it
// receives neither snapshots nor challenges. The player keeps their ID and name.
func (l *Lobby) NewUnlistedMember(p account.Player) *Member {
	return &Member{Chat: l.Chat.NewUnlistedMember(p), lobby: l, player: p}
}

// Player returns the session's current player.
func (m *Member) Player() account.Player {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	return m.player
}

// SetWake sends wake immediately, and whenever Snapshots, Challenges, Seats or a chat has something
// to receive.
func (m *Member) SetWake(wake live.Signal) {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	m.wake = wake
	m.Chat.SetWake(wake)
	wake.Send()
}

// Snapshots yields the lobby's newest snapshot, immediately and after every change. The channel is
// never closed. Only one goroutine may receive at a time.
func (m *Member) Snapshots() <-chan *Snapshot { return m.snapshots }

// Challenges yields the challenge that the player can answer, or nil, after every change. The
// channel is never closed. Only one goroutine may receive at a time.
func (m *Member) Challenges() <-chan *Challenge { return m.challenges }

// Seats yields the player's seats in tournament matches, which start without another action of the
// player. The channel is never closed. Only one goroutine may receive at a time.
func (m *Member) Seats() <-chan *Seat { return m.seats }

// SetDoNotDisturb sets whether the player refuses challenges, in all their sessions. It
// does not affect a challenge that has already arrived.
func (m *Member) SetDoNotDisturb(on bool) {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.members.byID[m.player.ID] {
		if o.doNotDisturb != on {
			o.doNotDisturb = on
			l.publishSoonLocked()
		}
	}
}

// SignIn switches the session, and others with the same key, to p, whose account the key opens. The
// former player's offers end. Matches that were started with the key continue.
func (m *Member) SignIn(p account.Player, fingerprint string) {
	l := m.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	former := m.player
	if former.ID != p.ID {
		l.Offers.endPlayerOffersLocked(former.ID, nil, ErrHasLeft, ErrHasLeft)
		m.setPlayerLocked(p)
		if former.ID == account.KeyPlayer(fingerprint).ID {
			for _, other := range slices.Clone(l.members.byID[former.ID]) {
				other.setPlayerLocked(p)
			}
		}
		if l.Offers.findChallengeLocked(p.ID) != nil {
			l.Offers.sendChallengeLocked(p.ID)
		}
	}
	m.addKeyLocked(fingerprint)
	l.applyAccountChangeLocked(p)
}

func (m *Member) setPlayerLocked(p account.Player) {
	if m.listed {
		m.lobby.members.removeLocked(m)
		defer m.lobby.members.addLocked(m)
	}
	m.player = p
	m.Chat.SetPlayer(p)
}

// SetPlayer replaces the player of an unlisted session, and gives the player an ID and a unique name.
func (m *Member) SetPlayer(p account.Player) {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	m.setPlayerLocked(m.lobby.members.identifyLocked(p))
}

// AddKey records that the player has proved to own a key. With it, the player can continue running
// matches while the database is unavailable, and matches that were started with the key before it
// opened an account.
func (m *Member) AddKey(fingerprint string) {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	m.addKeyLocked(fingerprint)
}

func (m *Member) addKeyLocked(fingerprint string) {
	m.keys = append(m.keys, fingerprint)
	if m.player.Account != "" && fingerprint != "" {
		m.lobby.Matches.adoptMatchesLocked(fingerprint, m.player)
	}
	m.lobby.Matches.addKeyLocked(m.player.ID, fingerprint)
}

// AccountRevision returns a number that grows when any session changes the player's
// account: its name, keys or muted players. Each change is followed by a snapshot.
func (m *Member) AccountRevision() int {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	return m.accountRevision
}

// TurnRevision returns a number that grows when the player's correspondence matches or the offers to the
// player change. Each change is followed by a snapshot.
func (m *Member) TurnRevision() int {
	m.lobby.mu.Lock()
	defer m.lobby.mu.Unlock()
	return m.turnRevision
}

// Leave ends the session. When a player's last session ends, their offers and challenges
// end as well. Leave may be called more than once.
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
	l.publishSoonLocked()
	if len(l.members.byID[m.player.ID]) == 0 {
		l.Offers.endPlayerOffersLocked(m.player.ID, nil, ErrHasLeft, ErrHasLeft)
	}
}

// applyAccountChange gives the sessions of an account's owner the account's current name, and
// notifies them.
func (l *Lobby) applyAccountChange(p account.Player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.applyAccountChangeLocked(p)
}

func (l *Lobby) applyAccountChangeLocked(p account.Player) {
	for _, m := range slices.Clone(l.members.byID[p.ID]) {
		m.accountRevision++
		if m.player.Name != p.Name {
			renamed := m.player
			renamed.Name = p.Name
			m.setPlayerLocked(renamed)
		}
	}
	l.publishSoonLocked()
}

// FindOnline returns those of the players with the given IDs who are in the lobby, by ID.
func (l *Lobby) FindOnline(ids []string) map[string]Presence {
	l.mu.Lock()
	defer l.mu.Unlock()
	online := map[string]Presence{}
	for _, id := range ids {
		sessions := l.members.byID[id]
		if len(sessions) > 0 {
			m := sessions[0]
			online[id] = Presence{m.player, m.since, l.Matches.isPlayingLocked(id), m.doNotDisturb}
		}
	}
	return online
}

// NotifyListChange notifies a player's sessions that the list of muted or of followed players has
// changed.
func (l *Lobby) NotifyListChange(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.members.byID[id] {
		m.accountRevision++
	}
	l.publishSoonLocked()
}
