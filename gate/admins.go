package gate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/newline"
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
	_, faults := parseAdmins(text, func(key gossh.PublicKey, comment string) {
		if gossh.FingerprintSHA256(key) == fingerprint && !ok {
			name, ok = comment, true
			if name == "" {
				name = fingerprint
			}
		}
	})
	for _, f := range faults {
		a.warn("a line of the operators' keys is not obeyed", "file", a.File, "fault", f)
	}
	return name, ok
}

// Check reads the file and returns how many keys it has and what is wrong with
// its other lines.
func (a Admins) Check() (keys int, faults []string, err error) {
	text, err := a.read()
	if err != nil {
		return 0, nil, err
	}
	keys, faults = parseAdmins(text, func(gossh.PublicKey, string) {})
	return keys, faults, nil
}

// parseAdmins calls found for each key in a file.
func parseAdmins(text []byte, found func(key gossh.PublicKey, comment string)) (keys int, faults []string) {
	lines := bufio.NewScanner(strings.NewReader(newline.Normalize(string(text))))
	lines.Buffer(nil, maxAdminFile)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey([]byte(line))
		switch {
		case err != nil:
			faults = append(faults, fmt.Sprintf("line %d is no public key", n))
		case len(options) > 0:
			faults = append(faults, fmt.Sprintf("line %d has options", n))
		default:
			keys++
			found(key, comment)
		}
	}
	return keys, faults
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
