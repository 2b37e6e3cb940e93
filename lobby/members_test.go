package lobby_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
)

// TestPaceWithManyMembers checks that updates take longer to reach all members of a larger
// lobby.
func TestPaceWithManyMembers(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first := l.Enter(ann)
		news(t, first)
		for i := range 599 {
			l.Enter(account.Player{ID: fmt.Sprint("p", i), Name: fmt.Sprint("p", i), Kind: account.Person})
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		news(t, first)
		began := time.Now()
		l.Enter(bob)
		s := <-first.Snapshots()
		if d := time.Since(began); d < 600*time.Millisecond || len(s.People) != 601 {
			t.Errorf("told of %d people after %v", len(s.People), d)
		}
	})
}

// TestManyNewcomers checks that each newcomer sees a list that ends with them, and that
// later newcomers do not change it.
func TestManyNewcomers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t)
		var visits []*lobby.Member
		var shown []*lobby.Snapshot
		for i := range 200 {
			v := l.Enter(account.Player{Name: fmt.Sprint("sailor", i)})
			visits, shown = append(visits, v), append(shown, <-v.Snapshots())
			// Players are shown in order of arrival.
			time.Sleep(time.Microsecond)
		}
		for i, s := range shown {
			if len(s.People) != i+1 {
				t.Fatalf("newcomer %d is shown %d people", i+1, len(s.People))
			}
			for j, p := range s.People {
				if p.Player != visits[j].Player() {
					t.Fatalf("newcomer %d is shown %q at place %d, want %q", i+1, p.Player.Name, j+1, visits[j].Player().Name)
				}
			}
		}
		if s := <-visits[0].Snapshots(); len(s.People) != len(visits) {
			t.Errorf("the first is shown %d people a moment later, want %d", len(s.People), len(visits))
		}
		for _, v := range visits[1:] {
			v.Leave()
		}
		if s := l.Enter(account.Player{Name: "late"}); len((<-s.Snapshots()).People) < 2 {
			t.Error("the last newcomer does not see themselves and the remaining player")
		}
	})
}

// TestNamesOfManyMembers checks that a newcomer whose name is taken, or similar to one in
// use, gets a free number.
func TestNamesOfManyMembers(t *testing.T) {
	l := open(t)
	seen := map[string]bool{}
	var visits []*lobby.Member
	for i := range 1000 {
		v := l.Enter(account.Player{Name: []string{"guest", "Guest", "GUEST"}[i%3]})
		name := strings.ToLower(v.Player().Name)
		if want := fmt.Sprint("guest-", i+1); seen[name] || i > 0 && name != want {
			t.Fatalf("number %d is called %q, want %q", i+1, name, want)
		}
		seen[name] = true
		visits = append(visits, v)
	}
	visits[699].Leave()
	for _, want := range []string{"guest-1001", "guest-1002"} {
		if got := l.Enter(account.Player{Name: "guest"}).Player().Name; got != want {
			t.Errorf("a newcomer is called %q, want %q", got, want)
		}
	}
	for _, c := range [][2]string{{"guest-7", "guest-7-2"}, {"gues", "gues"}, {"guest-", "guest--1003"}} {
		if got := l.Enter(account.Player{Name: c[0]}).Player().Name; got != c[1] {
			t.Errorf("%q is called %q, want %q", c[0], got, c[1])
		}
	}
}
