package lines

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/bots"
	"broadside/internal/session"
	"broadside/tui"
)

// free tells whether the person may begin a match, or says why not.
func (s *Session) free() bool {
	switch {
	case s.playing():
		s.say("You are playing. Say resign to give this match up.")
	case s.state.Offer != nil:
		s.say("You are waiting for an opponent. Say cancel to stop waiting.")
	default:
		return true
	}
	return false
}

func (s *Session) playNow(string) {
	if s.free() {
		s.seek(session.Seek{Rules: s.chosen.Rules, Stakes: s.chosen.Stakes()})
	}
}

func (s *Session) playBot(name string) {
	if name == "" {
		s.say("The bots, from the weakest to the strongest:")
		for _, b := range bots.Offered(s.chosen.Rules) {
			s.say("%s, which shoots %s.", b.Name, b.About)
		}
		return
	}
	if s.free() {
		s.do(session.PlayBot{Bot: strings.ToLower(name), Rules: s.chosen.Rules, Stakes: s.chosen.Stakes()})
	}
}

// opponent is somebody to play, as they were listed.
type opponent struct {
	player session.Player
	offer  int // to be taken; 0: a person to be challenged
}

// others are those whom one can play: first those who wait.
func (s *Session) others() []opponent {
	s.sync()
	seen := map[string]bool{s.state.Me.ID: true}
	var all []opponent
	for _, w := range s.state.Lobby.Waiting {
		if !seen[w.Player.ID] {
			all = append(all, opponent{w.Player, w.Offer})
		}
		seen[w.Player.ID] = true
	}
	for _, p := range s.state.Lobby.People {
		if !seen[p.Player.ID] {
			all = append(all, opponent{p.Player, 0})
		}
		seen[p.Player.ID] = true
	}
	return all
}

func (s *Session) listOpponents(string) {
	s.opponents = s.others()
	if len(s.opponents) == 0 {
		s.say("Nobody else is here. Say play to wait for the next who comes, or bot easy to play a bot.")
		return
	}
	for i, o := range s.opponents {
		name := who(s.l, o.player)
		if o.offer != 0 {
			at := slices.IndexFunc(s.state.Lobby.Waiting, func(w session.Waiting) bool { return w.Offer == o.offer })
			s.say("%d: %s waits for an opponent: %s.", i+1, name, tui.WithStakes(s.l, terms(s.l, s.state.Lobby.Waiting[at].Rules), s.state.Lobby.Waiting[at].Stakes))
			continue
		}
		at := slices.IndexFunc(s.state.Lobby.People, func(p session.Presence) bool { return p.Player.ID == o.player.ID })
		switch p := s.state.Lobby.People[at]; {
		case p.Playing:
			s.say("%d: %s is playing.", i+1, name)
		case p.DoNotDisturb:
			s.say("%d: %s does not want to be disturbed.", i+1, name)
		default:
			s.say("%d: %s is here.", i+1, name)
		}
	}
	s.say("Say challenge and a name or a number.")
}

func (s *Session) challenge(name string) {
	if name == "" {
		s.say("Say whom: challenge and a name. Say opponents to hear who is here.")
		return
	}
	if !s.free() {
		return
	}
	all := s.others()
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(s.opponents) {
		id := s.opponents[n-1].player.ID
		all = slices.DeleteFunc(all, func(o opponent) bool { return o.player.ID != id })
	} else {
		all = slices.DeleteFunc(all, func(o opponent) bool { return !strings.EqualFold(o.player.Name, name) })
	}
	switch {
	case len(all) == 0:
		s.say("%s is not here. Say opponents to hear who is.", short(name))
	case all[0].offer != 0:
		s.do(session.Accept{Offer: all[0].offer})
	default:
		s.seek(session.SendChallenge{Player: all[0].player.ID, Rules: s.chosen.Rules, Stakes: s.chosen.Stakes()})
	}
}

func (s *Session) accept(string) {
	switch c := s.state.Challenge; {
	case c == nil:
		s.say("Nobody challenges you.")
	case s.playing():
		s.free()
	default:
		s.do(session.Accept{Offer: c.Offer})
	}
}

func (s *Session) decline(string) {
	if s.state.Challenge == nil {
		s.say("Nobody challenges you.")
		return
	}
	if s.do(session.Decline{Offer: s.state.Challenge.Offer}) {
		s.say("Declined.")
	}
}

func (s *Session) openRoom(code string) {
	if code != "" {
		s.join(code)
		return
	}
	if s.free() {
		s.seek(session.OpenPrivate{Rules: s.chosen.Rules, Stakes: s.chosen.Stakes()})
	}
}

func (s *Session) join(code string) {
	if s.free() {
		s.do(session.JoinPrivate{Code: code})
	}
}

// resume continues a match: the one with a resume code, or the person's own,
// even if another session of theirs plays it.
func (s *Session) resume(code string) {
	switch {
	case !s.free():
	case code != "":
		s.seek(session.ResumeSeat{Code: code})
	case s.occupancy() == session.NoSeat:
		s.say("You have no match to continue.")
	default:
		s.do(session.Rejoin{Used: true})
	}
}

// occupancy asks whether the player has a match to continue.
func (s *Session) occupancy() session.Occupancy {
	o, _ := session.Ask(s.ctx, s.own, session.GetOccupancy{}) // which cannot fail
	return o
}

// refuse keeps the seat from somebody who has entered its resume code.
func (s *Session) refuse(string) {
	if s.game == nil || s.state.Seat.Takeover == nil {
		s.say("Nobody asks for your seat.")
		return
	}
	s.do(session.Refuse{})
	s.say("You keep your seat.")
	if code := s.state.Seat.Code; code != "" {
		s.say("Your new resume code: %s", code)
	}
}

// seek looks for an opponent, and says what the player waits for.
func (s *Session) seek(a session.Action) {
	if !s.do(a) || s.state.Offer == nil {
		return
	}
	s.do(session.Unwatch{})
	s.tellSeek()
}

// tellSeek says what the player waits for.
func (s *Session) tellSeek() {
	offer := s.state.Offer
	switch {
	case offer.To != nil:
		s.say("You challenge %s: %s. The answer comes within %s.", who(s.l, *offer.To), tui.WithStakes(s.l, terms(s.l, offer.Rules), offer.Stakes), s.duration(time.Until(offer.Until)))
	case offer.TakesOver:
		s.say("Another session uses this seat. You take it over in %s, unless its player refuses. Say cancel to stop waiting.", s.duration(time.Until(offer.Until)))
	case offer.Code != "":
		s.say("Your room is open. Its code is %s: %s. The other one says join %s, or connects with: ssh -t HOST join %s", offer.Code, tui.WithStakes(s.l, terms(s.l, offer.Rules), offer.Stakes), offer.Code, offer.Code)
	default:
		s.say("Waiting for an opponent: %s. Say cancel to stop waiting.", tui.WithStakes(s.l, terms(s.l, offer.Rules), offer.Stakes))
	}
}

func (s *Session) cancel(string) {
	n := len(s.kept)
	s.kept = nil
	withdrawn, _ := session.Ask(s.ctx, s.own, session.Cancel{}) // without an offer, nothing was
	s.sync()
	switch {
	case withdrawn:
		s.say("You do not wait any more.")
	case n > 0:
		s.say("%d commands that you had said ahead are dropped.", n)
	default:
		s.say("There is nothing to cancel.")
	}
}

func (s *Session) listMatches(string) {
	s.matches, _ = session.Ask(s.ctx, s.own, session.Matches{}) // which cannot fail
	if len(s.matches) == 0 {
		s.say("No match is on. Say watch to see two bots play.")
		return
	}
	for i, r := range s.matches {
		s.say("%d: %s against %s, %s, for %s.", i+1, who(s.l, r.Players[0]), who(s.l, r.Players[1]), terms(s.l, r.Rules)+", "+s.l.Say(r.Stakes.Word()),
			s.duration(max(time.Second, time.Since(r.Started))))
	}
	s.say("Say watch and a name or a number.")
}

func (s *Session) watch(text string) {
	if !s.free() {
		return
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(s.matches) {
		text = s.matches[n-1].ID
	}
	s.do(session.WatchBy{Text: cmp.Or(text, session.Featured)})
}

func (s *Session) toLobby(string) {
	switch {
	case s.playing():
		s.say("Your match is still on. Say resign to give it up.")
		return
	case s.state.Offer != nil:
		s.cancel("")
		return
	}
	s.do(session.LeaveMatch{})
	s.do(session.Unwatch{})
	s.say("You are in the lobby.")
}
