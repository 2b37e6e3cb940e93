//go:build slow && linux

package e2e

import (
	"slices"

	"broadside/internal/store"
	"broadside/match"
)

// checkPeople compares the notes of people with the stored matches.
func (s *clusterTest) checkPeople() {
	s.t.Helper()
	shots, matches := 0, 0
	for _, p := range s.people {
		for _, line := range p.odd {
			s.t.Errorf("%s heard %q", p.name, line)
		}
		stored := s.matchesOf(p.account)
		if len(stored) != len(p.games) {
			s.t.Errorf("%s has played %d matches, of which %d are stored: %v", p.name, len(p.games), len(stored), p)
			continue
		}
		for n, sum := range stored {
			if n > 0 && sum.Started.Before(stored[n-1].Started.Add(stored[n-1].Took)) {
				s.t.Errorf("%s was in two matches at a time: %s and %s", p.name, sum.ID, stored[n-1].ID)
			}
			shots += s.checkNotes(p, p.games[n], sum)
			matches++
		}
	}
	s.t.Logf("%d shots of %d people in %d matches are stored, each once and in order", shots, len(s.people), matches/2)
}

// checkNotes compares the notes about a match with the stored match, and returns the number
// of shots.
func (s *clusterTest) checkNotes(p *linePlayer, v *notes, sum store.Summary) int {
	s.t.Helper()
	if r := sum.Reason; r != match.FleetSunk && r != match.Resigned && r != match.Aborted {
		s.t.Errorf("match %s of %s has ended for this reason: %v", sum.ID, p.name, r)
	}
	m, err := s.store.Matches.ByID(s.ctx, sum.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	side := match.First
	if m.Seats[match.Second].Player == p.account {
		side = match.Second
	}
	stored := shotsOf(m, side)
	own := slices.DeleteFunc(slices.Clone(v.fired), func(c match.Cell) bool { return c == knownWater })
	if v.open && len(stored) == len(own)+1 { // the match was over before the answer came
		own = append(own, v.asked)
	}
	if !slices.Equal(own, stored) {
		s.t.Errorf("%s has fired at\n%v\nand match %s has\n%v\n%v", p.name, own, sum.ID, stored, p)
	}
	return len(own)
}

// shotsOf returns the cells at which a side has fired.
func shotsOf(m store.Match, side match.Side) (cells []match.Cell) {
	for _, e := range m.Events {
		if e.Kind == match.ShotFired && e.Side == side {
			cells = append(cells, e.Cell)
		}
	}
	return cells
}

// matchesOf returns the stored matches of a player, or all if the account is empty, oldest
// first.
func (s *clusterTest) matchesOf(account string) (all []store.Summary) {
	s.t.Helper()
	const most = 1000
	for mark := (store.Cursor{}); ; mark = all[len(all)-1].Cursor() {
		var page []store.Summary
		var err error
		if account == "" {
			page, err = s.store.Matches.List(s.ctx, mark, most)
		} else {
			page, err = s.store.Matches.Of(s.ctx, account, mark, most)
		}
		if err != nil {
			s.t.Fatal(err)
		}
		if all = append(all, page...); len(page) < most {
			break
		}
	}
	slices.SortFunc(all, func(x, y store.Summary) int { return x.Started.Compare(y.Started) })
	return all
}
