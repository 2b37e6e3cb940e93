package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/notation"
)

// Check replays the record's match. It returns an error unless the results, the winner and the reason
// follow from the fleets and shots, see [notation.Parse].
func (r *Record) Check() error {
	g, err := r.game()
	if err != nil {
		return err
	}
	line, err := g.Append(nil)
	if err != nil {
		return err
	}
	if g, err = notation.Parse(string(line)); err != nil {
		return err
	}
	end := g.Events[len(g.Events)-1]
	winner := match.Nobody
	if r.Winner != nil {
		winner = match.Side(*r.Winner)
	}
	if end.Side != winner || end.Reason.String() != r.Reason {
		return errors.New("the winner and the reason are not those of the last event")
	}
	return nil
}

// game returns the record's match.
func (r *Record) game() (g notation.Game, err error) {
	if r.Version != Version || len(r.Events) == 0 {
		return g, fmt.Errorf("not a record of a match in version %d", Version)
	}
	if r.Rules.Clock < 0 || r.Rules.Clock > math.MaxInt32 {
		return g, errors.New("the clock is out of range")
	}
	g = notation.Game{
		ID: r.ID, Started: r.Started, Rated: r.Rated, Names: [2]string{r.Players[0].Name, r.Players[1].Name},
		Rules: match.Rules{
			Name: r.Rules.Name, Size: r.Rules.Size, Fleet: r.Rules.Fleet, Contact: r.Rules.Contact,
			Moving: r.Rules.Moving, Salvo: r.Rules.Salvo, Clock: time.Duration(r.Rules.Clock * float64(time.Second)),
		},
	}
	if err := g.Rules.Validate(); err != nil {
		return g, fmt.Errorf("the rules: %w", err)
	}
	events := make([]map[string]any, len(r.Events))
	for i := range r.Events {
		e, err := r.event(g.Rules, &r.Events[i])
		if err != nil {
			return g, fmt.Errorf("event %d: %w", i+1, err)
		}
		events[i] = e
	}
	encoded, err := json.Marshal(map[string]any{"version": 1, "rules": match.FullRules(g.Rules), "events": events})
	if err == nil {
		_, g.Events, err = match.DecodeEvents(encoded)
	}
	return g, err
}

// event returns the fields of an event for [match.DecodeEvents]. It takes fleets from the record, because x
// has none.
func (r *Record) event(rules match.Rules, x *Event) (fields map[string]any, err error) {
	fields = map[string]any{"event": x.Event, "ms": x.At, "cell": x.Cell, "auto": x.Auto, "reason": x.Reason}
	if x.Result != "" {
		for result, name := range results {
			if name == x.Result {
				fields["result"] = result
			}
		}
		if fields["result"] == nil {
			return nil, fmt.Errorf("unknown result %q", x.Result)
		}
	}
	if x.Player != nil {
		if *x.Player < 0 || *x.Player > 1 {
			return nil, fmt.Errorf("player %d: a player is 0 or 1", *x.Player)
		}
		fields["side"] = *x.Player
		p := &r.Players[*x.Player]
		if x.Event == kinds[match.FleetPlaced] {
			if fields["layout"], err = p.layout(rules); err != nil {
				return nil, err
			}
		}
	}
	if x.Event == kinds[match.FleetMoved] {
		move, err := x.move()
		if err != nil {
			return nil, err
		}
		fields["move"] = move.String()
	}
	return fields, nil
}

// layout returns the player's layout.
func (p *Player) layout(rules match.Rules) (match.Layout, error) {
	if len(p.Layout) != len(rules.Fleet) {
		return nil, fmt.Errorf("the layout of %s is not complete", p.Name)
	}
	l := make(match.Layout, len(rules.Fleet))
	for i, s := range p.Layout {
		if s.Class != rules.Fleet[i].Name {
			return nil, fmt.Errorf("the layout of %s has a %.20q in place of the %s", p.Name, s.Class, rules.Fleet[i].Name)
		}
		at, ship, err := layoutfile.ParseShip(rules, l, fmt.Sprintf("%d %s %s", rules.Fleet[i].Length, s.From, s.To))
		if err != nil {
			return nil, fmt.Errorf("the layout of %s: %w", p.Name, err)
		}
		l[at] = ship
	}
	return l, nil
}

// move returns the event's move.
func (x *Event) move() (match.Move, error) {
	if x.Move == "stay" {
		return match.Stay, nil
	}
	for m := range match.Manoeuvre(match.Manoeuvres) {
		if x.Ship != nil && *x.Ship >= 0 && *x.Ship < match.MaxShips && m.String() == x.Move {
			return match.MoveOf(*x.Ship, m), nil
		}
	}
	return 0, fmt.Errorf("unknown move %q", x.Move)
}
