package session

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/pairing"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/cup"
	"broadside/lobby/ladder"
	"broadside/lobby/profile"
	"broadside/lobby/stakes"
	"broadside/match"
)

var (
	someRules  = match.Naval().WithClock(30 * time.Second)
	someLayout = match.Layout{{Stern: match.At(0, 0), Heading: match.East, Length: 5}, {Stern: match.At(8, 9), Heading: match.North, Length: 2}}
	someMoment = time.Date(2001, 2, 3, 4, 5, 6, 7000, time.UTC)
	somebody   = Player{ID: "1", Name: "ann", Kind: Program, Account: "2", Owner: "3", Guest: true, Fixed: true, Ratings: "classic 1512? naval 1630"}
	someMatch  = Running{ID: "m1", Rules: someRules, Stakes: Casual, Players: [2]Player{somebody, {ID: "4"}}, Started: someMoment, Watching: 1, Private: true}
	someCustom = func() match.Rules {
		r, err := account.CustomRules(14, 7, match.Rules{Contact: match.TouchNone, Moving: true})
		if err != nil {
			panic(err)
		}
		return r
	}()
	someCup = &Cup{
		Settings: CupSettings{Name: "class", Format: CupKnockout, Rules: someRules, Stakes: Casual, Grace: time.Minute},
		Code:     "K3F", Owner: "1", OwnerName: "ann", Created: someMoment, Phase: CupRunning, Round: 1,
		Entrants: []cup.Entrant{{ID: "2", Name: "bob", Kind: Program, Owner: "1", Rating: 1500.5, Left: true, Here: true}},
		Games: []CupGame{{
			Result: pairing.Result{Round: 1, Pair: pairing.Pair{First: 0, Second: pairing.Bye}, Points: [2]float64{0.5, 0}, Unplayed: true},
			Match:  "m1", Ending: CupByBye, Opens: someMoment, Failed: 2,
		}},
	}
	someLadder = ladder.Report{
		Rules: "classic", At: someMoment, Computed: someMoment,
		Players: []ladder.Standing{{
			Place: 1, Name: "squid", Kind: "program", Online: true, Rating: ladder.Estimate{Value: 1500, Low: 1400, High: 1600}, Settled: true,
			Games: 3, Won: 1, Lost: 2, Computed: &ladder.Estimate{Value: 1490, Low: 1400, High: 1580},
		}},
		Pairs: []ladder.Encounter{{Players: [2]int{0, 1}, Games: 3, Won: [2]int{1, 2}}},
	}
	someSettings = Settings{
		Rules: someCustom.WithClock(42 * time.Second), Custom: someCustom, Casual: true, Bot: "hard",
		Language: "de", Theme: "amber", Glyphs: "ascii", Sea: "plain", NoAnimation: true, NoMouse: true, Notify: "off", DoNotDisturb: true, HideChat: true,
	}
)

// someActions has one action of each type.
var someActions = []Action{
	Seek{someRules, Casual, &somebody, true}, PlayBot{"hard", someRules, Casual, &somebody}, QuickGame{someRules}, SendChallenge{"1", someRules, Casual}, Accept{1 << 52}, Decline{2},
	OpenPrivate{someCustom, Casual}, JoinPrivate{"K3F", &somebody}, ResumeSeat{"K3F"}, HotSeat{[2]string{"ann", "bob"}, someRules}, Rejoin{true, true}, Refuse{}, Rematch{},
	Place{match.Second, someLayout}, Fire{match.Second, match.At(1, 2), []match.Cell{match.At(3, 4), match.At(0, 9)}, 7}, Move{match.Second, match.MoveOf(9, match.Anticlockwise)},
	Confirm{match.Second}, AcceptTimeout{match.Second}, Claim{}, Resign{match.Second}, RemoveOpponent{}, Abort{}, LeaveMatch{true},
	Watch{"m1"}, WatchBy{"ann"}, Preview{"m1"}, Unwatch{}, ShowFeatured{true}, Say{InMatch, "hello\n<&>"}, Mute{somebody, MutedPermanently},
	Register{"ann"}, Rename{"ann"}, LinkKey{"K3F"}, RemoveKey{"SHA256:1"}, DoNotDisturb{true}, StoreSettings{someSettings},
	SaveFleet{"mine", someRules, someLayout}, RemoveFleet{"mine"}, Follow{"bob"}, Unfollow{"bob"},
	PlayNamed{"ann", someRules, Casual, &somebody}, SeekCup{"K3F", &somebody}, JoinLadder{someRules, &somebody}, Fill{"easy"}, KeepFleet{}, Commit{"c"}, Answer{match.At(1, 2), match.Hit, false},
	Reveal{"s", someLayout}, Forfeit{match.Resigned}, Announce{"hello"}, SetLockdown{true},
}

// someQueries has one query of each type, with an answer.
var someQueries = []struct{ query, answer any }{
	{GetOccupancy{}, UsedSeat}, {Cancel{}, true}, {GetHearing{"1"}, MutedNow}, {Matches{}, []Running{someMatch}}, {GetLobby{}, Snapshot{Running: []Running{someMatch}}},
	{Games{"1", store.Cursor{At: someMoment, ID: "m1"}, 10}, []Summary{someSummary}},
	{ExportGames{store.Cursor{At: someMoment, ID: "m1"}, "classic"}, ExportedGames{"game.\n", store.Cursor{At: someMoment, ID: "m2"}, true, true}},
	{GetRecord{"m1"}, Record{
		Summary: someSummary, Rules: someRules, Events: []match.Event{match.Placed(match.Second, someLayout, time.Second)},
		Aborter: "1", Details: json.RawMessage(`{"a":1}`),
	}},
	{GetReview{"m1"}, Review{true, [2]SideReview{{Judged: 2, Accuracy: 0.5, Costliest: []CostlyShot{{Turn: 3, Cell: match.At(1, 2), Odds: 0.25, Best: match.At(3, 4), BestOdds: 0.5}}}, {}}}},
	{NewCup{CupSettings{Name: "class", Format: CupSwiss, Rounds: 5, Rules: someRules, Stakes: Casual, Starts: someMoment, Grace: time.Minute, Break: time.Second}}, someCup},
	{ChangeCup{"K3F", JoinCup, "hard"}, someCup}, {GetCup{"K3F"}, someCup}, {Cups{}, []*Cup{someCup}},
	{Leaderboard{Machines, "classic", 10}, []Standing{someStanding}},
	{GetLadder{"classic"}, someLadder},
	{GetLadderPage{"classic", "squid"}, ladder.Page{
		Rules: "classic", Standing: someLadder.Players[0], Losses: map[string]int{"sunk": 2}, MoveTime: ladder.MoveTime{Shots: 3, Mean: 1.5, Median: 1, Max: 4},
		Opponents: []ladder.Opponent{{Name: "hard", Games: 3, Won: 1, Lost: 2}},
		Last:      []ladder.Game{{ID: "m1", Ended: someMoment, Opponent: "hard", First: true, Won: new(bool), Reason: "sunk", Shots: 40, Rating: 1500}},
	}},
	{GetProfile{ID: "1", Brief: true}, Profile{
		Player: store.Player{ID: "1", Name: "ann", Kind: PersonAccount, Owner: "2", Settings: json.RawMessage(`{}`), Created: someMoment},
		Form:   []GameResult{Drawn, Lost}, Rules: []profile.RulesProfile{{
			Name: "classic", Figures: store.Figures{RuleSet: "classic", Games: 1, Won: 2, Shots: 3, Hits: 4, Reviewed: 5, Accuracy: 0.5}, Standing: someStanding,
			Openings: map[match.Cell]int{match.At(1, 2): 3},
		}},
	}},
	{Fleets{}, []Fleet{{Player: "1", Name: "mine", RuleSet: "classic", Layout: "x", Saved: someMoment}}},
	{Friends{}, []Friend{{Player: somebody, Online: true, Playing: true, DoNotDisturb: true}}},
	{GetSettings{}, someSettings},
	{Keys{}, []Key{{Fingerprint: "SHA256:1", Player: "1", Label: "laptop", Added: someMoment, Used: someMoment}}},
	{NewLinkCode{}, LinkCode{"K3F", someMoment}}, {CheckLinkCode{"K3F"}, true}, {Muted{}, []Player{somebody}},
	{OpenDaily{10}, someDaily}, {FireDaily{match.At(1, 2), 10}, someDaily}, {GetDailyStanding{"2001-02-03", 10}, someDaily.Standing},
	{CheckProgramName{"ann"}, struct{}{}}, {FindProgram{"t"}, somebody}, {FindPrivate{"K3F"}, PrivateMatch{"K3F", someRules, Casual}},
	{CanPlayNamed{"ann"}, struct{}{}}, {OpponentStanding{}, someStanding}, {Programs{}, []store.Registered{}}, {NewToken{"ann"}, Token{}},
	{RevokeToken{"ann"}, "ann"}, {GetProgram{"ann"}, somebody}, {ListSessions{store.Cursor{At: someMoment, ID: "1"}, 10}, []Connected{}}, {Kick{"ann"}, 1},
	{RenamePlayer{"ann", "bob"}, "bob"}, {MutePlayer{"ann", someMoment, "why"}, Muting{}}, {UnmutePlayer{"ann"}, "ann"}, {Acts{10}, []store.Act{}},
	{FindSubject{"ann"}, Subject{}}, {BanSubject{someSubject, someMoment, "why"}, Banned{}}, {Unban{someSubject}, []store.Ban{}}, {Bans{}, []store.Ban{}},
	{LockedDown{}, true},
	{FindAccount{"ann"}, store.Player{ID: "1", Name: "ann", Kind: PersonAccount, Settings: json.RawMessage(`{}`), Created: someMoment}},
}

var (
	someSummary = Summary{
		ID: "m1", RuleSet: "naval", Started: someMoment, Took: time.Minute, Winner: match.Second, Reason: match.Resigned, Rated: true, Casual: "early",
		Seats: [2]store.Seat{{
			Player: "1", Name: "ann", Kind: PersonAccount, Commitment: "c", Salt: "s", Shots: 1, Hits: 2, Before: 1500.5, After: 1510, Provisional: true,
			Accuracy: store.Accuracy{Judged: 3, Share: 0.5, Costliest: "[]"},
		}, {Name: "bob"}},
	}
	someStanding = Standing{
		Player: "1", Name: "ann", Kind: BotAccount, RuleSet: "classic", Rating: rating.Rating{Value: 1500, Deviation: 100, Volatility: 0.06},
		Games: 7, Updated: someMoment,
	}
	someRow   = DailyRow{Place: 1, Name: "ann", Shots: 40, Own: true}
	someDaily = Daily{
		View: DailyView{
			Day: "2001-02-03", Practice: true, Chart: shotAt(match.Classic()), Cells: []match.Cell{match.At(1, 2)}, Course: []match.Result{match.Hit}, Done: true,
		},
		Standing: DailyStanding{
			Day: "2001-02-03", Best: []DailyRow{someRow}, Finished: 1, Newcomers: []DailyRow{someRow}, Own: someRow, Done: true,
			Blocks: "x", Yesterday: someRow, Streak: 2, Longest: 3,
		},
	}
)

// shotAt returns a chart with a few shots.
func shotAt(r match.Rules) match.Chart {
	c := match.NewChart(r)
	c.Record(match.At(0, 0), match.Hit)
	c.Record(match.At(1, 0), match.Sunk)
	c.Record(match.At(9, 9), match.Water)
	return c
}

// someState returns a state whose times of expiry are in the future.
func someState() State {
	until := time.Now().UTC().Add(30 * time.Second)
	return State{
		Me: somebody, Challenge: &Challenge{Offer: 1 << 52, From: somebody, Rules: someRules, Stakes: stakes.CasualGuest, Until: until},
		Offer: &Offer{Rules: someRules, Stakes: Casual, Since: someMoment, Code: "K3F", To: &somebody, Until: until, TakesOver: true},
		Match: &Match{
			ID: "m1", Side: match.Second, Opponent: somebody, Rules: someRules, HotSeat: true, Host: true, Names: [2]string{"ann", "bob"},
		},
		Seat: SeatState{RematchOffered: true, OpponentLeft: true, Takeover: &Takeover{By: somebody, Until: until}, Code: "K3F"}, Stakes: stakes.CasualEarly,
		Outcome: Outcome{
			Continues: true, Stored: true, Rated: true, Before: [2]float64{1500, 1600}, After: [2]float64{1510, 1590}, Provisional: [2]bool{true, false}, Score: [2]int{2, 1},
		},
		Watching: &someMatch, AccountRevision: 3, HasStore: true, HasChat: true, Waiting: true,
	}
}

// someUpdates returns updates that together have every field.
func someUpdates() []Update {
	until := time.Now().UTC().Add(30 * time.Second)
	view := match.View{
		Rules: someRules, Viewer: match.Second, Phase: match.Over, Ready: [2]bool{true, true}, Kept: [2]bool{true, false}, Due: [2]bool{true, false},
		Turn: match.Second, Shots: 2, Pending: true, Targets: []match.Cell{match.At(1, 2), match.At(0, 0)}, Charts: [2]match.Chart{shotAt(someRules), match.NewChart(someRules)},
		Last: [2][]match.Shot{{{Cell: match.At(9, 9), Result: match.Water, Number: 3}}, nil}, Turns: [2]int{3, 0},
		Damage: [2]match.Damage{{1, 3}, {}}, MayMove: true, Disputed: [2]bool{false, true},
		Winner: match.Second, Reason: match.Removed, Aborter: match.Second, Took: time.Minute,
	}
	for i, class := range someRules.Fleet {
		view.Fleets[1] = append(view.Fleets[1], match.Ship{Stern: match.At(0, i), Heading: match.East, Length: class.Length})
	}
	played := MatchUpdate{
		View: view, Events: []match.Event{
			{Kind: match.ShotFired, Side: match.Second, Cell: match.At(9, 9), Auto: true, At: time.Second},
			{Kind: match.ShotAnswered, Side: match.First, Cell: match.At(9, 9), Result: match.Water, At: time.Second},
			{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Removed, At: time.Minute},
		},
		Missed: true, Seq: 4, Names: [2]string{"ann", "bob"}, Commitments: [2]string{"a1", "b2"}, Deadline: until, Away: [2]bool{true, false},
		AwayUntil: [2]time.Time{until, {}}, Late: [2]bool{false, true}, Paused: true, Refused: match.ErrNotYourTurn,
	}
	return []Update{
		{Kind: MatchChanged, ID: "m1", Match: &played, Side: match.Second},
		{Kind: ChatChanged, ID: "m1", Room: InMatch, Lines: []Line{{Number: 1, At: someMoment, From: somebody, Text: "hello", BySpectator: true}}},
		{Kind: OfferChanged, Err: i18n.Errorf("your-challenge-was-declined-by", "bob")},
		{Kind: MatchLost, Err: fmt.Errorf("wrapped: %w", ErrReplaced)},
	}
}

var someSnapshot = Snapshot{
	People:  []Presence{{Player: somebody, Since: someMoment, Playing: true, DoNotDisturb: true}},
	Waiting: []Waiting{{Offer: 1, Player: somebody, Rules: someCustom, Stakes: Casual}},
	Running: []Running{someMatch}, Closing: true, Announcement: lobby.Announcement{Text: "hello", At: someMoment}, DailyRevision: 1, CupRevision: 1, Featured: someMatch,
}

// someSubject is a subject with all fields.
var someSubject = Subject{Account: "1", Whole: true, Keys: []string{"SHA256:1"}, Network: netip.MustParsePrefix("192.0.2.0/24")}
