package term

import "testing"

func TestLearnBackground(t *testing.T) {
	for answer, want := range map[string]Background{
		"\x1b]11;rgb:1e1e/1e1e/2e2e\a":        DarkBackground,
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\":    LightBackground,
		"\x1b]11;rgb:fd/f6/e3\a":              LightBackground,
		"\x1b]11;rgb:f/f/f\a":                 LightBackground,
		"\x1b]11;rgb:0/0/f\a":                 DarkBackground,
		"\x1b]11;rgba:ffff/ffff/dddd/ffff\a":  LightBackground,
		"\x1b]11;rgba:0000/2b2b/3636/cccc\a":  DarkBackground,
		"\x1b]11;?\a":                         UnknownBackground,
		"\x1b]11;#1e1e2e\a":                   DarkBackground,
		"\x1b]11;#fff\x1b\\":                  LightBackground,
		"\x1b]11;#\a":                         UnknownBackground,
		"\x1b]11;#ffff\a":                     UnknownBackground,
		"\x1b]11;rgb:\a":                      UnknownBackground,
		"\x1b]11;rgb:ffff/ffff\a":             UnknownBackground,
		"\x1b]11;rgb:fffff/ffff/ffff\a":       UnknownBackground,
		"\x1b]11;rgb:-1/ffff/ffff\a":          UnknownBackground,
		"\x1b]10;rgb:ffff/ffff/ffff\a":        UnknownBackground,
		"\x1b]11":                             UnknownBackground,
		"\x1bP1$r48:2::1:2:3m\x1b\\":          UnknownBackground,
		"\x1b]11;hls:ffff/ffff/ffff/ffff\x1b": UnknownBackground,
	} {
		if got, last := (Terminal{}).ApplyAnswer(answer); got.Background != want || last {
			t.Errorf("%q: background %v, want %v; last: %t", answer, got.Background, want, last)
		}
	}
}
