package server

import (
	"context"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/sshd"
)

// requestedScreen returns the screen that the user's command has requested. It is zero without a command.
func requestedScreen(user sshd.User) session.StartScreen {
	// A session without a command has the zero StartScreen.
	opening, _ := user.StartScreen.(session.StartScreen)
	return opening
}

// userLanguage returns the language in the user's account settings, or else the language of
// the environment.
func (svc *service) userLanguage(ctx context.Context, user sshd.User) i18n.Language {
	if user.Fingerprint != "" {
		if p, err := svc.store.Accounts.FindByKey(ctx, user.Fingerprint); err == nil {
			if l, ok := i18n.Parse(svc.accountSettings(ctx, p).Language); ok {
				return l
			}
		}
	}
	return i18n.ParseEnviron(user.Env)
}

// accountSettings returns an account's settings, including changes that are not stored yet.
func (svc *service) accountSettings(ctx context.Context, p store.Player) account.Settings {
	return svc.lobby.Accounts.Settings(ctx, account.PersonPlayer(p))
}
