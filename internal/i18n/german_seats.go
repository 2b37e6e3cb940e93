package i18n

// germanSeats is what is said of seats that are continued or taken over, and of
// codes.
var germanSeats = map[Text]string{
	"You have a match in another session: press %s to continue it here.":    "Du hast eine Partie in einer anderen Sitzung: Mit %s spielst du sie hier weiter.",
	"You have a match in another session. To continue it here, say resume.": "Du hast eine Partie in einer anderen Sitzung. Sag resume, um sie hier weiterzuspielen.",
	"Your match is waiting: press %s to continue it.":                       "Deine Partie wartet: Mit %s spielst du sie weiter.",
	"continue your match":            "Partie weiterspielen",
	"continue":                       "weiterspielen",
	"continue the match":             "Partie weiterspielen",
	"You have no match to continue.": "Du hast keine Partie zum Weiterspielen.",
	"Your seat was taken over with its resume code.": "Dein Platz wurde mit dem Rückkehr-Code übernommen.",
	"Continue a match that you left as a guest, by its resume code. Without a code: your own match, even if another session plays it.": "Eine Partie weiterspielen, die du als Gast verlassen hast, mit ihrem Rückkehr-Code. Ohne Code: die eigene Partie, auch wenn sie in einer anderen Sitzung läuft.",

	"%s has entered your resume code and takes over your seat:": "%s hat deinen Rückkehr-Code eingegeben und übernimmt deinen Platz:",
	"%s takes your seat:": "%s übernimmt deinen Platz:",
	"%s has entered your resume code and takes over your seat in %s. To keep it, say refuse.": "%s hat deinen Rückkehr-Code eingegeben und übernimmt deinen Platz in %s. Sag refuse, um ihn zu behalten.",
	"refuse":                                       "ablehnen",
	"You keep your seat.":                          "Du behältst deinen Platz.",
	"Your new resume code: %s":                     "Dein neuer Rückkehr-Code: %s",
	"Nobody asks for your seat.":                   "Niemand will deinen Platz übernehmen.",
	"You keep your seat. Your new resume code: %s": "Du behältst deinen Platz. Dein neuer Rückkehr-Code: %s",
	"Keep your seat when somebody has entered its resume code.": "Den eigenen Platz behalten, wenn jemand seinen Rückkehr-Code eingegeben hat.",
	"Another session uses this seat":                            "Eine andere Sitzung nutzt diesen Platz",
	"You get it unless its player refuses in time.":             "Du bekommst ihn, wenn niemand rechtzeitig ablehnt.",
	"Another session uses this seat. You take it over in %s, unless its player refuses. Say cancel to stop waiting.": "Eine andere Sitzung nutzt diesen Platz. In %s gehört er dir, wenn niemand ablehnt. Sag cancel, um nicht länger zu warten.",
	"the player in this seat refused to hand it over: the resume code has changed":                                   "der Platz wird nicht übergeben: sein Rückkehr-Code ist jetzt ein anderer",
	"this seat is in use: end the other session first, then try again":                                               "dieser Platz ist belegt: beende erst die andere Sitzung",

	"Do you have a room code? Type it and press enter.":                                "Hast du einen Raumcode? Tippe ihn, dann Enter.",
	"Did you leave a match as a guest?":                                                "Eine Partie als Gast verlassen?",
	"Type its resume code here to continue.":                                           "Mit ihrem Rückkehr-Code geht es hier weiter.",
	"No code was typed. Type one, or press enter again to open a room.":                "Es ist kein Code da. Tippe einen, oder öffne mit Enter einen Raum.",
	"No code contains %s: codes have letters and digits only.":                         "Kein Code enthält %s: Codes haben nur Buchstaben und Ziffern.",
	"Codes have letters and digits only.":                                              "Codes haben nur Buchstaben und Ziffern.",
	"a room code has %d letters and digits, such as K3F-97W-QXM":                       "ein Raumcode hat %d Buchstaben und Ziffern, etwa K3F-97W-QXM",
	"there is no room with this code: check it, or open a room of your own":            "kein Raum hat diesen Code: prüfe ihn, oder öffne selbst einen Raum",
	"this link code is wrong, used or expired: ask for a new one on the other machine": "dieser Code ist falsch, benutzt oder abgelaufen: hol am anderen Rechner einen neuen",
	"no running match has this resume code: check it and try again":                    "keine laufende Partie hat diesen Rückkehr-Code: prüfe ihn",
	"too many wrong codes came from your address: try again in a minute":               "zu viele falsche Codes von deiner Adresse: versuch es in einer Minute wieder",
	"too many wrong codes are tried on this server: try again in a minute":             "zu viele falsche Codes auf diesem Server: versuch es in einer Minute wieder",
	"join takes the code of one room":                                                  "join braucht den Code eines Raums",
}
