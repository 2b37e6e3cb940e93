package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"broadside/bots/arena/stats"
	"broadside/match"
)

// Progress is the progress of a tournament.
type Progress struct {
	Done, Total int     // games, including those of an earlier run
	Rate        float64 // games per second in this run
	Left        time.Duration
	Score       string // the current score as short text
}

// progressEvery is the interval between progress reports.
const progressEvery = 200 * time.Millisecond

// Run plays a tournament and returns its report. If ctx ends before all games are played,
// the report covers the games played so far and is marked as interrupted. If Run returns an
// error after the first game, the games played so far are in the records.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	contests := cfg.contests()
	if cfg.Brief && cfg.Dir != "" {
		for _, c := range contests {
			if c.ordered {
				return nil, fmt.Errorf("%s against %s: what a bot has learned can be taken up from whole records only: write them", c.players[0], c.players[1])
			}
		}
	}
	t := &tournament{cfg: cfg, contests: contests, schedule: newSchedule(contests), began: time.Now()}
	for _, c := range contests {
		t.total += c.games
	}
	if cfg.Dir != "" {
		if t.folder, err = openFolder(&cfg, contests, t.resume); err != nil {
			return nil, err
		}
	}
	err = t.play(ctx)
	if t.folder != nil {
		err = errors.Join(err, t.folder.close())
	}
	if err != nil {
		return nil, err
	}
	report := t.report()
	if t.folder != nil {
		if err := report.write(cfg.Dir); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// tournament collects the results of a running tournament. It owns the tallies and the
// records.
type tournament struct {
	cfg      Config
	contests []*contest
	schedule *schedule
	folder   *folder // nil if nothing is written
	began    time.Time
	took     time.Duration
	busy     time.Duration // of all workers
	before   int           // games of an earlier run
	done     int           // including those of an earlier run
	total    int           // number of games
}

// play runs the workers until all games are played, ctx ends or an error occurs.
func (t *tournament) play(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() {
		stop.Store(true)
		t.schedule.close()
	})()

	programs, closePrograms := t.openPools()
	defer closePrograms()
	clock := clockCost()
	out := make(chan batch, t.cfg.Concurrency)
	var workers sync.WaitGroup
	for range t.cfg.Concurrency {
		workers.Go(func() {
			newWorker(ctx, &t.cfg, &stop, programs, clock).run(t.schedule, out)
		})
	}
	var closer sync.WaitGroup
	closer.Go(func() {
		workers.Wait()
		close(out)
	})
	defer closer.Wait()

	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	var failed error
	for {
		select {
		case b, ok := <-out:
			if !ok {
				t.took = time.Since(t.began)
				t.reportProgress()
				return failed
			}
			if err := t.collect(b); err != nil && failed == nil {
				failed = err
				cancel()
			}
		case <-ticker.C:
			t.reportProgress()
		}
	}
}

// openPools returns the process pool of each program. The returned function ends the
// processes and waits for them; it must not be called while a game is running.
func (t *tournament) openPools() (map[string]*programPool, func()) {
	pools := map[string]*programPool{}
	for name, e := range t.cfg.Externals {
		pools[name] = newProgramPool(name, e, &t.cfg)
	}
	return pools, func() {
		for _, s := range pools {
			s.close()
		}
	}
}

// clockCost returns the time to read the clock, which is part of each timed move.
func clockCost() time.Duration {
	least := time.Hour
	for range 1000 {
		began := time.Now()
		least = min(least, time.Since(began))
	}
	return least
}

// collect adds the results of a worker.
func (t *tournament) collect(b batch) error {
	if b.err != nil {
		return b.err
	}
	if t.folder != nil && len(b.lines) > 0 {
		if err := t.folder.append(b.lines); err != nil {
			return err
		}
	}
	t.busy += b.took
	for _, u := range b.units {
		t.done += u.count
		t.enter(u)
	}
	return nil
}

// resume adds a unit of an earlier run to the results.
func (t *tournament) resume(u unit, records []Record) error {
	c := t.contests[u.contest]
	t.done += u.count
	t.before += u.count
	if c.ordered {
		if u.number != c.next {
			return errors.New("it is out of order")
		}
		c.next++
		for i := range records {
			if err := c.relearn(&records[i]); err != nil {
				return err
			}
		}
	}
	t.enter(u)
	return nil
}

// relearn adds a recorded game to the memories of the players of a contest.
func (c *contest) relearn(r *Record) error {
	events, err := r.DecodeEvents()
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return errors.New("it has no recorded match to learn from")
	}
	o := outcome{events: events}
	var layouts [2]match.Layout
	for _, e := range events {
		if e.Kind == match.FleetPlaced {
			layouts[int(e.Side)^r.Game] = e.Layout()
		}
	}
	learn(c, &o, r.Game, layouts)
	return nil
}

// enter adds a unit to the results. If a test may end a contest, its units are added in
// order, so that the end does not depend on the speed of the workers.
func (t *tournament) enter(u unit) {
	c := t.contests[u.contest]
	k := &c.tally
	if t.cfg.SPRT == nil {
		k.add(u)
		return
	}
	if k.decision != stats.Undecided {
		return // the contest has been decided
	}
	if k.waiting == nil {
		k.waiting = map[int]unit{}
	}
	k.waiting[u.number] = u
	for k.decision == stats.Undecided {
		next, ok := k.waiting[k.due]
		if !ok {
			return
		}
		delete(k.waiting, k.due)
		k.due++
		k.add(next)
		k.ratio = t.cfg.SPRT.Ratio(k.pairs)
		k.decision = t.cfg.SPRT.Decide(k.ratio)
	}
	k.waiting = nil
	t.total -= c.games - int(k.games)
	t.schedule.decide(c)
}

// reportProgress reports the progress to the caller.
func (t *tournament) reportProgress() {
	if t.cfg.Progress == nil {
		return
	}
	p := Progress{Done: t.done, Total: max(t.total, t.done), Score: t.score()}
	if elapsed := time.Since(t.began).Seconds(); elapsed > 0 {
		p.Rate = float64(t.done-t.before) / elapsed
	}
	if p.Rate > 0 {
		p.Left = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
	}
	t.cfg.Progress(p)
}

// score returns the current score as short text: the score of the only pairing, or the
// leading players.
func (t *tournament) score() string {
	c := t.contests[0]
	switch {
	case t.cfg.Mode == Solo:
		best, at := 0.0, -1
		for i, c := range t.contests {
			if s := c.tally.shots[0].Spread(); s.Mean > 0 && (at < 0 || s.Mean < best) {
				best, at = s.Mean, i
			}
		}
		if at < 0 {
			return ""
		}
		return fmt.Sprintf("%s %.2f", t.contests[at].players[0], best)
	case len(t.contests) == 1:
		return fmt.Sprintf("%s %d–%d %s", c.players[0], c.tally.wins[0], c.tally.wins[1], c.players[1])
	}
	wins := map[string]int64{}
	leader := t.cfg.Players[0]
	for _, c := range t.contests {
		for i, name := range c.players {
			wins[name] += c.tally.wins[i]
		}
	}
	for _, name := range t.cfg.Players {
		if wins[name] > wins[leader] {
			leader = name
		}
	}
	return fmt.Sprintf("%s leads with %d wins", leader, wins[leader])
}
