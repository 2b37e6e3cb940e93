package web

import (
	"context"
	"sync"
	"time"

	"broadside/internal/store"
	"broadside/internal/web/feed"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
)

// Limits on cached answers.
const (
	answerTime = 2 * time.Second  // how long an answer is used
	askTime    = 10 * time.Second // to answer a query
	maxAnswers = 512
)

// answers asks queries of the lobby and keeps the answers for a moment, so that the lobby's
// work does not grow with the number of requests.
type answers struct {
	hub  *feed.Hub
	work sync.WaitGroup

	mu    sync.Mutex
	known map[any]*answer // guarded by mu; by question
}

// answer is an answer that is being read, or was.
type answer struct {
	done    chan struct{} // closed when the fields below are set
	value   any
	err     error
	expires time.Time
}

// ask returns what read returns for a spectator without an account, or returned a moment ago
// for the same question. The answer is shared and must not be modified.
func ask[R any](ctx context.Context, a *answers, question any, read func(context.Context, *session.Session) (R, error)) (R, error) {
	x, first := a.find(question)
	if first {
		a.work.Go(func() {
			a.answer(question, x, func(ctx context.Context, own *session.Session) (any, error) { return read(ctx, own) })
		})
	}
	var none R
	select {
	case <-x.done:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	if x.err != nil {
		return none, x.err
	}
	return x.value.(R), nil
}

// find returns the answer to a question. It reports whether the caller must provide it.
func (a *answers) find(question any) (x *answer, first bool) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	if x := a.known[question]; x != nil && now.Before(x.expires) {
		return x, false
	}
	if len(a.known) >= maxAnswers {
		clear(a.known)
	}
	x = &answer{done: make(chan struct{}), expires: now.Add(answerTime)}
	a.known[question] = x
	return x, true
}

// answer reads the answer to a question in a new session.
func (a *answers) answer(question any, x *answer, read func(context.Context, *session.Session) (any, error)) {
	defer close(x.done)
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	own, err := a.hub.Open(ctx)
	if err == nil {
		defer own.Close()
		x.value, err = read(ctx, own)
	}
	x.err = err
	if err != nil { // the missing data may exist a moment later
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.known[question] == x {
			delete(a.known, question)
		}
	}
}

func (a *answers) snapshot(ctx context.Context) (lobby.Snapshot, error) {
	return ask(ctx, a, "snapshot", func(ctx context.Context, own *session.Session) (lobby.Snapshot, error) {
		return own.Snapshot(), nil
	})
}

func (a *answers) matches(ctx context.Context) ([]lobby.Running, error) {
	return ask(ctx, a, "matches", func(ctx context.Context, own *session.Session) ([]lobby.Running, error) {
		return own.Matches(), nil
	})
}

func (a *answers) record(ctx context.Context, id string) (store.Match, error) {
	return ask(ctx, a, [2]any{"record", id}, func(ctx context.Context, own *session.Session) (store.Match, error) {
		return own.Record(ctx, id)
	})
}

func (a *answers) review(ctx context.Context, id string) (session.Review, error) {
	return ask(ctx, a, [2]any{"review", id}, func(ctx context.Context, own *session.Session) (session.Review, error) {
		return own.Review(ctx, id)
	})
}

// games returns the latest matches of an account, or of all players if it is empty.
func (a *answers) games(ctx context.Context, of string, limit int) ([]store.Summary, error) {
	return ask(ctx, a, [3]any{"games", of, limit}, func(ctx context.Context, own *session.Session) ([]store.Summary, error) {
		return own.Games(ctx, of, store.Cursor{}, limit)
	})
}

func (a *answers) account(ctx context.Context, name string) (store.Player, error) {
	return ask(ctx, a, [2]any{"account", name}, func(ctx context.Context, own *session.Session) (store.Player, error) {
		return own.FindAccount(ctx, name)
	})
}

func (a *answers) profile(ctx context.Context, id string) (account.Profile, error) {
	return ask(ctx, a, [2]any{"profile", id}, func(ctx context.Context, own *session.Session) (account.Profile, error) {
		return own.Profile(ctx, id, false)
	})
}

func (a *answers) leaderboard(ctx context.Context, r ranking) ([]store.Standing, error) {
	return ask(ctx, a, r, func(ctx context.Context, own *session.Session) ([]store.Standing, error) {
		return own.Leaderboard(ctx, r.board, r.rules, r.limit)
	})
}

func (a *answers) daily(ctx context.Context, day time.Time, rows int) (daily.Standing, error) {
	return ask(ctx, a, [3]any{"daily", day.Format(time.DateOnly), rows}, func(ctx context.Context, own *session.Session) (daily.Standing, error) {
		return own.DailyStanding(ctx, day.Format(time.DateOnly), rows)
	})
}

func (a *answers) ladder(ctx context.Context, rules string) (ladder.Report, error) {
	return ask(ctx, a, [2]any{"ladder", rules}, func(ctx context.Context, own *session.Session) (ladder.Report, error) {
		return own.Ladder(ctx, rules)
	})
}

func (a *answers) ladderPage(ctx context.Context, rules, name string) (ladder.Page, error) {
	return ask(ctx, a, [3]any{"ladder", rules, name}, func(ctx context.Context, own *session.Session) (ladder.Page, error) {
		return own.LadderPage(ctx, rules, name)
	})
}
