package bots

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// Character describes a bot to people who choose an opponent.
type Character struct {
	Sketch  i18n.Key // one sentence
	Novelty bool     // remarkable for its method rather than as an opponent
	// shots is the mean number of shots it needs to sink a fleet under classic rules, from
	// the table in docs/bots.md; 0 if it is for other rules.
	shots float64
}

// characters holds the characters of the bots that can be challenged by name alone.
var characters = map[string]Character{
	"easy":      {"sketch-easy", false, 95.4},
	"prolog":    {"sketch-prolog", true, 53.7},
	"medium":    {"sketch-medium", false, 53.4},
	"branch":    {"sketch-branch", true, 49.8},
	"hilbert":   {"sketch-hilbert", true, 47.7},
	"hard":      {"sketch-hard", false, 45.5},
	"memory":    {"sketch-memory", false, 45.5},
	"sweep":     {"sketch-sweep", false, 43.8},
	"commodore": {"sketch-commodore", false, 40.2},
	"admiral":   {"sketch-admiral", false, 39.9},
	"warship":   {"sketch-warship", false, 0},
	"evader":    {"sketch-evader", false, 0},
	"tracker":   {"sketch-tracker", false, 0},
}

// MeanShots returns the mean number of shots that the bot needs to sink a fleet under rules. 0 means
// that it is unknown.
func (i Info) MeanShots(r match.Rules) float64 {
	if !r.Same(match.Classic()) {
		return 0
	}
	return i.Character().shots
}

// Character returns the character of the bot; empty for bots that take an argument.
func (i Info) Character() Character { return characters[i.Name] }
