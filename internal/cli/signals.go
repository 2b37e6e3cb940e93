package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// cancelOnSignal returns a copy of ctx that the first SIGINT, SIGTERM or other given signal cancels. A
// second SIGINT or SIGTERM ends the process immediately.
func cancelOnSignal(ctx context.Context, others ...os.Signal) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(ctx, append(others, os.Interrupt, syscall.SIGTERM)...)
	context.AfterFunc(ctx, func() {
		// A closed terminal sends several signals. Without arguments, Ignore would ignore all.
		if len(others) > 0 {
			signal.Ignore(others...)
		}
		stop()
	})
	return ctx, stop
}
