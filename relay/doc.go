// Package relay is the line protocol: programs, in any language, play on it
// over TCP in the same matches as people and bots.
//
// A command is one line, (OPCODE,[P1,P2,…]). and a line end: a Prolog term. The
// client that waits first is sent 3 and defends, the second is sent 4 and
// attacks, then both are sent 5; after that attacks (1) and results (2)
// alternate, each passed on as it was given, until a result of 4 ends the match
// and both connections. A client holds its own fleet and answers for it.
//
// A line that begins with % is a comment in Prolog and a directive for the server. It
// says who the client is and whom it wants to play. A client that never sends
// a directive is never sent one. A client that has sent "layout uniform" leaves its
// fleet to the server: it is still sent every shot at it, but the server
// answers.
//
// The protocol has no message for errors. A line that is illegal ends the
// match: its sender loses and its connection is closed. The reason goes to the
// log, and to an opponent that understands directives. The server never sends an
// answer or a shot that the client has not sent itself.
//
// [Server] serves programs; [Play] and [PlaySeries] are clients, with which built-in
// bots play on any relay. The lobby chooses opponents; match/live runs the matches.
package relay
