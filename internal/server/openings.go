package server

import (
	"context"
	"encoding/json"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/sshd"
	"broadside/tui"
)

// openingOf returns where the user's command begins the session.
func openingOf(user sshd.User) tui.Opening {
	opening, _ := user.Opening.(tui.Opening) // nil without a command
	return opening
}

// languageOf returns the language that the user has chosen, or else the one that
// their environment asks for.
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
