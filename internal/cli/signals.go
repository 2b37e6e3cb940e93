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
		if len(others) > 0 { // without arguments, Ignore ignores all signals
			signal.Ignore(others...) // a closed terminal sends several
		}
		stop()
	})
	return ctx, stop
}
