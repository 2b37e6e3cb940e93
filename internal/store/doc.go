// Package store keeps the data that outlasts the process. That is accounts with their keys,
// tokens and settings, running and finished matches, ratings and statistics, bots' memories,
// daily results, puzzles, bans, mutes, and the audit log.
//
// A [Store] is a SQLite database in the data folder or a PostgreSQL database, which
// several programs may have open at once. [Open] creates or upgrades it. Each kind of
// data has a type with its queries, such as [Accounts], which is a field of Store. All of
// them share one writing connection and several reading connections. A change returns
// once it is on disk. Each change is a transaction, and only one transaction writes at a
// time. Reads do not wait for it, and see every change that has returned. On
// PostgreSQL, only one program writes at a time, so the same guarantees hold across
// programs.
//
// The server may be killed at any moment. After that, every change that has returned is
// in the database, and any other change is there completely or not at all. The same holds
// after a power failure, because every transaction is synced (with SQLite, by
// synchronous=FULL).
//
// # Matches
//
// A match's ID comes from [NewID]. [Running.Add] stores a match that can resume
// after a restart, and [Running.AppendEvents] stores its events. After a restart,
// [Running.List] returns the match, and match.Replay rebuilds its game. At the end,
// [Matches.Finish] stores the match, updates the ratings of both sides and removes it
// from the running ones, in one transaction. A result must not be shown before Finish has
// returned. Finish may be repeated, and counts no match twice. If a match will not
// continue, end it with Finish without a winner, or remove it with [Running.Remove].
//
// # Accounts
//
// [Accounts.FindByKey] finds a key's account, and [Accounts.CreatePerson] creates one.
// Built-in bots also have accounts, so that people cannot take their names.
// [Accounts.EnsureBot] creates them when the server starts. An external bot gets its
// account from [Programs.Register] and signs in with a token. Refer to players by ID,
// never by name, because names can change.
//
// # Other packages
//
// Packages lobby and sshd decide how keys are verified, which names are valid and who may
// do what. The store keeps all text unchanged, except that it removes invalid UTF-8 and
// zero bytes. Errors that callers can distinguish are values such as [ErrNotFound]. All
// others are meant for the log.
//
// sqlite.go, backup.go, restore.go and check.go depend on SQLite, and postgres.go and
// nodes.go on PostgreSQL. All other SQL is the same for both engines, including most
// migrations.
package store
