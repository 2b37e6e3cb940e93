//go:build slow

package audit_test

import "testing"

// TestLiarsFindNoHardCaseInManyGames does the same as TestLiarsFindNoHardCase, 50 times.
func TestLiarsFindNoHardCaseInManyGames(t *testing.T) { checkLiars(t, 100) }
