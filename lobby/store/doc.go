// Package store keeps what must outlast the process: players and their keys,
// matches with all their events, ratings.
//
// A [Store] is a SQLite database in the data folder. [Open] makes or migrates
// it; every method may be called from any goroutine. What changes something
// returns once the change is on disk. One goroutine writes: it puts all changes
// that wait into one transaction, so that many callers share one sync of the
// disk, and a change that fails takes back only itself. Reading goes on beside
// it, and sees every change that has returned.
//
// The server may be killed at any moment: a change that has returned is there
// when the file is opened again, one that has not is there whole or not at
// all. The same holds when the power fails, as far as the disk keeps what it
// has said is on it: each transaction is synced (synchronous=FULL).
//
// The store knows nothing of keys on the wire, names that are fit for a screen
// or who may do what: packages lobby and sshd decide that. All text it is
// given is kept as it is, but for bytes that are no UTF-8, and zero bytes,
// which are dropped.
package store
