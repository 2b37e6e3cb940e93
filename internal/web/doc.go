// Package web serves the public website and its API: live matches, replays, leaderboards and
// profiles, for people without an SSH client. It serves plain HTTP. A reverse proxy adds TLS.
//
// Pages are rendered on the server and work without JavaScript. One ES module adds
// live updates and the controls of replays. A page shows only what a spectator of the lobby
// sees, through sessions, and no guest's name. Package feed follows matches, one
// session for each, and encodes each change once for all readers. The API returns the JSON
// that commands over SSH write with --json.
//
// Everything that a client can repeat is limited: connections, requests and open streams
// per address, and the time for each read and write.
package web
