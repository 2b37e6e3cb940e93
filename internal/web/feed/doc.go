// Package feed follows running matches for readers on the web. One session watches each
// match, however many readers it has, and encodes each change once for all of them
// ([Stream]). No session watches a match without readers.
//
// The package sees only what a spectator of the lobby sees. It removes the names of guests.
package feed
