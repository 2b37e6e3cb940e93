package server

import (
	"context"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/sshd"
)

// openingOf returns the opening for the user's command.
func openingOf(user sshd.User) session.StartScreen {
	opening, _ := user.Opening.(session.StartScreen) // zero without a command
	return opening
}

// languageOf returns the language in the user's account settings, or else the language of
// the environment.
func (v *service) languageOf(ctx context.Context, user sshd.User) i18n.Language {
	if user.Fingerprint != "" {
		if p, err := v.store.Accounts.FindByKey(ctx, user.Fingerprint); err == nil {
			if l, ok := i18n.Parse(v.settingsOf(ctx, p).Language); ok {
				return l
			}
		}
	}
	return i18n.ParseEnviron(user.Env)
}

// settingsOf returns the settings of an account that has just been read from the store, with
// changes that are not stored yet.
func (v *service) settingsOf(ctx context.Context, p store.Player) account.Settings {
	return v.lobby.Accounts.Settings(ctx, account.OfPerson(p))
}
