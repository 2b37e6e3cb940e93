package session

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// decisions is an [AccessControl] that records bans and closed connections.
type decisions struct {
	banned []store.Ban
	cut    []BanTarget
	// told is the message to the latest closed connections.
	told   string
	locked bool
}

func (d *decisions) Ban(_ context.Context, b store.Ban) (store.Ban, error) {
	d.banned = append(d.banned, b)
	return b, nil
}
func (d *decisions) LiftBan(context.Context, string, string) error { return nil }
func (d *decisions) Bans() []store.Ban                             { return d.banned }
func (d *decisions) IsLocked() bool                                { return d.locked }
func (d *decisions) SetLockdown(_ context.Context, on bool, _ string) error {
	d.locked = on
	return nil
}

func (d *decisions) CutConnections(who BanTarget, m i18n.Message) int {
	d.cut, d.told = append(d.cut, who), m.Text(i18n.English)
	return 3
}

// hostOfAnn returns a host with a store in which ann has an account.
func hostOfAnn(t *testing.T) *Host {
	t.Helper()
	s := must.Get(store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)}))
	t.Cleanup(func() { s.Close() })
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	t.Cleanup(l.Close)
	must.Get(s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"}))
	return &Host{Lobby: l}
}

// TestOperators uses the actions and queries of operators, which other clients cannot.
func TestOperators(t *testing.T) {
	noted := &decisions{}
	host := hostOfAnn(t)
	host.Access = noted
	open := func(c Client) *Session {
		c.Fingerprint, c.Unlisted = "SHA256:ann", true
		own := must.Get(host.Open(t.Context(), c))
		t.Cleanup(own.Close)
		return own
	}
	if _, err := open(Client{}).Operations(); err != ErrNotOperator {
		t.Errorf("anybody is an operator: %v", err)
	}
	op := must.Get(open(Client{Operator: "op", Conn: "7"}).Operations())
	if all := op.Sessions(); len(all) != 2 || all[1].Conn != "7" {
		t.Errorf("sessions: %+v", all)
	}
	subject := BanTarget{Network: netip.MustParsePrefix("192.0.2.0/24")}
	for _, order := range []struct {
		what string
		err  error
	}{
		{"announce", op.Announce(t.Context(), "noon")},
		{"lock down", op.SetLockdown(t.Context(), true)},
		{"rename", failed(op.RenamePlayer(t.Context(), "ann", "anchor"))},
		{"rename back", failed(op.RenamePlayer(t.Context(), "anchor", "ann"))},
		{"mute", failed(op.MutePlayer(t.Context(), "ann", time.Time{}, ""))},
		{"unmute", failed(op.UnmutePlayer(t.Context(), "ann"))},
		{"find", failed(op.FindBanTarget(t.Context(), "ann"))},
		{"ban", failed(op.Ban(t.Context(), subject, time.Time{}, ""))},
		{"unban", failed(op.Unban(t.Context(), subject))},
		{"kick", failed(op.Kick(t.Context(), "ann"))},
	} {
		if order.err != nil {
			t.Errorf("%s: %v", order.what, order.err)
		}
	}
	// A ban of an account ends its matches.
	ann := open(Client{})
	must.Do(ann.PlayBot("easy", match.Classic(), lobby.Casual))
	must.Get(op.Ban(t.Context(), must.Get(op.FindBanTarget(t.Context(), "ann")), time.Time{}, "cheating"))
	seat := must.Get(ann.findSeat(match.First))
	<-seat.Match().Done()
	if r := seat.Match().WaitForRecord(); r.Winner != match.First || r.Reason != match.Left {
		t.Errorf("the match of the banned player ends with %+v", r)
	}
	if len(noted.cut) != 2 || len(op.Bans()) != 2 || noted.banned[0].By != "op" || !op.IsLockedDown() ||
		noted.told != "You are banned from this server: cheating" {
		t.Errorf("the operator has done %+v", noted)
	}
	if acts, err := op.AuditLog(t.Context(), 20); err != nil || len(acts) != 6 || acts[0].Verb != "kick" || acts[5].Verb != "broadcast" || acts[5].Actor != "op" {
		t.Errorf("the log is %+v, %v", acts, err)
	}
}

// failed returns a query's error.
func failed[R any](_ R, err error) error { return err }

// TestTokenEndsSessions checks that a program's sessions end when its token is
// replaced or revoked.
func TestTokenEndsSessions(t *testing.T) {
	host := hostOfAnn(t)
	ann := must.Get(host.Open(t.Context(), Client{Fingerprint: "SHA256:ann", Unlisted: true}))
	defer ann.Close()
	token := must.Get(ann.NewToken(t.Context(), "kraken"))
	for what, change := range map[string]func(*Session) error{
		"replaced": func(s *Session) error { return failed(s.NewToken(t.Context(), "kraken")) }, "revoked": func(s *Session) error { return failed(s.RevokeToken(t.Context(), "KRAKEN")) },
	} {
		player, err := ann.ResolveProgram(t.Context(), token.Name)
		if err != nil || player.Kind != account.Program || player.Owner != ann.State().Me.Account {
			t.Fatalf("the program is %+v, %v", player, err)
		}
		program := New(Config{Lobby: host.Lobby, Player: player, Client: Client{Unlisted: true}})
		host.add(program)
		defer program.Close()
		must.Do(change(ann))
		if _, err := program.Next(t.Context()); err == nil || err.Error() != "the program's token is no longer valid" {
			t.Errorf("when its token is %s, a program's session ends with %v", what, err)
		}
	}
	if all := host.List(); len(all) != 1 || all[0].Player.Name != "ann" {
		t.Errorf("open are %+v", all)
	}
}
