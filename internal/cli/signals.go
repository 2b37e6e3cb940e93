package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a copy of ctx that the first SIGINT or SIGTERM cancels. A second signal
// ends the process at once.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
			return
		}
		if _, ok := <-signals; ok {
			os.Exit(1)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
		close(signals)
		<-done
	}
}
