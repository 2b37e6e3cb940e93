package tui

import (
	"context"
	"log/slog"

	"broadside/lobby"
	"broadside/sshd"
)

// App is the front door's app: each session gets a model of its own. Whoever
// comes with a key is known by it; everybody else is a guest.
func App(hall *lobby.Lobby, log *slog.Logger) sshd.App {
	return func(ctx context.Context, who sshd.Visitor) sshd.Screen {
		return New(ctx, Config{
			Lobby:  hall,
			Player: lobby.Player{ID: who.Fingerprint, Name: who.Name, Guest: who.Fingerprint == ""},
			Width:  who.Width, Height: who.Height, Log: log,
		})
	}
}
