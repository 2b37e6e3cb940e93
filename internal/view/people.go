package view

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// Opponent is a player whom the reader may play, or could if the player were not busy.
type Opponent struct {
	account.Player
	Number int // in the list, from 1
	Shown  string
	Type   string // person, program or bot
	Rating string // under the offer's rules, or else the reader's; may be empty
	State  string // the terms of the offer, or what the player is doing; may be empty
	Offer  int    // accepts the player's open offer; 0: there is none, challenge the player
	Busy   bool   // plays, or does not want to be disturbed
}

// OpponentsList lists opponents.
var OpponentsList = List[Opponent]{
	Columns: []Column{
		{Title: "No.", Kind: Reference}, {Title: "Name", Kind: Heading}, {Title: "Kind"}, {Title: "Rating", Kind: Number},
		{Title: "State"},
	},
	Cells: func(l i18n.Language, r Opponent) []string {
		state := r.State
		if r.Offer != 0 {
			state = l.Text("waiting: %s", state)
		}
		return []string{number(l, r.Number), r.Shown, r.Type, Dash(sayRating(l, r.Rating)), Dash(state)}
	},
}

// PlayerKind returns the word for a kind of player.
func PlayerKind(k account.Kind) i18n.Key { return narrate.AccountKindName(store.Kind(k.String())) }

// Opponents returns the players in the lobby, except the one with the ID me. Players with an open offer
// come first. Each player is listed once, even with several sessions.
func Opponents(l i18n.Language, s *lobby.Snapshot, me string, rules match.Rules) (rows []Opponent) {
	listed := map[string]bool{me: true}
	add := func(p account.Player, r match.Rules, o Opponent) {
		if listed[p.ID] {
			return
		}
		listed[p.ID] = true
		o.Player, o.Number, o.Shown, o.Type, o.Rating = p, len(rows)+1, Name(l, p), l.Text(PlayerKind(p.Kind)), p.Rating(r)
		rows = append(rows, o)
	}
	for _, w := range s.Waiting {
		add(w.Player, w.Rules, Opponent{Offer: w.Offer, State: narrate.AppendStakes(l, narrate.MatchTerms(l, w.Rules), w.Stakes)})
	}
	for _, p := range s.People {
		state := ""
		switch {
		case p.Playing:
			state = l.Text("playing")
		case p.DoNotDisturb:
			state = l.Text("do not disturb")
		}
		add(p.Player, rules, Opponent{State: state, Busy: state != ""})
	}
	return rows
}

// Friend is a player whom the reader follows.
type Friend struct {
	session.Friend
	Shown string // with the rating
	State string // offline, online or playing
}

// FriendsList lists friends.
var FriendsList = List[Friend]{
	Columns: []Column{{Title: "Name", Kind: Heading}, {Title: "State"}},
	Cells:   func(_ i18n.Language, r Friend) []string { return []string{r.Shown, r.State} },
}

// Friends returns the players whom the reader follows, with their ratings under rules.
func Friends(l i18n.Language, all []session.Friend, rules match.Rules) []Friend {
	rows := make([]Friend, len(all))
	for i, f := range all {
		state := i18n.Key("offline")
		switch {
		case f.Playing:
			state = "playing"
		case f.Online:
			state = "online"
		}
		rows[i] = Friend{Friend: f, Shown: RatedName(l, f.Player, rules), State: l.Text(state)}
	}
	return rows
}
