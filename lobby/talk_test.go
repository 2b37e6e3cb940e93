package lobby_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"broadside/internal/store"
	"broadside/lobby"
)

// heard is what there is to hear at a place, oldest first.
func heard(t *testing.T, p *lobby.TalkPlace, last []string) []string {
	t.Helper()
	time.Sleep(time.Second)
	synctest.Wait()
	select {
	case lines := <-p.Heard():
		last = nil
		for _, l := range lines {
			last = append(last, l.From.Name+": "+l.Text)
		}
	default:
	}
	return last
}

func wantHeard(t *testing.T, p *lobby.TalkPlace, want ...string) {
	t.Helper()
	if got := heard(t, p, nil); !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

func say(t *testing.T, p *lobby.TalkPlace, text string) {
	t.Helper()
	if err := p.Say(t.Context(), text); err != nil {
		t.Errorf("saying %.20q: %v", text, err)
	}
}

func refuse(t *testing.T, p *lobby.TalkPlace, text, why string) {
	t.Helper()
	if err := p.Say(t.Context(), text); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("saying %.20q: %v, want %q", text, err, why)
	}
}

func TestTalkInTheLobby(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		a, b := l.Enter(ann).Talk(), l.Enter(bob).Talk()
		wantHeard(t, b)
		say(t, a, "hello")
		say(t, b, "hi")
		wantHeard(t, a, "ann: hello", "bob: hi")
		wantHeard(t, b, "ann: hello", "bob: hi")
		b.Leave()
		b.Leave()
		refuse(t, b, "still here", "you have left")
		if _, open := <-b.Heard(); open {
			t.Error("who has left still hears")
		}
		wantHeard(t, l.Enter(carol).Talk(), "ann: hello", "bob: hi")
	})
}

func TestTalkIsCleaned(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		p := l.Enter(ann).Talk()
		for text, want := range map[string]string{
			"  two \t\r\n words  ":               "two words",
			"\x1b[31mred\x1b]0;title\x07":        "[31mred]0;title",
			"\u202eevil\u2066\u200b\u200d\ufeff": "evil",
			"a\u0300\u0301\u0302\u20dd":          "a",
			"\u3164x\u115f\u2800\u034f":          "x",
			"bad\xff\xfeutf8\x00":                "badutf8",
			strings.Repeat("é", 200):             strings.Repeat("é", lobby.MaxLine),
			strings.Repeat("x ", 100):            strings.TrimSpace(strings.Repeat("x ", lobby.MaxLine/2)),
			strings.Repeat("y", 10<<20):          strings.Repeat("y", lobby.MaxLine),
		} {
			say(t, p, text)
			got := heard(t, p, nil)
			if last := got[len(got)-1]; last != "ann: "+want {
				t.Errorf("%.20q is heard as %q, want %q", text, last, want)
			}
			time.Sleep(lobby.TalkSpan)
		}
		for _, text := range []string{"", " ", "\x1b\x00", "\u200b\u202e", strings.Repeat("\u200b", 10<<20)} {
			refuse(t, p, text, "nothing to say")
		}
	})
}

// FuzzTalk says anything: what is heard is one clean, short line.
func FuzzTalk(f *testing.F) {
	for _, s := range []string{"hello", "\x1b[2J", "a\u202eb", "\xff", strings.Repeat("ab ", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := lobby.CleanTalk(s)
		if n := utf8.RuneCountInString(got); n > lobby.MaxLine || !utf8.ValidString(got) {
			t.Errorf("%d characters of %q", n, got)
		}
		if strings.ContainsAny(got, "\x1b\n\r\t\x00\u202e\u200b") || strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("not clean: %q", got)
		}
		if again := lobby.CleanTalk(got); again != got {
			t.Errorf("%q cleaned again is %q", got, again)
		}
	})
}

func TestTalkIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		p := l.Enter(ann).Talk()
		for i := range lobby.TalkKept + 3 {
			say(t, p, fmt.Sprint(i))
			time.Sleep(lobby.TalkSpan / lobby.TalkBurst)
		}
		got := heard(t, p, nil) // the newest, for none was received before
		if len(got) != lobby.TalkKept || got[0] != "ann: 3" || got[lobby.TalkKept-1] != "ann: 52" {
			t.Errorf("%d lines are kept: %q", len(got), got)
		}
	})
}

func TestTalkingTooFast(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, _ := paired(t, l)
		v := l.Enter(ann)
		hall, match := v.Talk(), v.TalkAt(first)
		for i := range lobby.TalkBurst {
			say(t, []*lobby.TalkPlace{hall, match}[i%2], "spam") // the rate is the person's, not the room's
			time.Sleep(time.Second)
		}
		refuse(t, hall, "more", "talk again in 5 s")
		refuse(t, match, "more", "talk again in 5 s")
		refuse(t, l.Enter(ann).Talk(), "from another session", "talk again in 5 s")
		say(t, l.Enter(bob).Talk(), "I may")
		time.Sleep(5 * time.Second)
		say(t, match, "one more")
		refuse(t, match, "two more", "talk again in 1 s")
		time.Sleep(time.Hour)
		for range lobby.TalkBurst {
			say(t, hall, "again")
		}
	})
}

// What spectators say must not help a player before the end.
func TestSpectatorsTalkIsHidden(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second := begin(t, l)
		w := watch(t, l, first.Seat.Match().ID())
		defer w.Leave()
		player, other := l.Enter(ann).TalkAt(first), l.Enter(bob).TalkAt(second)
		stand := l.Enter(carol).TalkBeside(w)
		peek := l.Enter(ann).TalkBeside(w) // a player, in another session
		say(t, player, "hello")
		say(t, stand, "the carrier is at A1")
		say(t, other, "hi")
		all := []string{"ann: hello", "carol: the carrier is at A1", "bob: hi"}
		wantHeard(t, stand, all...)
		for _, p := range []*lobby.TalkPlace{player, other, peek} {
			wantHeard(t, p, "ann: hello", "bob: hi")
		}
		first.Seat.Resign()
		for _, p := range []*lobby.TalkPlace{player, other, stand, peek} {
			wantHeard(t, p, all...)
		}
		wantHeard(t, l.Enter(bob).Talk()) // the lobby has heard nothing
	})
}

func TestMuteForThisVisit(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		a, b := l.Enter(ann), l.Enter(bob)
		from, to, third := a.Talk(), b.Talk(), l.Enter(carol).Talk()
		say(t, from, "one")
		wantHeard(t, to, "ann: one")
		if err := b.Mute(t.Context(), ann, lobby.MutedPermanently); err == nil {
			t.Error("muted for good without an account")
		}
		if err := b.Mute(t.Context(), ann, lobby.MutedNow); err != nil || b.Hearing(ann.ID) != lobby.MutedNow {
			t.Errorf("muting: %v, hears %v", err, b.Hearing(ann.ID))
		}
		say(t, from, "two")
		wantHeard(t, to)
		wantHeard(t, third, "ann: one", "ann: two")
		if err := b.Mute(t.Context(), ann, lobby.Audible); err != nil {
			t.Error(err)
		}
		wantHeard(t, to, "ann: one", "ann: two")
		b.Leave()
		wantHeard(t, l.Enter(bob).Talk(), "ann: one", "ann: two")
	})
}

func TestMuteForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		l := openWith(t, s)
		pa, pb := account(t, s, "Ann"), account(t, s, "Bob")
		a, b, twin := l.Enter(pa), l.Enter(pb), l.Enter(pb)
		say(t, a.Talk(), "one")
		if err := b.Mute(t.Context(), pa, lobby.MutedPermanently); err != nil {
			t.Fatal(err)
		}
		wantHeard(t, b.Talk())
		wantHeard(t, twin.Talk())
		b.Leave()
		twin.Leave()
		back := l.Enter(pb)
		wantHeard(t, back.Talk())
		if back.Hearing(pa.ID) != lobby.MutedPermanently {
			t.Error("the mute is forgotten")
		}
		if err := back.Mute(t.Context(), pa, lobby.Audible); err != nil {
			t.Fatal(err)
		}
		wantHeard(t, l.Enter(pb).Talk(), "Ann: one")
	})
}

func TestOperatorsMute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		l := openWith(t, s)
		pa := account(t, s, "Ann")
		p := l.Enter(pa).Talk()
		mute := func(d time.Duration) {
			t.Helper()
			m := store.Mute{Player: pa.ID, By: "root"}
			if d > 0 {
				m.Expires = time.Now().Add(d)
			}
			if err := s.Mutes.Add(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		mute(time.Hour)
		refuse(t, p, "one", "muted you until 20")
		time.Sleep(time.Hour)
		say(t, p, "two")
		mute(0)
		refuse(t, p, "three", "an operator has muted you")
		if err := s.Mutes.Remove(t.Context(), pa.ID, "root"); err != nil {
			t.Fatal(err)
		}
		say(t, p, "four")
		wantHeard(t, p, "Ann: two", "Ann: four")
	})
}

func TestGuestsMayBeQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t)
		l := lobby.New(lobby.Config{Seed: 1, Store: s, QuietGuests: true})
		defer l.Close()
		guest := l.Enter(lobby.Player{Name: "eve"}).Talk()
		refuse(t, guest, "hello", "guests do not talk")
		say(t, l.Enter(account(t, s, "Ann")).Talk(), "hello")
		wantHeard(t, guest, "Ann: hello")
		l.SetQuietGuests(false)
		say(t, guest, "hello, too")
		l.SetQuietGuests(true)
		refuse(t, guest, "once more", "guests do not talk")
	})
}
