package phrase

import "broadside/internal/i18n"

// ShotTime returns how long a shot took, given milliseconds. It is in microseconds below 10 ms, since
// programs are fast.
func ShotTime(l i18n.Language, ms float64) string {
	if ms < 10 {
		return l.Text("%.0f", 1000*ms) + " µs"
	}
	return l.Text("%.1f", ms) + " ms"
}
