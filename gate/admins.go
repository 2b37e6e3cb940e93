package gate

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"

	gossh "golang.org/x/crypto/ssh"
)

// Admins are the operators: the owners of the public keys in a file, one a
// line, as in authorized_keys. The file is read anew whenever somebody is
// looked up, so that a change holds at once. Without the file there are none.
type Admins struct {
	File string
	Log  *slog.Logger // nil: no log
}

// maxAdminFile bounds the file, in bytes. What comes after it is not read.
const maxAdminFile = 1 << 20

// Name is the comment of an operator's key in the file, or its fingerprint if
// there is none, and whether the key with that fingerprint is there at all. A
// line with options does not count: none of them would be obeyed.
func (a Admins) Name(fingerprint string) (name string, ok bool) {
	if fingerprint == "" || a.File == "" {
		return "", false
	}
	text, err := a.read()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			a.warn("operators' keys cannot be read", "file", a.File, "error", err)
		}
		return "", false
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxAdminFile)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey(line)
		if err != nil || len(options) > 0 {
			a.warn("a line of the operators' keys is not obeyed", "file", a.File, "line", n, "options", len(options), "error", err)
			continue
		}
		if gossh.FingerprintSHA256(key) == fingerprint {
			if comment == "" {
				comment = fingerprint
			}
			return comment, true
		}
	}
	return "", false
}

func (a Admins) read() ([]byte, error) {
	f, err := os.Open(a.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxAdminFile))
}

func (a Admins) warn(text string, attrs ...any) {
	if a.Log != nil {
		a.Log.Warn(text, attrs...)
	}
}
