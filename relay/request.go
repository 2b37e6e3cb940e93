package relay

import (
	"context"
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
	rules      match.Rules
	ratingMode lobby.RatingMode
	games      int // 0 means the default, see seriesLength
	opponent   opponentChoice
	uniform    bool          // the server draws the fleet and holds it
	layout     match.Layout  // the fleet for the server to hold, or nil
	canResume  bool          // the client takes its seat again after a lost connection
	resumed    *resumedMatch // the match that the client has returned to and plays first, or nil
}

// opponentChoice is the opponent that a client wants. At most one of the first five fields is set. If
// none is, the client plays anyone.
type opponentChoice struct {
	bot        string
	player     string
	room       string // the code of a private match
	tournament string // the code of a tournament, which chooses the opponents
	ladder     bool   // the ladder chooses the opponents
	casual     bool   // the private match or the tournament is casual
}

// isServerChosen reports whether the server chooses the opponents, one after another.
func (o opponentChoice) isServerChosen() bool { return o.tournament != "" || o.ladder }

// hasOwnRules reports whether the opponent determines the rules.
func (o opponentChoice) hasOwnRules() bool { return o.room != "" || o.tournament != "" }

// seriesLength returns the number of games to play. The default is one game, or as many as possible
// in a tournament or on the ladder.
func (r *request) seriesLength() int {
	if r.games == 0 && r.opponent.isServerChosen() {
		return maxGames
	}
	return max(1, r.games)
}

// hasFixedFleet reports whether the client's fleet is fixed before the first shot.
func (r *request) hasFixedFleet() bool {
	return r.uniform || r.layout != nil
}

// maxGames is the maximum length of a series.
const maxGames = 1_000_000

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

func (c *conn) setRules(args []string) string {
	if c.request.opponent.hasOwnRules() {
		return "error rules the rules are those of the private match or tournament"
	}
	if len(args) != 1 {
		return "error rules name one, such as rules classic"
	}
	rules, err := match.Preset(args[0])
	if err != nil {
		return "error rules " + err.Error()
	}
	if problem := c.request.layoutProblem(rules); problem != "" {
		return "error rules " + problem
	}
	c.request.rules = rules
	return "ok rules"
}

// layoutProblem returns why the client's layout is not legal under rules, or empty if it is legal or
// there is none.
func (r *request) layoutProblem(rules match.Rules) string {
	if r.layout == nil {
		return ""
	}
	if err := rules.CheckLayout(r.layout); err != nil {
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

func (c *conn) chooseRated(args []string) string  { return c.request.setRatingMode(lobby.Rated, args) }
func (c *conn) chooseCasual(args []string) string { return c.request.setRatingMode(lobby.Casual, args) }

// setRatingMode sets the client's rating mode. In a private match, the owner's choice counts instead.
func (r *request) setRatingMode(s lobby.RatingMode, args []string) string {
	if len(args) > 0 {
		return fmt.Sprintf("error %v takes nothing", s)
	}
	r.ratingMode = s
	return "ok " + s.String()
}

// setOpponent carries out the directive vs.
func (c *conn) setOpponent(args []string) string {
	ctx, cancel := c.lookupContext()
	defer cancel()
	if len(args) == 1 && args[0] == "any" {
		c.request.opponent = opponentChoice{}
		return "ok vs any"
	}
	if len(args) == 2 {
		switch kind, name := args[0], args[1]; kind {
		case "bot":
			return c.chooseBot(name)
		case "player":
			return c.choosePlayer(ctx, name)
		case "room":
			return c.chooseRoom(name)
		case "tournament", "cup": // the former name
			return c.chooseTournament(ctx, kind, name)
		}
	}
	return "error vs say vs any, vs bot NAME, vs player NAME, vs room CODE or vs tournament CODE"
}

func (c *conn) chooseBot(name string) string {
	if _, err := bots.New(name, bots.Config{Rules: c.request.rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
		return "error vs " + err.Error()
	}
	c.request.opponent = opponentChoice{bot: name}
	return "ok vs bot " + name
}

func (c *conn) choosePlayer(ctx context.Context, name string) string {
	// The player that a client returns to is no longer waiting.
	if err := c.session.CheckOpponent(ctx, name); err != nil && c.request.resumed == nil {
		return "error vs " + err.Error()
	}
	c.request.opponent = opponentChoice{player: name}
	return "ok vs player " + name
}

// chooseRoom sets the private match to play in.
func (c *conn) chooseRoom(code string) string {
	if c.request.resumed != nil { // the private match is no longer waiting
		c.request.opponent = opponentChoice{room: code}
		return "ok vs room " + code
	}
	room, err := c.session.FindPrivateMatch(code)
	if err != nil {
		return "error vs " + err.Error()
	}
	return c.request.acceptOpponent("room "+room.Code, opponentChoice{room: room.Code}, room.Rules, room.RatingMode)
}

// chooseTournament sets the tournament to play in. kind is the client's word for it.
func (c *conn) chooseTournament(ctx context.Context, kind, code string) string {
	found, err := c.session.FindTournament(ctx, code)
	if err != nil {
		return "error vs " + err.Error()
	}
	if found.Phase == tournament.Over {
		return "error over " + tournament.ErrOver.Error()
	}
	return c.request.acceptOpponent(kind+" "+found.Code, opponentChoice{tournament: found.Code}, found.Rules, found.RatingMode)
}

// joinLadder lets the ladder choose the opponents.
func (c *conn) joinLadder(args []string) string {
	if len(args) > 0 {
		return "error ladder takes nothing"
	}
	c.request.opponent = opponentChoice{ladder: true}
	return "ok ladder"
}

// acceptOpponent sets an opponent that determines the rules and rating mode, unless the client cannot play
// by these rules. name is the opponent as in the directive vs.
func (r *request) acceptOpponent(name string, opponent opponentChoice, rules match.Rules, ratingMode lobby.RatingMode) string {
	if rules.Salvo && !r.rules.Salvo { // the client would not understand salvos
		return "error vs the rules are " + rules.Name + ", where a turn has several shots: send rules salvo before"
	}
	if problem := r.layoutProblem(rules); problem != "" {
		return "error vs " + problem
	}
	opponent.casual = !ratingMode.IsRated()
	r.opponent, r.rules = opponent, rules
	return "ok vs " + name + " rules=" + rules.Name + " " + string(ratingMode.Word())
}
