package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/code"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// Limits on tournaments.
const (
	// MaxName is the maximum length of a name in characters.
	MaxName = 40
	// maxEntrants limits the entrants of any tournament.
	maxEntrants = 128
	// MaxRoundRobin limits the entrants of a round robin, which has about as many rounds.
	MaxRoundRobin = 32
	// maxRounds limits the rounds of a Swiss.
	maxRounds = 15
	// MaxPerOwner limits the tournaments of an owner that are not over.
	MaxPerOwner = 5
	// maxTournaments limits the tournaments of the server that are not over.
	maxTournaments = 200
	// maxJoined limits the tournaments that a player has joined and that are not over.
	maxJoined = 20
	// maxFinishedKept is how many tournaments stay in memory after they are over.
	maxFinishedKept = 200
	// maxAhead is how far ahead a tournament can be scheduled.
	maxAhead = 90 * 24 * time.Hour
	// maxWait limits the settings Grace and Break.
	maxWait      = 24 * time.Hour
	DefaultGrace = 5 * time.Minute
	// maxOpen is how long a tournament without a start time waits for its owner to start it.
	maxOpen = 30 * 24 * time.Hour
)

// maxListed limits the size of a list of tournaments.
const maxListed = 50

// storeTimeout limits how long a change waits for the database.
const storeTimeout = 3 * time.Second

// Errors of tournaments, as sentences for the player.
var (
	ErrNotFound  = i18n.Errorf("there is no tournament with this code")
	ErrOver      = i18n.Errorf("the tournament is over")
	errStarted   = i18n.Errorf("the tournament has started: no one can join now")
	errOwner     = i18n.Errorf("only the owner of the tournament can do this")
	errNoEntrant = i18n.Errorf("there is no such entrant in this tournament")
	errFull      = i18n.Errorf("the tournament is full")
	errTwo       = i18n.Errorf("a tournament needs at least two entrants")
	errAccount   = i18n.Errorf("tournaments need an account: choose a name first, and register programs with token new")
	errName      = i18n.Errorf("a tournament needs a name of at most %d characters", MaxName)
	errFormat    = i18n.Errorf("the format must be swiss, round-robin or knockout")
	errRounds    = i18n.Errorf("a Swiss tournament has 1 to %d rounds", maxRounds)
	errTimes     = i18n.Errorf("the grace period and the break can be at most a day, and the tournament must start within 90 days")
	errTooMany   = i18n.Errorf("you already have %d unfinished tournaments: end one first", MaxPerOwner)
	errServer    = i18n.Errorf("too many tournaments are being played on this server: try again later")
	errJoined    = i18n.Errorf("no player can be in more than %d tournaments at once", maxJoined)
)

// Lobby is what the tournaments need from the lobby.
type Lobby interface {
	// StartMatch starts the match of two entrants if both can play now, and returns its ID. Otherwise
	// the ID is empty. It also reports which of the two can play.
	StartMatch(p Pairing) (id string, present [2]bool)
	// IsRunning reports whether the match with an ID is running.
	IsRunning(id string) bool
	// ReleaseOffers ends the offers of an entrant who has no more matches in the tournament with a
	// code. If id is empty, it ends those of all entrants.
	ReleaseOffers(code, id string)
	// NotifyChange is called after each change of a tournament.
	NotifyChange()
}

// Config configures [Open]. All fields are required except Store.
type Config struct {
	// Store may be nil. Then there are no tournaments.
	Store *store.Store
	Log   *slog.Logger
	Lobby Lobby
	// Alert is called when a scheduled tournament starts soon, and again if it returns false. It must not block.
	Alert func() bool
}

// Pairing is a match of a tournament that is about to start.
type Pairing struct {
	Code string
	// Entrants holds both entrants. The first one defends first.
	Entrants   [2]Entrant
	Rules      match.Rules
	RatingMode ratingmode.Mode
}

// Manager holds a server's tournaments. Its methods may be called from any goroutine.
type Manager struct {
	cfg Config
	// ctx is the context of run.
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	// saving is held while a tournament is changed and stored. It is locked before mu.
	saving lock
	// games holds the running games by match ID. saving guards it.
	games map[string]gameRef
	// dirty holds the codes of tournaments with changes that are not stored. saving guards it.
	dirty map[string]bool

	// mu guards the fields below. It is never held while waiting.
	mu sync.Mutex
	// all holds the tournaments by code. Changes require saving, too.
	all map[string]*Tournament
	// finished holds the codes of tournaments in all that are over, oldest first.
	finished []string
	// schedule holds the slots of scheduled tournaments.
	schedule []Slot
	// ended holds the ends of matches that their tournaments have not recorded yet.
	ended []matchEnd
}

// gameRef is where a game is.
type gameRef struct {
	code  string
	index int
}

// matchEnd is how a tournament's match ended.
type matchEnd struct {
	match  string
	winner match.Side
	// mustRepeat reports that the server closed the match, so that it does not count.
	mustRepeat bool
}

// Open reads the tournaments that are not over. Call [Manager.Resume] once the lobby has restored
// its running matches, and [Manager.Close] in the end.
func Open(ctx context.Context, cfg Config) (*Manager, error) {
	m := &Manager{
		cfg: cfg, saving: make(lock, 1),
		all: map[string]*Tournament{}, games: map[string]gameRef{}, dirty: map[string]bool{},
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	if cfg.Store == nil {
		return m, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTimeout)
	defer cancel()
	stored, err := cfg.Store.Tournaments.ListUnfinished(ctx)
	if err != nil {
		return nil, err
	}
	for _, data := range stored {
		t := &Tournament{}
		if err := json.Unmarshal(data, t); err != nil {
			cfg.Log.Error("a tournament cannot be read", "error", err)
			continue
		}
		t.restartWaits(time.Now())
		m.all[t.Code] = t
		for i, g := range t.Games {
			if g.isPlaying() {
				m.games[g.Match] = gameRef{t.Code, i}
			}
		}
	}
	return m, nil
}

// Resume continues the tournaments. A game whose match is no longer running is decided if the
// match has ended, and played again otherwise.
func (m *Manager) Resume(ctx context.Context) error {
	if m.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTimeout)
	defer cancel()
	for id := range m.games {
		if m.cfg.Lobby.IsRunning(id) {
			continue
		}
		stored, err := m.cfg.Store.Matches.FindByID(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			stored.Winner, stored.Reason = match.Nobody, match.Closed
		case err != nil:
			m.cfg.Log.Error("the result of a tournament's match cannot be read", "match", id, "error", err)
			return err
		}
		m.RecordMatchEnd(id, stored.Winner, stored.Reason, stored.Events)
	}
	m.done.Go(func() { m.run(m.ctx) })
	return nil
}

// scoredWinner returns the side that wins a match in the tournament. A side that aborts loses.
func scoredWinner(won match.Side, events []match.Event) match.Side {
	for i := range events {
		e := &events[i]
		if e.Kind == match.GameAborted {
			return e.Side.Other()
		}
	}
	return won
}

// Close stops starting matches and waits for the tournaments' goroutine.
func (m *Manager) Close() {
	m.cancel()
	m.done.Wait()
}

// RecordMatchEnd records the end of a match. Matches that belong to no tournament are ignored.
func (m *Manager) RecordMatchEnd(id string, won match.Side, why match.Reason, events []match.Event) {
	if m.cfg.Store == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = append(m.ended, matchEnd{id, scoredWinner(won, events), why == match.Closed})
}

// Normalize returns s with a clean name and the default grace, or an error if s is invalid now.
func (s Settings) Normalize(now time.Time) (Settings, error) {
	s.Grace = cmp.Or(s.Grace, DefaultGrace)
	s.Name = strings.Join(strings.Fields(sanitize.Text(s.Name)), " ")
	switch {
	case s.Name == "" || len([]rune(s.Name)) > MaxName:
		return s, errName
	case !slices.Contains(Formats, s.Format):
		return s, errFormat
	case s.Rounds < 0 || s.Rounds > maxRounds:
		return s, errRounds
	case s.Grace < 0 || s.Grace > maxWait || s.Break < 0 || s.Break > maxWait || s.Starts.After(now.Add(maxAhead)):
		return s, errTimes
	}
	return s, nil
}

// lock is a mutex for tests with synctest. Unlike with a [sync.Mutex], their clock advances while a
// goroutine waits for it.
type lock chan struct{}

func (l lock) Lock()   { l <- struct{}{} }
func (l lock) Unlock() { <-l }

// Create creates a tournament with a new code, owned by p.
func (m *Manager) Create(ctx context.Context, p account.Player, s Settings) (*Tournament, error) {
	now := time.Now()
	switch {
	case m.cfg.Store == nil:
		return nil, account.ErrNoStore
	case p.Account == "":
		return nil, errAccount
	}
	s, err := s.Normalize(now)
	if err != nil {
		return nil, err
	}
	t := &Tournament{
		Settings: s, Code: code.New(code.PrivateLength), Owner: p.Account, OwnerName: p.Name, Created: now, Phase: Joining,
	}
	m.saving.Lock()
	defer m.saving.Unlock()
	if err := m.checkLimits(p.Account); err != nil {
		return nil, err
	}
	if err := m.save(ctx, t); err != nil {
		return nil, account.ErrStore
	}
	m.mu.Lock()
	m.all[t.Code] = t
	copied := t.clone()
	m.mu.Unlock()
	m.cfg.Lobby.NotifyChange()
	return copied, nil
}

// checkLimits returns an error if the owner or the server has too many tournaments for another one.
func (m *Manager) checkLimits(owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.countCurrentLocked(func(t *Tournament) bool { return t.Owner == owner }) >= MaxPerOwner:
		return errTooMany
	case m.countCurrentLocked(func(*Tournament) bool { return true }) >= maxTournaments:
		return errServer
	}
	return nil
}

// countCurrentLocked counts the tournaments that are not over and for which fits returns true.
func (m *Manager) countCurrentLocked(fits func(*Tournament) bool) (n int) {
	for _, t := range m.all {
		if t.Phase != Over && fits(t) {
			n++
		}
	}
	return n
}

// Find returns the tournament with an entered code. If the tournament is over, Find waits for the database.
func (m *Manager) Find(ctx context.Context, text string) (*Tournament, error) {
	entered, ok := code.Parse(text, code.PrivateLength)
	if !ok {
		return nil, ErrNotFound
	}
	return m.findByCode(ctx, entered)
}

func (m *Manager) findByCode(ctx context.Context, code string) (*Tournament, error) {
	m.mu.Lock()
	t := m.all[code]
	if t != nil {
		t = t.clone()
	}
	m.mu.Unlock()
	switch {
	case t != nil:
		return t, nil
	case m.cfg.Store == nil:
		return nil, ErrNotFound
	}
	data, err := m.cfg.Store.Tournaments.Get(ctx, code)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrNotFound
	}
	t = &Tournament{}
	if err == nil {
		err = json.Unmarshal(data, t)
	}
	if err != nil {
		m.cfg.Log.Error("a tournament cannot be read", "tournament", code, "error", err)
		return nil, account.ErrStore
	}
	return t, nil
}

// IsOver reports whether the tournament with a code is over.
func (m *Manager) IsOver(code string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.all[code]
	return t == nil || t.Phase == Over
}

// ListByPlayer returns up to maxListed tournaments that a player owns or has joined, including
// those of the player's programs, and scheduled tournaments that are not over, newest first. Tournaments that were over before the server
// started are left out.
func (m *Manager) ListByPlayer(p account.Player) (all []*Tournament) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range m.all {
		hasEntered := slices.ContainsFunc(t.Entrants, func(e Entrant) bool { return e.belongsTo(p) })
		isOpen := t.IsScheduled() && t.Phase != Over
		if p.Account != "" && (t.Owner == p.Account || hasEntered) || isOpen {
			all = append(all, t.clone())
		}
	}
	slices.SortFunc(all, func(a, b *Tournament) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Code, b.Code))
	})
	return all[:min(len(all), maxListed)]
}
