// Package export has the formats in which data leaves the server: finished matches as JSON ([EncodeMatch]), as
// plain text ([MatchText]), and as a recording for a terminal ([WriteAsciicast]), and lists, profiles and
// running matches as JSON for commands over SSH and the web API.
//
// docs/records.md describes the JSON. Its format is stable: a reader of one version can read all records with
// that version number.
package export
