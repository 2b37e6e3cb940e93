//go:build slow

package match_test

func init() { movingGames, bruteGames, layoutDraws = 10_000, 10, 100_000 }
