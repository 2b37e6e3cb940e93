package plain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/bots"
	"broadside/lobby"
	"broadside/tui"
)

// free tells whether the person may begin a match, or says why not.
func (s *Session) free() bool {
	switch {
	case s.playing():
		s.say("You are playing. Say resign to give this match up.")
	case s.ticket != nil:
		s.say("You are waiting for an opponent. Say cancel to stop waiting.")
	default:
		return true
	}
	return false
}

func (s *Session) playNow(string) {
	if s.free() {
		s.wait(s.hall.PlayNow(s.me, s.chosen.Rules, s.chosen.Stakes()))
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
		s.seat(s.hall.ChallengeBot(s.me, strings.ToLower(name), s.chosen.Rules, s.chosen.Stakes()))
	}
}

// opponent is somebody to play, as they were listed.
type opponent struct {
	player lobby.Player
	offer  int // to be taken; 0: a person to be challenged
}

// others are those whom one can play: first those who wait.
func (s *Session) others() []opponent {
	s.catchUp()
	seen := map[string]bool{s.me.ID: true}
	var all []opponent
	for _, w := range s.news.Waiting {
		if !seen[w.Player.ID] {
			all = append(all, opponent{w.Player, w.Offer})
		}
		seen[w.Player.ID] = true
	}
	for _, p := range s.news.Here {
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
			at := slices.IndexFunc(s.news.Waiting, func(w lobby.Waiting) bool { return w.Offer == o.offer })
			s.say("%d: %s waits for an opponent: %s.", i+1, name, tui.WithStakes(s.l, terms(s.l, s.news.Waiting[at].Rules), s.news.Waiting[at].Stakes))
			continue
		}
		at := slices.IndexFunc(s.news.Here, func(p lobby.Presence) bool { return p.Player.ID == o.player.ID })
		switch p := s.news.Here[at]; {
		case p.Playing:
			s.say("%d: %s is playing.", i+1, name)
		case p.Quiet:
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
		s.seat(s.hall.Take(s.me, all[0].offer))
	default:
		s.wait(s.hall.Challenge(s.me, all[0].player.ID, s.chosen.Rules, s.chosen.Stakes()))
	}
}

func (s *Session) accept(string) {
	if s.call == nil {
		s.say("Nobody challenges you.")
		return
	}
	if s.playing() {
		s.free()
		return
	}
	c := s.call
	s.call = nil // the lobby will say so as well
	seating, err := s.hall.Take(s.me, c.Offer)
	if err == nil {
		s.ticket = nil // it has failed, for the person has begun a match
	}
	s.seat(seating, err)
}

func (s *Session) decline(string) {
	if s.call == nil {
		s.say("Nobody challenges you.")
		return
	}
	s.hall.Decline(s.me, s.call.Offer)
	s.call = nil
	s.say("Declined.")
}

func (s *Session) openRoom(code string) {
	if code != "" {
		s.join(code)
		return
	}
	if s.free() {
		s.wait(s.hall.OpenRoom(s.me, s.chosen.Rules, s.chosen.Stakes()))
	}
}

func (s *Session) join(code string) {
	if s.free() {
		s.seat(s.hall.Join(s.addr, s.me, code))
	}
}

// resume continues a match: the one with a resume code, or the person's own,
// even if another session of theirs plays it.
func (s *Session) resume(code string) {
	if !s.free() {
		return
	}
	if code != "" {
		s.wait(s.hall.Resume(s.addr, s.me, code))
		return
	}
	seating := s.hall.Unfinished(s.me)
	if seating == nil {
		s.say("You have no match to continue.")
		return
	}
	s.comeBack(seating)
}

// comeBack sits down in a match of the person that has begun already.
func (s *Session) comeBack(seating *lobby.Seating) {
	if seating.Partner != nil {
		s.say("A match of two people at one terminal of yours goes on. It needs a screen: ssh -t HOST.")
		return
	}
	s.sit(seating)
}

// refuse keeps the seat from somebody who has entered its resume code.
func (s *Session) refuse(string) {
	if s.game == nil || s.game.table.Takeover == nil {
		s.say("Nobody asks for your seat.")
		return
	}
	s.game.seating.Refuse()
	s.say("You keep your seat.")
	if code := s.game.seating.Code(); code != "" {
		s.say("Your new resume code: %s", code)
	}
}

// wait waits for an opponent, if the wish was heard.
func (s *Session) wait(t *lobby.Ticket, err error) {
	if err != nil {
		s.fail(err)
		return
	}
	s.unwatch()
	s.ticket = t
	select {
	case seating := <-t.Seated(): // somebody has waited
		s.seated(seating)
		return
	default:
	}
	if to, until := t.To(); to != nil {
		s.say("You challenge %s: %s. The answer comes within %s.", who(s.l, *to), tui.WithStakes(s.l, terms(s.l, t.Rules()), t.Stakes()), s.duration(time.Until(until)))
	} else if takes, until := t.TakesOver(); takes {
		s.say("Another session uses this seat. You take it over in %s, unless its player refuses. Say cancel to stop waiting.", s.duration(time.Until(until)))
	} else if t.Code() != "" {
		s.say("Your room is open. Its code is %s: %s. The other one says join %s, or connects with: ssh -t HOST join %s", t.Code(), tui.WithStakes(s.l, terms(s.l, t.Rules()), t.Stakes()), t.Code(), t.Code())
	} else {
		s.say("Waiting for an opponent: %s. Say cancel to stop waiting.", tui.WithStakes(s.l, terms(s.l, t.Rules()), t.Stakes()))
	}
}

// seated takes in what has become of the wish to play; nil: nothing.
func (s *Session) seated(seating *lobby.Seating) {
	t := s.ticket
	s.ticket = nil
	if seating == nil {
		s.fail(t.Err())
		s.drop()
		return
	}
	s.sit(seating)
}

// seat sits down, if there is a seat.
func (s *Session) seat(seating *lobby.Seating, err error) {
	if err != nil {
		s.fail(err)
		return
	}
	s.sit(seating)
}

// withdraw takes a wish to play back, or leaves the match that has come of it.
func (s *Session) withdraw() {
	t := s.ticket
	s.ticket = nil
	if t == nil || t.Cancel() {
		return
	}
	select {
	case seating := <-t.Seated():
		if seating != nil {
			seating.Seat.Detach(seating.Seat.Attach())
		}
	default:
	}
}

func (s *Session) cancel(string) {
	n := len(s.kept)
	s.kept = nil
	switch {
	case s.ticket != nil && s.ticket.Cancel():
		s.ticket = nil
		s.say("You do not wait any more.")
	case n > 0:
		s.say("%d commands that you had said ahead are dropped.", n)
	default:
		s.say("There is nothing to cancel.")
	}
}

func (s *Session) listMatches(string) {
	s.matches = s.hall.Matches()
	if len(s.matches) == 0 {
		s.say("No match is on. Say watch to see two bots play.")
		return
	}
	for i, r := range s.matches {
		s.say("%d: %s against %s, %s, for %s.", i+1, who(s.l, r.Players[0]), who(s.l, r.Players[1]), terms(s.l, r.Rules),
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
	s.watchBy(cmp.Or(text, lobby.Featured))
}

func (s *Session) toLobby(string) {
	switch {
	case s.playing():
		s.say("Your match is still on. Say resign to give it up.")
		return
	case s.ticket != nil:
		s.cancel("")
		return
	}
	s.rise()
	s.unwatch()
	s.say("You are in the lobby.")
}
