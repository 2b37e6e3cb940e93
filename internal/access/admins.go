package access

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/owner"

	"broadside/internal/sanitize"
)

// Admins are the operators: the owners of the public keys in a file, one per
// line, as in authorized_keys. The file is read again for each lookup, so changes
// take effect at once. Without the file there are no operators, nor if others
// than root and the server's user can change it: see [owner.Safe].
type Admins struct {
	File string
	said *said // nil: no log
}

// said is what has been logged about the file, which any client can have looked
// up as often as it likes.
type said struct {
	log *slog.Logger

	mu   sync.Mutex
	last string // guarded by mu
}

// NewAdmins returns the operators in a file. It logs what is wrong with the file
// now, and each change of that.
func NewAdmins(file string, log *slog.Logger) Admins {
	a := Admins{File: file, said: &said{log: log}}
	a.look(func(gossh.PublicKey, string) {})
	return a
}

// maxAdminFile bounds the file, in bytes. What comes after it is not read.
const maxAdminFile = 1 << 20

// Name returns the comment of an operator's key in the file, or its fingerprint if
// it has none. ok reports whether the file has the key with that fingerprint. A
// line with options does not count: none of them would be obeyed.
func (a Admins) Name(fingerprint string) (name string, ok bool) {
	if fingerprint == "" || a.File == "" {
		return "", false
	}
	a.look(func(key gossh.PublicKey, comment string) {
		if gossh.FingerprintSHA256(key) == fingerprint && !ok {
			name, ok = comment, true
			if name == "" {
				name = fingerprint
			}
		}
	})
	return name, ok
}

// look calls found for each key, and logs what is wrong with the file.
func (a Admins) look(found func(key gossh.PublicKey, comment string)) {
	text, err := a.read()
	var faults []string
	switch {
	case err == nil:
		_, faults = parseAdmins(text, found)
	case !errors.Is(err, fs.ErrNotExist):
		faults = []string{err.Error()}
	}
	a.said.report(a.File, faults)
}

// report logs the faults of a file unless they are the same as before.
func (s *said) report(file string, faults []string) {
	if s == nil {
		return
	}
	all := strings.Join(faults, "; ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if all == s.last {
		return
	}
	s.last = all
	if all != "" {
		s.log.Error("the file of operators' keys has faults: the server ignores these keys", "file", file, "faults", all)
	}
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
	lines := bufio.NewScanner(strings.NewReader(sanitize.Newlines(string(text))))
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
	if err := owner.Safe(a.File); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxAdminFile))
}
