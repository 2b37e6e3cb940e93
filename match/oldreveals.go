package match

import "slices"

// isFailedReveal reports whether an earlier version ended matches for this reason: the fleet that the loser
// had kept, with a commitment to it, was not revealed, or was not the one of its results.
func isFailedReveal(reason string) bool {
	return reason == "unrevealed" || reason == "other-fleet" || reason == "false-answer"
}

// removeReveals rewrites the events of an earlier version, in which a side could keep its fleet with a
// commitment to it and had to reveal it after the last shot. As this version has it, the side kept the
// fleet, and the match ended with the last shot. If a reveal changed the outcome, the last shot got no
// result, and the loser contradicted itself.
func removeReveals(events []EncodedEvent) []EncodedEvent {
	settled := make([]EncodedEvent, 0, len(events))
	claimed := false // the last of the settled events is the end that was claimed before the reveals
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
