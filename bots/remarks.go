package bots

import (
	"math/rand/v2"
	"slices"

	"broadside/internal/i18n"
)

// Occasion is an event that a bot may comment on.
type Occasion uint8

// The occasions.
const (
	// SankShip means that the bot has sunk a ship.
	SankShip Occasion = iota
	// LostShip means that the bot has lost a ship.
	LostShip
	// WonMatch means that the bot has won.
	WonMatch
	// LostMatch means that the bot has lost.
	LostMatch
	occasions
)

// remarks holds what bots say to people. With the bot's name, each must fit into 40 cells in all languages.
var remarks = map[string][occasions][]i18n.Key{
	"easy": {
		SankShip:  {"Oh! I hit something!"},
		LostShip:  {"Nicely done!", "There goes my hammock."},
		WonMatch:  {"I won? What a day!"},
		LostMatch: {"Well aimed! Once more?"},
	},
	"gunner": {
		SankShip:  {"I got one! I really did!"},
		LostShip:  {"Good aim! I take notes.", "Back to gunnery school."},
		WonMatch:  {"Wait till the crew hears!"},
		LostMatch: {"I learned a lot from you."},
	},
	"prolog": {
		SankShip:  {"Therefore, it sank."},
		LostShip:  {"A fact I must accept.", "I backtrack."},
		WonMatch:  {"Yes. Q.E.D."},
		LostMatch: {"Your proof holds. Well done."},
	},
	"medium": {
		SankShip:  {"I had a feeling about that."},
		LostShip:  {"You have a good feel, too.", "I was fond of that ship."},
		WonMatch:  {"Luck was on my side."},
		LostMatch: {"Well played! You earned it."},
	},
	"branch": {
		SankShip:  {"Mark that on the map."},
		LostShip:  {"You measure well.", "One square less for me."},
		WonMatch:  {"The whole sea is mapped."},
		LostMatch: {"You know these waters well."},
	},
	"hilbert": {
		SankShip:  {"My curve passes everywhere."},
		LostShip:  {"An elegant shot.", "A gap in my proof."},
		WonMatch:  {"A fine match, with a proof."},
		LostMatch: {"A beautiful counterexample."},
	},
	"hard": {
		SankShip:  {"The net holds."},
		LostShip:  {"That was well aimed.", "A hole in my net."},
		WonMatch:  {"A good match. Thank you."},
		LostMatch: {"You tore my net. Well done."},
	},
	"memory": {
		SankShip:  {"I will remember this spot."},
		LostShip:  {"I won't forget that shot.", "That brings back memories."},
		WonMatch:  {"One more story to tell."},
		LostMatch: {"A match to remember!"},
	},
	"sweep": {
		SankShip:  {"Swept and found."},
		LostShip:  {"A clean hit.", "You sweep well, too."},
		WonMatch:  {"The sea is clear."},
		LostMatch: {"A clean win. Well done!"},
	},
	"commodore": {
		SankShip:  {"The odds were good."},
		LostShip:  {"Against the odds. Bravo!", "I had not planned for that."},
		WonMatch:  {"The odds favoured me today."},
		LostMatch: {"You beat the odds!"},
	},
	"admiral": {
		SankShip:  {"As the charts foretold."},
		LostShip:  {"A worthy shot.", "You read my fleet well."},
		WonMatch:  {"An honourable battle."},
		LostMatch: {"My salute. The sea is yours."},
	},
	"warship": {
		SankShip:  {"Old patterns still work."},
		LostShip:  {"I drifted into that one.", "Fine gunnery!"},
		WonMatch:  {"It was good sailing."},
		LostMatch: {"You are the better hunter."},
	},
	"evader": {
		SankShip:  {"That was a good moment."},
		LostShip:  {"I nearly got away.", "You knew where I would go."},
		WonMatch:  {"And off I go. Good match!"},
		LostMatch: {"No way out. Well done!"},
	},
	"tracker": {
		SankShip:  {"I followed the wake."},
		LostShip:  {"So you can track, too.", "I left a trail."},
		WonMatch:  {"All wakes lead somewhere."},
		LostMatch: {"I lost your trail. Bravo!"},
	},
}

// Speaker chooses what a bot says in a match.
type Speaker struct {
	remarks [occasions][]i18n.Key
	rng     *rand.Rand
	last    i18n.Key
}

// NewSpeaker returns a speaker for the bot with a name. A bot without remarks stays silent.
func NewSpeaker(bot string, rng *rand.Rand) *Speaker {
	return &Speaker{remarks: remarks[bot], rng: rng}
}

// Remark returns what the bot says on an occasion, or "" if it says nothing. It comments on about half of the sinkings
// and on every result, and never says the same twice in a row.
func (s *Speaker) Remark(o Occasion) i18n.Key {
	isResult := o == WonMatch || o == LostMatch
	if !isResult && s.rng.IntN(2) == 0 {
		return ""
	}
	fresh := slices.DeleteFunc(slices.Clone(s.remarks[o]), func(r i18n.Key) bool { return r == s.last })
	if len(fresh) == 0 {
		return ""
	}
	s.last = fresh[s.rng.IntN(len(fresh))]
	return s.last
}
