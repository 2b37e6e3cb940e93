package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
)

var (
	ann   = account.Player{ID: "key-ann", Name: "ann"}
	bob   = account.Player{ID: "key-bob", Name: "bob"}
	carol = account.Player{ID: "key-carol", Name: "carol"}
)

// Fleets as players paste them. The first two have no cell in common. The naval one has its sterns first.
const (
	fleetText  = "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\n"
	otherFleet = "carrier B6 B10\nbattleship D6 D9\ncruiser F6 F8\nsubmarine H6 H8\ndestroyer J6 J7\n"
	navalText  = "battleship B1 B5\ncruiser B7 B10\ncruiser D4 D1\ndestroyer D6 D8\ndestroyer F1 F3\n" +
		"destroyer F7 F5\nsubmarine H1 H2\nsubmarine H5 H4\nsubmarine H8 H7\nsubmarine I10 J10\n"
)

// newLobby returns a lobby. Close it before the bubble ends.
func newLobby() *lobby.Lobby { return lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1}) }

// withModel runs a test with one player in a lobby and a clock that advances only while all
// goroutines wait.
func withModel(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := drive(t, l, ann, width, height)
		defer d.close()
		d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
		test(t, d)
	})
}

// pair runs a test with ann and bob in a lobby.
func pair(t *testing.T, test func(t *testing.T, l *lobby.Lobby, a, b *driver)) {
	t.Helper()
	withModel(t, 80, 24, func(t *testing.T, a *driver) {
		b := drive(t, a.lobby, bob, 80, 24)
		defer b.close()
		a.see("bob")
		b.see("ann")
		test(t, a.lobby, a, b)
	})
}

// challenge starts a match against easy, up to the placement.
func (d *driver) challenge() {
	d.press("b", "1")
	d.see("Place your fleet")
}

// begin starts a battle against easy, in which the player fires first.
func (d *driver) begin() {
	d.challenge()
	fleet := fleetText
	if d.m.env.Settings.Rules.Moving {
		fleet = navalText
	}
	d.send(tea.PasteMsg{Content: fleet})
	d.press("enter")
	d.see("YOUR TURN")
}

// fight starts a battle between two people with the fleet fleetText; b fires first.
func fight(a, b *driver) {
	a.t.Helper()
	a.press("p")
	a.see("Waiting for an opponent")
	b.press("p")
	for _, d := range []*driver{a, b} {
		d.see("Place your fleet")
		d.send(tea.PasteMsg{Content: fleetText})
		d.press("enter")
	}
}

// fightNaval starts a naval battle between two people with the same fleet, and a clock or none; b fires
// first.
func fightNaval(a, b *driver, clock []string) {
	a.t.Helper()
	for _, d := range []*driver{a, b} {
		d.m.env.Settings.Rules = parseRules(d.t, append([]string{"naval"}, clock...))
		d.press("p")
		d.pass(time.Second)
	}
	for _, d := range []*driver{a, b} {
		d.wait("placing", func(string) bool { return d.shows("placementPage") })
		d.pass(time.Second)
		d.send(tea.PasteMsg{Content: navalText})
		d.press("enter")
	}
	for _, d := range []*driver{a, b} {
		d.wait("the battle", func(string) bool { return d.game().last.View.Phase == match.Battle })
	}
}

// together starts a hot-seat match of dan and eve, up to the first hiding screen.
func (d *driver) together() {
	d.press("H", "backspace", "backspace", "backspace", "d", "a", "n", "enter", "e", "v", "e", "enter")
	d.see("Hand over to dan.")
	d.frame = (&frameChecker{d: d}).check
}

// fighting starts a battle of dan and eve with both fleets, up to eve's first shot.
func (d *driver) fighting() {
	d.together()
	d.press("enter")
	d.see("Place your fleet, dan  against eve")
	d.send(tea.PasteMsg{Content: fleetText})
	d.press("enter")
	d.see("Hand over to eve.")
	d.press("enter")
	d.see("Place your fleet, eve  against dan")
	d.send(tea.PasteMsg{Content: otherFleet})
	d.press("enter")
	d.see("YOUR TURN")
}

// stagedMatch is a match in which a test plays both sides: ann defends first.
type stagedMatch struct {
	t          testing.TB
	first, sec *live.Seat
}

// stage starts a match between two players.
func stage(t testing.TB, l *lobby.Lobby, first, second account.Player, r match.Rules) *stagedMatch {
	t.Helper()
	var seats [2]*live.Seat
	var offers [2]*lobby.Offer
	for i, p := range []account.Player{first, second} {
		offer, err := l.Offers.FindOpponent(p, r, lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		offers[i] = offer
	}
	for i, offer := range offers {
		seats[i] = (<-offer.Seat()).Seat
	}
	return &stagedMatch{t, seats[match.First], seats[match.Second]}
}

// begin places the same fleet for both sides.
func (s *stagedMatch) begin() {
	fleet := layout(s.t, fleetText)
	s.first.Place(fleet)
	s.sec.Place(fleet)
}

// fire lets the sides shoot in turn. The second side begins.
func (s *stagedMatch) fire(cells ...string) {
	seats := [2]*live.Seat{s.sec, s.first}
	for i, name := range cells {
		seats[i%2].Fire(cellNamed(s.t, name))
	}
}

// spectate runs a test with carol in a lobby, and a match of ann and bob with a clock of
// one minute.
func spectate(t *testing.T, width, height int, test func(t *testing.T, l *lobby.Lobby, d *driver, m *stagedMatch)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		m := stage(t, l, ann, bob, match.Classic().WithClock(time.Minute))
		d := drive(t, l, carol, width, height)
		defer d.close()
		d.see("ann – bob")
		test(t, l, d, m)
	})
}

func layout(t testing.TB, text string) match.Layout {
	t.Helper()
	l, err := layoutfile.Parse(match.Classic(), text)
	if err != nil {
		t.Fatal(err)
	}
	return l[0]
}

func cellNamed(t testing.TB, name string) match.Cell {
	t.Helper()
	at, err := match.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// withAccounts is a lobby with a store.
type withAccounts struct {
	*lobby.Lobby
	store  *store.Store
	folder string
}

// openAccounts opens a lobby with an empty store, until the test ends.
func openAccounts(t testing.TB) withAccounts { return openSlow(t, new(storeDelay)) }

// openSlow is openAccounts with a store that delay slows down.
func openSlow(t testing.TB, delay *storeDelay) withAccounts {
	t.Helper()
	folder := storetest.NewFolder(t)
	h := withAccounts{store: storetest.OpenDisk(t, store.Config{Folder: folder, WrapConnector: delay.Wrap}).Store, folder: folder}
	if err := h.store.State.Set(t.Context(), "daily secret", strings.Repeat("5e", 32), ""); err != nil {
		t.Fatal(err)
	}
	h.Lobby = lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: h.store})
	t.Cleanup(h.Close)
	return h
}

// withStore runs a test in a bubble, with a lobby that has a store.
func withStore(t *testing.T, test func(t *testing.T, h withAccounts)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openAccounts(t)) })
}

// create creates accounts. Each has a key of the same name.
func (h withAccounts) create(t testing.TB, names ...string) (created []account.Player) {
	t.Helper()
	for _, name := range names {
		p, err := h.store.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		created = append(created, account.Player{ID: p.ID, Account: p.ID, Name: name})
	}
	return created
}

// comes opens a session of a player with a key, or without one. name is the name on their
// machine.
func (h withAccounts) comes(t testing.TB, name, key string, cfg Config) *driver {
	t.Helper()
	p, err := h.Accounts.IdentifyClient(t.Context(), name, key)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Settings = h.Accounts.Settings(t.Context(), p)
	who := session.Config{Lobby: h.Lobby, Player: p, Client: session.Client{Fingerprint: key, Name: name}}
	d := driveWith(t, who, cfg)
	t.Cleanup(d.close)
	return d
}

// withRecords runs a test with ann in a lobby whose store has matches of hers.
func withRecords(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openRecords(t, width, height, new(storeDelay))) })
}

// openRecords starts ann's session in a lobby whose store has matches of hers.
func openRecords(t testing.TB, width, height int, delay *storeDelay) *driver {
	t.Helper()
	h := openSlow(t, delay)
	ids := map[string]string{}
	for _, p := range h.create(t, "ann", "bob") {
		ids[p.Name] = p.ID
	}
	bot, err := h.store.Accounts.EnsureBot(t.Context(), "hard")
	if err != nil {
		t.Fatal(err)
	}
	ids["hard"] = bot.ID
	for i, pair := range [][2]string{{"ann", "bob"}, {"hard", "ann"}, {"bob", "ann"}, {"kraken", "bob"}, {"ann", "hard"}, {"ann", "bob"}} {
		rules := match.Classic()
		if i == 5 {
			rules = match.Hasbro()
		}
		m := storetest.NewMatch(uint64(i), rules, pair[0], pair[1])
		m.Rated = pair[0] != "kraken"
		m.Started = m.Started.AddDate(-30, 0, 0) // before the bubble's clock
		for side := range m.Seats {
			m.Seats[side].Player = ids[m.Seats[side].Name]
		}
		if _, err := h.store.Matches.Finish(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := storetest.SettleRatings(h.folder); err != nil {
		t.Fatal(err)
	}
	d := drive(t, h.Lobby, account.Player{ID: ids["ann"], Account: ids["ann"], Name: "ann"}, width, height)
	t.Cleanup(d.close)
	d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
	return d
}

// withNaval runs a test with ann and bob in a naval battle, in English; ann defends first.
func withNaval(t *testing.T, width, height int, clock []string, test func(t *testing.T, a, b *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		a, b := drive(t, l, ann, width, height), drive(t, l, bob, 80, 24)
		defer a.close()
		defer b.close()
		fightNaval(a, b, clock)
		test(t, a, b)
	})
}

// speaking returns the configuration of a terminal of 80×24 in a language.
func speaking(language string) Config {
	return Config{Width: 80, Height: 24, Language: i18n.MustParse(language)}
}
