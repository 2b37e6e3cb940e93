package sshd_test

import (
	"testing"

	"go.uber.org/goleak"

	"broadside/internal/test/parallel"
)

func TestMain(m *testing.M) {
	parallel.WaitingTests()
	goleak.VerifyTestMain(m)
}
