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

// runWithModel runs a test with one player in a lobby and a clock that advances only while all
// goroutines wait.
func runWithModel(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := startDriver(t, l, ann, width, height)
		defer d.close()
		d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
		test(t, d)
	})
}

// runWithTwo runs a test with ann and bob in a lobby.
func runWithTwo(t *testing.T, test func(t *testing.T, l *lobby.Lobby, a, b *driver)) {
	t.Helper()
	runWithModel(t, 80, 24, func(t *testing.T, a *driver) {
		b := startDriver(t, a.lobby, bob, 80, 24)
		defer b.close()
		a.waitForText("bob")
		b.waitForText("ann")
		test(t, a.lobby, a, b)
	})
}

// startPlacement starts a match against easy, up to the placement.
func (d *driver) startPlacement() {
	d.press("b", "1")
	d.waitForText("Place your fleet")
}

// startBattle starts a battle against easy, in which the player fires first.
func (d *driver) startBattle() {
	d.startPlacement()
	fleet := fleetText
	if d.m.env.Settings.Rules.Moving {
		fleet = navalText
	}
	d.send(tea.PasteMsg{Content: fleet})
	d.press("enter")
	d.waitForText("YOUR TURN")
}

// startMatch starts a battle between two players with the fleet fleetText. b fires first.
func startMatch(a, b *driver) {
	a.t.Helper()
	a.press("p")
	a.waitForText("Waiting for an opponent")
	b.press("p")
	for _, d := range []*driver{a, b} {
		d.waitForText("Place your fleet")
		d.send(tea.PasteMsg{Content: fleetText})
		d.press("enter")
	}
}

// startNavalBattle starts a naval battle between two players with the same fleet, and a clock or none. b fires
// first.
func startNavalBattle(a, b *driver, clock []string) {
	a.t.Helper()
	for _, d := range []*driver{a, b} {
		d.m.env.Settings.Rules = parseRules(d.t, append([]string{"naval"}, clock...))
		d.press("p")
		d.handleFor(time.Second)
	}
	for _, d := range []*driver{a, b} {
		d.wait("placing", func(string) bool { return d.showsPage("placementPage") })
		d.handleFor(time.Second)
		d.send(tea.PasteMsg{Content: navalText})
		d.press("enter")
	}
	for _, d := range []*driver{a, b} {
		d.wait("the battle", func(string) bool { return d.game().last.View.Phase == match.Battle })
	}
}

// startHotSeat starts a hot-seat match of dan and eve, up to the first hiding screen.
func (d *driver) startHotSeat() {
	d.press("H", "backspace", "backspace", "backspace", "d", "a", "n", "enter", "e", "v", "e", "enter")
	d.waitForText("Hand over to dan.")
	d.onFrame = (&frameChecker{d: d}).check
}

// startHotSeatBattle starts a battle of dan and eve with both fleets, up to eve's first shot.
func (d *driver) startHotSeatBattle() {
	d.startHotSeat()
	d.press("enter")
	d.waitForText("Place your fleet, dan  against eve")
	d.send(tea.PasteMsg{Content: fleetText})
	d.press("enter")
	d.waitForText("Hand over to eve.")
	d.press("enter")
	d.waitForText("Place your fleet, eve  against dan")
	d.send(tea.PasteMsg{Content: otherFleet})
	d.press("enter")
	d.waitForText("YOUR TURN")
}

// stagedMatch is a match in which a test plays both sides. Ann defends first.
type stagedMatch struct {
	t          testing.TB
	first, sec *live.Seat
}

// startStagedMatch starts a match between two players.
func startStagedMatch(t testing.TB, l *lobby.Lobby, first, second account.Player, r match.Rules) *stagedMatch {
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

// placeFleets places the same fleet for both sides.
func (s *stagedMatch) placeFleets() {
	fleet := parseFleet(s.t, fleetText)
	s.first.Place(fleet)
	s.sec.Place(fleet)
}

// fire lets the sides fire in turn. The second side fires first.
func (s *stagedMatch) fire(cells ...string) {
	seats := [2]*live.Seat{s.sec, s.first}
	for i, name := range cells {
		seats[i%2].Fire(parseCell(s.t, name))
	}
}

// runWithSpectator runs a test with carol in a lobby, and a match of ann and bob with a clock of
// one minute.
func runWithSpectator(t *testing.T, width, height int, test func(t *testing.T, l *lobby.Lobby, d *driver, m *stagedMatch)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		m := startStagedMatch(t, l, ann, bob, match.Classic().WithClock(time.Minute))
		d := startDriver(t, l, carol, width, height)
		defer d.close()
		d.waitForText("ann – bob")
		test(t, l, d, m)
	})
}

func parseFleet(t testing.TB, text string) match.Layout {
	t.Helper()
	l, err := layoutfile.Parse(match.Classic(), text)
	if err != nil {
		t.Fatal(err)
	}
	return l[0]
}

func parseCell(t testing.TB, name string) match.Cell {
	t.Helper()
	at, err := match.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// accountLobby is a lobby with a store.
type accountLobby struct {
	*lobby.Lobby
	store  *store.Store
	folder string
}

// openAccounts opens a lobby with an empty store, until the test ends.
func openAccounts(t testing.TB) accountLobby { return openSlowAccounts(t, new(storeDelay)) }

// openSlowAccounts is openAccounts with a store that delay slows down.
func openSlowAccounts(t testing.TB, delay *storeDelay) accountLobby {
	t.Helper()
	folder := storetest.NewFolder(t)
	h := accountLobby{store: storetest.OpenDisk(t, store.Config{Folder: folder, WrapConnector: delay.Wrap}).Store, folder: folder}
	if err := h.store.State.Set(t.Context(), "daily secret", strings.Repeat("5e", 32), ""); err != nil {
		t.Fatal(err)
	}
	h.Lobby = lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: h.store})
	t.Cleanup(h.Close)
	return h
}

// runWithStore runs a test in a bubble, with a lobby that has a store.
func runWithStore(t *testing.T, test func(t *testing.T, h accountLobby)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openAccounts(t)) })
}

// createAccounts creates accounts. Each has a key of the same name.
func (h accountLobby) createAccounts(t testing.TB, names ...string) (created []account.Player) {
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

// startCorrespondence starts a match with a day for each shot between two accounts.
func (h accountLobby) startCorrespondence(t testing.TB, name, opponent string) {
	t.Helper()
	player := func(name string) account.Player {
		p, err := h.Accounts.IdentifyClient(t.Context(), name, "SHA256:"+name)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	c := h.Correspondence
	terms := lobby.CorrespondenceTerms{Rules: match.Classic(), Mode: lobby.Rated, Pace: lobby.Paces[0], Opponent: opponent}
	if err := c.Offer(t.Context(), player(name), terms); err != nil {
		t.Fatal(err)
	}
	offers, err := c.ListOffers(t.Context(), player(opponent))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Accept(t.Context(), player(opponent), offers[0].ID); err != nil {
		t.Fatal(err)
	}
}

// connect opens a session of a player with a key, or without one. name is the name on their computer.
func (h accountLobby) connect(t testing.TB, name, key string, cfg Config) *driver {
	t.Helper()
	p, err := h.Accounts.IdentifyClient(t.Context(), name, key)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Settings = h.Accounts.Settings(t.Context(), p)
	who := session.Config{Lobby: h.Lobby, Player: p, Client: session.Client{Fingerprint: key, Name: name}}
	d := startDriverWith(t, who, cfg)
	t.Cleanup(d.close)
	return d
}

// runWithRecords runs a test with ann in a lobby whose store has matches of hers.
func runWithRecords(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openRecords(t, width, height, new(storeDelay))) })
}

// openRecords starts ann's session in a lobby whose store has matches of hers.
func openRecords(t testing.TB, width, height int, delay *storeDelay) *driver {
	t.Helper()
	h := openSlowAccounts(t, delay)
	ids := map[string]string{}
	for _, p := range h.createAccounts(t, "ann", "bob") {
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
		// Started must be before the test bubble's clock.
		m.Started = m.Started.AddDate(-30, 0, 0)
		for side := range m.Seats {
			m.Seats[side].Player = ids[m.Seats[side].Name]
			if m.Seats[side].Name == bot.Name {
				m.Seats[side].Kind = store.Bot
			}
		}
		if _, err := h.store.Matches.Finish(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := storetest.SettleRatings(h.folder); err != nil {
		t.Fatal(err)
	}
	d := startDriver(t, h.Lobby, account.Player{ID: ids["ann"], Account: ids["ann"], Name: "ann"}, width, height)
	t.Cleanup(d.close)
	d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
	return d
}

// runNavalBattle runs a test with ann and bob in a naval battle, in English. Ann defends first.
func runNavalBattle(t *testing.T, width, height int, clock []string, test func(t *testing.T, a, b *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		a, b := startDriver(t, l, ann, width, height), startDriver(t, l, bob, 80, 24)
		defer a.close()
		defer b.close()
		startNavalBattle(a, b, clock)
		test(t, a, b)
	})
}

// languageConfig returns the configuration of a terminal of 80×24 in a language.
func languageConfig(language string) Config {
	return Config{Width: 80, Height: 24, Language: i18n.MustParse(language)}
}
