package session

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match"
)

// seed adds the golden messages.
func seed(f *testing.F) {
	b, err := os.ReadFile(filepath.Join("testdata", "messages"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		f.Add(bytes.TrimSpace(line))
	}
}

// openLobby opens a lobby with a store for a fuzz target.
func openLobby(f *testing.F) *lobby.Lobby {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := store.Open(f.Context(), store.Config{Folder: f.TempDir(), Log: quiet})
	if err != nil {
		f.Fatal(err)
	}
	l := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s, Log: quiet})
	f.Cleanup(func() {
		l.Close()
		s.Close()
	})
	return l
}

// FuzzAction executes all actions that can be decoded, in a hot-seat match, which has two seats.
func FuzzAction(f *testing.F) {
	seed(f)
	l := openLobby(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, _, err := decodeMessage(b)
		a, is := x.(Action)
		if err != nil || !is {
			return
		}
		// What is missing in b, such as rules, arrives as its default. From then on, nothing changes.
		arrived := arrive(t, a)
		if again := arrive(t, arrived); !reflect.DeepEqual(arrived, again) {
			t.Fatalf("%#v arrived as %#v", arrived, again)
		}
		s := New(Config{Lobby: l, Player: Player{Name: "guest"}})
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Do(ctx, HotSeat{[2]string{"ann", "bob"}, match.Naval()}); err != nil {
			t.Fatal(err)
		}
		_ = s.Do(ctx, a)
		if err := DecodeError(EncodeError(s.Do(ctx, Abort{}))); err != nil && err.Error() == "" {
			t.Fatal("an error says nothing")
		}
		travel(t, s.State().Me)
	})
}

// arrive encodes and decodes an action.
func arrive(t *testing.T, a Action) Action {
	t.Helper()
	b, err := Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := decodeMessage(b)
	if err != nil {
		t.Fatalf("%#v does not arrive: %v", a, err)
	}
	return x.(Action)
}

// FuzzQuery answers all queries that can be decoded.
func FuzzQuery(f *testing.F) {
	seed(f)
	l := openLobby(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		x, _, err := decodeMessage(b)
		if _, is := x.(Action); err != nil || is {
			return
		}
		ask, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		s := New(Config{Lobby: l, Player: Player{Name: "guest"}})
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		answer, err := ask(ctx, s)
		if err != nil && err.Error() == "" {
			t.Fatal("an error says nothing")
		}
		if answer != nil { // else it was refused
			travel(t, answer)
		}
	})
}

// FuzzClient opens a session for every client that can be decoded.
func FuzzClient(f *testing.F) {
	seed(f)
	l := &Lobby{Lobby: openLobby(f)}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Client
		if json.Unmarshal(b, &c) != nil {
			return
		}
		limit := time.Minute
		if c.Previous != nil && c.Previous.Offer != nil {
			limit = time.Millisecond // reopening a challenge waits for its player
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		s, err := l.Open(ctx, c)
		if err != nil {
			return
		}
		defer s.Close()
		state := s.State()
		state.Lobby = nil
		travel(t, state)
	})
}

// FuzzUpdate checks that all methods of a decoded update work.
func FuzzUpdate(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var u Update
		if json.Unmarshal(b, &u) != nil {
			return
		}
		_ = [2]bool{}[u.Side]
		_ = [chatRooms]bool{}[u.Room]
		if u.Match == nil {
			return
		}
		for side := match.First; side <= match.Second; side++ {
			for _, cell := range append(u.Match.View.Targets, match.At(0, 0)) {
				u.Match.View.Board(side, cell)
			}
			u.Match.View.Charts[side].Open()
		}
		if _, err := json.Marshal(u); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzState(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var s State
		if json.Unmarshal(b, &s) != nil {
			return
		}
		if s.Match != nil {
			_ = [2]bool{}[s.Match.Side]
			s.Match.Rules.Board()
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
		for _, into := range []any{new(Snapshot), new(Client), new(Profile), new(Daily), new(Record), new(Settings)} {
			if json.Unmarshal(b, into) == nil {
				if _, err := json.Marshal(into); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
