package command_test

import (
	"regexp"
	"strings"
	"testing"

	"broadside/internal/store"
)

// TestToken checks that a person can register a program, gets the token once, and can list
// and revoke it, and that nobody else can.
func TestToken(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		const ann, bob = "SHA256:ann", "SHA256:bob"
		wrong := func(who, line string, status int, says string) {
			t.Helper()
			got, out, errs := ask(s, who, line)
			if got != status || out != "" || !strings.Contains(errs, says) {
				t.Errorf("%s: status %d, output %q, errors %q; want status %d and %q", line, got, out, errs, status, says)
			}
		}
		wrong("", "token list", 1, "are a guest")
		wrong("SHA256:nobody", "token new squid", 1, "no account yet")
		wrong(ann, "token", 2, "Choose one of these commands:\n  ssh HOST token new NAME")
		wrong(ann, "token make squid", 2, "Choose one of these commands")
		wrong(ann, "token new", 2, "Token new: NAME is missing")
		wrong(ann, "token list squid", 2, `unexpected argument "squid"`)
		wrong(ann, "token new a b", 2, `unexpected argument "b"`)
		wrong(ann, "token new sq", 1, "A name has 3 to 16")
		wrong(ann, "token new admiral", 1, "reserved")
		wrong(ann, "token new BOB", 1, "taken")
		wrong(ann, "token revoke squid", 1, `called "squid"`)
		if _, out, _ := ask(s, ann, "token list"); !strings.Contains(out, "no registered program") {
			t.Errorf("without programs: %q", out)
		}

		status, first, errs := ask(s, ann, "token new squid")
		if status != 0 || !regexp.MustCompile(`^bs_\w{20,}\n$`).MatchString(first) || !strings.Contains(errs, "% token "+first) {
			t.Fatalf("status %d, output %q, errors %q", status, first, errs)
		}
		_, second, _ := ask(s, ann, "token new Squid")
		if p, err := s.Programs.ByToken(t.Context(), strings.TrimSpace(second)); err != nil || p.Name != "squid" {
			t.Errorf("the new token opens %+v, %v", p, err)
		}
		if _, err := s.Programs.ByToken(t.Context(), strings.TrimSpace(first)); err == nil {
			t.Error("the former token is still good")
		}
		wrong(bob, "token new squid", 1, "taken")
		wrong(bob, "token revoke squid", 1, `called "squid"`)
		_, out, _ := ask(s, ann, "token list --json")
		if want := "[\n  {\n    \"name\": \"squid\",\n    \"token\": true,\n    \"made\": \"2000-01-01T00:00:00Z\",\n    \"used\": \"\"\n  }\n]\n"; out != want {
			t.Errorf("the list is %s", out)
		}
		if _, out, errs := ask(s, ann, "token revoke SQUID"); out != "revoked: squid\n" {
			t.Errorf("revoking: %q, %q", out, errs)
		}
		if _, err := s.Programs.ByToken(t.Context(), strings.TrimSpace(second)); err == nil {
			t.Error("the revoked token is still good")
		}
		if _, out, _ := ask(s, ann, "token list"); !strings.Contains(out, "squid  none") {
			t.Errorf("after revoking: %q", out)
		}
		if _, out, _ := ask(s, "", "profile squid"); !strings.Contains(out, "squid, program, since") {
			t.Errorf("its profile: %q", out)
		}
		for n, letter := range "abcdefghjkmnopqrstu" { // 19 that do not look alike
			if status, _, errs := ask(s, ann, "token new squid-x"+string(letter)); status != 0 {
				t.Errorf("program %d: %s", n+2, errs)
			}
		}
		wrong(ann, "token new onemore", 1, "20 programs")
	})
}
