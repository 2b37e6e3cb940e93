package relay

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/lobby"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/relay/program"
)

// request describes the games that a client wants.
type request struct {
	rules     match.Rules
	stakes    lobby.Stakes   // rated or casual
	games     int            // length of the series; 0: see length
	opponent  opponentChoice // the opponent
	uniform   bool           // the server draws the fleet and holds it
	layout    match.Layout   // the fleet for the server to hold; nil if there is none
	canResume bool           // the client takes its seat again after a lost connection
	resumed   *resumedMatch  // the match that the client has returned to and plays first; or nil
}

// opponentChoice is the opponent that a client wants. At most one of the first five fields is set. If none is,
// the client plays anyone.
type opponentChoice struct {
	bot        string // the name of a built-in bot
	room       string // the code of a private match
	player     string // the name of a person or a program
	tournament string // the code of a cup, which chooses the opponents
	ladder     bool   // the ladder chooses the opponents
	casual     bool   // the private match or the cup is casual
}

// isServerChosen reports whether the server chooses the opponents, one after another.
func (v opponentChoice) isServerChosen() bool { return v.tournament != "" || v.ladder }

// seriesLength returns the length of the series: by default one game, or as many as possible in
// a cup or on the ladder.
func (w *request) seriesLength() int {
	if w.games == 0 && w.opponent.isServerChosen() {
		return maxGames
	}
	return max(1, w.games)
}

// hasFixedFleet reports whether the client's fleet is fixed before the first shot.
func (w *request) hasFixedFleet() bool {
	return w.uniform || w.layout != nil
}

// maxGames is the maximum length of a series.
const maxGames = 1_000_000

// setSeriesLength sets the length of the series.
func (c *conn) setSeriesLength(args []string) string {
	n := 0
	if len(args) == 1 {
		n, _ = strconv.Atoi(args[0]) // 0 if it is not a number, which is refused too
	}
	if n < 1 || n > maxGames {
		return fmt.Sprintf("error games say how many games the series has, from 1 to %d", maxGames)
	}
	c.request.games = n
	return fmt.Sprintf("ok games %d", n)
}

// setRules sets the rules to play.
func (c *conn) setRules(args []string) string {
	if c.request.opponent.hasOwnRules() {
		return "error rules the rules are those of the private match or cup"
	}
	if len(args) != 1 {
		return "error rules name one, such as rules classic"
	}
	rules, err := match.Preset(args[0])
	if err != nil {
		return "error rules " + err.Error()
	}
	why := c.request.layoutProblem(rules)
	if why != "" {
		return "error rules " + why
	}
	c.request.rules = rules
	return "ok rules"
}

// layoutProblem returns why the client's layout is not legal under r, or empty if it is legal or
// there is none.
func (w *request) layoutProblem(r match.Rules) string {
	if w.layout == nil {
		return ""
	}
	if err := r.Check(w.layout); err != nil {
		return "the layout that you sent before does not fit these rules: send layout after them"
	}
	return ""
}

// setLayout sets the fleet that the server holds for the client.
func (c *conn) setLayout(args []string) string {
	if len(args) == 0 {
		return "error layout say layout uniform, or layout and the ships with ; between them"
	}
	if len(args) == 1 && args[0] == "uniform" {
		c.request.uniform, c.request.layout = true, nil
		return "ok layout"
	}
	l, err := program.ParseLayout(c.request.rules, strings.Join(args, " "))
	if err != nil {
		return "error layout " + err.Error()
	}
	c.request.uniform, c.request.layout = false, l
	return "ok layout"
}

func (c *conn) chooseRated(args []string) string  { return c.request.setStakes(lobby.Rated, args) }
func (c *conn) chooseCasual(args []string) string { return c.request.setStakes(lobby.Casual, args) }

// setStakes sets the client's stakes. In a private match they are the owner's choice.
func (w *request) setStakes(s lobby.Stakes, args []string) string {
	if len(args) > 0 {
		return fmt.Sprintf("error %v takes nothing", s)
	}
	w.stakes = s
	return "ok " + s.String()
}

// setOpponent sets the opponent that the client wants.
func (c *conn) setOpponent(args []string) string {
	ctx, cancel := c.lookupContext()
	defer cancel()
	kind, name := strings.Join(args, " "), ""
	if len(args) == 2 {
		kind, name = args[0], args[1]
	}
	resumed := c.request.resumed != nil // the private match, or the player, is no longer waiting
	vs := opponentChoice{}
	switch {
	case kind == "any" && name == "":
	case kind == "bot" && name != "":
		if _, err := bots.New(name, bots.Config{Rules: c.request.rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return "error vs " + err.Error()
		}
		vs.bot = name
	case kind == "room" && name != "" && resumed:
		vs.room = name
	case kind == "room" && name != "":
		room, err := c.session.FindPrivateMatch(name)
		if err != nil {
			return "error vs " + err.Error()
		}
		return c.request.acceptOpponent("vs room "+room.Code, opponentChoice{room: room.Code}, room.Rules, room.Stakes)
	case kind == "cup" && name != "":
		found, err := c.session.FindTournament(ctx, name)
		switch {
		case err != nil:
			return "error vs " + err.Error()
		case found.Phase == tournament.Over:
			return "error over " + tournament.ErrOver.Error()
		}
		return c.request.acceptOpponent("vs cup "+found.Code, opponentChoice{tournament: found.Code}, found.Rules, found.Stakes)
	case kind == "player" && name != "":
		if err := c.session.CheckOpponent(ctx, name); err != nil && !resumed {
			return "error vs " + err.Error()
		}
		vs.player = name
	default:
		return "error vs say vs any, vs bot NAME, vs player NAME, vs room CODE or vs cup CODE"
	}
	c.request.opponent = vs
	return "ok vs " + strings.Join(args, " ")
}

// joinLadder lets the ladder choose the opponents.
func (c *conn) joinLadder(args []string) string {
	if len(args) > 0 {
		return "error ladder takes nothing"
	}
	c.request.opponent = opponentChoice{ladder: true}
	return "ok ladder"
}

// hasOwnRules reports whether the opponent determines the rules.
func (v opponentChoice) hasOwnRules() bool { return v.room != "" || v.tournament != "" }

// acceptOpponent sets an opponent that determines the rules and stakes.
func (w *request) acceptOpponent(said string, vs opponentChoice, r match.Rules, at lobby.Stakes) string {
	if r.Salvo && !w.rules.Salvo { // the client would not understand salvos
		return "error vs its rules are " + r.Name + ", where a turn has several shots: send rules salvo before"
	}
	why := w.layoutProblem(r)
	if why != "" {
		return "error vs " + why
	}
	vs.casual = !at.Rated()
	w.opponent, w.rules = vs, r
	return "ok " + said + " rules=" + r.Name + " " + string(at.Word())
}
