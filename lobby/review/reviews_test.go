package review

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/storetest"
	"broadside/match"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// await returns a match's review once it is ready.
func await(t *testing.T, r *Reviews, id string) Match {
	done := make(chan struct{}, 1)
	for {
		m, ready, err := r.Of(t.Context(), id, func() { done <- struct{}{} })
		switch {
		case err != nil:
			t.Fatal(err)
		case ready:
			return m
		}
		<-done
	}
}

// TestReviewIsStored reads a review from memory and from the store.
func TestReviewIsStored(t *testing.T) {
	s := storetest.Open(t)
	m := storetest.Match(1, match.Classic(), "ann", "bob")
	if _, err := s.Matches.Finish(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	r := New(s, slog.New(slog.DiscardHandler))
	first := await(t, r, m.ID)
	if again := await(t, r, m.ID); first[0].Judged == 0 || !reflect.DeepEqual(first, again) {
		t.Errorf("review %+v, then %+v", first, again)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if recent, ready, err := r.Of(ended, m.ID, nil); err != nil || !ready || !reflect.DeepEqual(recent, first) {
		t.Errorf("without the database: %+v, %v, %v, want %+v", recent, ready, err, first)
	}
	r.Close()
	if _, _, err := r.Of(t.Context(), "unknown", func() {}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown match: %v", err)
	}
	r = New(s, slog.New(slog.DiscardHandler))
	defer r.Close()
	stored, ready, err := r.Of(t.Context(), m.ID, nil)
	if err != nil || !ready || !reflect.DeepEqual(stored, first) {
		t.Errorf("stored review %+v, %v, %v, want %+v", stored, ready, err, first)
	}
}

func TestReviewsAreBounded(t *testing.T) {
	r := New(storetest.Open(t), slog.New(slog.DiscardHandler))
	defer r.Close()
	r.mu.Lock()
	for range maxWaiting {
		r.waiting = append(r.waiting, &job{id: "other"})
	}
	r.mu.Unlock()
	if err := r.add("one more", func() {}); !errors.Is(err, ErrBusy) {
		t.Errorf("one match too many: %v", err)
	}
	for i := range maxDone + 1 {
		var want error
		if i == maxDone {
			want = ErrBusy
		}
		if err := r.add("other", func() {}); !errors.Is(err, want) {
			t.Errorf("caller %d: got %v, want %v", i+1, err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, match.Classic(), storetest.Match(1, match.Classic(), "ann", "bob").Events); !errors.Is(err, context.Canceled) {
		t.Errorf("a review without time: %v", err)
	}
}
