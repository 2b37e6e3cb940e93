package chat

import (
	"context"
	"errors"
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match/live"
)

// MuteState says whether a member has muted another player.
type MuteState uint8

// The mute states.
const (
	NotMuted MuteState = iota
	// MutedForSession ends with the session.
	MutedForSession
	// MutedPermanently includes later sessions.
	MutedPermanently
)

// errPermanent is returned if a player cannot be muted permanently.
var errPermanent = i18n.Errorf("cannot mute permanently: both players need accounts")

// Member is a session that takes part in the chat.
type Member struct {
	chat *Chat
	// listed reports that the member is in chat.members.
	listed bool

	// The chat's lock guards the fields below.
	player account.Player
	// muted holds the mute states by player ID.
	muted map[string]MuteState
	// loading reports that the permanent mutes are still being read.
	loading      bool
	participants []*Participant
	// wake is set by SetWake.
	wake live.Signal
}

// NewMember adds a player's session. It ends with [Member.Leave].
func (c *Chat) NewMember(p account.Player) *Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := &Member{chat: c, listed: true, player: p}
	c.members[p.ID] = append(c.members[p.ID], m)
	m.loadMutesLocked()
	return m
}

// NewUnlistedMember returns a session that can read and change mutes but does not join rooms.
func (c *Chat) NewUnlistedMember(p account.Player) *Member { return &Member{chat: c, player: p} }

// SetWake sends wake whenever a room that the session is in has new lines. Call it before the first
// Join.
func (m *Member) SetWake(wake live.Signal) {
	m.chat.mu.Lock()
	defer m.chat.mu.Unlock()
	m.wake = wake
}

// Leave removes the session.
func (m *Member) Leave() {
	m.chat.mu.Lock()
	defer m.chat.mu.Unlock()
	m.removeLocked()
}

func (m *Member) removeLocked() {
	c, id := m.chat, m.player.ID
	c.members[id] = slices.DeleteFunc(c.members[id], func(o *Member) bool { return o == m })
	if len(c.members[id]) > 0 {
		return
	}
	delete(c.members, id)
	if until, ok := c.operatorMutes[id]; ok && until.IsZero() {
		delete(c.operatorMutes, id)
	}
}

// SetPlayer updates the session's player after a sign-in or a name change.
func (m *Member) SetPlayer(p account.Player) {
	m.chat.mu.Lock()
	defer m.chat.mu.Unlock()
	if m.player.ID == p.ID || !m.listed {
		m.player = p
		return
	}
	if until, ok := m.chat.operatorMutes[m.player.ID]; ok {
		m.chat.operatorMutes[p.ID] = until
	}
	m.removeLocked()
	m.player = p
	m.chat.members[p.ID] = append(m.chat.members[p.ID], m)
	m.loadMutesLocked()
}

// MuteState returns whether the member has muted the player with an ID.
func (m *Member) MuteState(id string) MuteState {
	m.chat.mu.Lock()
	defer m.chat.mu.Unlock()
	return m.muted[id]
}

// SetMuteState mutes or unmutes another player in all sessions of the member's player. Both players
// need accounts for a permanent mute. It may wait for the database.
func (m *Member) SetMuteState(ctx context.Context, other account.Player, state MuteState) error {
	c := m.chat
	c.mu.Lock()
	me, was := m.player, m.muted[other.ID]
	c.mu.Unlock()
	canStore := me.Account != "" && other.Account != "" && c.store != nil
	if state == MutedPermanently && !canStore {
		return errPermanent
	}
	// The session may not have read the stored mute yet. Muting for the session works while the store does not.
	if canStore && (state != MutedForSession || was == MutedPermanently) {
		err := c.storeMute(ctx, me.Account, other.Account, state == MutedPermanently)
		if err != nil {
			return c.explain(err)
		}
	}
	c.mu.Lock()
	for _, session := range c.members[me.ID] {
		session.setMuteStateLocked(other.ID, state)
		session.updateLocked()
	}
	c.mu.Unlock()
	return nil
}

// storeMute stores whether one account has muted another permanently.
func (c *Chat) storeMute(ctx context.Context, account, other string, isMuted bool) error {
	if isMuted {
		return c.store.Ignored.Add(ctx, account, other)
	}
	err := c.store.Ignored.Remove(ctx, account, other)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// MutedPlayers returns the players that the member has muted permanently, ordered by name. It
// waits for the database.
func (m *Member) MutedPlayers(ctx context.Context) ([]account.Player, error) {
	c := m.chat
	c.mu.Lock()
	me := m.player.Account
	c.mu.Unlock()
	if me == "" || c.store == nil {
		return nil, nil
	}
	all, err := c.store.Ignored.List(ctx, me)
	if err != nil {
		return nil, c.explain(err)
	}
	var people []account.Player
	for _, p := range all {
		people = append(people, account.PersonPlayer(p))
	}
	return people, nil
}

func (m *Member) setMuteStateLocked(id string, state MuteState) {
	if state == NotMuted {
		delete(m.muted, id)
		return
	}
	if m.muted == nil {
		m.muted = map[string]MuteState{}
	}
	m.muted[id] = state
}

// loadMutesLocked reads the member's mutes from the database. The member receives no
// lines before that.
func (m *Member) loadMutesLocked() {
	c, me := m.chat, m.player.Account
	if me == "" || c.store == nil || c.closed {
		return
	}
	m.loading = true
	c.work.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, storeTimeout)
		defer cancel()
		all, err := c.store.Ignored.List(ctx, me)
		if err != nil {
			c.log.Error("muted players cannot be read", "account", me, "error", err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, p := range all {
			m.setMuteStateLocked(p.ID, MutedPermanently)
		}
		m.loading = false
		m.updateLocked()
	})
}

// updateLocked updates the lines that the member receives in all rooms.
func (m *Member) updateLocked() {
	for _, p := range m.participants {
		p.updateLocked()
	}
}

// explain logs an error of the store and returns an error for the player.
func (c *Chat) explain(err error) error {
	c.log.Error("the chat cannot use the database", "error", err)
	return account.ErrStore
}
