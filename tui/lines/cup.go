package lines

import (
	"context"
	"strings"

	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/text"
)

// cup lists the player's cups, or describes or changes the cup with a code.
func (f *finder) cup(args string) {
	words := strings.Fields(args)
	if len(words) == 0 {
		f.listCups()
		return
	}
	verb := ""
	if len(words) > 1 {
		verb = strings.ToLower(words[1])
	}
	var read func(ctx context.Context) (*tournament.Tournament, error)
	switch how := session.TournamentChange(verb); how {
	case "", "table":
		read = func(ctx context.Context) (*tournament.Tournament, error) { return f.own.Tournament(ctx, words[0]) }
	case session.JoinTournament, session.LeaveTournament, session.StartTournament, session.PauseTournament,
		session.EndTournament:
		read = func(ctx context.Context) (*tournament.Tournament, error) {
			return f.own.ChangeTournament(ctx, words[0], how, strings.Join(words[2:], " "))
		}
	default:
		f.print("After the code, type join, leave, start, pause, end or table.")
		return
	}
	c, err := ask(f.player, read)
	if err != nil {
		f.fail(err)
		return
	}
	f.describeCup(c, verb == "table")
}

func (f *finder) listCups() {
	all := f.own.Tournaments()
	if len(all) == 0 {
		f.print("You aren't in a tournament yet. To join one, type: cup CODE join.")
	}
	for _, c := range all {
		f.print("%s, %s: %s.", text.TournamentName(c), c.Code, text.TournamentSummary(f.l, c))
	}
}

// describeCup describes the state of a cup, or its table.
func (f *finder) describeCup(c *tournament.Tournament, table bool) {
	f.print("%s, %s: %s.", text.TournamentName(c), c.Code, text.TournamentSummary(f.l, c))
	if next := text.NextOpponent(f.l, c, f.state.Me.ID); next != "" {
		f.add(next)
	}
	if table || c.Phase == tournament.Over {
		for _, row := range text.TournamentTable(f.l, c) {
			f.print("Place %s: %s, points: %s.", row[0], row[1], row[2])
		}
		return
	}
	for _, row := range text.TournamentRound(f.l, c, c.Round) {
		f.add(row[0] + ": " + row[1] + ".")
	}
}
