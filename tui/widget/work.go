package widget

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// CommandResult is a finished command's message. The root model calls Then.
type CommandResult struct {
	// CountedWork is set if [Env.Work] counts the command.
	CountedWork bool
	Then        func() tea.Cmd
}

// queryTimeout limits how long a screen waits for the store.
const queryTimeout = 5 * time.Second

// Query returns a command that runs query in the background and then calls then with its result on the
// model's goroutine. A progress indicator appears if the query takes long.
func Query[T any](e *Env, query func(context.Context) (T, error), then func(T, error) tea.Cmd) tea.Cmd {
	e.Work.Start(time.Now())
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(e.Ctx, queryTimeout)
		defer cancel()
		result, err := query(ctx)
		return CommandResult{CountedWork: true, Then: func() tea.Cmd { return then(result, err) }}
	}
}

// Exec is [Query] for an action without a result.
func Exec(e *Env, action func(context.Context) error, then func(error) tea.Cmd) tea.Cmd {
	query := func(ctx context.Context) (struct{}, error) { return struct{}{}, action(ctx) }
	return Query(e, query, func(_ struct{}, err error) tea.Cmd { return then(err) })
}

// RunAfter returns a command that calls then on the model's goroutine after d. If ctx ends first, it does
// nothing.
func RunAfter(ctx context.Context, d time.Duration, then func() tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return CommandResult{Then: then}
		case <-ctx.Done():
			return nil
		}
	}
}

// Work counts pending background work, such as store access or advice. An indicator
// appears if the work takes long.
type Work struct {
	pending int
	// since is when the oldest pending operation started.
	since time.Time
}

const (
	// workDelay is the time until the indicator appears.
	workDelay = 500 * time.Millisecond
	// WorkInterval is the time between two steps of the indicator.
	WorkInterval = 250 * time.Millisecond
)

// Start adds a pending operation.
func (w *Work) Start(now time.Time) {
	if w.pending == 0 {
		w.since = now
	}
	w.pending++
}

// End removes a pending operation.
func (w *Work) End() { w.pending-- }

// TimeToChange returns the time until the indicator changes. It returns false if there is no work.
func (w *Work) TimeToChange(now time.Time) (time.Duration, bool) {
	if w.pending == 0 {
		return 0, false
	}
	took := now.Sub(w.since)
	if took < workDelay {
		return workDelay - took, true
	}
	return WorkInterval, true
}

// ElapsedTime returns how long the work has taken so far, and whether to show the indicator.
func (w *Work) ElapsedTime(now time.Time) (time.Duration, bool) {
	took := now.Sub(w.since)
	return took, w.pending > 0 && took >= workDelay
}
