// Package export exports finished matches: as JSON ([JSON]), as plain text ([Text]), and as a
// recording for a terminal ([Cast]).
//
// docs/records.md describes the JSON. Its format is stable: a reader of one version can read
// all records with that version number.
package export
