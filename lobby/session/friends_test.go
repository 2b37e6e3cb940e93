package session

import (
	"testing"
	"testing/synctest"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
)

// TestFriends follows a player, sees them come and go, and unfollows them.
func TestFriends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.Open(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: db})
		defer l.Close()
		register := func(name string) account.Player {
			p := must.Get(db.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}))
			return account.Player{ID: p.ID, Account: p.ID, Name: p.Name}
		}
		ann := read(t, New(Config{Lobby: l, Player: register("ann")}))
		defer ann.leave()
		bob, eve := register("Bob"), register("Aeve")
		list := func() []Friend {
			return must.Get(ann.Friends(t.Context()))
		}
		before := ann.State().AccountRevision
		ann.must(ann.Follow(ann.t.Context(), "bob"))
		ann.must(ann.Follow(ann.t.Context(), "AEVE"))
		// Following a player again is no error.
		ann.must(ann.Follow(ann.t.Context(), "bob"))
		if ann.State().AccountRevision == before {
			t.Error("the session does not notice that its list has changed")
		}
		if all := list(); len(all) != 2 || all[0].Player.ID != eve.ID || all[0].Online || all[1].Online {
			t.Errorf("offline friends: %+v", all)
		}
		there := read(t, New(Config{Lobby: l, Player: bob}))
		there.SetDoNotDisturb(true)
		if all := list(); all[0].Player != bob || !all[0].Online || all[0].Playing || !all[0].DoNotDisturb {
			t.Errorf("bob is in the lobby: %+v", all)
		}
		there.must(there.StartQuickGame(account.DefaultSettings().Rules))
		if all := list(); !all[0].Playing {
			t.Errorf("bob is playing: %+v", all)
		}
		there.leave()
		for _, name := range []string{"ann", "hard", "nobody", ""} {
			if err := ann.Follow(t.Context(), name); err == nil {
				t.Errorf("%q can be followed", name)
			}
		}
		ann.must(ann.Unfollow(ann.t.Context(), "BOB"))
		if err := ann.Unfollow(t.Context(), "bob"); err == nil {
			t.Error("bob was unfollowed twice")
		}
		if all := list(); len(all) != 1 || all[0].Player.ID != eve.ID {
			t.Errorf("after unfollowing bob: %+v", all)
		}
		guest := open(t, l, "guest")
		defer guest.leave()
		if err := guest.Follow(t.Context(), "ann"); err == nil {
			t.Error("a guest follows ann")
		}
		if all, err := guest.Friends(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("a guest's friends: %+v, %v", all, err)
		}
	})
}

// TestFriendsAreBounded follows as many players as possible.
func TestFriendsAreBounded(t *testing.T) {
	db := storetest.Open(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: db})
	defer l.Close()
	me := must.Get(db.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"}))
	ann := New(Config{Lobby: l, Player: account.Player{ID: me.ID, Account: me.ID, Name: me.Name}})
	defer ann.Close()
	for i := range MaxFriends + 1 {
		name := "friend-" + string(rune('A'+i/10)) + "xyz" + string(rune('p'+i%10))
		p := must.Get(db.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}))
		if err := ann.Follow(t.Context(), p.Name); (err == nil) != (i < MaxFriends) {
			t.Fatalf("following player %d: %v", i+1, err)
		}
	}
}
