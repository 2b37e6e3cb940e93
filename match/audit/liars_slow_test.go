//go:build slow

package audit_test

import "testing"

// TestLiarsFindNoHardCaseInManyGames checks what TestLiarsFindNoHardCase does, in 50 times as many games.
func TestLiarsFindNoHardCaseInManyGames(t *testing.T) { checkLiars(t, 100) }
