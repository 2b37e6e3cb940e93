package bridge_test

import (
	"testing"

	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
	"broadside/internal/test/testprogram"
)

func TestMain(m *testing.M) {
	testprogram.RunIfRequested()
	parallel.AllowWaitingTests()
	leaks.Main(m)
}
