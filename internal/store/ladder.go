package store

import "context"

// LadderStanding is a player's rating and the rated ladder matches behind it, in all worlds.
type LadderStanding struct {
	Standing
	// Played and Won count rated ladder matches.
	Played, Won int
}

func (s *LadderStanding) scanTargets() []any {
	return append(s.Standing.scanTargets(), &s.Played, &s.Won)
}

// ladderCondition selects matches that count on the ladder of the rule set $1.
const ladderCondition = `matches.ladder = TRUE AND matches.rated = TRUE AND matches.rules = $1`

// ListLadder returns at most limit players with the most rated ladder matches under a rule set.
func (r Ratings) ListLadder(ctx context.Context, ruleSet string, limit int) ([]LadderStanding, error) {
	return listRows(ctx, r.db, `SELECT `+standingColumns+`, counted.played, counted.won FROM (
			SELECT seats.player, COUNT(*) AS played, SUM(CASE WHEN matches.winner = seats.side THEN 1 ELSE 0 END) AS won
			FROM matches JOIN seats ON seats.match = matches.id WHERE `+ladderCondition+`
			GROUP BY seats.player ORDER BY COUNT(*) DESC, seats.player LIMIT $2) counted
		JOIN players ON players.id = counted.player
		JOIN ratings ON ratings.player = counted.player AND ratings.rules = $1
		ORDER BY counted.played DESC, counted.player`,
		[]any{cleanText(ruleSet), max(0, limit)}, (*LadderStanding).scanTargets)
}

// LadderTally counts a player's ladder matches against one opponent that ended in the same way.
type LadderTally struct {
	// Opponent is the other player's name.
	Opponent string
	// Won is set if the player won.
	Won bool
	// Reason is the word of a [match.Reason].
	Reason  string
	Matches int
}

func (t *LadderTally) scanTargets() []any { return []any{&t.Opponent, &t.Won, &t.Reason, &t.Matches} }

// LadderTallies counts a player's rated ladder matches under a rule set.
func (ms Matches) LadderTallies(ctx context.Context, ruleSet, player string) ([]LadderTally, error) {
	return listRows(ctx, ms.db, `SELECT players.name, matches.winner = own.side, matches.reason, COUNT(*)
		FROM seats own JOIN matches ON matches.id = own.match
		JOIN seats other ON other.match = own.match AND other.side <> own.side
		JOIN players ON players.id = other.player
		WHERE own.player = $2 AND `+ladderCondition+`
		GROUP BY players.name, matches.winner = own.side, matches.reason
		ORDER BY players.name`, []any{cleanText(ruleSet), cleanText(player)}, (*LadderTally).scanTargets)
}

// LadderMatches returns at most limit of a player's rated ladder matches under a rule set, newest first.
func (ms Matches) LadderMatches(ctx context.Context, ruleSet, player string, limit int) ([]Summary, error) {
	return listRows(ctx, ms.db, `SELECT `+summaryColumns+` FROM seats JOIN matches ON matches.id = seats.match`+joinSeats+`
		WHERE seats.player = $2 AND `+ladderCondition+`
		ORDER BY seats.ended DESC, seats.match DESC LIMIT $3`,
		[]any{cleanText(ruleSet), cleanText(player), max(0, limit)}, (*Summary).scanTargets)
}
