package screen

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// newMatch is the sheet where the player chooses an opponent, the pace, the rules and the next match's clock.
type newMatch struct {
	settingsSheet
	// opponent is an index in the list of opponents.
	opponent int
	// pace is a correspondence pace's number, counted from 1, or 0 for a live match.
	pace int
	// named is the player whom the sheet was opened for, or "".
	named string
	// prompt asks for a correspondence opponent's name.
	prompt *widget.Prompt
	// busy is set while an offer is being made.
	busy bool
}

// NewMatchAgainst returns the sheet for a correspondence match against the player with a name, or anyone.
func NewMatchAgainst(env *widget.Env, name string) widget.Screen {
	s := NewMatch(env).(*newMatch)
	s.pace, s.named = 1, name
	return s
}

// NewMatch returns the sheet for a new match.
func NewMatch(env *widget.Env) widget.Screen {
	s := new(newMatch)
	s.settingsSheet = settingsSheet{
		Env: env, title: "New match", list: s.matchSettings,
		enter: widget.Action{Keys: "enter", Label: "start", Do: func() tea.Cmd {
			all := s.opponents()
			return all[min(s.opponent, len(all)-1)].start()
		}},
	}
	return s
}

// opponentChoice is a kind of opponent for a new match.
type opponentChoice struct {
	name, about string
	start       func() tea.Cmd
	// bot is empty if the opponent is no bot.
	bot string
}

// opponents returns the possible opponents: the next player, the bots, a code's owner, and the other
// player at this terminal.
func (s *newMatch) opponents() []opponentChoice {
	if s.pace > 0 {
		return s.correspondenceOpponents()
	}
	l, rules, ratingMode := s.Lang, s.Settings.Rules, s.Settings.RatingMode()
	all := []opponentChoice{{name: l.Text("anyone"), about: l.Text("the next available player"), start: func() tea.Cmd {
		return ShowOffer(s.Env, s.Session.FindOpponent(rules, ratingMode))
	}}}
	for _, b := range session.ListBots(rules) {
		play := func() tea.Cmd {
			s.CheckAction(s.Session.PlayBot(b.Name, rules, ratingMode))
			return nil
		}
		all = append(all, opponentChoice{name: narrate.BotName(l, b.Name), about: l.Text("fires %s", b.Method), start: play, bot: b.Name})
	}
	return append(all,
		opponentChoice{name: l.Text("private match"), about: l.Text("with a code"), start: func() tea.Cmd {
			return ShowOffer(s.Env, s.Session.OpenPrivateMatch(rules, ratingMode))
		}},
		opponentChoice{name: l.Text("hot seat"), about: l.Text("two players here"), start: func() tea.Cmd {
			return s.Nav.Replace(NewHotSeat(s.Env))
		}},
	)
}

// correspondenceOpponents returns a correspondence match's possible opponents: anyone, the players that the
// player follows, and others by their names.
func (s *newMatch) correspondenceOpponents() []opponentChoice {
	anyone := opponentChoice{
		name: s.Lang.Text("anyone"), about: s.Lang.Text("the first player who accepts your offer"),
		start: func() tea.Cmd { return s.offerMatch("") },
	}
	names := []string{s.named}
	for _, f := range s.Friends {
		if f.Player.Name != s.named {
			names = append(names, f.Player.Name)
		}
	}
	all := []opponentChoice{anyone}
	for _, name := range names {
		if name == "" {
			continue
		}
		about := s.Lang.Text("gets your offer, and 30 days to accept it")
		start := func() tea.Cmd { return s.offerMatch(name) }
		all = append(all, opponentChoice{name: text.CleanName(name), about: about, start: start})
	}
	if s.named != "" {
		all[0], all[1] = all[1], all[0]
	}
	return append(all, opponentChoice{
		name: s.Lang.Text("by name"), about: s.Lang.Text("press enter and type a name"), start: widget.NoCommand(s.askName),
	})
}

// askName asks for a correspondence opponent's name.
func (s *newMatch) askName() {
	s.prompt = &widget.Prompt{
		Field: widget.NewField("", account.MaxName, acceptNameChar), Title: "Name", Label: "offer a match", Rule: nameLetters,
		Submit: func(name string) tea.Cmd {
			if name == "" {
				return nil
			}
			return s.offerMatch(name)
		},
	}
}

// offerMatch offers a correspondence match to the player with a name, or to anyone.
func (s *newMatch) offerMatch(name string) tea.Cmd {
	if s.State.Me.Account == "" {
		s.Notice = s.Lang.Text(needsAccount)
		return nil
	}
	if s.busy {
		return nil
	}
	s.busy = true
	return s.OfferMatch(lobby.CorrespondenceTerms{
		Rules: s.Settings.Rules, Mode: s.Settings.RatingMode(), Pace: lobby.Paces[s.pace-1], Opponent: name,
	}, func(ok bool) {
		s.busy = false
		if ok && s.Nav.IsCurrent(s) {
			s.Nav.GoBack()
		}
	})
}

// Typing implements [widget.Typist].
func (s *newMatch) Typing() widget.Typing { return s.prompt.Typing() }

func (s *newMatch) Update(msg tea.Msg) tea.Cmd {
	if s.prompt != nil {
		s.UpdateField(s.prompt.Field, msg, s.prompt.Rule)
		return nil
	}
	return s.settingsSheet.Update(msg)
}

// Actions implements [widget.Screen].
func (s *newMatch) Actions() []widget.Action {
	if s.prompt != nil {
		return s.prompt.Actions(func() { s.prompt = nil })
	}
	return s.settingsSheet.Actions()
}

func (s *newMatch) View(size widget.Size) widget.View {
	view := s.settingsSheet.View(size)
	if s.prompt != nil {
		view.Input = s.prompt.Line(s.Lang)
	}
	return view
}

// paceSetting returns the setting for how long a turn may take.
func (s *newMatch) paceSetting(l i18n.Language) setting {
	p := setting{name: "Pace", value: l.Text("live")}
	p.about = l.Text("Both play now. To have days for each shot, press →.")
	if s.pace > 0 {
		days := narrate.DayCount(lobby.Paces[s.pace-1])
		p.value = l.Text("%d day||%d days", days)
		p.about = l.Text("%d day per shot||%d days per shot", days) + ". " + l.Text("The match goes on while you are away.")
	}
	p.change = func(_ *account.Settings, by int) error {
		s.pace, s.opponent = widget.Cycle(s.pace, by, len(lobby.Paces)+1), 0
		return nil
	}
	return p
}

// matchSettings returns the next match's settings.
func (s *newMatch) matchSettings(l i18n.Language, c *account.Settings) []setting {
	r := c.Rules
	ships := len(r.Fleet)
	opponents := s.opponents()
	s.opponent = min(s.opponent, len(opponents)-1)
	against := opponents[s.opponent]
	size := numberSetting("Board size", l.Text("%d to %d cells per side", match.MinSize, match.MaxSize), r.Size, match.MinSize, match.MaxSize,
		func(s *account.Settings, n int) error { return setCustomRules(s, n, ships, r) })
	size.group = "Your own rules"
	clock := setting{name: "Clock", value: narrate.ClockSetting(l, r.Clock), about: l.Text("the time for each turn")}
	clock.change = func(s *account.Settings, by int) error {
		s.Rules = s.Rules.WithClock(nextClock(s.Rules.Clock, by))
		return nil
	}
	if s.pace > 0 {
		clock.value = narrate.ClockSetting(l, 0)
		clock.change = func(*account.Settings, int) error { return i18n.Errorf("the pace replaces the clock") }
	}
	return []setting{
		{group: "New match", name: "Opponent", value: against.name, about: against.about, change: func(c *account.Settings, by int) error {
			s.opponent = widget.Cycle(s.opponent, by, len(opponents))
			bot := opponents[s.opponent].bot
			if bot != "" {
				c.Bot = bot
			}
			return nil
		}},
		{name: "Rules", value: r.Name, about: rulesSentence(l, r), change: func(s *account.Settings, by int) error {
			all := availableRules(s)
			at := slices.IndexFunc(all, func(r match.Rules) bool { return r.Name == s.Rules.Name })
			s.Rules = all[widget.Cycle(max(0, at), by, len(all))].WithClock(s.Rules.Clock)
			return nil
		}},
		clock,
		s.paceSetting(l),
		toggleSetting(l, "", "Rated", "off: your next match is casual, without ratings", !c.Casual, func(s *account.Settings) *bool { return &s.Casual }),
		size,
		numberSetting("Ships", l.Text("%d to %d per side", match.MinShips, match.MaxShips), ships, match.MinShips, match.MaxShips,
			func(s *account.Settings, n int) error { return setCustomRules(s, r.Size, n, r) }),
		{name: "Ships may touch", value: l.Text(contactNames[r.Contact]), change: func(s *account.Settings, by int) error {
			like := r
			like.Contact = match.Contact(widget.Cycle(int(r.Contact), by, int(match.TouchAny)+1))
			return setCustomRules(s, r.Size, ships, like)
		}},
		{name: "Each turn", value: l.Text(turnKinds[turnKindIndex(r)].name), change: func(s *account.Settings, by int) error {
			kind := turnKinds[widget.Cycle(turnKindIndex(r), by, len(turnKinds))]
			like := r
			like.Moving, like.Salvo = kind.moving, kind.salvo
			return setCustomRules(s, r.Size, ships, like)
		}},
	}
}

// rulesSentences describes the presets.
var rulesSentences = map[string]i18n.Key{
	"classic": "Five ships, which may touch only at their corners.", "hasbro": "Five ships, which may lie side by side.", "naval": "Ten ships, one of which may move after each enemy shot.", "salvo": "Each turn, you fire one shot for every ship you have afloat.",
}

func rulesSentence(l i18n.Language, r match.Rules) string {
	if about, ok := rulesSentences[r.Name]; ok {
		return l.Text(about)
	}
	return narrate.RulesSummary(l, r)
}

// availableRules returns the available rule sets: the presets and the player's custom
// rules.
func availableRules(s *account.Settings) []match.Rules {
	var all []match.Rules
	for _, name := range match.PresetNames() {
		if r, err := match.Preset(name); err == nil {
			all = append(all, r)
		}
	}
	if s.Custom.Name != "" {
		all = append(all, s.Custom)
	}
	return all
}

// PresetForRating returns the preset whose ratings apply to rules r.
func PresetForRating(r match.Rules) string {
	if _, err := match.Preset(r.Name); err != nil {
		return match.Classic().Name
	}
	return r.Name
}

// clocks are the turn clocks to choose from.
var clocks = []time.Duration{
	0, account.MinClock, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, 45 * time.Second,
	time.Minute, 90 * time.Second, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, account.MaxClock,
}

// nextClock returns the clock after another one, or before it if by is negative.
func nextClock(now time.Duration, by int) time.Duration {
	if by > 0 {
		for _, c := range clocks {
			if c > now {
				return c
			}
		}
		return clocks[0]
	}
	for _, c := range slices.Backward(clocks) {
		if c < now {
			return c
		}
	}
	return clocks[len(clocks)-1]
}

// setCustomRules sets custom rules, or the identical preset if there is one. See [account.CustomRules].
func setCustomRules(s *account.Settings, size, ships int, like match.Rules) error {
	r, err := account.CustomRules(size, ships, like)
	if err != nil {
		return err
	}
	all := availableRules(s)
	i := slices.IndexFunc(all, r.IsEquivalent)
	if i >= 0 {
		r = all[i]
	}
	if r.Name == customName {
		s.Custom = r
	}
	s.Rules = r.WithClock(s.Rules.Clock)
	return nil
}

// customName is the name of rules that are not a preset.
const customName = "custom"

// turnKinds are the available kinds of turns.
var turnKinds = [...]struct {
	name          i18n.Key
	moving, salvo bool
}{{"one shot", false, false}, {"shot and move", true, false}, {"salvo", false, true}}

// turnKindIndex returns the index in turnKinds for rules r.
func turnKindIndex(r match.Rules) int {
	for i, kind := range turnKinds {
		if kind.moving == r.Moving && kind.salvo == r.Salvo {
			return i
		}
	}
	return 0
}

// contactNames say whether ships may touch.
var contactNames = [...]i18n.Key{match.TouchNone: "no", match.TouchCorners: "at corners", match.TouchAny: "yes"}
