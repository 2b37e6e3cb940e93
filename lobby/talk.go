package lobby

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"broadside/internal/i18n"
)

// The bounds of talk.
const (
	MaxLine   = 80               // characters of a line
	TalkKept  = 50               // lines in the lobby
	MatchKept = 20               // lines of a match: of its players, and of its spectators
	TalkBurst = 5                // lines that a person may say within TalkSpan
	TalkSpan  = 10 * time.Second // see TalkBurst
)

// Why something is not said, in sentences for the person. Who talks too fast or
// is muted by an operator is told until when.
var (
	ErrNothingSaid = i18n.Errorf("there is nothing to say in that: type a line, or a number")
	ErrGuestTalk   = i18n.Errorf("guests do not talk on this server: make an account first")
	ErrDeafened    = i18n.Errorf("you have left that talk")
)

// Line is something that was said.
type Line struct {
	Number      int // rises from line to line, over all rooms
	At          time.Time
	From        Player // as the person was when they said it
	Text        string // clean, at most MaxTalk characters
	BySpectator bool   `json:",omitzero"` // said by a spectator
}

// talkRoom is where people talk: the lobby, or a match. All is guarded by the
// lobby's lock.
type talkRoom struct {
	lines  []Line // oldest first
	asides []Line // of spectators
	places map[*TalkPlace]struct{}
	due    bool // the places are about to be told
}

// TalkPlace is where a visitor hears and talks, until [TalkPlace.Leave].
type TalkPlace struct {
	visit *Member
	room  *talkRoom
	game  *game // nil in the lobby
	aside bool  // a spectator's
	heard chan []Line
	left  bool // guarded by lobby.mu
}

// Talk is the visitor's place in the lobby's talk.
func (v *Member) Talk() *TalkPlace { return v.join(&v.lobby.talk, nil, false) }

// TalkAt is the visitor's place in the talk of the match that they play. What
// spectators say is heard there after the end.
func (v *Member) TalkAt(s *Seat) *TalkPlace { return v.join(&s.game.talk, s.game, false) }

// TalkBeside is a spectator's place in the talk of a match. Who plays the match
// in another session hears no more than a player there.
func (v *Member) TalkBeside(w *Spectator) *TalkPlace { return v.join(&w.game.talk, w.game, true) }

func (v *Member) join(r *talkRoom, g *game, aside bool) *TalkPlace {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if g != nil && (g.players[0].ID == v.player.ID || g.players[1].ID == v.player.ID) {
		aside = false
	}
	p := &TalkPlace{visit: v, room: r, game: g, aside: aside, heard: make(chan []Line, 1)}
	if r.places == nil {
		r.places = map[*TalkPlace]struct{}{}
	}
	r.places[p] = struct{}{}
	v.places = append(v.places, p)
	p.tell()
	return p
}

// Heard yields all that there is to hear, oldest first, whenever it has
// changed, the first time at once. Nobody changes what it has yielded. It is
// closed by Leave.
func (p *TalkPlace) Heard() <-chan []Line { return p.heard }

// Leave gives the place up. Leaving twice is leaving once.
func (p *TalkPlace) Leave() {
	l := p.visit.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.left {
		return
	}
	p.left = true
	delete(p.room.places, p)
	p.visit.places = slices.DeleteFunc(p.visit.places, func(q *TalkPlace) bool { return q == p })
	close(p.heard)
}

// tell replaces what the visitor has not received yet. The lobby is locked.
func (p *TalkPlace) tell() {
	if p.visit.deaf {
		return // until it is known whom they do not want to hear
	}
	lines := p.room.lines
	if p.game != nil && (p.aside || p.game.over) {
		lines = append(slices.Clone(lines), p.room.asides...)
		slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
	} else {
		lines = slices.Clip(lines)
	}
	if len(p.visit.muted) > 0 {
		lines = slices.DeleteFunc(slices.Clone(lines), func(x Line) bool {
			_, muted := p.visit.muted[x.From.ID]
			return muted
		})
	}
	replace(p.heard, lines)
}

// Say says a line, cleaned and cut to [MaxTalk] characters. It reads from the
// disk. The error is a sentence for the person.
func (p *TalkPlace) Say(ctx context.Context, text string) error {
	l := p.visit.lobby
	text = cleanTalk(text)
	from, err := l.maySay(p, text)
	if err != nil {
		return err
	}
	if l.cfg.Store != nil && from.Account != "" {
		mutes, err := l.cfg.Store.Mutes.Active(ctx, time.Now())
		if err != nil {
			return l.explain(err)
		}
		for _, m := range mutes {
			if m.Player == from.Account {
				return mutedUntil(m.Expires)
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.left {
		return ErrDeafened
	}
	l.lineCount++
	l.add(p.room, Line{Number: l.lineCount, At: time.Now(), From: from, Text: text, BySpectator: p.aside})
	return nil
}

// add adds a line to a room. The lobby is locked.
func (l *Lobby) add(r *talkRoom, line Line) {
	kept := MatchKept
	if r == &l.talk {
		kept = TalkKept
	}
	list := &r.lines
	if line.BySpectator {
		list = &r.asides
	}
	// A new slice: others still read the old one.
	*list = append(slices.Clone((*list)[max(0, len(*list)-kept+1):]), line)
	l.spoken(r)
}

// SetQuietGuests changes whether who has no account says nothing, from the next
// line on.
func (l *Lobby) SetQuietGuests(quiet bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet = quiet
}

// maySay counts a line against the person's rate, if they may talk at all.
func (l *Lobby) maySay(p *TalkPlace, text string) (Player, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := p.visit.player
	switch {
	case p.left:
		return from, ErrDeafened
	case text == "":
		return from, ErrNothingSaid
	case l.quiet && from.Account == "":
		return from, ErrGuestTalk
	}
	now := time.Now()
	if until := p.visit.hushed; until != nil && (until.IsZero() || now.Before(*until)) {
		return from, mutedUntil(*until)
	}
	for id, times := range l.spoke {
		if now.Sub(times[len(times)-1]) >= TalkSpan {
			delete(l.spoke, id)
		}
	}
	times := l.spoke[from.ID]
	if len(times) == TalkBurst {
		if wait := TalkSpan - now.Sub(times[0]); wait > 0 {
			return from, i18n.Errorf("that was a lot at once: talk again in %d s", (wait+time.Second-1)/time.Second)
		}
		times = times[1:]
	}
	l.spoke[from.ID] = append(times, now)
	return from, nil
}

// spoken makes it due that the places of a room are told, at most once in
// tellEvery. The lobby is locked.
func (l *Lobby) spoken(r *talkRoom) {
	if r.due || len(r.places) == 0 {
		return
	}
	r.due = true
	l.work.Add(1)
	time.AfterFunc(tellEvery, func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		r.due = false
		for p := range r.places {
			p.tell()
		}
	})
}

// cleanTalk is what remains of a line that somebody wants to say: one line of
// at most MaxTalk characters that can be seen, with single spaces between.
func cleanTalk(s string) string {
	var b strings.Builder
	n, gap := 0, false
	for i, r := range s {
		if i > 64*MaxLine || n == MaxLine {
			break
		}
		switch {
		case unicode.IsSpace(r):
			gap = n > 0
			continue
		case r == unicode.ReplacementChar, !unicode.IsPrint(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point), r == '\u2800':
			continue
		}
		if gap && n < MaxLine-1 {
			b.WriteByte(' ')
			n++
		} else if gap {
			break // no room for the space and what follows
		}
		gap = false
		b.WriteRune(r)
		n++
	}
	return b.String()
}
