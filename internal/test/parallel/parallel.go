// Package parallel lets tests that mostly wait run side by side.
package parallel

import (
	"flag"
	"runtime"
	"strconv"
)

// AllowWaitingTests lets eight parallel tests run per core, unless the flag -parallel says otherwise. It
// must be called before the flags are parsed.
func AllowWaitingTests() {
	if err := flag.Set("test.parallel", strconv.Itoa(8*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // not in a test binary
	}
}
