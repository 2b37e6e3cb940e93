package arena

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"broadside/bots"
	"broadside/match"
)

// StudyConfig is what a study is about.
type StudyConfig struct {
	Rules match.Rules // ships must move in them
	Games int         // of each shooter against each mover, and of each pairing
	Seed  uint64
	// Strategies are compared; empty: the documented ones, commodore and the
	// tracker.
	Strategies []string
	// ReadFile reads the files that names of strategies speak of. It may be nil.
	ReadFile func(name string) ([]byte, error)
	Dir      string // for the report and its pictures; empty: none are written
	// Tell is told what the study is at. It may be nil.
	Tell func(string)
}

// Study compares the strategies under rules where ships move.
type Study struct {
	Config  StudyConfig
	Attacks []Attack
	// Contests are all strategies against all: by mover.
	Contests map[string]*Report
	Game     *match.Game // a game from start to end
	Players  [2]string   // of that game
}

// Attack is how a strategy does against fleets that move in one way and do not
// shoot back.
type Attack struct {
	Shooter, Mover string
	Games          int
	Shots, SE      float64       // rounds to sink the fleet: mean and standard error
	PerHit         float64       // shots for each that hit
	Time           time.Duration // a game
}

// studied are the strategies of a study: the documented ones, commodore, and
// the tracker.
var studied = []string{"easy", "prolog", "medium", "branch", "grid:4,1,1", "hilbert", "hard", "memory", "sweep", "warship", "commodore", "tracker"}

// studiedMovers are how fleets move in it.
var studiedMovers = []string{"stay", "random", "evade"}

// RunStudy plays all games of a study and writes it to its folder. When ctx
// ends before, it returns ctx's error.
func RunStudy(ctx context.Context, cfg StudyConfig) (*Study, error) {
	switch {
	case !cfg.Rules.Moving:
		return nil, fmt.Errorf("a study compares strategies where ships move: choose the rules naval")
	case cfg.Games < 2:
		return nil, fmt.Errorf("%d games: choose 2 or more", cfg.Games)
	}
	if cfg.Tell == nil {
		cfg.Tell = func(string) {}
	}
	if len(cfg.Strategies) == 0 {
		cfg.Strategies = studied
	}
	s := &Study{Config: cfg, Contests: map[string]*Report{}}
	contest := Config{Mode: RoundRobin, Players: cfg.Strategies, Rules: cfg.Rules, Games: cfg.Games, Seed: cfg.Seed, ReadFile: cfg.ReadFile}
	if len(cfg.Strategies) < 2 {
		return nil, fmt.Errorf("a study of %q alone compares nothing: name 2 strategies or more", cfg.Strategies[0])
	}
	if _, err := contest.withDefaults(); err != nil { // before any game is played
		return nil, err
	}
	for _, shooter := range cfg.Strategies {
		for _, mover := range studiedMovers {
			cfg.Tell(fmt.Sprintf("%s against fleets that %s", shooter, mover))
			a, err := s.attack(ctx, shooter, mover)
			if err != nil {
				return nil, err
			}
			s.Attacks = append(s.Attacks, a)
		}
	}
	for _, mover := range studiedMovers {
		cfg.Tell("all against all, mover " + mover)
		contest.Mover = mover
		r, err := Run(ctx, contest)
		if err != nil {
			return nil, err
		}
		s.Contests[mover] = r
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	show := Exhibition{Rules: cfg.Rules, Players: [2]string{"warship", "tracker"}, Movers: [2]string{"random", "evade"}, Seed: cfg.Seed}
	var err error
	if s.Game, _, err = show.Play(ctx, nil); err != nil {
		return nil, err
	}
	s.Players = show.Players
	if cfg.Dir != "" {
		return s, s.write()
	}
	return s, nil
}

// bot makes a bot; the same game has the same luck whoever plays it.
func (s *Study) bot(name, mover string, game int, side uint64) (bots.Bot, error) {
	rng := rand.New(rand.NewPCG(s.Config.Seed, uint64(game)<<1|side))
	b, err := bots.New(name, bots.Config{Rules: s.Config.Rules, Rand: rng, Mover: mover, ReadFile: s.Config.ReadFile})
	if err != nil {
		return nil, fmt.Errorf("making %s: %w", name, err)
	}
	return b, nil
}

// attack lets a strategy sink fleets. All strategies get the same ones.
func (s *Study) attack(ctx context.Context, shooter, mover string) (Attack, error) {
	a := Attack{Shooter: shooter, Mover: mover, Games: s.Config.Games}
	var stop atomic.Bool
	t := newTable(s.Config.Rules, &stop)
	sum, squares, hits := 0.0, 0.0, 0.0
	began := time.Now()
	for game := range a.Games {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		bot, err := s.bot(shooter, "", game, 0)
		if err != nil {
			return a, err
		}
		target, err := s.bot("easy", mover, game, 1)
		if err != nil {
			return a, err
		}
		chart, fleet := &t.charts[0], &t.fleets[1]
		t.charts[0] = t.empty
		fleet.Reset(target.Place())
		for r := match.Water; r != match.LastSunk && chart.Fired < t.limit; {
			if err := t.sail(match.Second, target); err != nil {
				return a, fmt.Errorf("a move of %s: %w", mover, err)
			}
			cell := bot.Fire(chart)
			r = fleet.Shoot(cell)
			chart.Record(cell, r)
			bot.Told(cell, r)
			if r != match.Water {
				hits++
			}
		}
		n := float64(chart.Fired)
		sum += n
		squares += n * n
	}
	games := float64(a.Games)
	a.Shots, a.PerHit, a.Time = sum/games, sum/hits, time.Since(began)/time.Duration(a.Games)
	a.SE = math.Sqrt(max(0, squares/games-a.Shots*a.Shots) / (games - 1))
	return a, nil
}

// find is an attack of the study.
func (s *Study) find(shooter, mover string) Attack {
	for _, a := range s.Attacks {
		if a.Shooter == shooter && a.Mover == mover {
			return a
		}
	}
	return Attack{}
}

// Markdown is the report as text.
func (s *Study) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Rounds to sink a fleet\n\nMean and 95 %% interval of %d games; the fleets are the same for all and do not shoot back.\n\n", s.Config.Games)
	b.WriteString("| strategy | stay | random | evade | evade − random | shots per hit (stay/random/evade) | time a game (random) |\n|---|---|---|---|---|---|---|\n")
	for _, name := range s.Config.Strategies {
		stay, drift, evade := s.find(name, "stay"), s.find(name, "random"), s.find(name, "evade")
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %+.1f ± %.1f | %.2f / %.2f / %.2f | %s |\n", name, stay.text(), drift.text(), evade.text(),
			evade.Shots-drift.Shots, 1.96*math.Hypot(evade.SE, drift.SE), stay.PerHit, drift.PerHit, evade.PerHit, elapsed(drift.Time))
	}
	for _, mover := range studiedMovers {
		r := s.Contests[mover]
		fmt.Fprintf(&b, "\n## All against all, all fleets %s\n\nScore in percent, row against column, %d games a pairing.\n\n%s", mover, s.Config.Games, r.crossTable().markdown())
		s.trackerTable(&b, r)
	}
	return b.String()
}

// trackerTable writes how the tracker did against the others, if it took part.
func (s *Study) trackerTable(b *strings.Builder, r *Report) {
	const tracker = "tracker"
	if !slices.Contains(s.Config.Strategies, tracker) {
		return
	}
	fmt.Fprintf(b, "\nThe tracker, with 95 %% intervals:\n\n| against | won | rounds |\n|---|---|---|\n")
	for i := range r.Pairings {
		p := &r.Pairings[i]
		other, won := p.A, p.Losses
		if p.A == tracker {
			other, won = p.B, p.Wins
		} else if p.B != tracker {
			continue
		}
		points, games := float64(won)+float64(p.Draws)/2, float64(p.Games)
		low, high := wilson(points, games)
		fmt.Fprintf(b, "| %s | %.1f %% (%.1f to %.1f) | %.1f |\n", other, 100*points/games, 100*low, 100*high, p.Rounds.Mean)
	}
}

func (a Attack) text() string { return fmt.Sprintf("%.1f ± %.1f", a.Shots, 1.96*a.SE) }

// wilson is the 95 % interval of a share.
func wilson(won, games float64) (low, high float64) {
	const z = 1.96
	p := won / games
	middle, width := p+z*z/(2*games), z*math.Sqrt(p*(1-p)/games+z*z/(4*games*games))
	return (middle - width) / (1 + z*z/games), (middle + width) / (1 + z*z/games)
}

// write writes the study to its folder.
func (s *Study) write() error {
	if err := os.MkdirAll(s.Config.Dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of the study: %w", err)
	}
	files := map[string]func() ([]byte, error){
		"study.md":   func() ([]byte, error) { return []byte(s.Markdown()), nil },
		"rounds.svg": func() ([]byte, error) { return s.roundsPicture(), nil },
		"course.svg": func() ([]byte, error) { return CoursePicture(s.Config.Rules, s.Players, s.Game.Events()) },
	}
	for name, make := range files {
		data, err := make()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(s.Config.Dir, name), data, 0o644); err != nil {
			return fmt.Errorf("writing the study: %w", err)
		}
	}
	return nil
}
