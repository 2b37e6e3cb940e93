//go:build slow

package live_test

func init() { changedMatches = 400 }
