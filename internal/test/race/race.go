// Package race shortens tests that the race detector makes slow.
package race

import "testing"

// SkipComputation skips a test that only computes, in a single goroutine. The race detector
// would make it several times slower and cannot find anything.
func SkipComputation(t testing.TB) {
	t.Helper()
	if enabled {
		t.Skip("it computes in a single goroutine: run it without the race detector")
	}
}

// Fewer returns n, or a tenth of it, at least 1, under the race detector.
func Fewer(n int) int {
	if enabled {
		return max(1, n/10)
	}
	return n
}
