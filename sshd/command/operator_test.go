package command_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

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

// decisions makes the decisions of a policy, without connections.
type decisions struct{ *access.Policy }

func (decisions) Cut(session.Subject, i18n.Message) int { return 0 }

// nodeList has three nodes, one of which has a different key and one of which is gone.
type nodeList struct{}

func (nodeList) List(context.Context) ([]store.Node, error) {
	return []store.Node{
		{Name: "one", World: "main", Started: time.Unix(1000, 0), Version: "v1", HostKey: "SHA256:a", Sessions: 5, Programs: 3, Active: true, Matches: 8},
		{Name: "three", World: "main", Started: time.Unix(1000, 0), Version: "v1", HostKey: "SHA256:a", Sessions: 9, Gone: true},
		{Name: "two", World: "main", Started: time.Unix(4000, 0), HostKey: "SHA256:b", Sessions: 7, Draining: true},
	}, nil
}

func (nodeList) Worlds(context.Context) ([]store.World, error) {
	return []store.World{{Name: "east"}, {Name: "main", Addresses: []string{"192.0.2.1:22", "192.0.2.2:22"}, Active: true, People: 12}}, nil
}

func TestNodesAsATable(t *testing.T) {
	for l, want := range map[i18n.Language]string{
		i18n.English: `NODE   WORLD  ROLE     SESSIONS  PROGRAMS  UP       VERSION  STATE
one    main   active   5         3         1h6m40s  v1       healthy
three  main   standby  9         0         1h6m40s  v1       gone
two    main   standby  7         0         16m40s   –        shutting down
nodes: 3, sessions: 12, programs: 3, matches: 8
The nodes have different host keys: see --host-keys.
`,
		i18n.MustParse("de"): `KNOTEN  WELT  ROLLE       SITZUNGEN  PROGRAMME  LÄUFT SEIT  VERSION  STATUS
one     main  aktiv       5          3          1h6m40s     v1       in Ordnung
three   main  in Reserve  9          0          1h6m40s     v1       ausgefallen
two     main  in Reserve  7          0          16m40s      –        fährt herunter
Knoten: 3, Sitzungen: 12, Programme: 3, Partien: 8
Die Knoten haben verschiedene Host-Schlüssel: Siehe --host-keys.
`,
	} {
		all, _ := nodeList{}.List(t.Context())
		var out bytes.Buffer
		if err := command.WriteNodes(&out, l, all, time.Unix(5000, 0)); err != nil || out.String() != want {
			t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
		}
	}
}

// TestWorlds checks that everyone can list the worlds.
func TestWorlds(t *testing.T) {
	l := lobbytest.Open(lobby.Config{Seed: 1})
	defer l.Close()
	var out bytes.Buffer
	c := commandLine(command.Config{Host: &session.Host{Lobby: l}, Nodes: nodeList{}}, sshd.User{}, "worlds")
	c.Out = &out
	const want = `WORLD  ONLINE  STATE   ADDRESS
east   0       closed  –
main   12      open    192.0.2.1:22, 192.0.2.2:22
`
	if status := c.Run(t.Context()); status != 0 || out.String() != want {
		t.Errorf("status %d\n%s", status, out.String())
	}
}

// The key of the operator in these tests.
const (
	operatorKey         = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINl+L5KWk6ilRdI56r81XGCkGUOdcrznHYVAAiC/I1cg op\n"
	operatorFingerprint = "SHA256:hW1lGSHBbCs2RISKmiYPY5hUj5PxMUG4wCUyaRawt+o"
)

// operated configures the commands of operators for a store.
func operated(t testing.TB, s *store.Store) command.Config {
	t.Helper()
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	t.Cleanup(l.Close)
	return operatedIn(t, s, l)
}

// operatedIn configures the commands of operators for a lobby.
func operatedIn(t testing.TB, s *store.Store, l *lobby.Lobby) command.Config {
	t.Helper()
	g, err := access.Open(context.Background(), access.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/admin_keys"
	if err := os.WriteFile(file, []byte(operatorKey), 0o600); err != nil {
		t.Fatal(err)
	}
	host := &session.Host{Lobby: l, Operator: decisions{g}}
	return command.Config{Host: host, Nodes: nodeList{}, Operator: &command.Operator{Admins: access.Admins{File: file}}}
}

// operator is the user of these tests.
var operator = sshd.User{Name: "op", Fingerprint: operatorFingerprint, Conn: 7, Addr: netip.MustParseAddr("198.51.100.1")}

// order runs a command line as an operator.
func order(cfg command.Config, line string) (status int, out, errs string) {
	var o, e bytes.Buffer
	c := commandLine(cfg, operator, line)
	c.Out, c.Err = &o, &e
	return c.Run(context.Background()), o.String(), e.String()
}

// TestCommandsOfOperators checks that they do not exist for other users.
func TestCommandsOfOperators(t *testing.T) {
	s := sampleStore(t)
	defer s.Close()
	cfg := operated(t, s)
	for line, user := range map[string]sshd.User{"lockdown": {Name: "ann", Fingerprint: "SHA256:ann"}, "list": {Name: "op"}} {
		var o, e bytes.Buffer
		c := commandLine(cfg, user, line)
		c.Out, c.Err = &o, &e
		if status := c.Run(t.Context()); status != 2 || !strings.HasPrefix(e.String(), "There is no command "+line+" here.") {
			t.Errorf("%s: status %d, %s", line, status, e.String())
		}
	}
}

// TestBanRevokesLinkCodes bans an account by its name or one of its keys while it is not
// connected.
func TestBanRevokesLinkCodes(t *testing.T) {
	for _, subject := range []string{"carol", "SHA256:" + strings.Repeat("c", 43)} {
		s := sampleStore(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		all := operatedIn(t, s, l)
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
		if status, out, errs := order(all, "ban "+subject); status != 0 {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
		other := l.Enter(account.Player{Name: "other"})
		if _, err := l.Accounts.Link(t.Context(), code, "SHA256:other", ""); !errors.Is(err, account.ErrLinkCode) {
			t.Errorf("after a ban of %s, the account's link code: %v", subject, err)
		}
		other.Leave()
		l.Close()
		s.Close()
	}
}

func TestOperatorsOrders(t *testing.T) {
	s := sampleStore(t)
	t.Cleanup(func() { s.Close() })
	all := operated(t, s)
	for _, c := range []struct {
		line   string
		status int
		says   string // part of the output, or of the errors
	}{
		{"list", 0, "SESSION"},
		{"list --json", 0, `"session": "7"`},
		{"ban 198.51.100.0/24", 1, "198.51.100.1 is your own address"},
		{"ban " + operatorFingerprint, 1, "that is an operator's key"},
		{"nodes", 0, "sessions: 12, programs: 3, matches: 8"},
		{"nodes", 0, "different host keys"},
		{"nodes --json", 0, `"active": true`},
		{"nodes all", 2, "nodes: unexpected argument"},
		{"ban ann --for 7d --reason was rude", 0, "banned: SHA256:ann, until"},
		{"bans", 0, "was rude"},
		{"ban 192.0.2.7 --for 1ns", 2, "--for cannot be"},
		{"ban 192.0.2.7 --for 99999999999999999999d", 2, "--for cannot be"},
		{"ban 192.0.2.7/7", 2, "too wide"},
		{"ban 2001:db8::7", 0, "banned: 2001:db8::/64, permanent"},
		{"unban 2001:db8::7", 0, "no longer banned"},
		{"unban 2001:db8::7", 1, "is not banned"},
		{"mute bob --for 30m", 0, "muted: bob, until"},
		{"unmute bob", 0, "no longer muted: bob"},
		{"unmute bob", 1, "No operator has muted bob."},
		{"rename bob ann", 1, "name is taken"},
		{"rename bob admin", 1, "reserved"},
		{"rename bob bert", 0, "renamed: bob is now bert"},
		{"broadcast " + strings.Repeat("x", 71), 2, "at most 70 characters"},
		{"broadcast noon", 0, "sent"},
		{"kick bert", 1, "no connected player is called"},
		{"lockdown", 0, "lockdown: off"},
		{"log --limit 0", 2, "--limit must be a number"},
		{"log --json --limit 1", 0, `"act": "broadcast"`},
	} {
		status, out, errs := order(all, c.line)
		if status != c.status || (status == 0) != (errs == "") || !strings.Contains(strings.ToLower(out+errs), strings.ToLower(c.says)) {
			t.Errorf("%s: status %d, output %q, errors %q; want %d and %q", c.line, status, out, errs, c.status, c.says)
		}
	}
}

// FuzzOperatorLine is FuzzCommandLine for operators.
func FuzzOperatorLine(f *testing.F) {
	for _, line := range []string{
		"ban ann --for 24h --reason rude", "ban 192.0.2.0/24", "ban ::1/128", "ban SHA256:x", "ban 1.2.3.4/-1", "ban 256.1.1.1", "ban fe80::1%eth0",
		"ban ann --for 9e99h", "ban / --for d", "unban ann", "bans --json", "mute bob --reason ' x", "unmute bob", "rename ann ANN", "broadcast %s%n", "lockdown maybe",
		"log --limit 3", "list -x", "kick p1", "kick --help",
	} {
		f.Add(line)
	}
	s := sampleStore(f)
	f.Cleanup(func() { s.Close() })
	all := operated(f, s)
	names := strings.Fields("list nodes kick ban unban bans mute unmute rename broadcast lockdown log")
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(line, "")) // as package sshd does
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		if !slices.Contains(names, words[0]) {
			line = "ban " + line
		}
		status, _, errs := order(all, line)
		if (status == 0) != (errs == "") || status < 0 || status > 2 {
			t.Errorf("%q: status %d, errors %q", line, status, errs)
		}
		if strings.Count(errs, "\n") > 2 || !utf8.ValidString(errs) || strings.Contains(errs, "can't be read right now") {
			t.Errorf("%q is answered %q", line, errs)
		}
	})
}
