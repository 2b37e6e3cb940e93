package sshd_test

import (
	"testing"

	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
)

func TestMain(m *testing.M) {
	parallel.AllowWaitingTests()
	leaks.Main(m)
}
