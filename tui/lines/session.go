package lines

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term/console"
	"broadside/tui"
)

// Config is what a session needs to know.
type Config struct {
	Session  session.Session // which Run closes
	Opening  tui.Opening     // where the session begins, if no match of the player still runs
	Console  *console.Console
	Settings session.Settings // of the player
	Language i18n.Language
}

// Session is one person's talk with the server. [Session.Run] is its only user,
// but for Player.
type Session struct {
	ctx     context.Context
	own     session.Session
	state   session.State // of own, as it was last read
	noted   session.State // the same as of the last update about each part
	con     *console.Console
	l       i18n.Language
	opening tui.Opening
	chosen  session.Settings // by the player

	game  *game  // the match being played, or just over; else nil
	sight *sight // the match being watched; else nil
	chats [2]chat

	opponents []opponent        // as they were last listed
	matches   []session.Running // as they were last listed

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
	updates    chan session.Update
	endings    chan error     // why the server has ended the session; one at most
	pump       sync.WaitGroup // the goroutine that fills updates
}

// laterTime bounds how long a session waits for the disk.
const laterTime = 5 * time.Second

// New makes a session. Ctx ends with it.
func New(ctx context.Context, cfg Config) *Session {
	return &Session{
		ctx: ctx, own: cfg.Session, state: cfg.Session.State(), noted: cfg.Session.State(), con: cfg.Console, l: cfg.Language, opening: cfg.Opening,
		chosen: cfg.Settings, updates: make(chan session.Update), endings: make(chan error, 1),
	}
}

// Run holds the session until the person leaves, the input ends and all that it
// has asked for is done, or ctx ends. It returns the exit status.
func (s *Session) Run() int {
	ctx, cancel := context.WithCancel(s.ctx)
	s.ctx = ctx
	defer s.own.Close()
	defer s.pump.Wait()
	defer cancel()
	if s.chosen.DoNotDisturb {
		s.keepSettings()
	}
	s.begin()
	for len(s.state.Lobby.People) == 0 { // the first snapshot comes at once
		u, err := s.own.Next(ctx)
		if err != nil {
			s.part(err)
			return 1
		}
		s.learn(u)
	}
	s.pump.Go(s.receive)
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

// part tells the player why the server has ended the session, unless ctx has ended
// it.
func (s *Session) part(err error) {
	if s.ctx.Err() == nil {
		s.con.Tell(i18n.Mean("%v", phrase.Localize(err)))
	}
}

// turn waits until something happens and takes it in. It returns false if ctx or
// the server has ended the session.
func (s *Session) turn() bool {
	var lines <-chan string
	if !s.ended && len(s.kept) < maxKept {
		s.con.Ask()
		lines = s.con.Lines()
	}
	alarm, remind := s.alarm(time.Now())
	timer := time.NewTimer(alarm)
	defer timer.Stop()
	select {
	case line, open := <-lines:
		if s.ended = !open; open {
			s.take(line)
		}
	case u := <-s.updates:
		s.learn(u)
	case <-timer.C:
		remind()
	case err := <-s.endings:
		s.part(err)
		return false
	case <-s.ctx.Done():
		return false
	}
	return true
}

// receive passes on what happens, until the session ends.
func (s *Session) receive() {
	for {
		u, err := s.own.Next(s.ctx)
		if err != nil {
			s.endings <- err
			return
		}
		select {
		case s.updates <- u:
		case <-s.ctx.Done():
			return
		}
	}
}

// do carries out an action and reports whether it was; if not, it says why.
func (s *Session) do(a session.Action) bool {
	ctx, cancel := context.WithTimeout(s.ctx, laterTime)
	defer cancel()
	err := s.own.Do(ctx, a)
	if err != nil {
		s.fail(err)
	}
	s.sync()
	return err == nil
}

// learn takes in an update.
func (s *Session) learn(u session.Update) {
	s.sync()
	before := s.noted
	switch u.Kind {
	case session.LobbyChanged:
		s.noted.Lobby = s.state.Lobby
		s.lobbyChanged(before.Lobby)
	case session.ChallengeChanged:
		s.noted.Challenge = s.state.Challenge
		s.challenged(before.Challenge)
	case session.OfferChanged:
		if u.Err != nil {
			s.fail(u.Err)
			s.drop()
		}
	case session.MatchChanged:
		s.updated(u.Match)
	case session.MatchLost:
		s.lost(u.Err)
	case session.SeatChanged:
		s.noted.Seat = s.state.Seat
		s.tableChanged(before.Seat)
	case session.WatchChanged:
		s.watched(u.Match)
	case session.ChatChanged:
		s.hear(u.Room, u.Lines)
	case session.WaitingChanged:
		if s.state.Waiting {
			s.say("Reconnecting to the server…")
		} else {
			s.asked = nil // the answer may have been lost
			s.say("Connected again.")
		}
	}
}

// sync reads the state, and follows the session into a match or out of it.
func (s *Session) sync() {
	s.state = s.own.State()
	if m := s.state.Match; m == nil {
		s.game = nil
	} else if s.game == nil || s.game.Match != m {
		s.sit(m)
	}
	if w := s.state.Watching; w == nil {
		s.sight = nil
	} else if s.sight == nil || s.sight.id != w.ID {
		s.begunWatching(w)
	}
}

// say says a sentence, at the end of this turn.
func (s *Session) say(text i18n.Text, args ...any) { s.said = append(s.said, s.l.Say(text, args...)) }

// fail says what is wrong. It may name somebody.
func (s *Session) fail(err error) { s.said = append(s.said, sentence(phrase.Error(s.l, err))) }

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
	me := s.state.Me
	name := me.Name
	if me.Guest {
		s.say("Welcome to Broadside, Battleship over SSH. You are %s, a guest.", name)
	} else {
		s.say("Welcome to Broadside, Battleship over SSH. You are %s.", name)
	}
	if s.con.Terminal() {
		s.say("Say help for the commands, or bot easy to play at once.")
	} else {
		s.say("Say help for the commands, or bot easy to play at once. For the screens, ask ssh for a terminal: ssh -t HOST.")
	}
	if me.Account == "" && s.own.Fingerprint() != "" && s.own.HasStore() {
		s.say("This key is new here. To make an account of it, say name and a name. To add it to an account that you have, say link and the code that the other machine shows.")
	}
	s.arrive()
}

// arrive is where a player begins, once it is known who they are.
func (s *Session) arrive() {
	if !s.do(session.Rejoin{}) {
		return
	}
	if s.state.Match != nil {
		s.say("Welcome back: your match goes on.")
		return
	}
	if s.occupancy() == session.UsedSeat {
		s.offer()
	}
	o := s.opening
	s.opening = tui.Opening{}
	switch {
	case o.Mine:
		s.resume("")
	case o.Room != "":
		s.do(session.JoinPrivate{Code: o.Room})
	case o.Seat != "":
		s.seek(session.ResumeSeat{Code: o.Seat})
	case o.Watch != "":
		s.do(session.WatchBy{Text: o.Watch})
	case o.Play && o.Bot != "":
		s.do(session.PlayBot{Bot: o.Bot, Rules: o.Rules, Stakes: o.Stakes})
	case o.Play:
		s.seek(session.Seek{Rules: o.Rules, Stakes: o.Stakes})
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

// lobbyChanged tells what is new in the lobby.
func (s *Session) lobbyChanged(before *session.Snapshot) {
	n := s.state.Lobby
	if n.Announcement != before.Announcement && n.Announcement.Text != "" && time.Since(n.Announcement.At) < announceTime {
		s.say("The operator says: %s", n.Announcement.Text)
	}
	if n.Closing && !before.Closing {
		s.say("The server is shutting down. A match that runs may be played for a short while.")
	}
	s.offerOwn()
}

// offerOwn offers to continue a match that the player has begun in another
// session, once.
func (s *Session) offerOwn() {
	own := slices.ContainsFunc(s.state.Lobby.Running, func(r session.Running) bool {
		return r.Players[0].ID == s.state.Me.ID || r.Players[1].ID == s.state.Me.ID
	})
	switch {
	case !own:
		s.offered = false
	case !s.offered && s.game == nil && s.state.Offer == nil && s.occupancy() == session.UsedSeat:
		s.offer()
	}
}

// announceTime is how long what an operator says is news.
const announceTime = time.Minute

// challenged announces a new challenge, or the end of one.
func (s *Session) challenged(before *session.Challenge) {
	c := s.state.Challenge
	switch {
	case s.playing():
	case c != nil && (before == nil || before.Offer != c.Offer):
		s.say("%s challenges you: %s. Say accept or decline, within %s.", who(s.l, c.From), tui.WithStakes(s.l, terms(s.l, c.Rules), c.Stakes), s.duration(time.Until(c.Until)))
	case c == nil && before != nil:
		s.say("The challenge of %s is over.", who(s.l, before.From))
	}
}
