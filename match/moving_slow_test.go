//go:build slow

package match_test

func init() { movingGames, bruteGames = 10_000, 10 }
