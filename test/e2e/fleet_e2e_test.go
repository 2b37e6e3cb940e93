//go:build unix

package e2e

import (
	"bytes"
	"context"
	"os/exec"
	"slices"
	"strings"
)

// key returns the file with the key.
func (a asker) key() string { return a.args[slices.Index(a.args, "-i")+1] }

// askWith is like ask, with standard input.
func (a asker) askWith(line, in string) (out, errs string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, a.ssh, append(a.args, line)...)
	var o, e bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &o, &e
	_ = c.Run() // faults are reported in errs
	return o.String(), e.String()
}
