package i18n

import "testing"

// TestOrdinary: what is said without the printer is what the printer says.
func TestOrdinary(t *testing.T) {
	numbers := []int{0, 1, 2, 21, 999}
	for l := range languages {
		s := &speeches()[l]
		for key := range s.formats {
			for i, n := range numbers {
				var args []any
				verbs := verbs(string(key))
				for j := range len(verbs) {
					switch n := numbers[(i+j)%len(numbers)]; verbs[j+1] {
					case "d":
						args = append(args, n)
					default:
						args = append(args, []string{"B7", "", "Käpt'n", "100%", "%d"}[i])
					}
				}
				if len(args) == 0 || !ordinary(args) {
					continue
				}
				if got, want := l.Say(key, args...), s.printer.Sprintf(string(key), args...); got != want {
					t.Errorf("%v, %q with %d: %q, want %q", l, key, n, got, want)
				}
			}
		}
	}
	if ordinary([]any{1000}) || ordinary([]any{-1}) || ordinary([]any{2.5}) {
		t.Error("numbers that languages write differently are ordinary")
	}
}

func BenchmarkConstant(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		German.Say("Your turn.")
	}
}
func BenchmarkString(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		German.Say("Fire at %s with enter.", "B7")
	}
}
func BenchmarkPlural(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		German.Say("%d ships", 3)
	}
}
