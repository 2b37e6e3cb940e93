package command_test

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/sshd"
	"broadside/sshd/command"
)

// decisions makes a policy's decisions, without connections.
type decisions struct{ *access.Policy }

func (decisions) CutConnections(session.BanTarget, i18n.Message) int { return 0 }

// nodeList has three nodes, one of which has a different key and one of which is gone.
type nodeList struct{}

func (nodeList) ListNodes(context.Context) ([]store.Node, error) {
	started := time.Now().Add(-time.Hour)
	return []store.Node{
		{Name: "one", World: "main", Started: started, Version: "v1", HostKey: "SHA256:a", Sessions: 5, Programs: 3, Active: true, Matches: 8},
		{Name: "three", World: "main", Started: started, Version: "v1", HostKey: "SHA256:a", Sessions: 9, Gone: true},
		{Name: "two", World: "main", Started: started.Add(time.Minute), HostKey: "SHA256:b", Sessions: 7, Draining: true},
	}, nil
}

func (nodeList) ListWorlds(context.Context) ([]store.World, error) {
	return []store.World{{Name: "east"}, {Name: "main", Addresses: []string{"192.0.2.1:22", "192.0.2.2:22"}, Active: true, People: 12}}, nil
}

// The key of the operator in these tests.
const (
	operatorKey         = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINl+L5KWk6ilRdI56r81XGCkGUOdcrznHYVAAiC/I1cg op\n"
	operatorFingerprint = "SHA256:hW1lGSHBbCs2RISKmiYPY5hUj5PxMUG4wCUyaRawt+o"
)

// newConfig configures all commands that a server can have.
func newConfig(t testing.TB, s *store.Store, l *lobby.Lobby) command.Config {
	t.Helper()
	g, err := access.Open(context.Background(), access.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/admin_keys"
	if err := os.WriteFile(file, []byte(operatorKey), 0o600); err != nil {
		t.Fatal(err)
	}
	host := &session.Host{Lobby: l, Access: decisions{g}}
	return command.Config{Host: host, Nodes: nodeList{}, Operator: &command.Operator{Operators: access.NewOperators(file, nil)}}
}

// operator is the user of these tests.
var operator = sshd.User{Name: "op", Fingerprint: operatorFingerprint, Conn: 7, Addr: netip.MustParseAddr("198.51.100.1")}

// TestBanRevokesLinkCodes checks that banning a disconnected account, by its name or one of its keys, revokes
// its link codes.
func TestBanRevokesLinkCodes(t *testing.T) {
	for _, subject := range []string{"carol", "SHA256:" + strings.Repeat("c", 43)} {
		s := openSampleStore(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		cfg := newConfig(t, s, l)
		p, err := s.Accounts.CreatePerson(t.Context(), "carol", store.Key{Fingerprint: "SHA256:" + strings.Repeat("c", 43)})
		if err != nil {
			t.Fatal(err)
		}
		carol := l.Enter(account.Player{ID: p.ID, Account: p.ID, Name: p.Name})
		code, _, err := l.Accounts.NewLinkCode(carol.Player())
		if err != nil {
			t.Fatal(err)
		}
		carol.Leave()
		if status, out, errs := runWithConfig(cfg, operator, "ban "+subject, nothing); status != 0 {
			t.Fatalf("got status %d: %s%s", status, out, errs)
		}
		other := l.Enter(account.Player{Name: "other"})
		if _, err := l.Accounts.LinkKey(t.Context(), code, "SHA256:other", ""); !errors.Is(err, account.ErrLinkCode) {
			t.Errorf("link code after a ban of %s: got error %v", subject, err)
		}
		other.Leave()
		l.Close()
		s.Close()
	}
}
