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
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	t := &tournament{cfg: cfg, schedule: newSchedule(nil), started: time.Now()}
	if _, err := t.addRound(); err != nil {
		return nil, err
	}
	if cfg.Dir == "" {
		if err := t.playRounds(ctx); err != nil {
			return nil, err
		}
		return t.buildReport(), nil
	}
	var err error
	if t.folder, err = openFolder(&cfg, t.recordedPairing, t.addRecordedUnit); err != nil {
		return nil, err
	}
	if err := errors.Join(t.playRounds(ctx), t.folder.close()); err != nil {
		return nil, err
	}
	report := t.buildReport()
	return report, report.write(cfg.Dir)
}

// tournament runs a tournament and collects its results. It owns the tallies and the records.
type tournament struct {
	cfg Config
	// pairings has the pairings of all rounds so far.
	pairings   []*pairing
	roundCount int
	isOver     bool
	schedule   *schedule
	// folder is nil if nothing is written.
	folder  *folder
	started time.Time
	elapsed time.Duration
	// workTime is the sum over all workers.
	workTime time.Duration
	// earlierGames counts the games of an earlier run.
	earlierGames int
	// gamesDone includes earlierGames.
	gamesDone int
	// gamesTotal counts the games in pairings.
	gamesTotal int
}

// playRounds plays all rounds, until ctx ends or an error occurs.
func (t *tournament) playRounds(ctx context.Context) error {
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
			t.isOver = true
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

	results := make(chan unitResult, t.cfg.Concurrency)
	var workers sync.WaitGroup
	for range t.cfg.Concurrency {
		workers.Go(func() {
			newWorker(ctx, &t.cfg, programs).playUnits(t.schedule, results)
		})
	}
	var closer sync.WaitGroup
	closer.Go(func() {
		workers.Wait()
		close(results)
	})
	defer closer.Wait()

	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	var failed error
	for {
		select {
		case r, ok := <-results:
			if !ok {
				t.reportProgress()
				return failed
			}
			if err := t.collectResults(r); err != nil && failed == nil {
				failed = err
				cancel()
			}
		case <-ticker.C:
			t.reportProgress()
		}
	}
}

// openPools opens a pool of processes for each program. closePools ends the processes and waits for
// them. It must not be called during a game.
func (t *tournament) openPools() (pools map[string]*programPool, closePools func()) {
	pools = map[string]*programPool{}
	for name, e := range t.cfg.Externals {
		pools[name] = newProgramPool(name, e, &t.cfg)
	}
	return pools, func() {
		for _, p := range pools {
			p.close()
		}
	}
}

// collectResults adds a worker's results.
func (t *tournament) collectResults(r unitResult) error {
	if r.err != nil {
		return r.err
	}
	if t.folder != nil && len(r.records) > 0 {
		if err := t.folder.appendRecords(r.records); err != nil {
			return err
		}
	}
	t.workTime += r.took
	t.gamesDone += r.unit.gameCount
	t.addUnit(r.unit)
	return nil
}

// recordedPairing returns a record's pairing, or nil. A round's first record adds the round.
func (t *tournament) recordedPairing(index int) *pairing {
	if index >= len(t.pairings) && t.isRoundFinished() {
		// Without another round, the record belongs to another tournament.
		t.addRound()
	}
	if index < 0 || index >= len(t.pairings) {
		return nil
	}
	return t.pairings[index]
}

// addRecordedUnit adds a unit of an earlier run to the results.
func (t *tournament) addRecordedUnit(u unit, records []Record) error {
	p := t.pairings[u.pairing]
	t.gamesDone += u.gameCount
	t.earlierGames += u.gameCount
	if p.ordered {
		if u.number != p.nextUnit {
			return errors.New("the record is out of order")
		}
		p.nextUnit++
		for i := range records {
			if err := p.relearnGame(&records[i]); err != nil {
				return err
			}
		}
	}
	t.addUnit(u)
	return nil
}

// relearnGame adds a recorded game to the memories of both players.
func (p *pairing) relearnGame(r *Record) error {
	events, err := r.DecodeEvents()
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return errors.New("the record has no match to learn from")
	}
	updateMemories(p, events, r.Game)
	return nil
}

// addUnit adds a unit to the results. If an SPRT may end a pairing, its units are added in
// order, so that the end does not depend on the workers' speed.
func (t *tournament) addUnit(u unit) {
	p := t.pairings[u.pairing]
	k := &p.tally
	if t.cfg.SPRT == nil {
		k.addUnit(u)
		return
	}
	if k.decision != stats.Undecided {
		return
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
