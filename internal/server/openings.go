package server

import (
	"context"
	"encoding/json"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/sshd"
)

// openingOf returns the opening for the user's command.
func openingOf(user sshd.User) session.Opening {
	opening, _ := user.Opening.(session.Opening) // zero without a command
	return opening
}

// languageOf returns the language in the user's account settings, or else the language of
// the environment.
func languageOf(ctx context.Context, db *store.Store, user sshd.User) i18n.Language {
	if user.Fingerprint != "" {
		var chosen account.Settings
		p, err := db.Accounts.ByKey(ctx, user.Fingerprint)
		if err == nil && json.Unmarshal(p.Settings, &chosen) == nil {
			if l, ok := i18n.Parse(chosen.Language); ok {
				return l
			}
		}
	}
	return i18n.FromEnviron(user.Env)
}
