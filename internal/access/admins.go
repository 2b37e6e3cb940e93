package access

import (
	"bufio"
	"cmp"
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

// Admins looks up operators by the public keys in a file in the format of authorized_keys.
// It reads the file for each lookup, so changes apply at once. If the file is missing, or
// unsafe as defined by [owner.Safe], there are no operators.
type Admins struct {
	File string
	log  *faultLog // nil: no log
}

// faultLog logs faults of the file, but only when they change, because clients can
// trigger any number of lookups.
type faultLog struct {
	log *slog.Logger

	mu   sync.Mutex
	last string // guarded by mu
}

// NewAdmins returns the operators in a file. It logs the faults of the file now and whenever
// they change.
func NewAdmins(file string, log *slog.Logger) Admins {
	a := Admins{File: file, log: &faultLog{log: log}}
	a.eachKey(func(gossh.PublicKey, string) {})
	return a
}

// maxAdminFile is the number of bytes that are read of the file.
const maxAdminFile = 1 << 20

// Name returns the comment of the key with a fingerprint, or the fingerprint if there is no
// comment. ok reports whether the file has the key. Lines with options do not count, because
// the options would have no effect.
func (a Admins) Name(fingerprint string) (name string, ok bool) {
	if fingerprint == "" || a.File == "" {
		return "", false
	}
	a.eachKey(func(key gossh.PublicKey, comment string) {
		if gossh.FingerprintSHA256(key) == fingerprint && !ok {
			name, ok = cmp.Or(comment, fingerprint), true
		}
	})
	return name, ok
}

// eachKey calls found for each key and logs the faults of the file.
func (a Admins) eachKey(found func(key gossh.PublicKey, comment string)) {
	text, err := a.read()
	var faults []string
	switch {
	case err == nil:
		_, faults = parseAdmins(text, found)
	case !errors.Is(err, fs.ErrNotExist):
		faults = []string{err.Error()}
	}
	a.log.report(a.File, faults)
}

// report logs the faults of a file unless they are unchanged.
func (s *faultLog) report(file string, faults []string) {
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
		s.log.Error("the file of operators' keys is invalid or unsafe: ignoring the affected keys", "file", file, "faults", all)
	}
}

// Check reads the file and returns its number of keys and the faults of its other lines.
func (a Admins) Check() (keys int, faults []string, err error) {
	text, err := a.read()
	if err != nil {
		return 0, nil, err
	}
	keys, faults = parseAdmins(text, func(gossh.PublicKey, string) {})
	return keys, faults, nil
}

// parseAdmins calls found for each key in a file. It returns the number of keys and the
// faults of other lines.
func parseAdmins(text []byte, found func(key gossh.PublicKey, comment string)) (keys int, faults []string) {
	lines := bufio.NewScanner(strings.NewReader(sanitize.Decode(text)))
	lines.Buffer(nil, maxAdminFile)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey([]byte(line))
		switch {
		case err != nil:
			faults = append(faults, fmt.Sprintf("line %d is not a public key", n))
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
