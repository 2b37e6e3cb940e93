package relay_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// TestBannedOwnersProgramIsRefused checks that a program cannot play if its owner is not admitted.
func TestBannedOwnersProgramIsRefused(t *testing.T) {
	s, tokens := openStoreWithPrograms(t, "squid")
	squid, err := s.Accounts.FindByName(t.Context(), "squid")
	if err != nil {
		t.Fatal(err)
	}
	admit := func(_ context.Context, account string) error {
		if account != squid.Owner {
			t.Errorf("AdmitOwner(%q), want %q", account, squid.Owner)
		}
		return errors.New("you are banned")
	}
	address, _ := startRelay(t, relay.Config{HelloDelay: time.Minute, AdmitOwner: admit}, lobby.Config{Store: s})
	c := dial(t, address)
	c.send("% token " + tokens["squid"])
	c.expect("% error token you are banned\n")
}

// TestTokensAreNotLogged checks that a token in an invalid line does not appear in the log.
func TestTokensAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	s, address, _ := startServer(t, relay.Config{HelloDelay: time.Minute, Log: slog.New(slog.NewTextHandler(&log, nil))}, lobby.Config{})
	for _, line := range []string{"token bs_0123456789ab0123456789ab", " % token bs_0123456789ab0123456789ab"} {
		c := dial(t, address)
		c.send(line)
		if rest, err := io.ReadAll(c.nc); err != nil || len(rest) > 0 {
			t.Errorf("%q is answered %q, %v", line, rest, err)
		}
		c.nc.Close()
	}
	// Nothing is logged after Shutdown.
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if text := log.String(); strings.Contains(text, "0123456789ab") || strings.Count(text, "token bs_...") != 2 {
		t.Errorf("got log\n%s", text)
	}
}
