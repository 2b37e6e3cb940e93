package sshd_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(childVar); kind != "" {
		runChild(kind)
		return
	}
	goleak.VerifyTestMain(m)
}
