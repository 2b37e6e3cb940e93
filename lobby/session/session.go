// Package session represents one player's connection to the lobby, independent of its
// presentation.
//
// A [Session] combines everything that belongs to one player: membership in the lobby, the
// open offer, the match being played or watched, and the chats. Frontends (screens, line
// mode, commands over SSH, the relay) open a session with [Host.Open] and use no other part
// of the lobby:
//
//   - A session has a method for each action, such as [Session.FindOpponent] and [Session.Fire], and
//     for each question, such as [Session.Keys] and [Session.FinishedMatches].
//   - [Session.State] returns the current state as plain values.
//   - [Session.Poll] returns the next change, and [Session.Next] waits for it. Changes do not
//     queue: a slow reader misses intermediate states and old events, never the newest state.
//
// Features shared by all frontends belong here.
//
// Returned errors are sentences for the player unless documented otherwise. Texts,
// terminals and keys do not belong in this package, nor do the rules for pairing players
// (package lobby).
package session

import (
	"net/netip"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/match"
	"broadside/match/live"
)

// Client describes a client, as far as the server has verified it.
type Client struct {
	Name        string        // sent by the client
	Fingerprint string        // of the key whose ownership the client has proved; empty without a key
	Addr        netip.Addr    // of the connection; zero if it is not an IP address
	WatchPace   time.Duration // minimum time between two updates of a watched match; twice that for a preview
	// Unlisted reports that the lobby does not list the player and that the session
	// receives no lobby snapshots, challenges or chats. It is used for commands.
	Unlisted bool
	Conn     string // the connection's number in the log; starts with p for the relay
	// Operator is the client's name in the audit log, or "" if the client is not an
	// operator.
	Operator string
	// Address is the public address of the server, as host or host:port; empty if it is
	// not known.
	Address string
	// Program describes a client that is a program on the line protocol; it is nil for
	// people. Programs can only play and are not listed in the lobby. A program can change
	// its name or account until its first match, see [FindOpponent].
	Program *account.Player
}

// State is a session's state at one moment, except for boards and chat lines, which are
// part of updates. The values that its pointers refer to never change.
type State struct {
	Me         account.Player
	Lobby      *lobby.Snapshot     // never nil
	Challenge  *lobby.Challenge    // the challenge that the player can answer, or nil
	Offer      *lobby.Terms        // the player's open offer, or nil
	Match      *Match              // the match being played or just ended, or nil
	Seat       lobby.SeatState     // the state of the seat outside the match itself
	RatingMode lobby.RatingMode    // current rating mode of Match
	Outcome    lobby.Outcome       // of Match, after its end
	Watching   *lobby.RunningMatch // the match being watched, or nil
	// AccountRevision grows when any session changes the player's account: its name, keys
	// or muted players. LobbyChanged follows.
	AccountRevision int
	HasStore        bool // the server stores accounts and records
	HasChat         bool // the match being played or watched has a chat
}

// Match describes a match from the session's side.
type Match struct {
	ID       string
	Side     match.Side // First in a hot-seat match
	Opponent account.Player
	Rules    match.Rules // with its clock
	HotSeat  bool        // the player holds both seats
	Host     bool        // the player hosts this private match, see RemoveOpponent
	Names    [2]string   // of both sides in a hot-seat match
}

// UpdateKind is the kind of an [Update].
type UpdateKind uint8

// The kinds of updates.
const (
	LobbyChanged     UpdateKind = iota + 1 // State.Lobby or State.Me has changed
	ChallengeChanged                       // State.Challenge has changed
	OfferChanged                           // State.Offer has ended; Err says why
	MatchJoined                            // State.Match is a new match
	MatchChanged                           // Match has the view of Side and new events
	MatchLost                              // the session has lost its match; Err says why
	SeatChanged                            // State.Seat has changed
	OpponentRemoved                        // RemoveOpponent has removed Name and opened a new private match; Err says why not
	WatchChanged                           // Match has the spectators' view and new events
	WatchEnded                             // the match being watched has ended
	ChatChanged                            // Lines has the lines of Room
	ReviewReady                            // Review has the review of the match ID, see [Session.Review]
)

// Update is a change of a session's state.
type Update struct {
	Kind   UpdateKind
	ID     string       // ID of the match of Match, or of a match's chat
	Match  *live.Update // see Kind; owned by the receiver (by a program only until its next call of Poll)
	Side   match.Side   // the side of Match in a hot-seat match
	Chat   ChatKind
	Name   string      // of the removed opponent
	Lines  []chat.Line // shared; must not be modified
	Review Review
	Err    error
}
