package cup

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
	"broadside/lobby/stakes"
	"broadside/match"
)

// Limits on cups.
const (
	MaxName       = 40                  // characters
	maxEntrants   = 128                 // of a cup
	MaxRoundRobin = 32                  // entrants of a round robin, which has a round for each
	maxRounds     = 15                  // of a Swiss
	MaxPerOwner   = 5                   // cups of a person that are not over
	maxCups       = 200                 // cups of the server that are not over
	maxJoined     = 20                  // cups that are not over and that a player has joined
	keptOver      = 200                 // cups that are over and still in memory
	maxAhead      = 90 * 24 * time.Hour // start time of a new cup
	maxWait       = 24 * time.Hour      // grace and break
	DefaultGrace  = 5 * time.Minute
	// maxOpen is how long a cup without a start time waits for its owner to start it.
	maxOpen = 30 * 24 * time.Hour
)

// maxListed limits the size of a list of cups.
const maxListed = 50

// storeTimeout limits how long a change waits for the database.
const storeTimeout = 3 * time.Second

// Errors of cups, as sentences for the player.
var (
	ErrNoCup     = i18n.Errorf("there-is-no-cup-with")
	ErrOver      = i18n.Errorf("the-cup-is-over")
	errBegun     = i18n.Errorf("the-cup-has-begun")
	errOwner     = i18n.Errorf("only-the-owner-of-the-cup")
	errNoEntrant = i18n.Errorf("you-are-not-in-the-cup")
	errFull      = i18n.Errorf("the-cup-is-full")
	errTwo       = i18n.Errorf("a-cup-needs-two-entrants")
	errAccount   = i18n.Errorf("to-join-a-cup-choose")
	errName      = i18n.Errorf("a-cup-needs-a-name", MaxName)
	errFormat    = i18n.Errorf("a-cup-is-swiss")
	errRounds    = i18n.Errorf("a-swiss-cup-has-rounds", maxRounds)
	errTimes     = i18n.Errorf("the-times-of-the-cup")
	errTooMany   = i18n.Errorf("you-have-too-many-cups", MaxPerOwner)
	errServer    = i18n.Errorf("the-server-has-too-many-cups")
	errJoined    = i18n.Errorf("you-have-joined-too-many-cups", maxJoined)
)

// Lobby is what the cups need from the lobby.
type Lobby interface {
	// Begin begins the match of two entrants if both can play now, and returns its ID. Otherwise
	// the ID is empty. It also reports which of the two can play.
	Begin(p Pairing) (id string, here [2]bool)
	// Running reports whether a match is running.
	Running(id string) bool
	// Release ends the wait of an entrant, or of all entrants if id is empty, that has no
	// more matches in the cup with a code.
	Release(code, id string)
	// Changed is called after each change of a cup.
	Changed()
}

// Config configures [Open]. All fields are required except Store.
type Config struct {
	Store *store.Store // nil: there are no cups
	Log   *slog.Logger
	Lobby Lobby
}

// Pairing is a match of a cup that is about to begin.
type Pairing struct {
	Code     string
	Entrants [2]Entrant // the first one defends first
	Rules    match.Rules
	Stakes   stakes.Stakes
}

// Cups holds the cups of a server. Its methods may be called from any goroutine.
type Cups struct {
	cfg    Config
	ctx    context.Context // of run
	cancel context.CancelFunc
	done   sync.WaitGroup

	// saving is held while a cup is changed and stored. It is locked before mu.
	saving sync.Mutex
	games  map[string]place // guarded by saving: the running games by the IDs of their matches
	dirty  map[string]bool  // guarded by saving: the codes of cups with changes that are not stored

	mu    sync.Mutex      // never held while waiting
	all   map[string]*Cup // guarded by mu: by code; changes require saving, too
	over  []string        // guarded by mu: the codes of cups in all that are over, oldest first
	ended []result        // guarded by mu: of matches, not yet recorded in their cups
}

// place is where a game is.
type place struct {
	code  string
	index int
}

// result is how a match ended for a cup.
type result struct {
	match  string
	winner match.Side
	again  bool // the server closed it, so that it does not count
}

// Open reads the cups that are not over. Call [Cups.Resume] once the matches that were running
// have been restored, and Close in the end.
func Open(ctx context.Context, cfg Config) (*Cups, error) {
	cs := &Cups{cfg: cfg, all: map[string]*Cup{}, games: map[string]place{}, dirty: map[string]bool{}}
	cs.ctx, cs.cancel = context.WithCancel(context.Background())
	if cfg.Store == nil {
		return cs, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTimeout)
	defer cancel()
	stored, err := cfg.Store.Cups.Current(ctx)
	if err != nil {
		return nil, err
	}
	for _, data := range stored {
		c := &Cup{}
		if err := json.Unmarshal(data, c); err != nil {
			cfg.Log.Error("a cup cannot be read", "error", err)
			continue
		}
		c.resume(time.Now())
		cs.all[c.Code] = c
		for i, g := range c.Games {
			if g.isPlaying() {
				cs.games[g.Match] = place{c.Code, i}
			}
		}
	}
	return cs, nil
}

// Resume continues the cups. A game whose match is no longer running is decided if the
// match has ended, and played again otherwise.
func (cs *Cups) Resume(ctx context.Context) error {
	if cs.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTimeout)
	defer cancel()
	for id := range cs.games {
		if cs.cfg.Lobby.Running(id) {
			continue
		}
		m, err := cs.cfg.Store.Matches.ByID(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound):
			m.Winner, m.Reason = match.Nobody, match.Closed
		case err != nil:
			cs.cfg.Log.Error("the result of a cup's match cannot be read", "match", id, "error", err)
			return err
		}
		cs.Ended(id, m.Winner, m.Reason, m.Events)
	}
	cs.done.Go(func() { cs.run(cs.ctx) })
	return nil
}

// winner returns who won a match for a cup: a side that aborts loses.
func winner(won match.Side, events []match.Event) match.Side {
	for i := range events {
		if e := &events[i]; e.Kind == match.GameAborted {
			return e.Side.Other()
		}
	}
	return won
}

// Close stops beginning matches and waits for the goroutine of the cups.
func (cs *Cups) Close() {
	cs.cancel()
	cs.done.Wait()
}

// Ended records the end of a match. Matches that belong to no cup are ignored.
func (cs *Cups) Ended(id string, won match.Side, why match.Reason, events []match.Event) {
	if cs.cfg.Store == nil {
		return
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.ended = append(cs.ended, result{id, winner(won, events), why == match.Closed})
}

// Checked returns s with a clean name and the default grace, or an error if s is invalid now.
func (s Settings) Checked(now time.Time) (Settings, error) {
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

// New creates a cup with a new code, owned by p.
func (cs *Cups) New(ctx context.Context, p account.Player, s Settings) (*Cup, error) {
	now := time.Now()
	switch {
	case cs.cfg.Store == nil:
		return nil, account.ErrNoStore
	case p.Account == "":
		return nil, errAccount
	}
	s, err := s.Checked(now)
	if err != nil {
		return nil, err
	}
	c := &Cup{Settings: s, Code: code.New(code.PrivateLength), Owner: p.Account, OwnerName: p.Name, Created: now, Phase: Joining}
	cs.saving.Lock()
	defer cs.saving.Unlock()
	if err := cs.checkLimits(p.Account); err != nil {
		return nil, err
	}
	if err := cs.save(ctx, c); err != nil {
		return nil, account.ErrStore
	}
	cs.mu.Lock()
	cs.all[c.Code] = c
	copied := c.clone()
	cs.mu.Unlock()
	cs.cfg.Lobby.Changed()
	return copied, nil
}

// checkLimits returns an error if the owner or the server has too many cups for another one.
func (cs *Cups) checkLimits(owner string) error {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch {
	case cs.countLocked(func(c *Cup) bool { return c.Owner == owner }) >= MaxPerOwner:
		return errTooMany
	case cs.countLocked(func(*Cup) bool { return true }) >= maxCups:
		return errServer
	}
	return nil
}

// countLocked counts the cups that are not over and for which fits returns true.
func (cs *Cups) countLocked(fits func(*Cup) bool) (n int) {
	for _, c := range cs.all {
		if c.Phase != Over && fits(c) {
			n++
		}
	}
	return n
}

// Find returns the cup with an entered code. If the cup is over, Find waits for the database.
func (cs *Cups) Find(ctx context.Context, text string) (*Cup, error) {
	entered, ok := code.Parse(text, code.PrivateLength)
	if !ok {
		return nil, ErrNoCup
	}
	return cs.get(ctx, entered)
}

func (cs *Cups) get(ctx context.Context, code string) (*Cup, error) {
	cs.mu.Lock()
	c := cs.all[code]
	if c != nil {
		c = c.clone()
	}
	cs.mu.Unlock()
	switch {
	case c != nil:
		return c, nil
	case cs.cfg.Store == nil:
		return nil, ErrNoCup
	}
	data, err := cs.cfg.Store.Cups.Get(ctx, code)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrNoCup
	}
	c = &Cup{}
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err != nil {
		cs.cfg.Log.Error("a cup cannot be read", "cup", code, "error", err)
		return nil, account.ErrStore
	}
	return c, nil
}

// IsOver reports whether the cup with a code is over.
func (cs *Cups) IsOver(code string) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[code]
	return c == nil || c.Phase == Over
}

// Of returns the newest maxListed cups that a player owns or has joined, in person or with a
// program, newest first. Cups that were over before the server started are left out.
func (cs *Cups) Of(p account.Player) (all []*Cup) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if p.Account != "" && (c.Owner == p.Account || slices.ContainsFunc(c.Entrants, func(e Entrant) bool { return e.of(p) })) {
			all = append(all, c.clone())
		}
	}
	slices.SortFunc(all, func(a, b *Cup) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Code, b.Code)) })
	return all[:min(len(all), maxListed)]
}
