package words

import "testing"

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
