package access

import (
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

// Operators looks up operators by the public keys in a file in the format of authorized_keys.
// It reads the file for each lookup, so changes apply immediately. If the file is missing, or
// unsafe as defined by [owner.Check], there are no operators. A nil Operators has none.
type Operators struct {
	file string
	log  *slog.Logger // may be nil

	mu     sync.Mutex
	faults string // guarded by mu: those that were logged last
}

// NewOperators returns the operators in a file. It logs the file's faults now and whenever they change,
// but not at each lookup, because clients can trigger any number of lookups.
func NewOperators(file string, log *slog.Logger) *Operators {
	a := &Operators{file: file, log: log}
	a.eachKey(func(gossh.PublicKey, string) {})
	return a
}

// maxOperatorFile is how many bytes of the file are read.
const maxOperatorFile = 1 << 20

// Name returns the comment of the key with a fingerprint, or the fingerprint if the key has no comment. ok
// reports whether the file has the key. Lines with options do not count, because the options would have no
// effect.
func (o *Operators) Name(fingerprint string) (name string, ok bool) {
	if o == nil || fingerprint == "" {
		return "", false
	}
	o.eachKey(func(key gossh.PublicKey, comment string) {
		if gossh.FingerprintSHA256(key) == fingerprint && !ok {
			name, ok = cmp.Or(comment, fingerprint), true
		}
	})
	return name, ok
}

// eachKey calls found for each key. It logs the file's faults if they have changed.
func (o *Operators) eachKey(found func(key gossh.PublicKey, comment string)) {
	_, faults, err := readOperators(o.file, found)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		faults = []string{err.Error()}
	}
	all := strings.Join(faults, "; ")
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log != nil && all != "" && all != o.faults {
		o.log.Error("ignoring invalid or unsafe keys of operators", "file", o.file, "faults", all)
	}
	o.faults = all
}

// CheckOperatorFile returns the number of operators' keys in a file and its other lines' faults.
func CheckOperatorFile(file string) (keys int, faults []string, err error) {
	return readOperators(file, func(gossh.PublicKey, string) {})
}

// readOperators calls found for each key in a file. It returns the number of keys and the
// faults of other lines.
func readOperators(file string, found func(key gossh.PublicKey, comment string)) (keys int, faults []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	if err := owner.Check(file); err != nil {
		return 0, nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxOperatorFile))
	if err != nil {
		return 0, nil, err
	}
	for n, line := range strings.Split(sanitize.Decode(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, comment, options, _, err := gossh.ParseAuthorizedKey([]byte(line))
		switch {
		case err != nil:
			faults = append(faults, fmt.Sprintf("line %d is not a public key", n+1))
		case len(options) > 0:
			faults = append(faults, fmt.Sprintf("line %d has options", n+1))
		default:
			keys++
			found(key, comment)
		}
	}
	return keys, faults, nil
}
