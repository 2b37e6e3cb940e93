package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	// Time zones must be known on every computer.
	_ "time/tzdata"

	"broadside/lobby/code"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// Times of scheduled tournaments.
const (
	// announceAhead is how long before its start a scheduled tournament can be joined.
	announceAhead = 24 * time.Hour
	// alertAhead is how long before its start the webhook is told.
	alertAhead = 15 * time.Minute
	// maxLate is how late a scheduled tournament can start after the server was down.
	maxLate = 15 * time.Minute
)

// DefaultClock is the turn clock of tournaments whose owner chooses none. Without a clock, one player could stop a
// tournament.
const DefaultClock = 30 * time.Second

// Slot is a time of the week or of the day at which the server starts a tournament that everyone can join.
type Slot struct {
	// days has the days on which it starts.
	days         [7]bool
	hour, minute int
	zone         *time.Location
	rounds       int
	rules        match.Rules
	rated        bool
	text         string
}

// dayNames are the words for days, in the order of [time.Weekday].
var dayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ParseSlot parses a text such as "fri 19:00 Europe/Berlin, 5 rounds, classic" or "daily 19:00 UTC, rated". The rules
// are classic and the rounds are enough for one winner if they are not given. Errors are meant for the operator.
func ParseSlot(text string) (Slot, error) {
	parts := strings.Split(strings.Join(strings.Fields(text), " "), ",")
	words := strings.Fields(parts[0])
	if len(words) != 3 {
		return Slot{}, errors.New(`start with a day, a time and a time zone, such as "fri 19:00 Europe/Berlin"`)
	}
	s := Slot{rules: match.Classic()}
	day := strings.ToLower(words[0])
	at := slices.Index(dayNames, day)
	if at < 0 && day != "daily" {
		return s, fmt.Errorf("the day %q must be daily or one of %s", words[0], strings.Join(dayNames, ", "))
	}
	for i := range s.days {
		s.days[i] = at < 0 || i == at
	}
	clock, err := time.Parse("15:04", words[1])
	if err != nil {
		return s, fmt.Errorf("the time %q must be hours and minutes, such as 19:00", words[1])
	}
	s.hour, s.minute = clock.Hour(), clock.Minute()
	s.zone, err = time.LoadLocation(words[2])
	if err != nil || words[2] == time.Local.String() {
		return s, fmt.Errorf("the time zone %q must be a name such as Europe/Berlin or UTC", words[2])
	}
	s.text = day + " " + clock.Format("15:04") + " " + words[2]
	for _, part := range parts[1:] {
		if err := s.parseChoice(strings.TrimSpace(part)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// parseChoice parses one of the parts after the time: a number of rounds, rated, or rules.
func (s *Slot) parseChoice(text string) error {
	number, isRounds := strings.CutSuffix(strings.TrimSuffix(text, "s"), " round")
	rules, err := match.Preset(text)
	switch {
	case isRounds:
		s.rounds, err = strconv.Atoi(number)
		if err != nil || s.rounds < 1 || s.rounds > maxRounds {
			return fmt.Errorf("the rounds %q must be 1 to %d rounds", text, maxRounds)
		}
		text = fmt.Sprintf("%d rounds", s.rounds)
	case text == "rated":
		s.rated = true
	case err == nil:
		s.rules = rules
	default:
		return fmt.Errorf("%q must be a number of rounds, rated, or one of the rules %s", text, strings.Join(match.PresetNames(), ", "))
	}
	s.text += ", " + text
	return nil
}

// String returns the slot as [ParseSlot] accepts it.
func (s Slot) String() string { return s.text }

// next returns the first start after a time. The time of day stays the same when daylight saving time changes.
func (s Slot) next(after time.Time) time.Time {
	local := after.In(s.zone)
	for day := 0; ; day++ {
		t := time.Date(local.Year(), local.Month(), local.Day()+day, s.hour, s.minute, 0, 0, s.zone)
		if s.days[t.Weekday()] && t.After(after) {
			return t.UTC()
		}
	}
}

// newTournament returns the slot's tournament with a start. The same world, start and rules always give the same code,
// so that it exists once.
func (s Slot) newTournament(world string, starts, now time.Time) *Tournament {
	t := &Tournament{
		Settings: Settings{
			Name: "Broadside Open, " + s.rules.Name, Format: Swiss, Rounds: s.rounds, Rules: s.rules.WithClock(DefaultClock),
			RatingMode: ratingmode.Casual, Starts: starts, Grace: DefaultGrace,
		},
		Code: code.Derive(fmt.Sprintf("tournament %s %d %s", world, starts.Unix(), s.rules.Name), code.PrivateLength), Created: now, Phase: Joining,
	}
	if s.rated {
		t.RatingMode = ratingmode.Rated
	}
	return t
}

// IsScheduled reports whether the server created the tournament from its schedule.
func (t *Tournament) IsScheduled() bool { return t.Owner == "" }

// SetSchedule replaces the schedule. Tournaments that have been announced remain.
func (m *Manager) SetSchedule(slots []Slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.schedule = slots
}

// ListScheduled returns the scheduled tournaments that are not over, the first to start first.
func (m *Manager) ListScheduled() (all []*Tournament) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.all {
		if t.IsScheduled() && t.Phase != Over {
			all = append(all, t.clone())
		}
	}
	slices.SortFunc(all, func(a, b *Tournament) int { return a.Starts.Compare(b.Starts) })
	return all
}

// announceScheduled creates the tournaments that start within announceAhead, and alerts about those that start soon. It
// tries again later if the store fails. The caller must hold saving.
func (m *Manager) announceScheduled(ctx context.Context, now time.Time) {
	m.mu.Lock()
	slots := m.schedule
	for _, t := range m.all {
		soon := t.IsScheduled() && t.Phase == Joining && now.After(t.Starts.Add(-alertAhead)) && now.Before(t.Starts)
		if soon && !t.Alerted && m.cfg.Alert() {
			t.Alerted, m.dirty[t.Code] = true, true
		}
	}
	m.mu.Unlock()
	for _, s := range slots {
		starts := s.next(now)
		if starts.After(now.Add(announceAhead)) {
			continue
		}
		t := s.newTournament(m.cfg.Store.Tournaments.World(), starts, now)
		_, err := m.findByCode(ctx, t.Code)
		if !errors.Is(err, ErrNotFound) || m.save(ctx, t) != nil {
			continue
		}
		m.mu.Lock()
		m.all[t.Code] = t
		m.mu.Unlock()
		m.cfg.Lobby.NotifyChange()
	}
}
