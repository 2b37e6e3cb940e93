//go:build slow && unix

package web

import (
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/match"
)

// TestIdleStreams keeps 10,000 streams open, measures the memory of each, and then sends a shot
// to all of them.
func TestIdleStreams(t *testing.T) {
	const number = 10_000
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur < number+1000 {
		need.Skip(t, "it needs %d open files, the limit is %d: %v", number+1000, files.Cur, err)
	}
	s := openSite(t, unlimited)
	_, second, id := s.fight()
	s.get("/m/" + id)
	before := heap()
	all := s.openViewers(number, apiRoot+"/matches/"+id+"/events")
	each := (heap() - before) / number
	t.Logf("%d bytes for each stream", each)
	if each > 32<<10 {
		t.Errorf("a stream needs %d bytes", each)
	}
	start := time.Now()
	second.must(second.Fire(match.Second, 0, match.At(0, 1)))
	reached, err := all.Arrivals(start)
	if err != nil || len(reached) != number {
		t.Fatalf("%d viewers have seen the shot: %v", len(reached), err)
	}
	t.Logf("a shot reaches them within %.0f ms (median), %.0f ms (p99)", percentile(reached, 50), percentile(reached, 99))
}
