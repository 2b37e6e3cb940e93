// Package store keeps the data that outlasts the process: accounts with their keys,
// tokens and settings, running and finished matches, ratings and statistics, what bots
// remember, daily results, bans, mutes, and the audit log.
//
// A [Store] is a SQLite database in the data folder or a PostgreSQL database, which
// several programs may have open at once. [Open] makes or upgrades it. Each kind of data
// has a type with its queries, such as [Accounts], which is a field of Store. All of them
// share one connection that writes and several that read. A change returns once it is on
// disk. One goroutine writes: it puts all waiting changes into one transaction, so that
// they share one sync of the disk, and a change that fails undoes only itself. Reading
// does not wait for the writer, and sees every change that has returned. On PostgreSQL,
// only one program writes at a time, so the same guarantees hold for all programs
// together.
//
// The server may be killed at any moment. A change that has returned is there when the
// database is opened again, and any other is there completely or not at all. The same
// holds after a power failure, since every transaction is synced (with SQLite, by
// synchronous=FULL).
//
// # Matches
//
// The ID of a match comes from [NewID]. [Running.Begin] stores a match that can resume
// after a restart, and [Running.Append] what happens in it. After a restart
// [Running.List] returns it, and match.Replay rebuilds its game. At the end
// [Matches.Finish] stores the match, updates the ratings of both sides and removes it from
// the running ones, in one transaction. A result must not be shown before Finish has
// returned. Finish may be repeated: nothing is counted twice. A match that will not
// continue is ended by Finish without a winner, or removed by [Running.Forget].
//
// # Accounts
//
// [Accounts.ByKey] finds the account of a key, and [Accounts.CreatePerson] makes one.
// Built-in bots have accounts, too, which [Accounts.EnsureBot] makes when the server
// starts, so that people cannot take their names. An external bot gets its account from
// [Programs.Register] and signs in with a token. Players are referred to by ID, never by
// name, since names change.
//
// # Other packages
//
// Packages lobby and sshd decide how keys are verified, which names are valid and who may
// do what. The store keeps all text as it is, except for invalid UTF-8 and zero bytes,
// which it removes. Errors that callers can distinguish are values such as [ErrNotFound];
// all others are for the log.
//
// sqlite.go and backup.go depend on SQLite, and postgres.go on PostgreSQL. All other SQL
// is the same for both engines, including most migrations.
package store
