package session

import (
	"context"
	"errors"
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// MaxFriends is the maximum number of people that a player can follow.
const MaxFriends = 100

// Friend is a person that the player follows.
type Friend struct {
	Player       account.Player
	Online       bool
	Playing      bool
	DoNotDisturb bool // the person refuses challenges
}

// Follow follows a person with an account.
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
	return s.friendsChanged(me, err)
}

// Unfollow undoes Follow.
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
	return s.friendsChanged(me, err)
}

// findFriend returns the account with a name, for a player with an account.
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

// friendsChanged notifies the player's sessions, unless err is set.
func (s *Session) friendsChanged(me account.Player, err error) error {
	if err != nil {
		return account.ErrStore
	}
	s.lobby.NotifyListChange(me.ID)
	return nil
}

// Friends returns the people that the player follows, those online first, then by name.
// It waits for the database. Without an account there are none.
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
		now, here := online[p.ID]
		friends[i] = Friend{account.PersonPlayer(p), here, now.Playing, now.DoNotDisturb}
		if here { // with the rating
			friends[i].Player = now.Player
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
