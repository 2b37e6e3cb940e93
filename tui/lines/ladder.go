package lines

import (
	"context"

	"broadside/internal/narrate"
	"broadside/lobby/ladder"
	"broadside/match"
)

// firstPlaces is how many players of the ladder are listed.
const firstPlaces = 10

// ladder lists the best players on the ladder of programs, or describes one player.
func (f *finder) ladder(name string) {
	if name != "" {
		f.describeRung(name)
		return
	}
	l, err := ask(f.player, func(ctx context.Context) (ladder.Report, error) { return f.own.Ladder(ctx, f.chosen.Rules.Name) })
	switch {
	case err != nil:
		f.fail(err)
	case len(l.Players) == 0:
		f.print("No match has been played on the ladder in %s yet.", f.chosen.Rules.Name)
	}
	for _, p := range l.Players[:min(len(l.Players), firstPlaces)] {
		f.print("%d. %s, rated %s, matches: %d, won: %d.", p.Place, narrate.BotName(f.l, clean(p.Name)), p.RatingText(), p.Games, p.Won)
	}
}

// describeRung describes one player on the ladder.
func (f *finder) describeRung(name string) {
	p, ok := f.rung(name)
	if !ok {
		return
	}
	f.print("%s is number %d on the ladder in %s, rated %s.", narrate.BotName(f.l, clean(p.Name)), p.Place, p.Rules, p.RatingText())
	f.print("Matches: %d, won: %d, lost: %d.", p.Games, p.Won, p.Lost)
}

// rung returns a player's page on the ladder. If there is none, it says so.
func (f *finder) rung(name string) (ladder.Page, bool) {
	p, err := ask(f.player, func(ctx context.Context) (ladder.Page, error) {
		return f.own.LadderPage(ctx, f.chosen.Rules.Name, narrate.FindBot(f.l, name))
	})
	if err != nil {
		f.fail(err)
	}
	return p, err == nil
}

// request requests a match against a program on the ladder.
func (f *finder) request(name string) {
	if name == "" {
		f.print("Add a name.")
		return
	}
	p, ok := f.rung(name)
	r, err := match.Preset(f.chosen.Rules.Name)
	switch {
	case !ok || err != nil || !f.requireNoMatch():
	case p.Kind == "bot":
		f.playBot(p.Name)
	case !p.Online:
		f.print("%s is offline.", clean(p.Name))
	default:
		f.seek(f.own.PlayNamed(p.Name, r, f.chosen.Stakes()))
	}
}
