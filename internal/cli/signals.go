package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// cancelOnSignal returns a copy of ctx that the first SIGINT, SIGTERM or other given signal cancels. A
// second SIGINT or SIGTERM ends the process immediately.
func cancelOnSignal(ctx context.Context, others ...os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, append(others, os.Interrupt, syscall.SIGTERM)...)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		for s := range signals {
			// A closed terminal sends several other signals.
			if !slices.Contains(others, s) {
				os.Exit(1)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
		close(signals)
		<-done
	}
}
