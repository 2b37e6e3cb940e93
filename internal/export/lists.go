package export

import (
	"math"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// Standing is a rating in a leaderboard or profile.
type Standing struct {
	Place     int     `json:"place,omitempty"`
	Name      string  `json:"name,omitempty"`
	Kind      string  `json:"kind,omitempty"`
	Rules     string  `json:"rules"`
	Rating    float64 `json:"rating"`
	Deviation float64 `json:"deviation"`
	Settled   bool    `json:"settled"`
	Games     int     `json:"rated_games"`
}

// NewStandings converts a leaderboard, which must be sorted, best first.
func NewStandings(all []store.Standing) []Standing {
	out := make([]Standing, 0, len(all))
	for i, s := range all {
		x := newStanding(s)
		x.Place, x.Name, x.Kind = i+1, s.Name, string(s.Kind)
		out = append(out, x)
	}
	return out
}

// newStanding returns a rating without its player.
func newStanding(s store.Standing) Standing {
	r := s.RatingAt(time.Now())
	return Standing{
		Rules: s.RuleSet, Rating: math.Round(r.Value), Deviation: math.Round(r.Deviation),
		Settled: r.IsSettled(), Games: s.Games,
	}
}

// Summary is a finished match in a list.
type Summary struct {
	ID    string `json:"id"`
	Rules string `json:"rules"`
	// Started is in UTC.
	Started time.Time `json:"started"`
	Took    int64     `json:"took_ms"`
	Rated   bool      `json:"rated"`
	// Casual says why the match is not rated.
	Casual  string  `json:"casual,omitempty"`
	Players [2]Seat `json:"players"`
	// Winner is an index of Players, or null if no one won.
	Winner *int   `json:"winner"`
	Reason string `json:"reason"`
}

// Seat is one side of a match.
type Seat struct {
	// Name is the name at the time of the match.
	Name string `json:"name"`
	// Kind is "person", "program" or "bot".
	Kind  string `json:"kind"`
	Guest bool   `json:"guest,omitempty"`
	Shots int    `json:"shots"`
	Hits  int    `json:"hits"`
	// Accuracy is from 0 to 1. It is absent until the match is analysed.
	Accuracy *float64 `json:"accuracy,omitempty"`
}

// NewSummaries converts a list of finished matches.
func NewSummaries(all []store.Summary) []Summary {
	out := make([]Summary, 0, len(all))
	for _, m := range all {
		s := Summary{
			ID: m.ID, Rules: m.RuleSet, Started: m.Started.UTC(), Took: m.Took.Milliseconds(), Rated: m.Rated, Casual: m.Casual,
			Winner: m.Winner.JSONIndex(), Reason: m.Reason.String(),
		}
		for side, p := range m.Seats {
			s.Players[side] = newSeat(p)
		}
		out = append(out, s)
	}
	return out
}

func newSeat(s store.Seat) Seat {
	guest := s.Kind == store.Person && s.Player == ""
	return Seat{
		Name: s.Name, Kind: string(s.Kind), Guest: guest,
		Shots: s.Shots, Hits: s.Hits, Accuracy: roundAccuracy(s.Judged, s.Share),
	}
}

// RunningMatch is a running match, in lists and as the first event of a feed.
type RunningMatch struct {
	// Event is always "match".
	Event string `json:"event"`
	ID    string `json:"id"`
	Rules string `json:"rules"`
	// Started is in UTC.
	Started  time.Time `json:"started"`
	Players  [2]Seat   `json:"players"`
	Watching int       `json:"watching"`
}

// NewRunningMatch returns a running match. The view, unless it is nil, has the shots and hits so far.
func NewRunningMatch(r lobby.RunningMatch, v *match.View) RunningMatch {
	b := RunningMatch{Event: "match", ID: r.ID, Rules: r.Rules.Name, Started: r.Started.UTC(), Watching: r.Watching}
	for side, p := range r.Players {
		b.Players[side] = Seat{Name: p.Name, Kind: p.Kind.String(), Guest: p.Account == "" && p.Kind == account.Person}
		if v != nil {
			b.Players[side].Shots = v.Charts[side].Fired
			b.Players[side].Hits = v.Charts[side].Hits.Union(v.Charts[side].Sunk).Len()
		}
	}
	return b
}

// Bot is a built-in bot.
type Bot struct {
	Name string `json:"name"`
	// Rating is fixed. It is null if the bot's matches under these rules are casual.
	Rating *float64 `json:"rating"`
	// Shots is the mean number of shots that the bot needs to sink a fleet under these rules. It is 0 if it is
	// unknown.
	Shots float64 `json:"shots"`
	// Played and Won count the user's matches against the bot under these rules.
	Played int `json:"played,omitzero"`
	Won    int `json:"won,omitzero"`
}

// NewBots returns the bots that are offered under rules, in the order of [session.ListBots].
func NewBots(r match.Rules) []Bot {
	out := []Bot{}
	for _, b := range session.ListBots(r) {
		bot := Bot{Name: b.Name, Shots: b.MeanShots(r)}
		if rating, ok := session.BotRating(r.Name, b.Name); ok {
			bot.Rating = &rating
		}
		out = append(out, bot)
	}
	return out
}

// Friend is a player whom the user follows.
type Friend struct {
	Name string `json:"name"`
	// State is offline, online or playing.
	State string `json:"state"`
}

// NewFriends converts the players whom the user follows.
func NewFriends(all []session.Friend) []Friend {
	out := make([]Friend, 0, len(all))
	for _, f := range all {
		state := "offline"
		switch {
		case f.Playing:
			state = "playing"
		case f.Online:
			state = "online"
		}
		out = append(out, Friend{f.Player.Name, state})
	}
	return out
}
