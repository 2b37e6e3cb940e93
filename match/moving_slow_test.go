//go:build slow

package match_test

func init() { movingGames = 10_000 }
