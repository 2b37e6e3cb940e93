//go:build slow

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"broadside/internal/test/users"
	"broadside/internal/test/viewers"
)

// TestViewersAndPlayer plays against a bot over SSH, without viewers and with a thousand on the
// website, and measures how long a player waits after a key, how soon a shot reaches the
// viewers, and what the server needs. Server, viewers and player are three processes.
func TestViewersAndPlayer(t *testing.T) {
	const number, shots = 1000, 25
	address := freeAddress(t)
	server, err := users.Start(t.Context(), build(t), t.TempDir(), testLog{t}, nil, "--bot-pace", "0s", "--web", address,
		"--web-max-connections-per-address", "5000", "--web-max-streams-per-address", "5000", "--web-request-burst", "5000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	player, err := users.Dial(t.Context(), users.Options{Address: server.SSH, Command: "play --vs easy", Looks: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(player.Close)
	sees := func(text string) {
		t.Helper()
		if !player.Wait(t.Context(), func() bool { return player.Sees(text) }) {
			t.Fatalf("%q does not appear:\n%s", text, player.Text())
		}
	}
	press := func(keys string) time.Duration {
		t.Helper()
		took, _, err := player.Press(t.Context(), keys)
		if err != nil {
			t.Fatal(err)
		}
		return took
	}
	sees("Place your fleet")
	press("x")
	press("\r")
	sees("YOUR TURN")
	var all []struct{ ID string }
	if _, body := get(t, "http://"+address+"/api/v1/matches"); json.Unmarshal([]byte(body), &all) != nil || len(all) != 1 {
		t.Fatalf("the matches are %s", body)
	}
	cells := 0
	// fire fires shots and returns how long the player has waited after each key.
	fire := func(between func(since time.Time)) (moves, fired []time.Duration) {
		for range shots {
			sees("YOUR TURN")
			moves = append(moves, press(fmt.Sprintf("%c%d", 'a'+cells/10, cells%10+1)))
			time.Sleep(30 * time.Millisecond)
			cells += 3
			since := time.Now()
			fired = append(fired, press("\r"))
			between(since)
			time.Sleep(30 * time.Millisecond)
		}
		return moves, fired
	}
	quantiles := func(all []time.Duration) string {
		slices.Sort(all)
		return fmt.Sprintf("%v (median), %v (p99)", all[len(all)/2].Round(10*time.Microsecond), all[(len(all)-1)*99/100].Round(10*time.Microsecond))
	}
	moves, fired := fire(func(time.Time) {})
	t.Logf("without viewers: a move is painted after %s, a shot after %s", quantiles(moves), quantiles(fired))
	before := users.Measure(server.PID())
	crowd, err := viewers.Open(number, address, "/api/v1/matches/"+all[0].ID+"/events")
	if err != nil {
		t.Fatal(err)
	}
	with := users.Measure(server.PID())
	var seen []time.Duration
	begin := time.Now()
	cells = 1
	moves, fired = fire(func(since time.Time) {
		for range 2 { // the player's shot and the bot's
			arrived, err := crowd.Arrivals(since)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, arrived...)
		}
	})
	took := time.Since(begin)
	after := users.Measure(server.PID())
	t.Logf("with %d viewers: a move is painted after %s, a shot after %s", number, quantiles(moves), quantiles(fired))
	t.Logf("two shots reach the viewers after %s", quantiles(seen))
	t.Logf("the server uses %.2f cores for %.0f shots a second, and %d bytes for each viewer", (after.Time-with.Time).Seconds()/took.Seconds(),
		2*shots/took.Seconds(), (with.Memory-before.Memory)/number)
	if err := crowd.Close(); err != nil {
		t.Error(err)
	}
}
