package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"broadside/internal/test/servers"
)

// figures collects measurements. Its methods may be called from any goroutine.
type figures struct {
	plan plan

	mu        sync.Mutex
	measuring bool            // keys are being measured
	connects  []time.Duration // of all connections
	menu      spans           // keys in the lobby
	placing   spans
	moves     spans
	shots     spans
	watched   []int64        // bytes per second of each spectator
	turns     []int64        // bytes per shot, including everything around it, of each match
	matches   [2]int         // against people, against bots
	failures  map[string]int // by kind
	failure   map[string]error
	inLobby   state         // memory of one session in the lobby
	inMatch   state         // memory of one session that plays or watches
	average   state         // memory of one session, of all
	tasks     float64       // goroutines per session
	left      [2]int        // goroutines and matches left after all have disconnected
	load      time.Duration // server CPU time per session and second
}

// spans holds, for keys, the times and bytes until the screen was updated.
type spans struct {
	took  []time.Duration
	bytes []int64
}

func (f *figures) connected(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects = append(f.connects, d)
}

func (f *figures) walked(d time.Duration, bytes int64) { f.key(&f.menu, d, bytes) }
func (f *figures) moved(d time.Duration, bytes int64)  { f.key(&f.moves, d, bytes) }
func (f *figures) fired(d time.Duration, bytes int64)  { f.key(&f.shots, d, bytes) }

// placed records a key of fleet placement. It counts before the measurement, too, because
// few players place a fleet during it.
func (f *figures) placed(d time.Duration, bytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.placing.took, f.placing.bytes = append(f.placing.took, d), append(f.placing.bytes, bytes)
}

// played records the bytes that a player received during a battle, and the number of the
// player's own shots.
func (f *figures) played(bytes int64, shots int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if shots > 0 {
		f.turns = append(f.turns, bytes/int64(shots))
	}
}

// recordBytes records the bytes that a spectator received.
func (f *figures) recordBytes(bytes int64, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d > 0 {
		f.watched = append(f.watched, int64(float64(bytes)/d.Seconds()))
	}
}

func (f *figures) key(s *spans, d time.Duration, bytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.measuring {
		s.took, s.bytes = append(s.took, d), append(s.bytes, bytes)
	}
}

func (f *figures) finished(r role) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r == playsBot {
		f.matches[1]++
	} else {
		f.matches[0]++
	}
}

// failed records a failure, unless the test is ending.
func (f *figures) failed(ctx context.Context, doing string, err error) {
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[doing]++
	f.failure[doing] = err
}

// measure starts or stops recording the times of keys.
func (f *figures) measure(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.measuring = on
}

// grown records the server's growth from empty to a full lobby, and from there to all
// matches running.
func (f *figures) grown(empty, lobby, full state) {
	busy := f.plan.playing + f.plan.watching
	f.inLobby = lobby.since(empty, f.plan.sessions-busy)
	f.inMatch = full.since(lobby, busy)
	f.average = full.since(empty, f.plan.sessions)
	f.tasks = float64(full.goroutines-empty.goroutines) / float64(f.plan.sessions)
}

// busy records the server's CPU time during the measurement.
func (f *figures) busy(now, start servers.Cost, d time.Duration) {
	f.load = time.Duration(float64(now.Time-start.Time) / float64(f.plan.sessions) / d.Seconds())
}

// report is the result of the test. Times are in milliseconds.
type report struct {
	Sessions, Playing, Watching int
	Connect                     quantiles
	Menu, Place, Move, Shot     quantiles // from the key to the first bytes of the update
	MenuBytes, PlaceBytes       quantiles
	MoveBytes, ShotBytes        quantiles
	TurnBytes                   quantiles         // bytes between two shots of a player: cursor, results, the opponent's shot
	WatchBytes                  quantiles         // per second
	Matches, BotMatches         int               // finished: between people, counted once per player, and against bots
	LobbyKiB, MatchKiB          float64           `json:",omitempty"` // PSS per session
	LobbyUsedKiB, MatchUsedKiB  float64           `json:",omitempty"` // memory in use per session, after a garbage collection
	AllKiB, AllUsedKiB          float64           `json:",omitempty"` // the same, the average of all sessions
	Goroutines                  float64           `json:",omitempty"` // per session
	GoroutinesLeft, MatchesLeft int               // after all have disconnected: additional goroutines, and matches
	SessionMillis               float64           `json:",omitempty"` // server CPU time per session and second
	Failures                    map[string]int    `json:",omitempty"`
	Examples                    map[string]string `json:",omitempty"`
}

type quantiles struct {
	Count         int
	P50, P99, Max float64
}

func (f *figures) report() report {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := report{
		Sessions: f.plan.sessions, Playing: f.plan.playing, Watching: f.plan.watching,
		Connect: millis(f.connects), Menu: millis(f.menu.took), Place: millis(f.placing.took), Move: millis(f.moves.took), Shot: millis(f.shots.took),
		MenuBytes: quantilesOf(f.menu.bytes, 1), PlaceBytes: quantilesOf(f.placing.bytes, 1),
		MoveBytes: quantilesOf(f.moves.bytes, 1), ShotBytes: quantilesOf(f.shots.bytes, 1), TurnBytes: quantilesOf(f.turns, 1), WatchBytes: quantilesOf(f.watched, 1),
		Matches: f.matches[0], BotMatches: f.matches[1], LobbyKiB: float64(f.inLobby.memory) / 1024, MatchKiB: float64(f.inMatch.memory) / 1024,
		AllKiB: float64(f.average.memory) / 1024, AllUsedKiB: float64(f.average.used) / 1024,
		LobbyUsedKiB: float64(f.inLobby.used) / 1024, MatchUsedKiB: float64(f.inMatch.used) / 1024,
		Goroutines: f.tasks, GoroutinesLeft: f.left[0], MatchesLeft: f.left[1],
		SessionMillis: float64(f.load) / float64(time.Millisecond),
		Failures:      f.failures, Examples: map[string]string{},
	}
	for doing, err := range f.failure {
		r.Examples[doing] = err.Error()
	}
	return r
}

func millis(d []time.Duration) quantiles { return quantilesOf(d, float64(time.Millisecond)) }

func quantilesOf[T ~int64](all []T, unit float64) quantiles {
	if len(all) == 0 {
		return quantiles{}
	}
	sorted := slices.Sorted(slices.Values(all))
	at := func(q float64) float64 { return float64(sorted[int(q*float64(len(sorted)-1))]) / unit }
	return quantiles{Count: len(all), P50: at(0.5), P99: at(0.99), Max: at(1)}
}

// verdict returns an error if any session was refused or lost.
func (r report) verdict() error {
	n := 0
	for _, count := range r.Failures {
		n += count
	}
	if n > 0 {
		return fmt.Errorf("%d failures: %v, such as %v", n, r.Failures, r.Examples)
	}
	return nil
}

// write writes the report as a table.
func (r report) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d sessions, %d of them in matches, %d watching\n", r.Sessions, r.Playing, r.Watching)
	fmt.Fprintf(w, "matches played to the end: %d against people, %d against bots\n\n", r.Matches, r.BotMatches)
	fmt.Fprintln(w, "\tnumber\tp50\tp99\tworst")
	for _, row := range []struct {
		what, unit string
		q          quantiles
	}{
		{"connect to first paint", "ms", r.Connect},
		{"key in the lobby to paint", "ms", r.Menu},
		{"key while placing to paint", "ms", r.Place},
		{"cursor key to paint", "ms", r.Move},
		{"shot to paint", "ms", r.Shot},
		{"bytes of a key in the lobby", "B", r.MenuBytes},
		{"bytes of a key while placing", "B", r.PlaceBytes},
		{"bytes of a cursor key", "B", r.MoveBytes},
		{"bytes of a shot", "B", r.ShotBytes},
		{"bytes of a whole turn", "B", r.TurnBytes},
		{"bytes per second of a spectator", "B", r.WatchBytes},
	} {
		digits := 1
		if row.unit == "B" {
			digits = 0
		}
		fmt.Fprintf(w, "%s\t%d\t%.*f %s\t%.*f %s\t%.*f %s\n", row.what, row.q.Count,
			digits, row.q.P50, row.unit, digits, row.q.P99, row.unit, digits, row.q.Max, row.unit)
	}
	if r.SessionMillis > 0 {
		fmt.Fprintf(w, "\nmemory of a session in the lobby, PSS\t%.0f KiB\tin use %.0f KiB\n", r.LobbyKiB, r.LobbyUsedKiB)
		fmt.Fprintf(w, "memory of a session that plays or watches\t%.0f KiB\tin use %.0f KiB\n", r.MatchKiB, r.MatchUsedKiB)
		fmt.Fprintf(w, "CPU time of the server per session and second\t%.2f ms\n", r.SessionMillis)
	}
	if r.Goroutines > 0 {
		fmt.Fprintf(w, "goroutines of a session\t%.1f\n", r.Goroutines)
		fmt.Fprintf(w, "goroutines left after everyone has disconnected\t%d, with %d matches that wait for their players\n", r.GoroutinesLeft, r.MatchesLeft)
	}
	return w.Flush()
}
