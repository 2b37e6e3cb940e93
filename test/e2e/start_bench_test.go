package e2e

import (
	"io"
	"os/exec"
	"testing"
	"time"

	"broadside/internal/test/servers"
)

// BenchmarkStart measures the cost of starting a command, in milliseconds of CPU time, and
// the memory of a server without clients, in MiB. The memory is that of the process (PSS),
// including the program's own pages in use.
//
//	go test ./test/e2e -run - -bench Start -benchtime 50x
func BenchmarkStart(b *testing.B) {
	program, err := servers.Build(b.Context(), b.TempDir()) // without the tests
	if err != nil {
		b.Fatal(err)
	}
	b.Run("command", func(b *testing.B) {
		var took time.Duration
		for b.Loop() {
			c := exec.Command(program, "--version")
			if err := c.Run(); err != nil {
				b.Fatal(err)
			}
			took += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		}
		b.ReportMetric(took.Seconds()*1000/float64(b.N), "cpu-ms")
	})
	b.Run("server", func(b *testing.B) {
		var memory int64
		for b.Loop() {
			s, err := servers.Start(b.Context(), program, b.TempDir(), io.Discard, nil)
			if err != nil {
				b.Fatal(err)
			}
			memory += servers.MeasureProcess(s.PID()).Memory
			s.Kill()
		}
		b.ReportMetric(float64(memory)/float64(b.N)/(1<<20), "MiB")
	})
}
