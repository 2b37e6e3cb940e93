// Package leaks finds goroutines that outlive tests.
package leaks

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// patience is the time that goroutines have to end. On a busy machine, goleak's half a second
// is too short.
const patience = time.Minute

// Main runs a package's tests, and fails if goroutines remain. It is the last statement
// of TestMain, because it exits.
func Main(m *testing.M) {
	code := m.Run()
	if err := Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Find waits until no goroutines remain, except those that the options ignore. It returns an
// error that lists them if they do not end.
func Find(options ...goleak.Option) error {
	for deadline := time.Now().Add(patience); ; {
		err := goleak.Find(options...)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}
