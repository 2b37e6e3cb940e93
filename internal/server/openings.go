package server

import (
	"context"
	"encoding/json"
	"log/slog"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/sshd"
	"broadside/tui"
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
func languageOf(ctx context.Context, shelf *store.Store, who sshd.Visitor) i18n.Language {
	if who.Fingerprint != "" {
		var chosen lobby.Settings
		p, err := shelf.Accounts.ByKey(ctx, who.Fingerprint)
		if err == nil && json.Unmarshal(p.Settings, &chosen) == nil {
			if l, ok := i18n.Parse(chosen.Language); ok {
				return l
			}
		}
	}
	return i18n.OfSession(who.Env)
}

// checkOpening is the check of commands that open a session elsewhere than in
// the lobby.
func checkOpening(host session.Host) func(context.Context, sshd.Visitor) error {
	return func(ctx context.Context, who sshd.Visitor) error {
		opening, err := tui.ParseOpening(who.Command)
		if err != nil || opening.Room == "" {
			return err
		}
		client := clientOf(who, 0)
		client.Unlisted = true
		own, err := host.Open(ctx, client)
		if err != nil {
			return err
		}
		defer own.Close()
		_, err = session.Ask(ctx, own, session.FindPrivate{Code: opening.Room})
		return err
	}
}
