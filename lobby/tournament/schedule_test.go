package tournament_test

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
)

// TestParseSlot checks which slots are valid, and that each error is one sentence about the wrong part.
func TestParseSlot(t *testing.T) {
	for text, want := range map[string]string{
		"fri 19:00 Europe/Berlin, 5 rounds, classic": "fri 19:00 Europe/Berlin, 5 rounds, classic",
		"  Daily  9:05 UTC ,rated,  1 round , salvo": "daily 09:05 UTC, rated, 1 rounds, salvo",
		"mon 24:00 UTC":                   `the time "24:00" must be`,
		"mon 19:00":                       "start with a day, a time and a time zone",
		"":                                "start with a day, a time and a time zone",
		"friday 19:00 UTC":                `the day "friday" must be`,
		"fri 19:00 Local":                 `the time zone "Local" must be`,
		"fri 19:00 ../../etc/passwd":      `the time zone "../../etc/passwd" must be`,
		"fri 19:00 UTC, 99 rounds":        `the rounds "99 rounds" must be 1 to 15`,
		"fri 19:00 UTC, many rounds":      `the rounds "many rounds" must be 1 to 15`,
		"fri 19:00 UTC, \x1b[2J@everyone": `"\x1b[2J@everyone" must be a number of rounds`,
		"fri 19:00 UTC, ":                 `"" must be a number of rounds`,
		"fri 19:00 UTC " + strings.Repeat("classic ", 100): "start with a day",
	} {
		s, err := tournament.ParseSlot(text)
		got := s.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("ParseSlot(%q) = %q, want %q", text, got, want)
		}
	}
}

// schedule sets the schedule and returns the tournaments that have then been announced.
func (f *field) schedule(texts ...string) []*tournament.Tournament {
	f.t.Helper()
	var slots []tournament.Slot
	for _, text := range texts {
		slots = append(slots, must.Get(tournament.ParseSlot(text)))
	}
	f.lobby.Tournaments.SetSchedule(slots)
	time.Sleep(2 * time.Second)
	return f.lobby.Snapshot().Scheduled
}

// TestScheduleKeepsWallClock checks that a daily tournament starts at the same local time when daylight saving time
// starts, and that each day has one.
func TestScheduleKeepsWallClock(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, _, _ account.Player) {
		f.close()
		time.Sleep(time.Until(time.Date(2000, 3, 25, 9, 0, 0, 0, time.UTC)))
		f.open()
		var got []string
		for range 3 {
			slots := []string{
				"daily 19:00 Europe/Berlin", "daily 19:00 Europe/Berlin, 3 rounds, classic", "mon 7:30 UTC, rated, salvo",
			}
			for _, c := range f.schedule(slots...) {
				got = append(got, c.Starts.UTC().Format("2 15:04 ")+c.Rules.Name)
			}
			time.Sleep(24 * time.Hour)
		}
		want := "25 18:00 classic|26 17:00 classic|27 07:30 salvo|27 17:00 classic"
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	})
}

// TestScheduledTournamentStarts checks that a tournament survives a restart on its announcement day without being
// created twice, keeps its entrants, alerts once, starts by itself, and that no player owns it.
func TestScheduledTournamentStarts(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		const slot = "sat 12:00 UTC, 2 rounds"
		all := f.schedule(slot)
		if len(all) != 1 || all[0].Rounds != 2 || all[0].RatingMode != lobby.Casual || all[0].Rules.Clock == 0 {
			t.Fatalf("got tournaments %+v, want a casual one with a clock and two rounds", all)
		}
		f.tournament = all[0]
		f.join(ann, ann)
		f.join(bob, bob)
		f.join(ann, f.newProgram(ann, "kraken"))
		guest := account.Player{ID: "guest", Name: "guest", Guest: true}
		for _, by := range []account.Player{ann, guest} {
			if _, err := f.lobby.Tournaments.End(t.Context(), f.tournament.Code, by); err == nil {
				t.Errorf("%s has ended the tournament", by.Name)
			}
			if _, err := f.lobby.Tournaments.Leave(t.Context(), f.tournament.Code, by, bob.ID); err == nil {
				t.Errorf("%s has removed bob", by.Name)
			}
			easy := f.lobby.NewTournamentEntrant(t.Context(), f.lobby.Accounts.BotPlayer("easy"), f.tournament.Rules)
			if _, err := f.lobby.Tournaments.Join(t.Context(), f.tournament.Code, by, easy); err == nil {
				t.Errorf("%s has entered a bot", by.Name)
			}
		}
		f.close()
		time.Sleep(2 * time.Hour)
		f.open()
		if all = f.schedule(slot); len(all) != 1 || len(all[0].Entrants) != 3 {
			t.Fatalf("after a restart: got %+v", all)
		}
		time.Sleep(time.Until(f.tournament.Starts) - time.Minute)
		f.close()
		time.Sleep(10 * time.Minute)
		f.open()
		c := f.await(func(c *tournament.Tournament) bool { return c.Phase != tournament.Joining })
		if c.Phase != tournament.Running || !c.Alerted || time.Since(c.Starts) > 11*time.Minute {
			t.Errorf("got the phase %s %v late, alerted %v, want running", c.Phase, time.Since(c.Starts), c.Alerted)
		}
	})
}

// TestScheduledTournamentIsSkipped checks that a tournament with too few players ends and that the next one follows, and
// that one is skipped if the server was down for too long at its start.
func TestScheduledTournamentIsSkipped(t *testing.T) {
	inBubble(t, func(t *testing.T, f *field, ann, bob account.Player) {
		const slot = "daily 12:00 UTC"
		for day, entrants := range [][]account.Player{{ann}, {ann, bob}} {
			all := f.schedule(slot)
			if len(all) != 1 || all[0].Starts.Day() != day+1 {
				t.Fatalf("day %d: got %+v", day, all)
			}
			f.tournament = all[0]
			for _, p := range entrants {
				f.join(p, p)
			}
			time.Sleep(time.Until(f.tournament.Starts) - time.Second)
			if len(entrants) == 2 {
				f.close()
				time.Sleep(20 * time.Minute)
				f.open()
			}
			c := f.await(isOver)
			if len(c.Games) > 0 {
				t.Errorf("day %d: got %d games, want none", day, len(c.Games))
			}
		}
	})
}
