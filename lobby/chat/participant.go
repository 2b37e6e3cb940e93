package chat

import (
	"cmp"
	"context"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby/account"
)

// Participant gives a member access to the lines of a room until [Participant.Leave].
type Participant struct {
	member    *Member
	room      *Room
	spectator bool
	// lines has capacity 1.
	lines chan []Line
	// left is guarded by the chat's lock.
	left bool
}

// JoinLobby joins the lobby's room.
func (m *Member) JoinLobby() *Participant { return m.Join(&m.chat.lobby, false) }

// Join joins a match's room. Players can read the spectators' lines only after the match.
func (m *Member) Join(r *Room, spectator bool) *Participant {
	m.chat.mu.Lock()
	defer m.chat.mu.Unlock()
	p := &Participant{member: m, room: r, spectator: spectator, lines: make(chan []Line, 1)}
	if r.participants == nil {
		r.participants = map[*Participant]struct{}{}
	}
	r.participants[p] = struct{}{}
	m.participants = append(m.participants, p)
	p.updateLocked()
	return p
}

// Lines yields all lines that the member can read, oldest first, immediately and after every change.
// The slices are shared and must not be modified. Leave closes the channel.
func (p *Participant) Lines() <-chan []Line { return p.lines }

// Leave leaves the room. It may be called more than once.
func (p *Participant) Leave() {
	c := p.member.chat
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.left {
		return
	}
	p.left = true
	delete(p.room.participants, p)
	p.member.participants = slices.DeleteFunc(p.member.participants, func(q *Participant) bool { return q == p })
	close(p.lines)
}

// updateLocked replaces lines that the member has not received yet.
func (p *Participant) updateLocked() {
	if p.member.loading {
		return
	}
	lines := p.room.lines
	if p.spectator || p.room.ended {
		lines = append(slices.Clone(lines), p.room.spectators...)
		slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	} else {
		lines = slices.Clip(lines)
	}
	if len(p.member.muted) > 0 {
		lines = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool {
			_, muted := p.member.muted[l.From.ID]
			return muted
		})
	}
	select {
	case <-p.lines:
	default:
	}
	p.lines <- lines
	p.member.wake.Send()
}

// Say writes a line, reduced to at most [MaxLine] printable characters. It waits for the
// database.
func (p *Participant) Say(ctx context.Context, text string) error {
	c := p.member.chat
	text = cleanLine(text)
	from, err := p.admitLine(text)
	if err != nil {
		return err
	}
	if c.store != nil && from.Account != "" {
		mutes, err := c.store.Mutes.ListActive(ctx, time.Now())
		if err != nil {
			return c.explain(err)
		}
		for _, m := range mutes {
			if m.Player == from.Account {
				return newMutedError(m.Expires)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.left {
		return ErrLeft
	}
	c.lines++
	c.addLocked(p.room, Line{Number: c.lines, At: time.Now(), From: from, Text: text, BySpectator: p.spectator})
	return nil
}

// admitLine returns the member's player, or an error if they may not write a line now. It
// counts the line.
func (p *Participant) admitLine(text string) (account.Player, error) {
	c := p.member.chat
	c.mu.Lock()
	defer c.mu.Unlock()
	from := p.member.player
	switch {
	case p.left:
		return from, ErrLeft
	case text == "":
		return from, ErrEmpty
	case c.quiet && from.Account == "":
		return from, ErrGuests
	}
	now := time.Now()
	if until, ok := c.operatorMutes[from.ID]; ok && (until.IsZero() || now.Before(until)) {
		return from, newMutedError(until)
	}
	return from, c.countLineLocked(from.ID, now)
}

// countLineLocked counts a line written by a person. It returns an error if there were too
// many.
func (c *Chat) countLineLocked(id string, now time.Time) error {
	for other, times := range c.recent {
		if now.Sub(times[len(times)-1]) >= BurstTime {
			delete(c.recent, other)
		}
	}
	times := c.recent[id]
	if len(times) == MaxBurst {
		wait := BurstTime - now.Sub(times[0])
		if wait > 0 {
			return i18n.Errorf("too many messages: try again in %d s", (wait+time.Second-1)/time.Second)
		}
		times = times[1:]
	}
	c.recent[id] = append(times, now)
	return nil
}

// newMutedError returns the error for a player whom an operator has muted until a time, or
// permanently if that is zero.
func newMutedError(until time.Time) error {
	if until.IsZero() {
		return i18n.Errorf("an operator has muted you")
	}
	return i18n.Errorf("an operator has muted you until %s UTC", until.UTC().Format("2006-01-02 15:04"))
}
