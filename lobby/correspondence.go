package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// Limits on correspondence matches.
const (
	MaxCorrespondenceOffers  = 20
	MaxCorrespondenceMatches = 50
	// CorrespondenceOfferTime is how long an offer stays open.
	CorrespondenceOfferTime = 30 * 24 * time.Hour
)

// Paces are the times for each turn that players can choose.
var Paces = [...]time.Duration{24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour}

// Errors of correspondence matches, as sentences for the player.
var (
	ErrNeedsAccount = i18n.Errorf("correspondence matches need an account: type name YOURNAME, then try again")
	ErrOpenOffers   = i18n.Errorf("you can have %d open offers, but only one to each player: withdraw an offer first", MaxCorrespondenceOffers)
	errManyMatches  = i18n.Errorf("one of you is playing %d correspondence matches, which is the limit: finish one first", MaxCorrespondenceMatches)
)

// Correspondence manages correspondence matches, whose players need not be connected. Such a match
// exists only in the store. While a player uses it, it is also one of the lobby's running matches.
// Deadlines refer to a clock that stands still while the server is down, and that ignores changes of
// the system's time. Its methods may be called from any goroutine, and wait for the database.
type Correspondence struct {
	lobby *Lobby
	// opened is when the clock showed base.
	opened time.Time
	base   time.Duration
	// loading is held while a match is added to the running ones or removed from them, so that it
	// runs only once.
	loading sync.Mutex
}

// CorrespondenceTerms are what a player offers.
type CorrespondenceTerms struct {
	Rules match.Rules
	Mode  RatingMode
	// Pace is one of [Paces].
	Pace time.Duration
	// Opponent is the only player who can accept the offer, or "" for any player.
	Opponent string
}

// CorrespondenceOffer is an open offer.
type CorrespondenceOffer struct {
	ID string
	// Player is its owner's name.
	Player string
	// IsOwn reports that the reader made the offer, and IsForReader that no one else can accept it.
	IsOwn, IsForReader bool
	// Opponent names the only player who can accept it. It is empty if any player can.
	Opponent string
	Rules    match.Rules
	Mode     RatingMode
	Pace     time.Duration
	Expires  time.Time
}

// CorrespondenceMatch is a match of the reader that has not ended.
type CorrespondenceMatch struct {
	ID       string
	Opponent string
	Rules    match.Rules
	Mode     RatingMode
	Pace     time.Duration
	// IsTurn reports that the reader must act, and loses at Deadline.
	IsTurn   bool
	Deadline time.Time
	// Due is Deadline on the clock of correspondence matches. It differs in each turn of a match.
	Due time.Duration
	// IsUsed reports that a session of the reader uses the match.
	IsUsed bool
}

// sweepPause is how often deadlines are checked. A match that no one uses leaves the running ones after
// one to two pauses.
const sweepPause = 10 * time.Minute

// maxDueMatches is how many overdue matches a sweep ends.
const maxDueMatches = 100

// open reads the clock and starts to watch the deadlines.
func (c *Correspondence) open(ctx context.Context) (err error) {
	l := c.lobby
	if l.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	if c.base, err = l.cfg.Store.Correspondence.ReadClock(ctx); err != nil {
		return err
	}
	c.opened = time.Now()
	l.work.Go(c.run)
	return nil
}

func (c *Correspondence) run() {
	defer c.saveClock()
	ticker := time.NewTicker(sweepPause)
	defer ticker.Stop()
	for {
		if err := c.sweep(); err != nil && c.lobby.ctx.Err() == nil {
			c.lobby.cfg.Log.Error("cannot check the deadlines of correspondence matches", "error", err)
		}
		select {
		case <-ticker.C:
		case <-c.lobby.ctx.Done():
			return
		}
	}
}

// saveClock saves the clock when the lobby closes.
func (c *Correspondence) saveClock() {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	if err := c.lobby.cfg.Store.Correspondence.SaveClock(ctx, c.clock()); err != nil {
		c.lobby.cfg.Log.Warn("cannot save the clock of correspondence matches", "error", err)
	}
}

// clock returns the time that the world's servers have been running.
func (c *Correspondence) clock() time.Duration { return c.base + time.Since(c.opened) }

// wallTime returns when the clock shows a time, if the server keeps running.
func (c *Correspondence) wallTime(at time.Duration) time.Time { return time.Now().Add(at - c.clock()) }

// sweep saves the clock, removes what has expired, and unloads the matches that no one uses.
func (c *Correspondence) sweep() error {
	l, stored := c.lobby, c.lobby.cfg.Store.Correspondence
	ctx, cancel := context.WithTimeout(l.ctx, 10*storeTimeout)
	defer cancel()
	if err := stored.SaveClock(ctx, c.clock()); err != nil {
		return err
	}
	due, err := stored.ListDue(ctx, c.clock(), maxDueMatches)
	for _, id := range due {
		// The loaded match's clock has run out, so the match ends.
		if _, err := c.load(ctx, id); err != nil && !errors.Is(err, ErrNoMatch) {
			l.cfg.Log.Error("cannot end an overdue match", "match", id, "error", err)
		}
	}
	c.unloadUnused()
	return err
}

// unloadUnused removes the matches from the running ones that no one has used for a sweepPause. They
// remain in the store.
func (c *Correspondence) unloadUnused() {
	c.loading.Lock()
	defer c.loading.Unlock()
	for _, g := range c.markUnused() {
		g.match.Abort()
		select {
		case <-g.unloaded:
		case <-c.lobby.ctx.Done():
		}
	}
}

func (c *Correspondence) markUnused() (unused []*game) {
	l := c.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.Matches.running {
		if g.pace > 0 && !g.isAttendedLocked() && time.Since(g.lastUse) >= sweepPause && !g.hasEnded() {
			g.unloading = true
			unused = append(unused, g)
		}
	}
	return unused
}

// load returns the running match with an ID, which it adds to the running ones if necessary.
func (c *Correspondence) load(ctx context.Context, id string) (*game, error) {
	c.loading.Lock()
	defer c.loading.Unlock()
	if g := c.findLoaded(id); g != nil {
		return g, nil
	}
	stored, err := c.lobby.cfg.Store.Correspondence.Get(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, ErrNoMatch
	}
	if err != nil {
		return nil, c.storeError(err)
	}
	g, err := c.startLoaded(stored)
	if err == nil || errors.Is(err, ErrClosing) {
		return g, err
	}
	c.lobby.cfg.Log.Error("cannot continue a correspondence match", "match", id, "error", err)
	if err := c.lobby.Matches.storeVoidMatch(ctx, stored.Match); err != nil {
		return nil, c.storeError(err)
	}
	return nil, ErrNoMatch
}

func (c *Correspondence) findLoaded(id string) *game {
	l := c.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.Matches.running[id]
	if g == nil || g.pace == 0 {
		return nil
	}
	g.lastUse = time.Now()
	return g
}

func (c *Correspondence) startLoaded(m store.CorrespondenceMatch) (*game, error) {
	l := c.lobby
	var d matchDetails
	if err := json.Unmarshal(m.Match.Details, &d); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return nil, ErrClosing
	}
	g := l.Matches.newRestoredGameLocked(m.Match, d)
	g.pace, g.acting, g.due = m.Pace, m.Acting, m.Due
	g.lastUse, g.unloaded = time.Now(), make(chan struct{})
	return g, l.Matches.runLocked(g)
}

// Offer opens an offer, which any player or the named one can accept within [CorrespondenceOfferTime].
func (c *Correspondence) Offer(ctx context.Context, p account.Player, t CorrespondenceTerms) error {
	l := c.lobby
	if err := c.check(p, t.Mode); err != nil {
		return err
	}
	o := store.CorrespondenceOffer{
		ID: store.NewID(), Player: p.Account, Rules: t.Rules.WithClock(0), Pace: t.Pace,
		Rated:   offeredRatingMode(p, t.Rules, t.Mode).IsRated() && !keepsFleet(p),
		Expires: c.clock() + CorrespondenceOfferTime,
	}
	if t.Opponent != "" {
		opponent, err := c.findOpponent(ctx, p, t.Opponent)
		if err != nil {
			return err
		}
		o.Opponent = opponent.ID
		if err := c.checkPause(p, account.PersonPlayer(opponent)); err != nil {
			return err
		}
	}
	err := l.cfg.Store.Correspondence.AddOffer(ctx, o, MaxCorrespondenceOffers)
	if errors.Is(err, store.ErrTooMany) {
		return ErrOpenOffers
	}
	if err != nil {
		return c.storeError(err)
	}
	l.notifyTurnChange(o.Player, o.Opponent)
	return nil
}

// check returns an error if a player may not start a correspondence match.
func (c *Correspondence) check(p account.Player, mode RatingMode) error {
	l := c.lobby
	if l.cfg.Store == nil || p.Account == "" {
		return ErrNeedsAccount
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return ErrClosing
	}
	return l.Matches.checkAbortsLocked(p, mode)
}

// findOpponent returns the account with a name, unless it cannot play against p. A player whose messages
// the opponent has muted must not reach them with offers either.
func (c *Correspondence) findOpponent(ctx context.Context, p account.Player, name string) (store.Player, error) {
	s := c.lobby.cfg.Store
	opponent, err := s.Accounts.FindByName(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return opponent, i18n.Errorf("there is no account called %s: check the name", name)
	case err != nil:
		return opponent, c.storeError(err)
	case opponent.ID == p.Account:
		return opponent, ErrSelf
	case opponent.Kind == store.Bot:
		return opponent, i18n.Errorf("the bot %s plays immediately: choose it from the bots", opponent.Name)
	}
	ignored, err := s.Ignored.List(ctx, opponent.ID)
	if err != nil {
		return opponent, c.storeError(err)
	}
	if slices.ContainsFunc(ignored, func(i store.Player) bool { return i.ID == p.Account }) {
		return opponent, i18n.Errorf("you cannot challenge %s, who is not accepting challenges", opponent.Name)
	}
	return opponent, nil
}

// ListOffers returns the offers that a player has made or can accept: those to the player first, then the
// player's own.
func (c *Correspondence) ListOffers(ctx context.Context, p account.Player) ([]CorrespondenceOffer, error) {
	if c.lobby.cfg.Store == nil {
		return nil, nil
	}
	stored, err := c.lobby.cfg.Store.Correspondence.ListOffers(ctx, p.Account)
	if err != nil {
		return nil, c.storeError(err)
	}
	var all []CorrespondenceOffer
	for _, o := range stored {
		all = append(all, CorrespondenceOffer{
			ID: o.ID, Player: o.Name, IsOwn: p.Account != "" && o.Player == p.Account, IsForReader: o.Opponent != "" && o.Opponent == p.Account,
			Opponent: o.OpponentName, Rules: o.Rules, Mode: offerMode(o), Pace: o.Pace, Expires: c.wallTime(o.Expires),
		})
	}
	return all, nil
}

func offerMode(o store.CorrespondenceOffer) RatingMode {
	if o.Rated {
		return Rated
	}
	return Casual
}

// Withdraw removes an offer that the player has made, or declines one to the player.
func (c *Correspondence) Withdraw(ctx context.Context, p account.Player, offer string) error {
	o, err := c.lobby.cfg.Store.Correspondence.GetOffer(ctx, offer)
	if err == nil {
		err = c.lobby.cfg.Store.Correspondence.RemoveOffer(ctx, offer, p.Account)
	}
	if errors.Is(err, store.ErrNotFound) {
		return ErrOfferGone
	}
	if err != nil {
		return c.storeError(err)
	}
	c.startPause(o)
	c.lobby.notifyTurnChange(o.Player, o.Opponent)
	return nil
}

// startPause makes a player who offered a match to one opponent wait before the next offer to that opponent, so that
// offers cannot be repeated to disturb anyone.
func (c *Correspondence) startPause(o store.CorrespondenceOffer) {
	c.lobby.mu.Lock()
	defer c.lobby.mu.Unlock()
	if o.Opponent != "" {
		c.lobby.Offers.startPauseLocked(challengePair{o.Player, o.Opponent})
	}
}

func (c *Correspondence) checkPause(p, to account.Player) error {
	c.lobby.mu.Lock()
	defer c.lobby.mu.Unlock()
	return c.lobby.Offers.checkPauseLocked(p, to)
}

// Accept starts the match that an offer leads to and returns its ID. The player fires first.
func (c *Correspondence) Accept(ctx context.Context, p account.Player, offer string) (id string, err error) {
	l := c.lobby
	if l.cfg.Store == nil || p.Account == "" {
		return "", ErrNeedsAccount
	}
	o, err := l.cfg.Store.Correspondence.GetOffer(ctx, offer)
	if errors.Is(err, store.ErrNotFound) || err == nil && o.Opponent != "" && o.Opponent != p.Account {
		return "", ErrOfferGone
	}
	if err != nil {
		return "", c.storeError(err)
	}
	if o.Player == p.Account {
		return "", ErrSelf
	}
	if err := c.check(p, offerMode(o)); err != nil {
		return "", err
	}
	owner, err := l.cfg.Store.Accounts.FindByID(ctx, o.Player)
	if err != nil {
		return "", c.storeError(err)
	}
	m := c.newMatch(o, owner, p)
	err = l.cfg.Store.Correspondence.Accept(ctx, o.ID, m, MaxCorrespondenceMatches)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return "", ErrOfferGone
	case errors.Is(err, store.ErrTooMany):
		return "", errManyMatches
	case err != nil:
		return "", c.storeError(err)
	}
	l.notifyTurnChange(o.Player, p.Account)
	return m.Match.ID, nil
}

func (c *Correspondence) newMatch(o store.CorrespondenceOffer, owner store.Player, p account.Player) store.CorrespondenceMatch {
	l := c.lobby
	offering := account.PersonPlayer(owner)
	if owner.Kind == store.Program {
		offering = account.ProgramPlayer(owner)
		// A rated offer is from a program with a fixed fleet.
		offering.Fixed = o.Rated
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g := &game{matches: &l.Matches, id: store.NewID(), rules: o.Rules, started: time.Now(), choice: offerMode(o)}
	g.players = [2]account.Player{offering, p}
	g.names = [2]string{owner.Name, p.Name}
	g.ratingMode = l.Matches.matchRatingModeLocked(g.choice, o.Rules, g.players)
	return store.CorrespondenceMatch{
		Match: g.runningRecordLocked(), Pace: o.Pace, Acting: [2]bool{true, true}, Due: c.clock() + o.Pace,
	}
}

// List returns a player's matches that have not ended: first those where it is the player's turn, each
// in the order of their deadlines.
func (c *Correspondence) List(ctx context.Context, p account.Player) ([]CorrespondenceMatch, error) {
	if c.lobby.cfg.Store == nil || p.Account == "" {
		return nil, nil
	}
	stored, err := c.lobby.cfg.Store.Correspondence.ListByPlayer(ctx, p.Account)
	if err != nil {
		return nil, c.storeError(err)
	}
	var turns, others []CorrespondenceMatch
	for _, s := range stored {
		m := c.describe(s, p)
		if m.IsTurn {
			turns = append(turns, m)
		} else {
			others = append(others, m)
		}
	}
	return append(turns, others...), nil
}

func (c *Correspondence) describe(s store.CorrespondenceMatch, p account.Player) CorrespondenceMatch {
	side := match.First
	if s.Match.Seats[match.Second].Player == p.Account {
		side = match.Second
	}
	var d matchDetails
	// Only the rating mode is lost with unreadable details.
	_ = json.Unmarshal(s.Match.Details, &d)
	return CorrespondenceMatch{
		ID: s.Match.ID, Opponent: s.Match.Seats[side.Other()].Name, Rules: s.Match.Rules, Mode: d.RatingMode, Pace: s.Pace,
		IsTurn: s.Acting[side], Deadline: c.wallTime(s.Due), Due: s.Due, IsUsed: c.isUsed(s.Match.ID, side),
	}
}

func (c *Correspondence) isUsed(id string, side match.Side) bool {
	l := c.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.Matches.running[id]
	return g != nil && g.isSeatUsed(side)
}

// Open returns the player's seat in the match with an ID, or [ErrNoMatch]. A session that uses the
// seat loses it when another one attaches.
func (c *Correspondence) Open(ctx context.Context, p account.Player, id string) (*Seat, error) {
	if c.lobby.cfg.Store == nil || p.Account == "" {
		return nil, ErrNoMatch
	}
	g, err := c.load(ctx, id)
	if err != nil {
		return nil, err
	}
	l := c.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	side, ok := g.findSideLocked(p.ID)
	if !ok {
		return nil, ErrNoMatch
	}
	return g.seats[side], nil
}

// ForfeitAll makes a player lose all their matches, and withdraws their offers.
func (c *Correspondence) ForfeitAll(ctx context.Context, p account.Player) error {
	matches, err := c.List(ctx, p)
	for _, m := range matches {
		seat, openErr := c.Open(ctx, p, m.ID)
		if openErr == nil {
			seat.Forfeit(match.Left)
		}
		err = errors.Join(err, openErr)
	}
	offers, listErr := c.ListOffers(ctx, p)
	err = errors.Join(err, listErr)
	for _, o := range offers {
		if o.IsOwn {
			err = errors.Join(err, c.Withdraw(ctx, p, o.ID))
		}
	}
	return err
}

// storeError logs an error of the database and returns the sentence for the player.
func (c *Correspondence) storeError(err error) error {
	c.lobby.cfg.Log.Error("cannot read or change correspondence matches", "error", err)
	return account.ErrStore
}

// appendTurn stores events of a correspondence match with its next deadline; see [live.Config].
func (g *game) appendTurn(ctx context.Context, number int, events []match.Event, turn live.Turn) error {
	l := g.matches.lobby
	due := g.due
	// The first player to place a fleet does not change the other's deadline.
	if g.acting != [2]bool{true, true} && !turn.IsContinued {
		due = l.Correspondence.clock() + g.pace
	}
	if err := l.cfg.Store.Correspondence.AppendEvents(ctx, g.id, number, events, turn.Acting, due); err != nil {
		return err
	}
	g.acting, g.due = turn.Acting, due
	l.notifyTurnChange(g.players[0].ID, g.players[1].ID)
	return nil
}

// addPace sets a correspondence match's time limits.
func (g *game) addPace(cfg *live.Config) {
	cfg.Pace, cfg.PaceLeft = g.pace, g.due-g.matches.lobby.Correspondence.clock()
}

// notifyTurnChange notifies the sessions of players that their correspondence matches or offers have
// changed. An empty ID stands for no player.
func (l *Lobby) notifyTurnChange(ids ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range ids {
		for _, m := range l.members.byID[id] {
			m.turnRevision++
		}
	}
	l.publishSoonLocked()
}
