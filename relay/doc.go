// Package relay implements the line protocol, which lets programs in any language play
// against people, bots and other programs. docs/protocol.md specifies it.
//
// Each line is a command: a Prolog term, (OPCODE,[P1,P2,…]). The first client gets 3 and
// defends, the second gets 4 and attacks, then both get 5. After that, attacks (1) and
// results (2) alternate, each passed on unchanged, until a result of 4 ends the match and
// both connections. A client keeps its own fleet and reports results itself.
//
// A line that starts with % is a comment in Prolog and a directive to the server. It says
// who the client is and whom it wants to play. The server sends directives only to
// clients that have sent one. After "layout uniform", the server holds the client's fleet
// and reports its results. The client still gets every shot.
//
// The protocol has no error message. An illegal line ends the match: its sender loses and
// is disconnected. The reason goes to the log, and to clients that understand directives.
// The server never sends a shot or a result on a client's behalf, except for fleets that
// it holds.
//
// [Server] serves programs. Package client is the other side. The lobby chooses opponents, and match/live runs
// the matches.
package relay
