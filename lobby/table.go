package lobby

import (
	"encoding/json"
	"time"

	"broadside/match"
	"broadside/words"
)

// ErrGone is why a rematch does not come about.
var ErrGone = words.Errorf("your opponent has left")

// table is where two players sit during a match and after it. If they are at
// different nodes, the one that ran the match decides, and tells the other one.
// All is guarded by the lobby's lock.
type table struct {
	lobby   *Lobby
	game    *game
	wishes  [2]*Ticket // for a rematch
	wanted  [2]bool    // see [TableState]
	gone    [2]bool
	changed chan struct{} // closed and replaced at every change

	takeovers [2]*Ticket // that ask for the seats

	asking [2]bool // a side at another node wants a rematch, and waits to hear of it
	heard  [2]bool // the node that decides knows that the side is gone
	begun  bool    // the rematch is known of here, where another node decides
}

func newTable(l *Lobby, g *game) *table {
	return &table{lobby: l, game: g, changed: make(chan struct{})}
}

// TableState is what concerns a seat besides the match itself: a rematch, and
// who holds the seat.
type TableState struct {
	Wanted   bool            // the opponent wants a rematch
	Gone     bool            // the opponent has left: there will be none
	Takeover *Takeover       // somebody asks for the seat, and gets it unless [Seating.Refuse] is called
	Change   <-chan struct{} // closed when this state is no longer the newest
}

// Table is the newest state.
func (s *Seating) Table() TableState {
	t := s.table
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	other := s.Seat.Side().Other()
	state := TableState{Wanted: t.wanted[other], Gone: t.gone[other], Change: t.changed}
	if asks := t.takeovers[s.Seat.Side()]; asks != nil {
		state.Takeover = &Takeover{By: asks.player, Until: asks.until}
	}
	return state
}

// Rematch asks for another match, with the sides swapped. It begins as soon as
// both sides have asked; a bot always wants one. It may wait for other nodes.
func (s *Seating) Rematch() (*Ticket, error) {
	l := s.table.lobby
	l.deal.Lock()
	defer l.deal.Unlock()
	if err := l.mayPlay(s.game.players[s.Seat.Side()], s.game.choice); err != nil {
		return nil, err
	}
	ticket, agreed, err := s.wish()
	if err != nil || !agreed {
		return ticket, err
	}
	return ticket, s.table.begin(s.Seat.Side(), ticket)
}

// wish notes that a side wants a rematch, and tells whether both do and the
// match can begin here.
func (s *Seating) wish() (ticket *Ticket, agreed bool, err error) {
	t, side := s.table, s.Seat.Side()
	other := side.Other()
	g, l := t.game, t.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closing:
		return nil, false, ErrClosing
	case t.gone[other] || t.gone[side] || !l.lives(g.owner):
		return nil, false, ErrGone
	case t.wishes[side] != nil:
		return t.wishes[side], false, nil
	}
	ticket = l.newTicket(g.players[side], g.rules, g.choice, other)
	if l.runs(g) && (g.players[other].Kind == Bot || t.wishes[other] != nil) {
		return ticket, true, nil
	}
	t.wishes[side], t.wanted[side] = ticket, true
	if l.runs(g) {
		t.announce()
	} else {
		l.insist(func() bool {
			l.node.Send(g.owner, envelope(wished, g.id, []byte{byte(side)}))
			return !ticket.settled
		})
	}
	return ticket, false, nil
}

// begin begins the rematch that both sides want; ticket is of the side that has
// said so last. Dealing is locked.
func (t *table) begin(side match.Side, ticket *Ticket) error {
	l, g, other := t.lobby, t.game, side.Other()
	swapped := [2]Player{g.players[match.Second], g.players[match.First]}
	next, err := l.start(g.rules, g.choice, swapped, [2]string{g.homes[match.Second], g.homes[match.First]})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	next.after = g.id
	ticket.seat(next.seatings[other])
	if wish := t.wishes[other]; wish != nil {
		wish.seat(next.seatings[side])
	}
	t.wanted[side] = true
	t.gone = [2]bool{true, true} // both now sit at the new table
	t.announce()
	return nil
}

// Rise leaves the table: there will be no rematch.
func (s *Seating) Rise() {
	l := s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	s.table.rise(s.Seat.Side())
}

// The lobby is locked for all that follows.

func (t *table) rise(side match.Side) {
	if t.gone[side] {
		return
	}
	t.gone[side] = true
	l, g := t.lobby, t.game
	for i, wish := range t.wishes {
		if wish != nil && !wish.settled {
			wish.fail(ErrGone)
		}
		t.wishes[i], t.wanted[i] = nil, false
	}
	if !l.runs(g) {
		end := time.Now().Add(riseTime) // a node that is out of touch for longer is dead, and so is who sat there
		l.insist(func() bool {
			l.node.Send(g.owner, envelope(rose, g.id, []byte{byte(side)}))
			return !t.heard[side] && l.followed(g.id) == g && time.Now().Before(end)
		})
	}
	t.announce()
}

// riseTime is how long another node is told that somebody has left, if it does
// not answer.
const riseTime = time.Minute

// tell lets the sessions at this node know that something has changed.
func (t *table) tell() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// announce tells both sides how it stands.
func (t *table) announce() {
	t.tell()
	l, g := t.lobby, t.game
	if t.left() {
		delete(l.tables, g.id)
	}
	if !l.runs(g) {
		return
	}
	for side, home := range g.homes {
		if home != l.node.ID() {
			t.sendNews(match.Side(side), home)
		}
	}
}

// sendNews tells another node how it stands.
func (t *table) sendNews(side match.Side, node string) {
	t.lobby.node.Send(node, envelope(atTable, t.game.id, encode(tableNews{Wanted: t.wanted, Gone: t.gone, Side: side})))
}

// tableNews is what the node that ran a match tells the others about its table.
type tableNews struct {
	Wanted, Gone [2]bool
	Side         match.Side // of whom is told
	Next         *played    // the rematch
}

// left tells whether nobody sits there any more. A bot goes with its opponent.
func (t *table) left() bool {
	for side, p := range t.game.players {
		if p.Kind != Bot && !t.gone[side] {
			return false
		}
	}
	return true
}

// tableTime is how long a table is kept in mind at most: who has lost by being
// away never leaves it.
const tableTime = time.Hour

// keepTable keeps the table of a match in mind when the match is over, if it
// concerns this node and another one.
func (l *Lobby) keepTable(g *game) {
	if now := time.Now(); now.Sub(l.cleared) >= time.Minute {
		l.cleared = now
		for _, old := range l.tables {
			if now.Sub(old.ended) >= tableTime {
				old.table.rise(match.First)
				old.table.rise(match.Second)
				delete(l.tables, old.id)
			}
		}
	}
	here := l.node.ID()
	concerned := l.runs(g) || g.homes[0] == here || g.homes[1] == here
	if g.table != nil && concerned && (g.homes[0] != g.owner || g.homes[1] != g.owner) && !g.table.left() {
		g.ended, l.tables[g.id] = time.Now(), g
	}
}

// followed is a match that runs or has left a table behind; nil if there is none.
func (l *Lobby) followed(id string) *game {
	if g := l.running[id]; g != nil {
		return g
	}
	return l.tables[id]
}

// tableMessage takes in what another node says about a table.
func (l *Lobby) tableMessage(what topic, from, id string, data []byte) {
	g := l.followed(id)
	if g == nil || g.table == nil {
		if (what == wished || what == rose) && len(data) == 1 {
			l.node.Send(from, envelope(atTable, id, encode(l.lastNews(id, match.Side(data[0])))))
		}
		return
	}
	t := g.table
	switch what {
	case wished, rose:
		if len(data) != 1 || data[0] > byte(match.Second) || !l.runs(g) {
			return
		}
		side := match.Side(data[0])
		switch {
		case what == rose:
			t.rise(side)
			t.sendNews(side, from)
		case !t.asking[side]:
			t.asking[side] = true
			l.work.Go(func() { l.wishFor(g, side, from) })
		}
	case atTable:
		var news tableNews
		if json.Unmarshal(data, &news) == nil && g.owner == from && news.Side <= match.Second {
			t.told(news)
		}
	case ended:
		var o Outcome
		if json.Unmarshal(data, &o) == nil && g.owner == from {
			g.outcome = o
		}
	}
}

// lastNews is what there is to say of a table that nobody sits at any more: the
// rematch, if it is on.
func (l *Lobby) lastNews(id string, side match.Side) tableNews {
	news := tableNews{Side: side, Gone: [2]bool{true, true}}
	for _, g := range l.running {
		if g.after == id && l.runs(g) {
			p := g.played()
			news.Next = &p
		}
	}
	return news
}

// wishFor wants a rematch for a player at another node, and tells that node
// what becomes of it. The lobby is not locked.
func (l *Lobby) wishFor(g *game, side match.Side, home string) {
	ticket, err := g.seatings[side].Rematch()
	var next *Seating
	if err == nil {
		select {
		case next = <-ticket.Seated():
		case <-l.ctx.Done():
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := g.table
	t.asking[side] = false
	if err != nil {
		t.rise(side) // which is what they are told
	}
	news := l.lastNews(g.id, side)
	if next != nil {
		p := next.game.played()
		news.Next = &p
	}
	l.node.Send(home, envelope(atTable, g.id, encode(news)))
}

// told takes in how it stands with a table of which another node decides.
func (t *table) told(news tableNews) {
	l, side := t.lobby, news.Side
	t.heard[side] = t.heard[side] || news.Gone[side]
	wish := t.wishes[side]
	if news.Next != nil && !t.begun {
		t.begun = true
		next := l.know(news.Next, 0)
		l.hold(next)
		if s := next.seatings[side.Other()]; wish != nil && !wish.settled {
			wish.seat(s)
		} else {
			l.work.Go(func() { pass(s.Seat) }) // they have left meanwhile
		}
	}
	switch {
	case news.Next != nil:
	case wish != nil && wish.settled: // it is about to begin, or was taken back
		return
	case news.Gone[side.Other()] && !(news.Wanted[0] && news.Wanted[1]):
		if wish != nil {
			wish.fail(ErrGone)
		}
		t.wishes[side] = nil
	}
	t.wanted = news.Wanted
	if news.Wanted[0] && news.Wanted[1] && news.Next == nil {
		return // the news of the rematch follow
	}
	t.gone = news.Gone
	t.announce()
}
