package session

import (
	"context"
	"errors"
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// MaxFriends is the maximum number of players that a player can follow.
const MaxFriends = 100

// Friend is a player whom the session's player follows.
type Friend struct {
	Player       account.Player
	Online       bool
	Playing      bool
	DoNotDisturb bool
}

// Follow adds the account with a name to the player's friends.
func (s *Session) Follow(ctx context.Context, name string) error {
	me := s.Player()
	other, err := s.findFriend(ctx, me, name)
	if err != nil {
		return err
	}
	if other.Kind != store.Person || other.ID == me.Account {
		return i18n.Errorf("you cannot follow %s: follow another player who has an account", other.Name)
	}
	relation := s.lobby.Store().Followed
	all, err := relation.List(ctx, me.Account)
	if err == nil && len(all) >= MaxFriends {
		return i18n.Errorf("you already follow %d players: unfollow one first", MaxFriends)
	}
	if err == nil {
		err = relation.Add(ctx, me.Account, other.ID)
	}
	if err != nil {
		return account.ErrStore
	}
	s.lobby.NotifyListChange(me.ID)
	return nil
}

// Unfollow undoes [Session.Follow].
func (s *Session) Unfollow(ctx context.Context, name string) error {
	me := s.Player()
	other, err := s.findFriend(ctx, me, name)
	if err != nil {
		return err
	}
	err = s.lobby.Store().Followed.Remove(ctx, me.Account, other.ID)
	if errors.Is(err, store.ErrNotFound) {
		return i18n.Errorf("you do not follow %s", other.Name)
	}
	if err != nil {
		return account.ErrStore
	}
	s.lobby.NotifyListChange(me.ID)
	return nil
}

// findFriend returns the account with a name, or an error if me cannot follow players.
func (s *Session) findFriend(ctx context.Context, me account.Player, name string) (store.Player, error) {
	switch {
	case s.lobby.Store() == nil:
		return store.Player{}, account.ErrNoStore
	case me.Account == "":
		return store.Player{}, i18n.Errorf("to follow players, choose a name first")
	}
	other, err := s.lobby.Store().Accounts.FindByName(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return store.Player{}, i18n.Errorf("no player is called %q", name)
	case err != nil:
		return store.Player{}, account.ErrStore
	}
	return other, nil
}

// Friends returns the players whom the player follows. Those online come first, then the others,
// each group sorted by name. It waits for the database. A player without an account has none.
func (s *Session) Friends(ctx context.Context) ([]Friend, error) {
	me := s.Player()
	if s.lobby.Store() == nil || me.Account == "" {
		return nil, nil
	}
	all, err := s.lobby.Store().Followed.List(ctx, me.Account)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	online := s.lobby.FindOnline(ids)
	friends := make([]Friend, len(all))
	for i, p := range all {
		presence, isOnline := online[p.ID]
		friends[i] = Friend{account.PersonPlayer(p), isOnline, presence.Playing, presence.DoNotDisturb}
		if isOnline {
			// The player in the lobby has ratings, unlike the one from the database.
			friends[i].Player = presence.Player
		}
	}
	slices.SortStableFunc(friends, func(a, b Friend) int {
		switch {
		case a.Online == b.Online:
			return 0
		case a.Online:
			return -1
		}
		return 1
	})
	return friends, nil
}
