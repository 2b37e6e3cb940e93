// Package waiting runs tests that mostly wait side by side.
package waiting

import (
	"flag"
	"runtime"
	"strconv"
)

// Tests lets four parallel tests run per core, unless the flag -parallel says otherwise. It
// must be called before the flags are parsed.
func Tests() {
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err) // not in a test binary
	}
}
