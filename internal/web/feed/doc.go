// Package feed follows running matches for readers on the web. Each match is watched by one
// session, whatever the number of its readers, and each change is encoded once for all of
// them ([Stream]). While a match has no readers, nobody watches it.
//
// The package sees only what a spectator of the lobby sees. It removes the names of guests.
package feed
