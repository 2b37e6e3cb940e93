//go:build unix

package e2e

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"broadside/bots"

	"broadside/match"
	"broadside/relay/client"
)

// TestFromKeyToRatedProgram uses ssh without a terminal from a new key to a program's first
// rated match.
func TestFromKeyToRatedProgram(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	ann := newAsker(t, h, "ann")
	query := func(line string, into any) {
		t.Helper()
		status, out, errs := ann.ask(line)
		if err := json.Unmarshal([]byte(out), into); err != nil || status != 0 || errs != "" {
			t.Fatalf("%s: status %d, output %s, errors %q (%v)", line, status, out, errs, err)
		}
	}
	var me struct {
		Account, Key string
		Programs     []string
	}
	if query("whoami --json", &me); me.Account != "" || !strings.HasPrefix(me.Key, "SHA256:") {
		t.Errorf("a new key is %+v", me)
	}
	if query("register ann --json", &me); me.Account != "ann" {
		t.Errorf("after registering: %+v", me)
	}
	var token struct{ Name, Token string }
	if query("token new squid --json", &token); token.Name != "squid" || token.Token == "" {
		t.Fatalf("the token is %+v", token)
	}
	if query("whoami --json", &me); len(me.Programs) != 1 || me.Programs[0] != "squid" {
		t.Errorf("with a program: %+v", me)
	}
	var rules []struct{ Name string }
	if query("rules --json", &rules); len(rules) != len(match.Presets()) || rules[0].Name != "classic" {
		t.Errorf("the rules are %+v", rules)
	}
	var offered []struct {
		Name   string
		Rating *float64
	}
	if query("bots --json", &offered); len(offered) == 0 || offered[0].Name != "easy" || offered[0].Rating == nil {
		t.Fatalf("the bots are %+v", offered)
	}
	var version struct{ Version string }
	if query("version --json", &version); version.Version == "" {
		t.Errorf("the version is %+v", version)
	}

	classic := match.Classic()
	err := client.PlaySeries(t.Context(), h.relay, classic, client.Directives{
		Token: token.Token, Layout: "uniform", Versus: "bot " + offered[0].Name,
	},
		func() (client.Player, error) {
			return bots.New("hard", bots.Config{Rules: classic, Rand: rand.New(rand.NewPCG(1, 1))})
		}, func(client.Outcome) {})
	if err != nil {
		t.Fatal(err)
	}
	var profile struct {
		Rules []struct {
			Rating *struct {
				Rated int `json:"rated_games"`
			}
		}
	}
	if query("profile squid --json", &profile); len(profile.Rules) != 1 || profile.Rules[0].Rating == nil || profile.Rules[0].Rating.Rated != 1 {
		t.Errorf("the profile is %+v", profile)
	}
}
