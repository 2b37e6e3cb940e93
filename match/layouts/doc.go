// Package layouts computes which layouts of fixed ships agree with the results of shots.
// [Posterior] enumerates them or draws from them. The audit, bots and the odds in replays use
// it, so the rules for reading results exist once. [Places] holds where ships that move can lie
// and go.
//
// Only what follows from the rules and the results belongs here. What an opponent prefers, and
// the choice of shots, belong in package bots. The tracking of ships that move belongs in
// bots/infer and match/audit.
package layouts
