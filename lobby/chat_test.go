package lobby_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
)

// heard returns the received lines, oldest first.
func heard(t *testing.T, p *chat.Participant, last []string) []string {
	t.Helper()
	time.Sleep(time.Second)
	synctest.Wait()
	select {
	case lines := <-p.Lines():
		last = nil
		for _, l := range lines {
			last = append(last, l.From.Name+": "+l.Text)
		}
	default:
	}
	return last
}

func wantHeard(t *testing.T, p *chat.Participant, want ...string) {
	t.Helper()
	if got := heard(t, p, nil); !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

func say(t *testing.T, p *chat.Participant, text string) {
	t.Helper()
	if err := p.Say(t.Context(), text); err != nil {
		t.Errorf("saying %.20q: %v", text, err)
	}
}

func refuse(t *testing.T, p *chat.Participant, text, why string) {
	t.Helper()
	if err := p.Say(t.Context(), text); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("saying %.20q: %v, want %q", text, err, why)
	}
}

func TestChatInTheLobby(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		a, b := l.Enter(ann).Chat.JoinLobby(), l.Enter(bob).Chat.JoinLobby()
		wantHeard(t, b)
		refuse(t, a, " ", "message is empty")
		say(t, a, " hello\x1b")
		say(t, b, "hi")
		wantHeard(t, a, "ann: hello", "bob: hi")
		wantHeard(t, b, "ann: hello", "bob: hi")
		b.Leave()
		b.Leave()
		refuse(t, b, "still here", "you have left")
		if _, open := <-b.Lines(); open {
			t.Error("a member who has left still receives lines")
		}
		wantHeard(t, l.Enter(carol).Chat.JoinLobby(), "ann: hello", "bob: hi")
	})
}

func TestChatIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		p := l.Enter(ann).Chat.JoinLobby()
		for i := range chat.LobbyLines + 3 {
			say(t, p, fmt.Sprint(i))
			time.Sleep(chat.BurstTime / chat.MaxBurst)
		}
		// Only the newest list arrives, because no line was received before.
		got := heard(t, p, nil)
		if len(got) != chat.LobbyLines || got[0] != "ann: 3" || got[chat.LobbyLines-1] != "ann: 52" {
			t.Errorf("%d lines are kept: %q", len(got), got)
		}
	})
}

func TestChatingTooFast(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, _ := paired(t, l)
		v := l.Enter(ann)
		inLobby, match := v.Chat.JoinLobby(), first.JoinChat(v)
		for i := range chat.MaxBurst {
			// The rate applies to the player, not to the room.
			say(t, []*chat.Participant{inLobby, match}[i%2], "spam")
			time.Sleep(time.Second)
		}
		refuse(t, inLobby, "more", "try again in 5 s")
		refuse(t, match, "more", "try again in 5 s")
		refuse(t, l.Enter(ann).Chat.JoinLobby(), "from another session", "try again in 5 s")
		say(t, l.Enter(bob).Chat.JoinLobby(), "I may")
		time.Sleep(5 * time.Second)
		say(t, match, "one more")
		refuse(t, match, "two more", "try again in 1 s")
		time.Sleep(time.Hour)
		for range chat.MaxBurst {
			say(t, inLobby, "again")
		}
	})
}

// TestSpectatorsChatIsHidden checks that players cannot read the spectators' lines before
// the end.
func TestSpectatorsChatIsHidden(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second := begin(t, l)
		w := watch(t, l, first.Seat.Match().ID())
		defer w.Leave()
		player, other := first.JoinChat(l.Enter(ann)), second.JoinChat(l.Enter(bob))
		stand := w.JoinChat(l.Enter(carol))
		// A player of the match watches in another session.
		peek := w.JoinChat(l.Enter(ann))
		say(t, player, "hello")
		say(t, stand, "the carrier is at A1")
		say(t, other, "hi")
		all := []string{"ann: hello", "carol: the carrier is at A1", "bob: hi"}
		wantHeard(t, stand, all...)
		for _, p := range []*chat.Participant{player, other, peek} {
			wantHeard(t, p, "ann: hello", "bob: hi")
		}
		first.Seat.Resign()
		for _, p := range []*chat.Participant{player, other, stand, peek} {
			wantHeard(t, p, all...)
		}
		// The lobby has received nothing.
		wantHeard(t, l.Enter(bob).Chat.JoinLobby())
	})
}

func TestMuteForThisVisit(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		a, b := l.Enter(ann), l.Enter(bob)
		from, to, third := a.Chat.JoinLobby(), b.Chat.JoinLobby(), l.Enter(carol).Chat.JoinLobby()
		say(t, from, "one")
		wantHeard(t, to, "ann: one")
		// Leaving must not change mutes elsewhere.
		b.Chat.JoinLobby().Leave()
		if err := b.Chat.SetMuteState(t.Context(), ann, chat.MutedPermanently); err == nil {
			t.Error("muted permanently without an account")
		}
		if err := b.Chat.SetMuteState(t.Context(), ann, chat.MutedForSession); err != nil || b.Chat.MuteState(ann.ID) != chat.MutedForSession {
			t.Errorf("muting: %v, hears %v", err, b.Chat.MuteState(ann.ID))
		}
		say(t, from, "two")
		wantHeard(t, to)
		wantHeard(t, third, "ann: one", "ann: two")
		must.Do(b.Chat.SetMuteState(t.Context(), ann, chat.NotMuted))
		wantHeard(t, to, "ann: one", "ann: two")
		b.Leave()
		wantHeard(t, l.Enter(bob).Chat.JoinLobby(), "ann: one", "ann: two")
	})
}

func TestMuteForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		pa, pb := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		a, b, twin := l.Enter(pa), l.Enter(pb), l.Enter(pb)
		say(t, a.Chat.JoinLobby(), "one")
		must.Do(b.Chat.SetMuteState(t.Context(), pa, chat.MutedPermanently))
		wantHeard(t, b.Chat.JoinLobby())
		wantHeard(t, twin.Chat.JoinLobby())
		b.Leave()
		twin.Leave()
		back := l.Enter(pb)
		wantHeard(t, back.Chat.JoinLobby())
		if back.Chat.MuteState(pa.ID) != chat.MutedPermanently {
			t.Error("the mute is forgotten")
		}
		must.Do(back.Chat.SetMuteState(t.Context(), pa, chat.NotMuted))
		wantHeard(t, l.Enter(pb).Chat.JoinLobby(), "Ann: one")
	})
}

func TestOperatorsMute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		pa := newAccount(t, s, "Ann")
		p := l.Enter(pa).Chat.JoinLobby()
		mute := func(d time.Duration) {
			t.Helper()
			m := store.Mute{Player: pa.ID, By: "root"}
			if d > 0 {
				m.Expires = time.Now().Add(d)
			}
			must.Do(s.Mutes.Add(t.Context(), m))
		}
		mute(time.Hour)
		refuse(t, p, "one", "muted you until 20")
		time.Sleep(time.Hour)
		say(t, p, "two")
		mute(0)
		refuse(t, p, "three", "an operator has muted you")
		must.Do(s.Mutes.Remove(t.Context(), pa.ID, "root"))
		say(t, p, "four")
		wantHeard(t, p, "Ann: two", "Ann: four")
	})
}

func TestGuestsMayBeQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, QuietGuests: true})
		defer l.Close()
		guest := l.Enter(account.Player{Name: "eve"}).Chat.JoinLobby()
		refuse(t, guest, "hello", "guests cannot chat")
		say(t, l.Enter(newAccount(t, s, "Ann")).Chat.JoinLobby(), "hello")
		wantHeard(t, guest, "Ann: hello")
		l.Chat.SetQuietGuests(false)
		say(t, guest, "hello, too")
		l.Chat.SetQuietGuests(true)
		refuse(t, guest, "once more", "guests cannot chat")
	})
}
