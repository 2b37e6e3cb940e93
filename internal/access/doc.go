// Package access decides which clients are admitted: bans, lockdown and operators' keys. SSH
// and the relay ask a [Policy], and operators' commands change it. Rate limits are in package
// ratelimit.
//
// Bans are kept in memory as well as in the store, so that refusing a client needs no disk.
package access
