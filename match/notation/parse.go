package notation

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/match"
	"broadside/match/audit"
)

// maxLine is the maximum length of a line in bytes. The longest game has 13,520 shots.
const maxLine = 256 << 10

// Parse reads a game from a line that [Game.Append] could have written, with any white space
// and quotes that Prolog permits. It plays the game again, and returns an error unless results,
// winner and reason follow from the fleets and shots. The events have the time 0, and the first
// side is ready first.
func Parse(line string) (Game, error) {
	if len(line) > maxLine {
		return Game{}, fmt.Errorf("the line is longer than the %d bytes that a game can have", maxLine)
	}
	if !utf8.ValidString(line) {
		return Game{}, errors.New("the line is not UTF-8")
	}
	t, err := readTerm(line)
	if err != nil {
		return Game{}, err
	}
	w, err := parseTerm(t)
	if err == nil {
		w.game.Events, err = w.replay()
	}
	if err != nil {
		return Game{}, err
	}
	return w.game, nil
}

// written is a game as stated by a line.
type written struct {
	game   Game // without events
	fleets [2]fleet
	shots  string
	steps  []step
	winner match.Side
	reason match.Reason
}

// parser decodes terms and keeps the first error.
type parser struct{ err error }

// parseTerm decodes the term of a game.
func parseTerm(t term) (w written, err error) {
	if t.kind != compound || t.name != "game" || len(t.args) != 11 {
		return w, errors.New("the line is not a term game with 11 arguments")
	}
	var p parser
	a := t.args
	names, fleets := p.list(a[5], "names", 2), p.list(a[6], "fleets", 2)
	w.game = Game{ID: p.text(a[0]), Started: p.date(a[1]), Rules: p.rules(a[2], a[3]), Rated: p.rated(a[4])}
	for side := range 2 {
		w.game.Names[side] = p.text(names[side])
		w.fleets[side] = p.fleet(fleets[side], w.game.Rules)
	}
	w.shots, w.winner, w.reason = p.text(a[7]), p.side(a[9]), p.reason(a[10])
	for _, s := range p.list(a[8], "steps", -1) {
		w.steps = append(w.steps, p.step(s))
	}
	return w, p.err
}

// fail keeps the first error.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// text decodes an atom.
func (p *parser) text(t term) string {
	if t.kind != atom {
		p.fail("%.20q is not an atom", t.name)
	}
	return t.name
}

// list decodes a list of n terms, or of any number if n is negative. It returns n terms after
// an error, too.
func (p *parser) list(t term, what string, n int) []term {
	if t.kind != list || n >= 0 && len(t.args) != n {
		p.fail("the %s are not in a list, or not complete", what)
		return make([]term, max(0, n))
	}
	return t.args
}

func (p *parser) date(t term) time.Time {
	s := p.text(t)
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		p.fail("%.30q is not a time such as 2026-05-04T18:30:00Z", s)
	}
	return at.UTC().Truncate(time.Second)
}

func (p *parser) rated(t term) bool {
	s := p.text(t)
	if s != "rated" && s != "casual" {
		p.fail("%.20q is neither rated nor casual", s)
	}
	return s == "rated"
}

// integer decodes a number from 0 to most.
func (p *parser) integer(t term, most int) int {
	n, err := strconv.Atoi(t.name)
	if t.kind != numeral || err != nil || n > most {
		p.fail("%.20q is not a number from 0 to %d", t.name, most)
		return 0
	}
	return n
}

// side decodes a side; 0 is nobody.
func (p *parser) side(t term) match.Side { return match.Side((p.integer(t, 2) + 2) % 3) }

func (p *parser) reason(t term) match.Reason {
	r, ok := match.ParseReason(strings.ReplaceAll(p.text(t), "_", "-"))
	if !ok {
		p.fail("unknown reason %.20q", t.name)
	}
	return r
}

// rules decodes rules and their clock.
func (p *parser) rules(t, clock term) (r match.Rules) {
	if t.kind == atom {
		var err error
		if r, err = match.Preset(t.name); err != nil || r.Name != t.name {
			p.fail("unknown rules %.20q", t.name)
		}
	} else {
		r = p.customRules(t)
	}
	seconds, err := strconv.ParseFloat(clock.name, 64)
	if clock.kind != numeral || err != nil || seconds > time.Duration(math.MaxInt64).Seconds()/2 {
		p.fail("%.20q is not a number of seconds", clock.name)
		return r
	}
	r.Clock = time.Duration(math.Round(seconds * float64(time.Second)))
	return r
}

func (p *parser) customRules(t term) (r match.Rules) {
	if t.kind != compound || t.name != "rules" || len(t.args) != 5 {
		p.fail("%.20q are not rules", t.name)
		return r
	}
	r.Name, r.Size = p.text(t.args[0]), p.integer(t.args[1], match.MaxSize)
	if err := r.Contact.UnmarshalText([]byte(p.text(t.args[2]))); err != nil {
		p.fail("%w", err)
	}
	switch s := p.text(t.args[3]); s {
	case "moving":
		r.Moving = true
	case "salvo":
		r.Salvo = true
	case "single":
	default:
		p.fail("%.20q is not a kind of turns", s)
	}
	for _, c := range p.list(t.args[4], "ships", -1) {
		if c.kind != compound || c.name != "ship" || len(c.args) != 2 || len(r.Fleet) == match.MaxShips {
			p.fail("%.20q is not a ship, or there are too many", c.name)
			break
		}
		r.Fleet = append(r.Fleet, match.Class{Name: p.text(c.args[0]), Length: p.integer(c.args[1], match.MaxSize)})
	}
	return r
}

// fleet decodes a fleet.
func (p *parser) fleet(t term, r match.Rules) (f fleet) {
	switch {
	case t.kind == list:
		f.kind, f.layout = match.FleetPlaced, p.layout(t, r)
	case t.kind == atom && t.name == "kept":
		f.kind = match.FleetKept
	case t.kind != atom || t.name != "none":
		p.fail("%.20q is not a fleet", t.name)
	}
	return f
}

// layout decodes the ships of a fleet.
func (p *parser) layout(t term, r match.Rules) match.Layout {
	l := make(match.Layout, 0, len(r.Fleet))
	for i, s := range p.list(t, "ships of a fleet", len(r.Fleet)) {
		var ship match.Ship
		if err := ship.UnmarshalText(fmt.Appendf(nil, "%s%d", strings.ToUpper(p.text(s)), r.Fleet[i].Length)); err != nil {
			p.fail("%w", err)
		}
		l = append(l, ship)
	}
	return l
}

// step decodes a step.
func (p *parser) step(t term) (s step) {
	s.name = t.name
	switch {
	case t.kind == compound && len(t.args) == 1 && t.name == void:
		s.reason = p.reason(t.args[0])
	case t.kind == compound && len(t.args) == 2 && (t.name == abort || t.name == forfeit):
		s.side, s.reason = p.side(t.args[0]), p.reason(t.args[1])
	default:
		p.fail("%.20q is not a step of a game", t.name)
	}
	return s
}

// replay plays the game again and returns its events, or an error if they are not those that
// the line states.
func (w *written) replay() (_ []match.Event, err error) {
	if err := w.game.Rules.Validate(); err != nil {
		return nil, fmt.Errorf("the rules: %w", err)
	}
	shots, err := parseShots(w.shots)
	if err != nil {
		return nil, err
	}
	kept := func(f fleet) bool { return f.kind != match.FleetPlaced && f.kind != 0 }
	for _, mode := range []audit.Mode{audit.Flag, audit.Forfeit, audit.Off} { // not part of the line
		p := player{written: w, game: match.NewGame(w.game.Rules, mode)}
		if err = p.play(shots); err == nil {
			err = w.check(p.game)
		}
		if err == nil || !slices.ContainsFunc(w.fleets[:], kept) {
			return p.game.Events(), err
		}
	}
	return nil, err
}

// check compares a game with the statements of the line.
func (w *written) check(g *match.Game) error {
	v := g.View(match.Nobody)
	switch {
	case v.Phase != match.Over:
		return ErrUnfinished
	case v.Winner != w.winner || v.Reason != w.reason:
		return fmt.Errorf("the game ends with %d,%s, not %d,%s", number(v.Winner), word(v.Reason.String()), number(w.winner), word(w.reason.String()))
	}
	if got := string(appendShots(nil, g.Events())); got != w.shots {
		n := 0
		for n < min(len(got), len(w.shots)) && got[n] == w.shots[n] {
			n++
		}
		return fmt.Errorf("the results do not follow from the fleets: the shots go on with %.8q, not %.8q", got[n:], w.shots[n:])
	}
	return nil
}
