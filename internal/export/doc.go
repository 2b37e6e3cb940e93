// Package export writes what remains of a match for others to read: as JSON
// ([JSON]), as plain text ([Text]) and as a film for a terminal ([Cast]).
//
// The form of the JSON is described in docs/records.md, and kept: readers of
// one version can read all that is written with its number.
package export
