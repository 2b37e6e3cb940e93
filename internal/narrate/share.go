package narrate

import (
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// ShareLine returns a result as one line that players can copy and send to others: what was played, how it ended, and
// where. It leaves out empty parts.
func ShareLine(parts ...string) string {
	line := "Broadside"
	for _, part := range parts {
		if part != "" {
			line += " · " + part
		}
	}
	return line
}

// MatchResult says who won a match, in how many shots if a fleet was sunk. It is empty if no one won.
func MatchResult(l i18n.Language, names [2]string, winner match.Side, reason match.Reason, shots int) string {
	switch {
	case winner == match.Nobody:
		return ""
	case reason == match.FleetSunk:
		return l.Text("%s beat %s in %d shot||%s beat %s in %d shots", names[winner], names[winner.Other()], shots)
	}
	return l.Text("%s beat %s", names[winner], names[winner.Other()])
}

// SuccessMarks returns a mark for each step of a result: ▪ for a success, ▫ for a failure.
func SuccessMarks(successes []bool) string {
	var marks strings.Builder
	for _, ok := range successes {
		if ok {
			marks.WriteString("▪")
		} else {
			marks.WriteString("▫")
		}
	}
	return marks.String()
}

// PublicAddress returns where others find a page of the website. Without a website or a page, it is the command that
// connects to SSH, whose address is as for [InvitationCommand]. It is empty if neither is known.
func PublicAddress(website, ssh, path string) string {
	switch {
	case website != "" && path != "":
		return strings.TrimSuffix(website, "/") + path
	case ssh != "":
		return SSHCommand(ssh)
	}
	return ""
}

// stepShots is the number of shots for which [DailyLine] has one mark.
const stepShots = 10

// DailyLine returns a Daily sea's result as a [ShareLine]. A mark for each ten shots says whether they sank a ship.
// blocks has a character for each shot, █ if it sank a ship. The last part is where to play, or anything else to add.
func DailyLine(l i18n.Language, date, blocks, address string) string {
	all := []rune(blocks)
	var successes []bool
	for step := range slices.Chunk(all, stepShots) {
		successes = append(successes, slices.Contains(step, '█'))
	}
	return ShareLine(l.Text("daily %s", date), l.Text("%d shot||%d shots", len(all)), SuccessMarks(successes), address)
}
