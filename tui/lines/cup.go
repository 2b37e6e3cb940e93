package lines

import (
	"strings"

	"broadside/internal/session"
	"broadside/lobby/cup"
	"broadside/tui/cups"
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
	switch how := session.CupChange(verb); how {
	case "", "table":
		f.describeCup(session.GetCup{Code: words[0]}, verb == "table")
	case session.JoinCup, session.LeaveCup, session.StartCup, session.PauseCup, session.EndCup:
		f.describeCup(session.ChangeCup{Code: words[0], Change: how, Entrant: strings.Join(words[2:], " ")}, false)
	default:
		f.print("after-the-code-say-join")
	}
}

func (f *finder) listCups() {
	all, err := ask(f.player, session.Cups{})
	switch {
	case err != nil:
		f.fail(err)
	case len(all) == 0:
		f.print("you-are-in-no-cup-say")
	}
	for _, c := range all {
		f.print("cup-x-x-x", cups.Name(c), c.Code, cups.Summary(f.l, c))
	}
}

// describeCup describes the state of a cup, or its table.
func (f *finder) describeCup(q session.Query[*cup.Cup], table bool) {
	c, err := ask(f.player, q)
	if err != nil {
		f.fail(err)
		return
	}
	f.print("cup-x-x-x", cups.Name(c), c.Code, cups.Summary(f.l, c))
	if next := cups.Next(f.l, c, f.state.Me.ID); next != "" {
		f.add(next)
	}
	if table || c.Phase == cup.Over {
		for _, row := range cups.Table(f.l, c) {
			f.print("place-x-x-with-x-points", row[0], row[1], row[2])
		}
		return
	}
	for _, row := range cups.Round(f.l, c, c.Round) {
		f.add(row[0] + ": " + row[1] + ".")
	}
}
