// Package tournament runs tournaments of players, programs and built-in bots.
//
// A [Tournament] is a list of entrants and a list of games. Package pairing decides who plays whom
// and ranks the entrants. [Manager] holds the tournaments that are not over. A change is stored
// before it takes effect, so that a tournament continues in the same round after a restart or on
// the next active node. A goroutine starts matches once both players can play, decides those whose
// players do not appear, and opens the next round. The functions in [Config] connect it to the
// lobby.
package tournament
