package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"broadside/internal/crowd"
)

// figures collects what is measured. Its methods may be called from any
// goroutine.
type figures struct {
	plan plan

	mu        sync.Mutex
	measuring bool            // keys count
	connects  []time.Duration // of all connections
	moves     spans
	shots     spans
	matches   int
	failures  map[string]int // by what happened
	failure   map[string]error
	memory    int64         // of a session, in bytes, once all are in
	load      time.Duration // server time of a session and second
}

// spans are the times of keys until something is painted, and the bytes.
type spans struct {
	took  []time.Duration
	bytes []int64
}

func newFigures(p plan) *figures {
	return &figures{plan: p, failures: map[string]int{}, failure: map[string]error{}}
}

func (f *figures) connected(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects = append(f.connects, d)
}

func (f *figures) moved(d time.Duration, bytes int64) { f.key(&f.moves, d, bytes) }
func (f *figures) fired(d time.Duration, bytes int64) { f.key(&f.shots, d, bytes) }

func (f *figures) key(s *spans, d time.Duration, bytes int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.measuring {
		s.took, s.bytes = append(s.took, d), append(s.bytes, bytes)
	}
}

func (f *figures) finished() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.matches++
}

// failed notes what went wrong, unless it is because all leave.
func (f *figures) failed(ctx context.Context, doing string, err error) {
	if ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[doing]++
	f.failure[doing] = err
}

func (f *figures) begin() { f.measure(true) }
func (f *figures) end()   { f.measure(false) }

func (f *figures) measure(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.measuring = on
}

// settled takes in what the server has grown by with the crowd.
func (f *figures) settled(now, before crowd.Cost) {
	if before.Memory > 0 {
		f.memory = (now.Memory - before.Memory) / int64(f.plan.sessions)
	}
}

// busy takes in what time the server took while keys counted.
func (f *figures) busy(now, start crowd.Cost, d time.Duration) {
	f.load = time.Duration(float64(now.Time-start.Time) / float64(f.plan.sessions) / d.Seconds())
}

// report is the outcome. Times are in milliseconds.
type report struct {
	Sessions, Playing, Watching int
	Connect                     quantiles
	Move, Shot                  quantiles // from the key to the first bytes of the paint
	MoveBytes, ShotBytes        quantiles
	Matches                     int               // played to their end by one side
	SessionKiB                  float64           `json:",omitempty"` // of the server's memory, PSS
	SessionMillis               float64           `json:",omitempty"` // of the server's time in each second
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
		Connect: millis(f.connects), Move: millis(f.moves.took), Shot: millis(f.shots.took),
		MoveBytes: quantilesOf(f.moves.bytes, 1), ShotBytes: quantilesOf(f.shots.bytes, 1),
		Matches: f.matches, SessionKiB: float64(f.memory) / 1024,
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

// verdict is an error if anybody was turned away or lost a session.
func (r report) verdict() error {
	n := 0
	for _, count := range r.Failures {
		n += count
	}
	if n > 0 {
		return fmt.Errorf("%d things went wrong: %v, such as %v", n, r.Failures, r.Examples)
	}
	return nil
}

// write writes the figures as a table.
func (r report) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%d sessions, %d of them in matches, %d watching; %d matches played to the end\n\n", r.Sessions, r.Playing, r.Watching, r.Matches)
	fmt.Fprintln(w, "\tnumber\tp50\tp99\tworst")
	for _, row := range []struct {
		what, unit string
		q          quantiles
	}{
		{"connect to first paint", "ms", r.Connect},
		{"cursor key to paint", "ms", r.Move},
		{"shot to paint", "ms", r.Shot},
		{"bytes of a cursor key", "B", r.MoveBytes},
		{"bytes of a shot", "B", r.ShotBytes},
	} {
		digits := 1
		if row.unit == "B" {
			digits = 0
		}
		fmt.Fprintf(w, "%s\t%d\t%.*f %s\t%.*f %s\t%.*f %s\n", row.what, row.q.Count,
			digits, row.q.P50, row.unit, digits, row.q.P99, row.unit, digits, row.q.Max, row.unit)
	}
	if r.SessionKiB > 0 {
		fmt.Fprintf(w, "\nmemory of a session, PSS\t%.0f KiB\n", r.SessionKiB)
		fmt.Fprintf(w, "server time of a session and second\t%.2f ms\n", r.SessionMillis)
	}
	return w.Flush()
}
