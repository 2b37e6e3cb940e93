package i18n

import "maps"

// german are the texts in German, by their English, but for those in plurals.
var german = together(germanParts)

// germanParts are those texts, in a file for each part of the program that
// speaks. What several parts say is in one of them. Where a width is named, a
// text has no more room.
var germanParts = []map[Text]string{
	germanKeys, germanLobby, germanBattle, germanEndings, germanGames, germanAccount,
	germanSettings, germanHelp, germanLines, germanMoves, germanErrors, germanBots, germanDoor,
	germanCommands, germanRatings, germanReveal, germanSeats,
}

// together is one map of several.
func together(parts []map[Text]string) map[Text]string {
	all := map[Text]string{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}
