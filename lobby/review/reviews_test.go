package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/match"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestReviewIsStored waits for a review, and reads it from the store.
func TestReviewIsStored(t *testing.T) {
	s := storetest.Open(t)
	m := storetest.NewMatch(1, match.Classic(), "ann", "bob")
	must.Get(s.Matches.Finish(t.Context(), m))
	r := New(s, slog.New(slog.DiscardHandler))
	defer r.Close()
	done := make(chan Match, 2)
	for range 2 {
		if _, ready, err := r.FindOrStart(t.Context(), m.ID, func(m Match) { done <- m }); ready || err != nil {
			t.Fatalf("at first: %v, %v", ready, err)
		}
	}
	first, second := <-done, <-done
	stored, ready, err := r.FindOrStart(t.Context(), m.ID, nil)
	if err != nil || !ready || first[0].Judged == 0 || !reflect.DeepEqual(first, second) || !reflect.DeepEqual(stored, first) {
		t.Errorf("stored review %+v, %v, %v, want %+v", stored, ready, err, first)
	}
	if _, _, err := r.FindOrStart(t.Context(), "unknown", nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown match: %v", err)
	}
}

func TestReviewsAreBounded(t *testing.T) {
	r := New(storetest.Open(t), slog.New(slog.DiscardHandler))
	// While turn is full, no review starts.
	r.turn <- struct{}{}
	add := func(id string) error { return r.enqueue(store.Match{Summary: store.Summary{ID: id}}, func(Match) {}) }
	for i := range maxWaiting + 1 {
		if err := add(fmt.Sprint(i)); (err == ErrBusy) != (i == maxWaiting) {
			t.Errorf("match %d: %v", i, err)
		}
	}
	for i := 1; i <= maxDone; i++ {
		if err := add("7"); (err == ErrBusy) != (i == maxDone) {
			t.Errorf("caller %d: %v", i+1, err)
		}
	}
	r.Close()
	if err := add("7"); err != ErrBusy {
		t.Errorf("after Close: %v", err)
	}
	if _, err := ReviewMatch(r.ctx, match.Classic(), storetest.NewMatch(1, match.Classic(), "ann", "bob").Events); !errors.Is(err, context.Canceled) {
		t.Errorf("a review without time: %v", err)
	}
}
