package lobby

import (
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// Why there is no shot at a daily sea, in sentences for the person.
var (
	ErrDailyDone   = i18n.Errorf("you have sunk this fleet: there is another one tomorrow")
	ErrDailyClosed = i18n.Errorf("that day is over: leave and come back for today's sea")
	ErrDailyElse   = i18n.Errorf("you have gone on in another session: this is how far you are")
)

// dailyGrace is how long after its day's end a sea that was begun can be
// finished.
const dailyGrace = time.Hour

// dailySecretName is where the store keeps the secret that the fleets of all
// days are drawn from.
const dailySecretName = "daily secret"

// openDailySecret finds the secret, or makes it. Without one there is no daily
// sea but for practice.
func (l *Lobby) openDailySecret(ctx context.Context) error {
	if l.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*storeTime)
	defer cancel()
	kept, err := l.cfg.Store.State.Get(ctx, dailySecretName)
	if err == nil && kept == "" {
		fresh := make([]byte, sha256.Size)
		crand.Read(fresh)
		kept, err = l.cfg.Store.State.SetIfUnchanged(ctx, dailySecretName, "", hex.EncodeToString(fresh))
	}
	if err != nil {
		l.cfg.Log.Error("there is no daily sea", "error", err)
		return err
	}
	secret, err := hex.DecodeString(kept)
	if err != nil || len(secret) < sha256.Size {
		l.cfg.Log.Error("there is no daily sea", "error", "the secret is damaged") // what is in it must not get into the log
		return nil
	}
	l.dailySecret = secret
	return nil
}

// dailyLayout is the fleet of a day. It must stay the same in all versions: a
// sea may be begun in one and finished in the next.
func dailyLayout(secret []byte, day string) match.Layout {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("daily sea " + day))
	return match.Classic().RandomLayout(rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))))
}

// Today is the day of the daily sea at a time, as [time.DateOnly]. All days
// begin at midnight UTC.
func Today(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// DailyTry is how far somebody has come with a daily sea. It never changes: each
// shot makes another one. All methods may be called from any goroutine.
type DailyTry struct {
	lobby   *Lobby
	account string       // empty: practice
	layout  match.Layout // hidden: nothing but what was shot at gets into view
	view    DailyView
}

// DailyView is what may be seen of a try: the shots and what they hit. It shares
// nothing that changes.
type DailyView struct {
	Day      string // as [time.DateOnly]
	Practice bool   // a fleet of a guest's own, which counts for nothing
	Chart    match.Chart
	Cells    []match.Cell   // shot at, the first one first
	Course   []match.Result // what came of each
	Done     bool           // all ships are sunk
}

// View is what the person may see.
func (t *DailyTry) View() DailyView { return t.view }

// String keeps the fleet out of logs.
func (t *DailyTry) String() string {
	return fmt.Sprintf("the sea of %s after %d shots", t.view.Day, len(t.view.Cells))
}

// GoString is [DailyTry.String].
func (t *DailyTry) GoString() string { return t.String() }

// OpenDaily goes to today's sea: where the person was, if they have been there.
// One of yesterday that was begun and is not done goes first for an hour after
// midnight. Who has no account gets a fleet of their own, for practice: today's
// is for one try each. OpenDaily reads from the disk; its error is a sentence
// for the person.
func (l *Lobby) OpenDaily(ctx context.Context, p Player) (*DailyTry, error) {
	now := time.Now()
	today := Today(now)
	if p.Account == "" {
		l.mu.Lock()
		rng := l.newRandLocked()
		l.mu.Unlock()
		r := match.Classic()
		return &DailyTry{lobby: l, layout: r.RandomLayout(rng), view: DailyView{Day: today, Practice: true, Chart: match.NewChart(r)}}, nil
	}
	if yesterday := Today(now.Add(-dailyGrace)); yesterday != today {
		t, err := l.loadDaily(ctx, p.Account, yesterday)
		if err != nil {
			return nil, err
		}
		if len(t.view.Cells) > 0 && !t.view.Done {
			return t, nil
		}
	}
	return l.loadDaily(ctx, p.Account, today)
}

// loadDaily is the try of an account as it is stored.
func (l *Lobby) loadDaily(ctx context.Context, account, day string) (*DailyTry, error) {
	if l.dailySecret == nil {
		return nil, ErrStore
	}
	t := &DailyTry{
		lobby: l, account: account, layout: dailyLayout(l.dailySecret, day),
		view: DailyView{Day: day, Chart: match.NewChart(match.Classic())},
	}
	kept, err := l.cfg.Store.Daily.Get(ctx, account, day)
	if errors.Is(err, store.ErrNotFound) {
		return t, nil
	}
	var names []string
	if err == nil {
		err = json.Unmarshal(kept.Progress, &names)
	}
	var cells []match.Cell
	for _, name := range names {
		cell, bad := match.ParseCell(name)
		err = errors.Join(err, bad)
		cells = append(cells, cell)
	}
	if err != nil {
		return nil, l.dailyFault(ctx, err)
	}
	return t.with(cells), nil
}

// dailyFault is an error of the store as a sentence for the person.
func (l *Lobby) dailyFault(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		l.cfg.Log.Error("the daily sea is out of reach", "error", err)
	}
	return ErrStore
}

// with is the same sea after these shots.
func (t *DailyTry) with(cells []match.Cell) *DailyTry {
	next := &DailyTry{lobby: t.lobby, account: t.account, layout: t.layout, view: DailyView{
		Day: t.view.Day, Practice: t.view.Practice, Chart: match.NewChart(t.view.Chart.Rules), Cells: cells,
	}}
	fleet := match.NewFleet(t.layout)
	for _, cell := range cells {
		r := fleet.Shoot(cell)
		next.view.Chart.Record(cell, r)
		next.view.Course = append(next.view.Course, r)
		next.view.Done = next.view.Done || r == match.LastSunk
	}
	return next
}

// Fire shoots at a cell. The shot is on disk before its answer is known to
// anybody. With an error nothing was fired, and the try is the one to go on
// with: another one if the person has gone on elsewhere. The error is a sentence
// for the person.
func (t *DailyTry) Fire(ctx context.Context, cell match.Cell) (*DailyTry, error) {
	v := &t.view
	switch {
	case v.Done:
		return t, ErrDailyDone
	case !v.Chart.Rules.Contains(cell):
		return t, i18n.Errorf("%v is not on the board", cell)
	case v.Chart.Shots.Has(cell):
		return t, i18n.Errorf("you have shot at %v already: choose another cell", cell)
	}
	next := t.with(append(v.Cells[:len(v.Cells):len(v.Cells)], cell))
	if v.Practice {
		return next, nil
	}
	now := time.Now()
	if day := Today(now); day != v.Day && Today(now.Add(-dailyGrace)) != v.Day {
		return t, ErrDailyClosed
	}
	names := make([]string, len(next.view.Cells))
	for i, c := range next.view.Cells {
		names[i] = c.String()
	}
	progress, err := json.Marshal(names)
	if err != nil {
		return t, t.lobby.dailyFault(ctx, err)
	}
	err = t.lobby.cfg.Store.Daily.Save(ctx, store.DailyResult{
		Day: v.Day, Player: t.account, Shots: len(names), Line: Blocks(next.view.Course), Done: next.view.Done, Progress: progress, At: now,
	})
	switch {
	case err == nil:
		if next.view.Done {
			t.lobby.dailyDone()
		}
		return next, nil
	case !errors.Is(err, store.ErrOvertaken) && !errors.Is(err, store.ErrDone):
		return t, t.lobby.dailyFault(ctx, err)
	}
	other, err := t.lobby.loadDaily(ctx, t.account, v.Day)
	if err != nil {
		return t, err
	}
	return other, ErrDailyElse
}

// dailyDone tells everybody that the table of the daily sea is another one.
func (l *Lobby) dailyDone() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dailies++
	l.changedLocked()
}

// Blocks tells the course of a try, a block for each shot: what came of it, and
// nothing of where it went.
func Blocks(course []match.Result) string {
	var b strings.Builder
	for _, r := range course {
		b.WriteRune(map[match.Result]rune{match.Water: '░', match.Hit: '▓', match.Sunk: '█', match.LastSunk: '█'}[r])
	}
	return b.String()
}

// shareWidth is how many shots are on a line of what is shared.
const shareWidth = 20

// Share is the result of a day as lines of plain text to show to others, who
// learn nothing of the fleet: of its blocks, see [Blocks].
func Share(l i18n.Language, day, blocks string) []string {
	all := []rune(blocks)
	lines := []string{l.Say("Broadside daily %s  %s", day, l.Say("%d shots", len(all)))}
	for len(all) > 0 {
		n := min(shareWidth, len(all))
		lines = append(lines, string(all[:n]))
		all = all[n:]
	}
	return lines
}

// DailyRow is a line of a day's table.
type DailyRow struct {
	Place int // counted from 1; 0 for newcomers, and until done
	Name  string
	Shots int
	Own   bool // of whom the table was read for
}

// DailyStanding is how it stands with the daily sea of a day. What somebody who
// is not done has fired at is not in it, nor anybody's cells.
type DailyStanding struct {
	Day       string
	Best      []DailyRow // fewest shots first, then who was done first
	Finished  int        // players who are done and have a place
	Newcomers []DailyRow // who are done and have none, in the same order; see [store.Daily.Newcomers]
	Own       DailyRow   // place 0 until done, and for newcomers
	Done      bool       // the player is
	Blocks    string     // the own result, see [Blocks] and [Share]
	Yesterday DailyRow   // the best of the day before; place 0 if there was none
	Streak    int        // days in a row that the player has completed, see [store.Daily.Streak]
	Longest   int        // the longest streak ever
}

// ReadDaily reads how it stands with a day: the best, at most so many, and the
// player with the account, if it is not empty.
func ReadDaily(ctx context.Context, s *store.Store, account, day string, most int) (DailyStanding, error) {
	d := DailyStanding{Day: day}
	when, err := time.Parse(time.DateOnly, day)
	if err == nil && when.Year() == 0 {
		err = errors.New("no day is before that")
	}
	if err != nil {
		return d, fmt.Errorf("reading the daily sea: %w", err)
	}
	best, err := s.Daily.Table(ctx, day, most)
	if err != nil {
		return d, err
	}
	for i, r := range best {
		d.Best = append(d.Best, DailyRow{Place: i + 1, Name: r.Name, Shots: r.Shots, Own: account != "" && r.Player == account})
	}
	late, err := s.Daily.Newcomers(ctx, day, most)
	if err != nil {
		return d, err
	}
	for _, r := range late {
		d.Newcomers = append(d.Newcomers, DailyRow{Name: r.Name, Shots: r.Shots, Own: account != "" && r.Player == account})
	}
	if best, err = s.Daily.Table(ctx, Today(when.AddDate(0, 0, -1)), 1); err != nil {
		return d, err
	}
	if len(best) > 0 {
		d.Yesterday = DailyRow{Place: 1, Name: best[0].Name, Shots: best[0].Shots, Own: account != "" && best[0].Player == account}
	}
	if d.Own.Place, d.Finished, err = s.Daily.Place(ctx, account, day); err != nil || account == "" {
		return d, err
	}
	own, err := s.Daily.Get(ctx, account, day)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return d, err
	}
	d.Own.Own, d.Own.Name, d.Own.Shots, d.Blocks, d.Done = true, own.Name, own.Shots, own.Line, own.Done
	d.Streak, d.Longest, err = s.Daily.Streak(ctx, account, day)
	return d, err
}
