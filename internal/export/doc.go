// Package export exports finished matches: as JSON ([EncodeMatch]), as plain text ([MatchText]), and as a
// recording for a terminal ([WriteAsciicast]). It also has the JSON of lists, profiles and running
// matches, which commands over SSH and the web API return.
//
// docs/records.md describes the JSON. Its format is stable: a reader of one version can read
// all records with that version number.
package export
