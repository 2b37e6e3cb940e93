package relay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

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
	// games is the length of the series. 0 means the default. See seriesLength.
	games    int
	opponent opponentChoice
	// pace is the time for each turn of a correspondence match, or 0 if the client plays other matches.
	pace time.Duration
	// isUniform means that the server draws the fleet and holds it.
	isUniform bool
	// layout is the fleet for the server to hold, or nil.
	layout match.Layout
	// canResume means that the client takes its seat again after a lost connection.
	canResume bool
	// resumed is the match that the client has returned to and plays first, or nil.
	resumed *resumedMatch
}

// opponentChoice is the opponent that a client wants. At most one of the first five fields is set. If
// none is, the client plays anyone.
type opponentChoice struct {
	bot            string
	player         string
	privateCode    string
	tournamentCode string
	isLadder       bool
	isCasual       bool
}

// isServerChosen reports whether the server chooses the opponents, one after another.
func (o opponentChoice) isServerChosen() bool { return o.tournamentCode != "" || o.isLadder }

// hasOwnRules reports whether the opponent determines the rules.
func (o opponentChoice) hasOwnRules() bool { return o.privateCode != "" || o.tournamentCode != "" }

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
	return r.isUniform || r.layout != nil
}

// maxGames is the maximum length of a series.
const maxGames = 1_000_000

func (c *conn) setSeriesLength(args []string) string {
	n := 0
	if len(args) == 1 {
		// Atoi returns 0 if the text is not a number, and 0 is refused, too.
		n, _ = strconv.Atoi(args[0])
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
		c.request.isUniform, c.request.layout = true, nil
		return "ok layout"
	}
	l, err := program.ParseLayout(c.request.rules, strings.Join(args, " "))
	if err != nil {
		return "error layout " + err.Error()
	}
	c.request.isUniform, c.request.layout = false, l
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
	if len(args) == 2 && args[0] != "player" && c.request.pace > 0 {
		return "error vs " + pacedOpponent
	}
	if len(args) == 2 {
		switch kind, name := args[0], args[1]; kind {
		case "bot":
			return c.chooseBot(name)
		case "player":
			return c.choosePlayer(ctx, name)
		case "room":
			return c.chooseRoom(name)
		// "cup" is the former name.
		case "tournament", "cup":
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
	// The player that a client returns to is no longer waiting, and that of a correspondence match need not.
	if err := c.session.CheckOpponent(ctx, name); err != nil && c.request.resumed == nil && c.request.pace == 0 {
		return "error vs " + err.Error()
	}
	c.request.opponent = opponentChoice{player: name}
	return "ok vs player " + name
}

// chooseRoom sets the private match to play in.
func (c *conn) chooseRoom(code string) string {
	// The private match is no longer waiting.
	if c.request.resumed != nil {
		c.request.opponent = opponentChoice{privateCode: code}
		return "ok vs room " + code
	}
	room, err := c.session.FindPrivateMatch(code)
	if err != nil {
		return "error vs " + err.Error()
	}
	return c.request.acceptOpponent("room "+room.Code, opponentChoice{privateCode: room.Code}, room.Rules, room.RatingMode)
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
	opponent := opponentChoice{tournamentCode: found.Code}
	return c.request.acceptOpponent(kind+" "+found.Code, opponent, found.Rules, found.RatingMode)
}

// joinLadder lets the ladder choose the opponents.
func (c *conn) joinLadder(args []string) string {
	if len(args) > 0 {
		return "error ladder takes nothing"
	}
	if c.request.pace > 0 {
		return "error ladder has no correspondence matches: leave pace out"
	}
	c.request.opponent = opponentChoice{isLadder: true}
	return "ok ladder"
}

// acceptOpponent sets an opponent that determines the rules and rating mode, unless the client cannot play
// by these rules. name is the opponent as in the directive vs.
func (r *request) acceptOpponent(name string, opponent opponentChoice, rules match.Rules, ratingMode lobby.RatingMode) string {
	// The client would not understand salvos.
	if rules.Salvo && !r.rules.Salvo {
		return "error vs the rules are " + rules.Name + ", where a turn has several shots: send rules salvo before"
	}
	if problem := r.layoutProblem(rules); problem != "" {
		return "error vs " + problem
	}
	opponent.isCasual = !ratingMode.IsRated()
	r.opponent, r.rules = opponent, rules
	return "ok vs " + name + " rules=" + rules.Name + " " + string(ratingMode.Word())
}
