package relay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/match/layoutfile"
)

// request describes the client and the games it wants.
type request struct {
	player  account.Player // the client; without an account unless it has sent a token
	rules   match.Rules
	choice  lobby.Stakes // rated or casual
	games   int          // length of the series; 0: see length
	vs      versus       // the opponent
	uniform bool         // the server draws the fleet and holds it
	layout  match.Layout // the fleet for the server to hold; nil if there is none
	returns bool         // the client takes its seat again after a lost connection
	resumed *resumed     // the match that the client has returned to and plays first; or nil
}

// versus is the opponent that a client wants. At most one of the first five fields is set. If none is,
// the client plays anyone.
type versus struct {
	bot    string // the name of a built-in bot
	room   string // the code of a private match
	player string // the name of a person or a program
	cup    string // the code of a cup, which chooses the opponents
	ladder bool   // the ladder chooses the opponents
	casual bool   // the private match or the cup is casual
}

// chosen reports whether the server chooses the opponents, one after another.
func (v versus) chosen() bool { return v.cup != "" || v.ladder }

// length returns the length of the series: by default one game, or as many as possible in
// a cup or on the ladder.
func (w *request) length() int {
	if w.games == 0 && w.vs.chosen() {
		return maxGames
	}
	return max(1, w.games)
}

// fixed reports whether the client's fleet is fixed before the first shot.
func (w *request) fixed() bool {
	return w.uniform || w.layout != nil
}

// ready says that the client is ready: before its first game, that it has sent all its
// directives; later, that it has read the end of the last game.
func (d *directives) ready([]string) (string, bool) { return "ok ready", true }

// maxGames is the maximum length of a series.
const maxGames = 1_000_000

// games sets the length of the series.
func (d *directives) games(args []string) (string, bool) {
	n := 0
	if len(args) == 1 {
		n, _ = strconv.Atoi(args[0]) // 0 if it is not a number, which is refused too
	}
	if n < 1 || n > maxGames {
		return fmt.Sprintf("error games say how many games the series has, from 1 to %d", maxGames), false
	}
	return d.set(fmt.Sprintf("games %d", n), func(w *request) { w.games = n }), false
}

// rules sets the rules to play.
func (d *directives) rules(args []string) (string, bool) {
	if d.request.vs.ownRules() {
		return "error rules the rules are those of the private match or cup", false
	}
	if len(args) != 1 {
		return "error rules name one, such as rules classic", false
	}
	rules, err := match.Preset(args[0])
	if err != nil {
		return "error rules " + err.Error(), false
	}
	if why := d.mismatch(rules); why != "" {
		return "error rules " + why, false
	}
	return d.set("rules", func(w *request) { w.rules = rules }), false
}

// mismatch returns why the client's layout is not legal under r, or empty if it is legal or
// there is none.
func (d *directives) mismatch(r match.Rules) string {
	if d.request.layout == nil {
		return ""
	}
	if err := r.Check(d.request.layout); err != nil {
		return "the layout that you sent before does not fit these rules: send layout after them"
	}
	return ""
}

// layout sets the fleet that the server holds for the client.
func (d *directives) layout(args []string) (string, bool) {
	if len(args) == 0 {
		return "error layout say layout uniform, or layout and the ships with ; between them", false
	}
	if len(args) == 1 && args[0] == "uniform" {
		return d.set("layout", func(w *request) { w.uniform, w.layout = true, nil }), false
	}
	l, err := parseLayout(d.request.rules, args)
	if err != nil {
		return "error layout " + err.Error(), false
	}
	return d.set("layout", func(w *request) { w.uniform, w.layout = false, l }), false
}

// parseLayout parses one fleet in the format of layout files, with ; instead of line
// endings.
func parseLayout(r match.Rules, args []string) (match.Layout, error) {
	all, err := layoutfile.Parse(r, strings.ReplaceAll(strings.Join(args, " "), ";", "\n"))
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, errors.New("it has the fleets of two players: send one")
	}
	return all[0], nil
}

func (d *directives) rated(args []string) (string, bool) { return d.choose(lobby.Rated, args), false }
func (d *directives) casual(args []string) (string, bool) {
	return d.choose(lobby.Casual, args), false
}

// choose sets the client's stakes. In a private match they are the owner's choice.
func (d *directives) choose(s lobby.Stakes, args []string) string {
	if len(args) > 0 {
		return fmt.Sprintf("error %v takes nothing", s)
	}
	return d.set(s.String(), func(w *request) { w.choice = s })
}

// versus sets the opponent that the client wants.
func (d *directives) versus(args []string) (string, bool) {
	ctx, cancel := d.lookup()
	defer cancel()
	resumed := d.request.resumed != nil // the private match, or the player, is no longer waiting
	answer := ""
	switch {
	case len(args) == 1 && args[0] == "any":
		answer = d.set("vs any", func(w *request) { w.vs = versus{} })
	case len(args) == 2 && args[0] == "bot":
		if _, err := bots.New(args[1], bots.Config{Rules: d.request.rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return "error vs " + err.Error(), false
		}
		answer = d.set("vs bot "+args[1], func(w *request) { w.vs = versus{bot: args[1]} })
	case len(args) == 2 && args[0] == "room" && resumed:
		answer = d.set("vs room "+args[1], func(w *request) { w.vs = versus{room: args[1]} })
	case len(args) == 2 && args[0] == "room":
		room, err := d.session.FindPrivate(args[1])
		if err != nil {
			return "error vs " + err.Error(), false
		}
		answer = d.meet("vs room "+room.Code, versus{room: room.Code}, room.Rules, room.Stakes)
	case len(args) == 2 && args[0] == "cup":
		found, err := d.session.Tournament(ctx, args[1])
		switch {
		case err != nil:
			return "error vs " + err.Error(), false
		case found.Phase == tournament.Over:
			return "error over " + tournament.ErrOver.Error(), false
		}
		answer = d.meet("vs cup "+found.Code, versus{cup: found.Code}, found.Rules, found.Stakes)
	case len(args) == 2 && args[0] == "player":
		if err := d.session.CanPlayNamed(ctx, args[1]); err != nil && !resumed {
			return "error vs " + err.Error(), false
		}
		answer = d.set("vs player "+args[1], func(w *request) { w.vs = versus{player: args[1]} })
	default:
		return "error vs say vs any, vs bot NAME, vs player NAME, vs room CODE or vs cup CODE", false
	}
	return answer, strings.HasPrefix(answer, "ok")
}

// ladder lets the ladder choose the opponents.
func (d *directives) ladder(args []string) (string, bool) {
	if len(args) > 0 {
		return "error ladder takes nothing", false
	}
	answer := d.set("ladder", func(w *request) { w.vs = versus{ladder: true} })
	return answer, strings.HasPrefix(answer, "ok")
}

// ownRules reports whether the opponent determines the rules.
func (v versus) ownRules() bool { return v.room != "" || v.cup != "" }

// meet sets an opponent that determines the rules and stakes.
func (d *directives) meet(said string, vs versus, r match.Rules, at lobby.Stakes) string {
	if r.Salvo && !d.request.rules.Salvo { // the client would not understand salvos
		return "error vs its rules are " + r.Name + ", where a turn has several shots: send rules salvo before"
	}
	if why := d.mismatch(r); why != "" {
		return "error vs " + why
	}
	vs.casual = !at.Rated()
	return d.set(said+" rules="+r.Name+" "+string(at.Word()), func(w *request) { w.vs, w.rules = vs, r })
}
