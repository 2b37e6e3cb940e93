package arena

import (
	"context"
	"errors"
	"sync"
	"time"

	"broadside/bots/arena/stats"
)

// Run plays a tournament and returns its report. If ctx ends before all games are played,
// the report covers the games played so far and is marked as interrupted. If Run returns an
// error after the first game, the games played so far are in the records.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &tournament{cfg: cfg, schedule: newSchedule(nil), started: time.Now()}
	if _, err := t.addRound(); err != nil {
		return nil, err
	}
	if cfg.Dir != "" {
		if t.folder, err = openFolder(&cfg, t.recordedPairing, t.addRecordedUnit); err != nil {
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
	report := t.buildReport()
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
	cfg          Config
	pairings     []*pairing // of all rounds so far
	round        int        // the number of rounds in pairings
	ended        bool       // there are no more rounds
	schedule     *schedule
	folder       *folder // nil if nothing is written
	started      time.Time
	elapsed      time.Duration
	workTime     time.Duration // of all workers
	earlierGames int           // games of an earlier run
	gamesDone    int           // including those of an earlier run
	gamesTotal   int           // number of games in pairings
}

// play plays round after round until the end of the tournament, or until ctx ends or an error occurs.
func (t *tournament) play(ctx context.Context) error {
	programs, closePrograms := t.openPools()
	defer closePrograms()
	defer func() { t.elapsed = time.Since(t.started) }()
	for {
		if err := t.playRound(ctx, programs); err != nil {
			return err
		}
		if !t.isRoundFinished() {
			return nil
		}
		more, err := t.addRound()
		if err != nil {
			return err
		}
		if !more {
			t.ended = true
			return nil
		}
	}
}

// playRound runs the workers until all games of the round are played, ctx ends or an error occurs.
func (t *tournament) playRound(ctx context.Context, programs map[string]*programPool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.schedule = newSchedule(t.pairings)
	defer context.AfterFunc(ctx, t.schedule.close)()

	out := make(chan unitResult, t.cfg.Concurrency)
	var workers sync.WaitGroup
	for range t.cfg.Concurrency {
		workers.Go(func() {
			newWorker(ctx, &t.cfg, programs).playUnits(t.schedule, out)
		})
	}
	var closer sync.WaitGroup
	closer.Go(func() {
		workers.Wait()
		close(out)
	})
	defer closer.Wait()

	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	var failed error
	for {
		select {
		case b, ok := <-out:
			if !ok {
				t.reportProgress()
				return failed
			}
			if err := t.collectResults(b); err != nil && failed == nil {
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

// collectResults adds the results of a worker.
func (t *tournament) collectResults(b unitResult) error {
	if b.err != nil {
		return b.err
	}
	if t.folder != nil && len(b.lines) > 0 {
		if err := t.folder.appendRecords(b.lines); err != nil {
			return err
		}
	}
	t.workTime += b.took
	t.gamesDone += b.unit.count
	t.addUnit(b.unit)
	return nil
}

// recordedPairing returns the pairing of a record, or nil. The first record of a round adds the round.
func (t *tournament) recordedPairing(index int) *pairing {
	if index >= len(t.pairings) && t.isRoundFinished() {
		t.addRound() // without another round, the record is not of this tournament
	}
	if index < 0 || index >= len(t.pairings) {
		return nil
	}
	return t.pairings[index]
}

// addRecordedUnit adds a unit of an earlier run to the results.
func (t *tournament) addRecordedUnit(u unit, records []Record) error {
	p := t.pairings[u.pairing]
	t.gamesDone += u.count
	t.earlierGames += u.count
	if p.ordered {
		if u.number != p.next {
			return errors.New("it is out of order")
		}
		p.next++
		for i := range records {
			if err := p.relearnGame(&records[i]); err != nil {
				return err
			}
		}
	}
	t.addUnit(u)
	return nil
}

// relearnGame adds a recorded game to the memories of the players of a pairing.
func (p *pairing) relearnGame(r *Record) error {
	events, err := r.DecodeEvents()
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return errors.New("it has no recorded match to learn from")
	}
	updateMemories(p, &outcome{events: events}, r.Game)
	return nil
}

// addUnit adds a unit to the results. If a test may end a pairing, its units are added in
// order, so that the end does not depend on the speed of the workers.
func (t *tournament) addUnit(u unit) {
	p := t.pairings[u.pairing]
	k := &p.tally
	if t.cfg.SPRT == nil {
		k.addUnit(u)
		return
	}
	if k.decision != stats.Undecided {
		return // the pairing has been decided
	}
	if k.waiting == nil {
		k.waiting = map[int]unit{}
	}
	k.waiting[u.number] = u
	for k.decision == stats.Undecided {
		next, ok := k.waiting[k.dueUnit]
		if !ok {
			return
		}
		delete(k.waiting, k.dueUnit)
		k.dueUnit++
		k.addUnit(next)
		k.logRatio = t.cfg.SPRT.LogRatio(k.pairs)
		k.decision = t.cfg.SPRT.Decide(k.logRatio)
	}
	k.waiting = nil
	t.gamesTotal -= p.games - int(k.games)
	t.schedule.endPairing(p)
}
