package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/sshd"
	"broadside/tui"
	"broadside/words"
)

// openingOf is where a visitor's command begins a session.
func openingOf(who sshd.Visitor, log *slog.Logger) tui.Opening {
	opening, err := tui.ParseOpening(who.Command)
	if err != nil { // the check has let it pass
		log.Error("a command is not understood", "command", who.Command[0], "error", err)
	}
	return opening
}

// languageOf is the language that a person has chosen, or else their session
// asks for.
func languageOf(ctx context.Context, shelf *store.Store, who sshd.Visitor) words.Language {
	if who.Fingerprint != "" {
		var chosen lobby.Settings
		p, err := shelf.PlayerByKey(ctx, who.Fingerprint)
		if err == nil && json.Unmarshal(p.Settings, &chosen) == nil {
			if l, ok := words.Parse(chosen.Language); ok {
				return l
			}
		}
	}
	return words.OfSession(who.Env)
}

// checkOpening is the check of commands that open a session elsewhere than in
// the lobby.
func checkOpening(hall *lobby.Lobby) func(sshd.Visitor) error {
	return func(who sshd.Visitor) error {
		opening, err := tui.ParseOpening(who.Command)
		if err == nil && opening.Room != "" {
			_, _, err = hall.Room(who.Addr, opening.Room)
		}
		return err
	}
}
