package relay

import (
	"errors"

	"broadside/internal/session"
	"broadside/match"
)

// series plays a client's games one after another. It belongs to the goroutine that lets
// the client into the lobby, and then to the client's writer.
type series struct {
	conn       *conn
	request    *request // constant from now on
	out        *output
	directives *directives
	seat       *seat
	tally      tally
	refused    error // why the client cannot continue
	warned     bool  // the client has been warned that its matches are casual
}

// role returns the message that assigns a side to a client.
func role(side match.Side) Message {
	if side == match.First {
		return Message{Op: Defend}
	}
	return Message{Op: Assault}
}

// play plays all games of the series, and then ends the connection.
func (s *series) play(first place) {
	defer s.conn.hangUp()
	s.warn()
	next := s.reached(first)
	for {
		m, err := s.sitDown(next)
		if m != nil {
			err = s.playAt(m)
		}
		if m == nil || err != nil || s.tally.games == s.request.length() || s.conn.ctx.Err() != nil {
			if errors.Is(err, session.ErrCupOver) {
				err = nil
			}
			s.conn.session.Close() // frees the opponent without waiting for the last line to be written
			s.part(err)
			return
		}
		next = s.reached(s.again(m))
	}
}

// playAt plays one match to the end. It returns an error if the result is unknown.
func (s *series) playAt(m *session.Match) error {
	s.seat.setGame(m)
	s.warn()
	if s.directives.understood() {
		s.announce(m)
	}
	if err := s.seat.prepare(s.request, m.Rules); err != nil {
		return err
	}
	return s.forward(m)
}

// resign forfeits the match of a connection that ends, or aborts it if the server is
// shutting down.
func (s *series) resign() {
	var a session.Action = session.Forfeit{Reason: match.Hangup}
	if s.conn.server.isDown() {
		a = session.Abort{}
	}
	s.seat.act(a) // fails if the match has ended
}

// forward sends the opponent's moves until the match ends. When the connection ends,
// it resigns and waits for the end of the match.
func (s *series) forward(m *session.Match) error {
	t := sentState{side: m.Side}
	buf := make([]byte, 0, 64)
	ctx := s.conn.ctx
	for {
		news, err := session.Next(ctx, s.conn.session)
		if err != nil && ctx == s.conn.ctx {
			s.resign()
			ctx = s.conn.server.ctx
			continue
		}
		if err == nil && news.Kind == session.MatchLost {
			err = news.Err
		}
		if err != nil {
			return err
		}
		if news.Kind != session.MatchChanged {
			continue
		}
		u := news.Match
		buf = buf[:0]
		t.note(s.request, &u.View)
		if u.Missed {
			var ok bool
			if buf, ok = t.appendMissed(buf, &u.View); !ok { // only a client that does not read can miss so much
				s.out.cut(match.Unread, errBehind)
			}
		} else {
			for i := range u.Events {
				buf = t.appendEvent(buf, &u.Events[i])
			}
		}
		if s.directives.understood() {
			buf = t.appendReveal(buf, u)
		}
		if u.View.Phase == match.Over {
			s.score(m, &u.View, buf)
			return nil
		}
		if len(buf) > 0 {
			s.out.write(buf)
		}
	}
}

// announce sends the opponent directive: the opponent's name and rating, with a question
// mark if it is provisional or a dash if there is none, and whether the match is rated.
func (s *series) announce(m *session.Match) {
	rating := "-"
	if m.Opponent.Account != "" {
		if standing, err := session.Ask(s.conn.ctx, s.conn.session, session.OpponentStanding{}); err == nil && standing.Games > 0 {
			rating = standing.String()
		}
	}
	s.out.sendLine("%% opponent %s %s %s", m.Opponent.Name, rating, s.conn.session.State().Stakes.Word())
}

// warn tells a registered program once that it plays only casual matches because its
// fleet is not fixed before the first shot. Programs that are not registered or have asked
// for casual matches need no warning.
func (s *series) warn() {
	w := s.request
	if s.warned || w.fixed() || w.player.Account == "" || w.choice != session.Rated || !s.directives.understood() {
		return
	}
	s.warned = true
	how := "send layout or commit before your first role to play rated ones"
	if w.commits {
		how = "commitments prove nothing if ships move: send layout to play rated matches"
	}
	s.out.sendLine("%% error unrated your fleet is not fixed before the first shot, so your matches are casual: %s", how)
}
