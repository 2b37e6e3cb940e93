// Package lobbytest opens lobbies for tests.
package lobbytest

import (
	"context"

	"broadside/lobby"
)

// Open opens a lobby. It panics if the store cannot be read.
func Open(cfg lobby.Config) *lobby.Lobby {
	l, err := lobby.Open(context.Background(), cfg)
	if err != nil {
		panic(err)
	}
	return l
}
