// Package relay is the line protocol: programs, in any language, play on it
// over TCP in the same matches as people and bots.
//
// A command is one line, (OPCODE,[P1,P2,…]). and a line end: a Prolog term. The
// client that waits first is sent 3 and defends, the second is sent 4 and
// attacks, then both are sent 5; after that attacks (1) and results (2)
// alternate, each passed on as it was given, until a result of 4 ends the match
// and both connections. A client holds its own fleet and answers for it.
//
// A line that begins with % is a comment to Prolog and a directive to us. It
// says who the client is and whom it wants to play. A client that never sends
// one is never sent one. A client that has sent "layout uniform" leaves its
// fleet to the server: it is still sent every attack on it, but the server
// answers.
//
// The protocol has no message for errors. A line that is illegal ends the
// match: its sender's connection is closed and it loses, the reason goes to the
// log and to an opponent who can be told. Nothing is ever sent in a client's
// name that the client has not said.
//
// [Server] is the door for programs, [Play] the other end: it lets one of our
// bots play on any relay, ours or another's. Who is paired with whom is the
// lobby's business, the course of a match that of match/live.
package relay
