package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"broadside/internal/i18n"
	"broadside/internal/store/schema"
)

// Errors that callers can distinguish with errors.Is.
var (
	ErrNotFound    = errors.New("not found")
	ErrNameTaken   = i18n.Errorf("that name is taken")
	ErrKeyTaken    = i18n.Errorf("that key belongs to another player")
	ErrLastKey     = i18n.Errorf("that is the only key: add another one first")
	ErrTooMany     = errors.New("the limit is reached")
	ErrClosed      = errors.New("the store is closed")
	ErrInUse       = errors.New("a server is using the database: stop it first")
	ErrNewerSchema = schema.ErrNewer
	// ErrForeignSchema is returned for a backup whose tables differ from those of this program.
	ErrForeignSchema = errors.New("the backup was changed, so it cannot be trusted: choose another one")
	// ErrFenced is returned for a change by a node that is not the active node of its
	// cluster. A change that was waiting when the node lost its role may still have been
	// stored, like a change whose context has ended.
	ErrFenced = errors.New("this node is not the active node")
)

// Errors of the database itself. They tell the operator what to do, and all other errors
// of the database are meant for the log.
var (
	ErrFull        = errors.New("the disk with the database is full")
	ErrReadOnly    = errors.New("cannot write to the database: check the permissions of the data folder or the database user")
	ErrUnreachable = errors.New("cannot reach the database server")
	ErrDamaged     = errors.New("the database is damaged")
	ErrNotOurs     = schema.ErrForeign
)

// failure is an error of the database itself, as opposed to one of its data.
type failure struct {
	// kind is one of the errors above, or errFailed.
	kind  error
	cause error
}

var errFailed = errors.New("the database failed")

func (f *failure) Error() string   { return fmt.Sprintf("%v: %v", f.kind, f.cause) }
func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

// classifyError turns an error of the database driver into a failure. It returns [ErrNotFound] if there
// is no row, or if a new row refers to one that does not exist.
func classifyError(err error) error {
	kind := errorKind(err)
	switch {
	case err == nil:
		return nil
	case kind == ErrNotFound, errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	}
	return &failure{cmp.Or(kind, errFailed), err}
}

// errorKind returns this package's error for an error of a driver or of the operating system, or nil.
func errorKind(err error) error {
	return cmp.Or(fileErrorKind(err), sqliteErrorKind(err), postgresErrorKind(err))
}

// fileErrorKind returns the kind of an operating system error, or nil.
func fileErrorKind(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	}
	return nil
}

// annotate adds a description of the operation, and the kind of failure if it is known, to
// *err, unless *err is nil. Functions that use several statements or files defer it.
func annotate(err *error, format string, args ...any) {
	if *err == nil {
		return
	}
	kind := errorKind(*err)
	if kind != nil && !errors.Is(*err, kind) {
		*err = &failure{kind, *err}
	}
	*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
}
