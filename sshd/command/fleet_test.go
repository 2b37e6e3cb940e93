package command_test

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/sshd"
)

// TestFleetImportWithoutInput checks that fleet import does not wait endlessly for input.
func TestFleetImportWithoutInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSampleStore(t)
		defer s.Close()
		in, out := io.Pipe()
		defer out.Close()
		start := time.Now()
		status, _, errs := runWithInput(t, s, sshd.User{Fingerprint: "SHA256:ann"}, "fleet import home", in)
		if status != 1 || !strings.Contains(errs, "no fleet on standard input") && !strings.Contains(errs, "No fleet on standard input") || time.Since(start) > time.Minute {
			t.Errorf("got status %d after %v, errors %s", status, time.Since(start), errs)
		}
	})
}
