package account_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/lobby/account"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// openAccounts opens a store's accounts, which close with the test.
func openAccounts(t *testing.T, s *store.Store) *account.Accounts {
	t.Helper()
	a := account.New(account.Config{
		Store: s, Log: slog.New(slog.DiscardHandler),
		Known:   func(string) (account.Player, bool) { return account.Player{}, false },
		Changed: func(account.Player) {}, KeyRemoved: func(string, string) {},
	})
	t.Cleanup(a.Close)
	return a
}

// newAccount creates a person's account.
func newAccount(t *testing.T, s *store.Store, name string) account.Player {
	t.Helper()
	p := must.Get(s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}))
	return account.PersonPlayer(p)
}

func TestNames(t *testing.T) {
	for _, name := range []string{"ann", "Ann", "a-b", "a_1", "J4ck", "sixteen-letters_", "annadmiral", "Guesthouse"} {
		if err := account.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", "an", "seventeen-letters", "1ann", "-ann", "_nn", "a nn", "ann\n", "ann\x1b", "änn", "аnn", "ann\u200b", "a.n", strings.Repeat("a", 1000),
	} {
		if err := account.CheckName(name); !errors.Is(err, account.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	taken := []string{"root", "ROOT", "guest-2", "Guest7", "adm1n", "Admira1", "admiraI", "HARD", "h-a-r-d", "rnedium", "c0mmodore"}
	taken = append(taken, strings.Fields(`admin administrator all anonymous anybody anyone bot broadside everybody everyone guest help
		host mod moderator nobody operator owner person player program server staff support system you`)...)
	for _, b := range bots.All() {
		taken = append(taken, b.Name, strings.ToUpper(b.Name), b.Name+"2")
	}
	for _, name := range taken {
		if err := account.CheckName(name); !errors.Is(err, account.ErrNameReserved) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
