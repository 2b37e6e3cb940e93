package sshtest_test

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"charm.land/ssh"

	"broadside/internal/test/sshtest"
)

// failing is a test that only records how it ended.
type failing struct {
	testing.TB
	ended string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.ended = "failed: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// outcome runs a test separately and returns how it ended.
func outcome(t *testing.T, test func(testing.TB)) string {
	f := &failing{TB: t, ended: "passed"}
	var done sync.WaitGroup
	done.Go(func() { test(f) })
	done.Wait()
	return f.ended
}

func TestFailuresShowTheScreen(t *testing.T) {
	ends := serve(t, func(s ssh.Session) {
		io.WriteString(s, "the last words")
		s.Exit(7)
	})
	stays := serve(t, says("nothing more"))
	for _, c := range []struct {
		name string
		test func(t testing.TB, limit time.Duration)
		want []string
	}{
		{"session ended", func(t testing.TB, _ time.Duration) { sshtest.Dial(t, ends, sshtest.Options{}).WaitText("more") },
			[]string{`guest: the session ended while waiting for ["more"]`, "│the last words ", "ended with status 7"}},
		{"nothing comes", func(t testing.TB, limit time.Duration) {
			p := sshtest.Dial(t, stays, sshtest.Options{Timeout: limit})
			p.WaitText("nothing")
			p.WaitGone("nothing")
		}, []string{`guest timed out waiting for "nothing" to go`, "│nothing more "}},
		{"no end", func(t testing.TB, limit time.Duration) {
			sshtest.Dial(t, stays, sshtest.Options{User: "ada", Timeout: limit}).Wait()
		},
			[]string{"ada's session does not end"}},
		{"no such key", func(t testing.TB, _ time.Duration) { sshtest.Dial(t, stays, sshtest.Options{}).Press("ctrl+1") },
			[]string{`there is no key "ctrl+1"`}},
		{"nobody there", func(t testing.TB, _ time.Duration) { sshtest.Dial(t, "127.0.0.1:1", sshtest.Options{}) },
			[]string{"connecting: dial tcp 127.0.0.1:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for limit := time.Second; ; limit *= 2 { // a busy machine may take longer to connect
				got := outcome(t, func(t testing.TB) { c.test(t, limit) })
				missing := slices.IndexFunc(append(c.want, "failed: "), func(want string) bool { return !strings.Contains(got, want) })
				if missing < 0 {
					return
				}
				if limit > time.Minute {
					t.Fatalf("%q is missing in:\n%s", append(c.want, "failed: ")[missing], got)
				}
			}
		})
	}
}
