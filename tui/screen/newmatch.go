package screen

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/widget"
)

// newMatch is the sheet where the player chooses an opponent, the rules and the next match's clock.
type newMatch struct {
	settingsSheet
	// opponent is an index in the list of opponents.
	opponent int
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
		{name: "Clock", value: narrate.ClockSetting(l, r.Clock), about: l.Text("the time for each turn"), change: func(s *account.Settings, by int) error {
			s.Rules = s.Rules.WithClock(nextClock(s.Rules.Clock, by))
			return nil
		}},
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
