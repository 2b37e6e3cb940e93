package match

import "slices"

// isFailedReveal reports whether this is an earlier version's reason for a failed reveal. The loser had
// kept a fleet with a commitment to it, and did not reveal it, or revealed one that contradicted its results.
func isFailedReveal(reason string) bool {
	return reason == "unrevealed" || reason == "other-fleet" || reason == "false-answer"
}

// removeReveals rewrites the events of an earlier version. There a side could keep its fleet with a
// commitment to it, and had to reveal it after the last shot. In the rewritten events, the side just kept
// the fleet, and the match ended with the last shot. If a reveal changed the outcome, the last shot has no
// result, and the loser contradicted itself.
func removeReveals(events []EncodedEvent) []EncodedEvent {
	settled := make([]EncodedEvent, 0, len(events))
	// claimed reports whether the last settled event is an end that was claimed before the reveals.
	claimed := false
	for _, e := range events {
		switch {
		case e.Event == "committed":
			e.Event = eventNames[FleetKept]
		case e.Event == "reveal-due":
			e.Event, claimed = eventNames[GameEnded], true
		case e.Event == "revealed" || e.Event == "reveal-failed":
			continue
		case claimed && e.Event == eventNames[GameEnded]:
			claim := settled[len(settled)-1]
			if e.Reason == claim.Reason && e.Player != nil && claim.Player != nil && *e.Player == *claim.Player {
				continue
			}
			settled = settled[:len(settled)-1]
			if claim.Reason == FleetSunk {
				settled = settled[:lastAnswerIndex(settled)]
			}
		}
		settled = append(settled, e)
	}
	return settled
}

func lastAnswerIndex(events []EncodedEvent) int {
	for i, e := range slices.Backward(events) {
		if e.Event == eventNames[ShotAnswered] {
			return i
		}
	}
	return 0
}
