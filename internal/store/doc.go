// Package store keeps what must outlast the process: players with their keys,
// tokens and settings, matches with all their events, those that still run,
// ratings and figures, what bots remember, the daily sea, and what operators
// did.
//
// A [Store] is a SQLite database in the data folder, or one on a PostgreSQL
// server, which several programs may use at once. [Open] makes or migrates it;
// every method may be called from any goroutine. What changes something
// returns once the change is on disk. One goroutine writes: it puts all changes
// that wait into one transaction, so that many callers share one sync of the
// disk, and a change that fails takes back only itself. Reading goes on beside
// it, and sees every change that has returned.
//
// Of several programs at one database, one writes at a time, as long as its
// transaction takes: so what holds for the changes of one program holds for all
// of them together.
//
// The server may be killed at any moment: a change that has returned is there
// when the file is opened again, one that has not is there whole or not at
// all. The same holds when the power fails, as far as the disk keeps what it
// has said is on it: each transaction is synced (synchronous=FULL with SQLite).
//
// # The way of a match
//
// Its ID comes from [NewID], so that no two matches ever share one. A match
// that can go on after a restart is stored by [Store.Begin], and what happens
// in it by [Store.Append]; after a restart [Store.Running] has it, and
// match.Replay rebuilds its game. At the end [Store.Finish] stores it, changes
// the ratings of both sides and ends its stay among the running ones, all in
// one transaction. Nothing of a result may be shown before Finish has returned.
// It may be called again with the same match: nothing is counted twice. A match
// that will not go on is ended by Finish without a winner, or forgotten by
// [Store.Forget].
//
// # Accounts
//
// [Store.PlayerByKey] is who a key belongs to; [Store.CreatePerson] makes an
// account for who is new. Built-in bots have accounts too, made by
// [Store.EnsureBot] when the server starts, which keeps people from taking
// their names. An external bot is a player made by [Store.RegisterProgram] that
// is let in by a token. Players are referred to by their IDs, never by names,
// which change.
//
// # What is left to others
//
// The store knows nothing of keys on the wire, names that are fit for a screen
// or who may do what: packages lobby and sshd decide that. All text it is
// given is kept as it is, but for bytes that are no UTF-8, and zero bytes,
// which are dropped. Errors that callers can tell apart are values such as
// [ErrNotFound]; all others are for the log.
//
// The files sqlite.go, postgres.go and backup.go are all that depends on the
// engine. The SQL elsewhere, the migrations included, is the same for both.
package store
