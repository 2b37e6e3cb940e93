package tui

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// TestAllCharactersHaveASCIIForms checks that no character in the screens' source or in the texts becomes
// a question mark in ASCII.
func TestAllCharactersHaveASCIIForms(t *testing.T) {
	ascii := term.PaletteFor(term.Appearance{Theme: term.Mono, Glyphs: term.ASCII}, term.Terminal{})
	seen := map[rune]bool{}
	check := func(file, text string) {
		for _, r := range text {
			if r < utf8.RuneSelf || seen[r] {
				continue
			}
			seen[r] = true
			if got := ascii.Paint(string(r)); got == "?" || len(got) != 1 {
				t.Errorf("%s: %q becomes %q", file, r, got)
			}
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "term/keyboard.go" || path == "term/painter.go" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(source)), source, nil, 0)
		for _, kind, text := s.Scan(); kind != token.EOF; _, kind, text = s.Scan() {
			if value, err := strconv.Unquote(text); err == nil {
				check(path, value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := filepath.Glob("../internal/i18n/locales/*.po")
	if err != nil || len(texts) < 3 {
		t.Fatalf("%d files of texts: %v", len(texts), err)
	}
	for _, file := range texts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(file, string(text))
	}
	insignia := map[string]i18n.Key{}
	for _, r := range widget.Ranks() {
		form := ascii.Paint(r.Insignia)
		if other, taken := insignia[form]; taken {
			t.Errorf("%s and %s have the insignia %q", r.Name, other, form)
		}
		insignia[form] = r.Name
	}
}

// TestGermanInASCII checks that a German player's screens are in ASCII, without umlauts, at a terminal
// that shows only ASCII. The driver checks that no line is too long.
func TestGermanInASCII(t *testing.T) {
	for _, size := range [][2]int{{40, 16}, {60, 20}, {80, 24}, {100, 30}} {
		l := lobbytest.Open(lobby.Config{Seed: 5})
		d := startDriverWith(t, session.Config{Lobby: l, Player: account.Player{ID: "key", Name: "ann"}}, Config{
			Width: size[0], Height: size[1], Terminal: term.Terminal{ASCII: true}, Language: i18n.MustParse("de"),
		})
		all := ""
		for _, key := range []string{"", "?", "esc", "s", "?", "esc", "esc", "b", "esc", "i"} {
			if key != "" {
				d.press(key)
			}
			all += d.screen()
		}
		for _, word := range []string{"waehlen", "Einfuehrung", "zurueck"} {
			if !strings.Contains(all, word) {
				t.Errorf("%v: %q is nowhere in\n%s", size, word, all)
			}
		}
		if i := strings.IndexFunc(all, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
			t.Errorf("%v: %q is not ASCII", size, all[i:i+4])
		}
		d.m.SetAppearance(term.Appearance{Glyphs: term.Unicode})
		d.m.ApplySettings(account.Settings{Glyphs: "unicode", Rules: d.m.env.Settings.Rules})
		d.press("?")
		if s := d.screen(); !strings.ContainsAny(s, "äöüß") {
			t.Errorf("%v: no umlauts after choosing Unicode:\n%s", size, s)
		}
		d.close()
		l.Close()
	}
}
