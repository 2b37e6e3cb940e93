package relay

import (
	"errors"
	"sync"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay/client"
)

// series plays a client's games one after another. It belongs to the goroutine that lets
// the client into the lobby, and then to the client's writer.
type series struct {
	conn       *conn
	request    *request // constant while the client is in the lobby
	out        *output
	directives *directives
	seat       *seat
	tally      tally

	// forwarding is held while lines of the current game are sent.
	forwarding sync.Mutex
	sent       *sentState // guarded by forwarding: nil if no game is being forwarded
	buf        []byte     // guarded by forwarding: for lines

	// A recall takes an early client out of the lobby again, see [conn.recall].
	recalls  chan struct{}  // received while the client waits for its first opponent
	recalled chan bool      // the answer to a recall: false if there is an opponent
	found    chan struct{}  // closed once there is an opponent, or never will be
	entries  chan place     // capacity 1: the place after a recall
	sentRole client.Message // the role that the client knows for this game

	refused error // why the client cannot continue
	over    bool  // the cup is over
	warned  bool  // the client has been warned that its matches are casual
}

// role returns the message that assigns a side to a client.
func role(side match.Side) client.Message {
	if side == match.First {
		return client.Message{Op: client.Defend}
	}
	return client.Message{Op: client.Assault}
}

// play plays all games of the series, and then ends the connection.
func (s *series) play(first place) {
	defer s.conn.hangUp()
	m, err := s.sitDownFirst(first)
	close(s.found)
	for {
		if m != nil {
			err = s.playAt(m)
		}
		if m == nil || err != nil || s.tally.games == s.request.length() || s.conn.ctx.Err() != nil || s.conn.server.isDown() {
			if errors.Is(err, tournament.ErrOver) {
				s.over, err = true, nil
			}
			s.conn.session.Close() // frees the opponent without waiting for the last line to be written
			s.part(err)
			return
		}
		s.sentRole = client.Message{}
		m, err = s.sitDown(s.yield(s.again(m)))
	}
}

// sitDownFirst is sitDown for the first game, also after recalls.
func (s *series) sitDownFirst(first place) (*session.Match, error) {
	for {
		s.warn()
		m, err := s.sitDown(s.yield(first))
		if !errors.Is(err, errRecalled) {
			return m, err
		}
		first = <-s.entries
	}
}

// playAt plays one match to the end. It returns an error if the result is unknown.
func (s *series) playAt(m *session.Match) error {
	s.seat.setGame(m)
	r := s.request.resumed
	if r == nil || s.tally.games > 0 {
		r = &resumed{sent: sentState{side: m.Side}}
		s.warn()
		if s.directives.understood() {
			s.announce(m)
		}
	}
	if !r.prepared {
		if err := s.seat.prepare(s.request, m.Rules); err != nil {
			return err
		}
	}
	return s.forward(m, r.sent)
}

// resign forfeits the match of a connection that ends, or aborts it if the server is
// shutting down.
func (s *series) resign() {
	// Both fail if the match has ended.
	if s.conn.server.isDown() {
		s.conn.session.Abort()
		return
	}
	s.conn.session.Forfeit(match.Hangup)
}

// forward sends the opponent's moves that follow sent until the match ends. When the connection ends,
// it resigns and waits for the end of the match, unless the client may return.
func (s *series) forward(m *session.Match, sent sentState) error {
	s.track(&sent)
	defer s.track(nil)
	ctx := s.conn.ctx
	for {
		ended, err := s.forwardNext(m)
		if ended {
			return err
		}
		if err == nil {
			select {
			case <-s.conn.session.Changed():
				continue
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if ctx != s.conn.ctx || s.conn.mayReturn() {
			return err
		}
		s.resign()
		ctx = s.conn.server.ctx
	}
}

// track sets what the client has been sent about the current game, or nil if no game is forwarded.
func (s *series) track(t *sentState) {
	s.forwarding.Lock()
	defer s.forwarding.Unlock()
	s.sent = t
}

// deliver sends the lines of an update, if that does not block. The opponent's goroutine calls it, so
// that the client's writer need not wake up for each move: with that, a round trip of one pair takes 1.3
// to 3.8 times that of a bare forwarder on two cores, without it 1.2 times. The writer sends everything
// else: the end of the match, and lines for a client that does not read.
func (s *series) deliver(u *live.Update) bool {
	if u.Missed || u.View.Phase == match.Over || !s.forwarding.TryLock() {
		return false
	}
	defer s.forwarding.Unlock()
	if s.sent == nil {
		return false
	}
	before := *s.sent
	s.buf, _ = s.sent.appendUpdate(s.buf[:0], s.request, u)
	if len(s.buf) > 0 && !s.out.tryWrite(s.buf) {
		*s.sent = before
		return false
	}
	return true
}

// forwardNext sends the lines of all pending updates. ended reports that the match is over for the
// client; err is then set if the result is unknown. If ended is false, err means that the session
// has ended.
func (s *series) forwardNext(m *session.Match) (ended bool, err error) {
	s.forwarding.Lock()
	defer s.forwarding.Unlock()
	for {
		news, err := s.conn.session.Poll()
		switch {
		case err != nil || news.Kind == 0:
			return false, err
		case news.Kind == session.MatchLost:
			return true, news.Err
		case news.Kind != session.MatchChanged:
			continue
		}
		u := news.Match
		lines, ok := s.sent.appendUpdate(s.buf[:0], s.request, u)
		s.buf = lines
		if !ok { // only a client that does not read can miss so much
			s.out.cut(match.Unread, errBehind)
		}
		if u.View.Phase == match.Over {
			s.score(m, &u.View, lines)
			return true, nil
		}
		if len(lines) > 0 {
			s.out.write(lines)
		}
	}
}

// announce sends the opponent directive: the opponent's name and rating, with a question
// mark if it is provisional or a dash if there is none, and whether the match is rated. It also sends
// the seat's resume code, if it has one.
func (s *series) announce(m *session.Match) {
	rating := "-"
	if m.Opponent.Account != "" {
		if standing, err := s.conn.session.OpponentStanding(s.conn.ctx); err == nil && standing.Games > 0 {
			rating = standing.String()
		}
	}
	state := s.conn.session.State()
	s.out.sendLine("%% opponent %s %s %s", m.Opponent.Name, rating, state.Stakes.Word())
	if code := state.Seat.Code; code != "" {
		s.out.sendLine("%% seat %s", code)
	}
}

// warn tells a registered program once that it plays only casual matches because its
// fleet is not fixed before the first shot. Programs that are not registered or have asked
// for casual matches, or for an opponent who wants them, need no warning.
func (s *series) warn() {
	w := s.request
	if s.warned || w.fixed() || w.player.Account == "" || w.choice != lobby.Rated || w.vs.casual || !s.directives.understood() {
		return
	}
	s.warned = true
	s.out.sendLine("%% error unrated your fleet is not fixed before the first shot, so your matches are casual: " +
		"send layout before your first role to play rated ones")
}
