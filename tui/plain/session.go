package plain

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/lobby"
	"broadside/tui"
	"broadside/tui/console"
	"broadside/words"
)

// Config is what a session needs to know.
type Config struct {
	Lobby       *lobby.Lobby
	Player      lobby.Player // see [lobby.Lobby.Receive]
	Fingerprint string       // of the key that the person has proved to own; empty without one
	Addr        netip.Addr   // of the connection; zero if that is no IP address
	Label       string       // what the person calls themself: for the key, and as a suggestion for a name
	Opening     tui.Opening  // where the session begins, if no match of the person still runs
	Console     *console.Console
	Settings    lobby.Settings // of the person
	Language    words.Language
}

// Session is one person's talk with the server. [Session.Run] is its only user,
// but for Player.
type Session struct {
	ctx         context.Context
	hall        *lobby.Lobby
	visit       *lobby.Visit
	me          lobby.Player
	fingerprint string
	addr        netip.Addr
	label       string
	con         *console.Console
	l           words.Language
	opening     tui.Opening

	news   *lobby.Snapshot  // never nil
	call   *lobby.Challenge // that this person may answer; nil if there is none
	chosen lobby.Settings   // by the person

	ticket *lobby.Ticket // a wish to play that waits; nil if there is none
	game   *game         // the match being played, or just over; else nil
	sight  *sight        // the match being watched; else nil

	hallTalk  hearing
	matchTalk hearing // of the match played or watched

	opponents []opponent      // as they were last listed
	matches   []lobby.Running // as they were last listed

	kept       []kept             // what waits until it can be done
	late       time.Time          // when to say that it waits; zero: no need
	told       bool               // it was said
	asked      func(g *game) bool // tells whether the match has answered what it was last asked; nil: nothing
	said       []string           // in this turn, to be written in one piece
	last       []string           // what was said last
	ended      bool               // the input has
	confirming string             // the command that was answered with a question; saying it again confirms it
	offered    bool               // to continue a match that another session plays
	over       bool               // the session is
	happened   chan func()        // what the goroutines of matches bring
	pumps      sync.WaitGroup     // those goroutines
}

// laterTime bounds how long a session waits for the disk.
const laterTime = 5 * time.Second

// New makes a session. Ctx ends with it.
func New(ctx context.Context, cfg Config) *Session {
	visit := cfg.Lobby.Enter(cfg.Player)
	return &Session{
		ctx: ctx, hall: cfg.Lobby, visit: visit, me: visit.Player(), fingerprint: cfg.Fingerprint, addr: cfg.Addr, label: cfg.Label,
		con: cfg.Console, l: cfg.Language, opening: cfg.Opening, news: &lobby.Snapshot{}, chosen: cfg.Settings,
		hallTalk: hearing{place: visit.Talk()}, happened: make(chan func()),
	}
}

// Player is the person, as the lobby knows them. Any goroutine may call it.
func (s *Session) Player() lobby.Player { return s.visit.Player() }

// Run holds the session until the person leaves, the input ends and all that it
// has asked for is done, or ctx ends. It returns the exit status.
func (s *Session) Run() int {
	ctx, cancel := context.WithCancel(s.ctx)
	s.ctx = ctx
	defer s.pumps.Wait()
	defer cancel()
	defer s.close()
	if s.chosen.Quiet {
		s.visit.Keep(s.chosen)
	}
	s.catchUp()
	s.begin()
	for {
		s.proceed()
		if s.ended && s.idle() && !s.over {
			s.endOfInput()
		}
		s.flush()
		if s.over {
			return 0
		}
		if !s.turn() {
			return 1
		}
	}
}

// turn waits until something happens and takes it in. It returns false if ctx
// has ended.
func (s *Session) turn() bool {
	var lines <-chan string
	if !s.ended && len(s.kept) < maxKept {
		s.con.Ask()
		lines = s.con.Lines()
	}
	var seated <-chan *lobby.Seating
	if s.ticket != nil {
		seated = s.ticket.Seated()
	}
	var table <-chan struct{}
	if s.game != nil {
		table = s.game.table.Change
	}
	alarm, remind := s.alarm(time.Now())
	timer := time.NewTimer(alarm)
	defer timer.Stop()
	select {
	case line, open := <-lines:
		if s.ended = !open; open {
			s.take(line)
		}
	case n := <-s.visit.News():
		s.learn(n)
	case c := <-s.visit.Challenges():
		s.called(c)
	case heard, open := <-s.hallTalk.heard():
		s.hear(&s.hallTalk, heard, open)
	case heard, open := <-s.matchTalk.heard():
		s.hear(&s.matchTalk, heard, open)
	case seating := <-seated:
		s.seated(seating)
	case f := <-s.happened:
		f()
	case <-table:
		s.tableChanged()
	case <-timer.C:
		remind()
	case <-s.ctx.Done():
		return false
	}
	return true
}

// pump runs recv in a goroutine until it returns nil, and what it returns here.
func (s *Session) pump(ctx context.Context, recv func(context.Context) (take func(), more bool)) {
	s.pumps.Go(func() {
		for {
			take, more := recv(ctx)
			select {
			case s.happened <- take:
			case <-ctx.Done():
				return
			}
			if !more {
				return
			}
		}
	})
}

// close ends the person's presence: a wish to play is taken back, a match that
// runs is left.
func (s *Session) close() {
	s.withdraw()
	s.rise()
	s.unwatch()
	s.hallTalk.place.Leave()
	s.visit.Leave()
}

// say says a sentence, at the end of this turn.
func (s *Session) say(text words.Text, args ...any) { s.said = append(s.said, s.l.Say(text, args...)) }

// fail says what is wrong. It may name somebody.
func (s *Session) fail(err error) { s.said = append(s.said, sentence(s.l.Error(err))) }

// flush writes what was said in this turn.
func (s *Session) flush() {
	if len(s.said) == 0 {
		return
	}
	s.con.Say(strings.Join(s.said, "\n"))
	s.last, s.said = s.said, nil
}

// begin greets the person, and begins where they wanted to.
func (s *Session) begin() {
	name := s.me.Name
	if s.me.Guest {
		s.say("Welcome to Broadside, Battleship over SSH. You are %s, a guest.", name)
	} else {
		s.say("Welcome to Broadside, Battleship over SSH. You are %s.", name)
	}
	if s.con.Terminal() {
		s.say("Say help for the commands, or bot easy to play at once.")
	} else {
		s.say("Say help for the commands, or bot easy to play at once. For the screens, ask ssh for a terminal: ssh -t HOST.")
	}
	if s.me.Account == "" && s.fingerprint != "" && s.hall.Store() != nil {
		s.say("This key is new here. To make an account of it, say name and a name. To add it to an account that you have, say link and the code that the other machine shows.")
	}
	s.arrive()
}

// arrive is where a person begins, once it is known who they are.
func (s *Session) arrive() {
	switch s.hall.Occupancy(s.me) {
	case lobby.FreeSeat:
		if seating := s.hall.Unfinished(s.me); seating != nil { // else it has just ended
			s.say("Welcome back: your match goes on.")
			s.comeBack(seating)
			return
		}
	case lobby.UsedSeat:
		s.offer()
	}
	o := s.opening
	s.opening = tui.Opening{}
	switch {
	case o.Mine:
		s.resume("")
	case o.Room != "":
		s.seat(s.hall.Join(s.addr, s.me, o.Room))
	case o.Seat != "":
		s.wait(s.hall.Resume(s.addr, s.me, o.Seat))
	case o.Watch != "":
		s.watchBy(o.Watch)
	case o.Play:
		if o.Bot != "" {
			s.seat(s.hall.ChallengeBot(s.me, o.Bot, o.Rules, o.Stakes))
		} else {
			s.wait(s.hall.PlayNow(s.me, o.Rules, o.Stakes))
		}
	}
}

// offer offers to continue a match of the person that another session plays.
func (s *Session) offer() {
	s.offered = true
	s.say("You have a match in another session. To continue it here, say resume.")
}

// endOfInput leaves, as a connection does that is dropped.
func (s *Session) endOfInput() {
	s.over = true
	if s.playing() {
		s.sayWayBack()
	}
}

// learn takes in the lobby's news.
func (s *Session) learn(n *lobby.Snapshot) {
	if n.Said != s.news.Said && n.Said.Text != "" && time.Since(n.Said.At) < announceTime {
		s.say("The operator says: %s", n.Said.Text)
	}
	switch {
	case !n.Closing || s.news.Closing:
	case n.Others:
		s.say("This server is being restarted. Connect again and go on, at any time.")
	default:
		s.say("The server is shutting down. A match that runs may be played for a short while.")
	}
	s.news, s.me = n, s.visit.Player()
	s.learnMine()
}

// learnMine offers to continue a match that the person has begun in another
// session, once.
func (s *Session) learnMine() {
	mine := slices.ContainsFunc(s.news.Running, func(r lobby.Running) bool {
		return r.Players[0].ID == s.me.ID || r.Players[1].ID == s.me.ID
	})
	switch {
	case !mine:
		s.offered = false
	case !s.offered && s.game == nil && s.ticket == nil && s.hall.Occupancy(s.me) == lobby.UsedSeat:
		s.offer()
	}
}

// catchUp takes in the lobby's news, if there are any.
func (s *Session) catchUp() {
	select {
	case n := <-s.visit.News():
		s.learn(n)
	default:
	}
}

// announceTime is how long what an operator says is news.
const announceTime = time.Minute

// called takes in how it stands with challenges.
func (s *Session) called(c *lobby.Challenge) {
	before := s.call
	s.call = c
	switch {
	case s.playing():
	case c != nil && (before == nil || before.Offer != c.Offer):
		s.say("%s challenges you: %s. Say accept or decline, within %s.", who(s.l, c.From), tui.WithStakes(s.l, terms(s.l, c.Rules), c.Stakes), s.duration(time.Until(c.Until)))
	case c == nil && before != nil:
		s.say("The challenge of %s is over.", who(s.l, before.From))
	}
}
