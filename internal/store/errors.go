package store

import (
	"errors"
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/store/schema"
)

// Errors that callers can distinguish with errors.Is. Each is wrapped with a description
// of the operation. All other errors are meant for the log.
var (
	ErrNotFound    = errors.New("not found")
	ErrNameTaken   = i18n.Errorf("that-name-is-taken")
	ErrKeyTaken    = i18n.Errorf("that-key-belongs-to-another")
	ErrLastKey     = i18n.Errorf("that-is-the-only-key")
	ErrTooMany     = errors.New("the limit is reached")
	ErrClosed      = errors.New("the store is closed")
	ErrInUse       = errors.New("a server is using the database: stop it first")
	ErrNewerSchema = schema.ErrNewer
	ErrNotOurs     = schema.ErrForeign
	ErrDamaged     = errors.New("the database is damaged")
	// ErrForeignSchema is returned for a backup that is not only a database of this program.
	ErrForeignSchema = errors.New("the backup was changed, so it cannot be trusted: choose another one")
	ErrFull          = errors.New("the disk with the database is full")
	ErrReadOnly      = errors.New("the database cannot be written to: check the permissions of the data folder or of the database user")
	ErrUnreachable   = errors.New("the database server cannot be reached")
)

// annotate explains *err and adds a description of the operation, unless *err is nil. All
// exported functions defer it.
func annotate(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), explain(*err))
	}
}

// explain wraps a database engine's error in the error of this package that tells the
// operator what to do.
func explain(err error) error {
	for _, known := range []error{ErrFull, ErrReadOnly, ErrNotOurs, ErrDamaged, ErrUnreachable} {
		if errors.Is(err, known) {
			return err // already explained
		}
	}
	return explainPostgres(explainSQLite(err))
}
