package narrate_test

import (
	"testing"

	"broadside/internal/narrate"
)

func TestInvitationCommandHasAddress(t *testing.T) {
	for address, want := range map[string]string{
		"":                 "ssh -t HOST join K3F",
		"play.example.org": "ssh -t play.example.org join K3F",
		"10.0.0.1:22":      "ssh -t 10.0.0.1 join K3F",
		"10.0.0.1:2222":    "ssh -t -p 2222 10.0.0.1 join K3F",
		"[::1]:2222":       "ssh -t -p 2222 ::1 join K3F",
	} {
		if got := narrate.InvitationCommand(address, "K3F"); got != want {
			t.Errorf("InvitationCommand(%q) = %q, want %q", address, got, want)
		}
	}
}
