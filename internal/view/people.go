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
	// Number is the position in the list, from 1.
	Number      int
	DisplayName string
	KindText    string
	// RatingText is the rating under the offer's rules, or else under the reader's. It may be empty.
	RatingText string
	// StateText has the offer's terms, or what the player is doing. It may be empty.
	StateText string
	// Offer is the number of the player's open offer, or 0.
	Offer int
	// Busy is set if the player is playing or does not want to be disturbed.
	Busy bool
}

// OpponentsList lists opponents.
var OpponentsList = List[Opponent]{
	Columns: []Column{
		{Title: "No.", Kind: Reference}, {Title: "Name", Kind: Heading}, {Title: "Kind"}, {Title: "Rating", Kind: Number},
		{Title: "State"},
	},
	Cells: func(l i18n.Language, r Opponent) []string {
		state := r.StateText
		if r.Offer != 0 {
			state = l.Text("waiting: %s", state)
		}
		rating := DashIfEmpty(ratingInWords(l, r.RatingText))
		return []string{formatNumber(l, r.Number), r.DisplayName, r.KindText, rating, DashIfEmpty(state)}
	},
}

// KindText returns the word for a kind of player, such as "program".
func KindText(k account.Kind) i18n.Key { return narrate.AccountKindName(store.Kind(k.String())) }

// OpponentRows returns the players in the lobby, except the one with the ID me. Players with an open offer
// come first. Each player is listed once, even with several sessions.
func OpponentRows(l i18n.Language, s *lobby.Snapshot, me string, rules match.Rules) (rows []Opponent) {
	listed := map[string]bool{me: true}
	add := func(p account.Player, r match.Rules, o Opponent) {
		if listed[p.ID] {
			return
		}
		listed[p.ID] = true
		o.Player, o.Number = p, len(rows)+1
		o.DisplayName, o.KindText, o.RatingText = NameWithKind(l, p), l.Text(KindText(p.Kind)), p.Rating(r)
		rows = append(rows, o)
	}
	for _, w := range s.Waiting {
		terms := narrate.AppendStakes(l, narrate.MatchTerms(l, w.Rules), w.RatingMode)
		add(w.Player, w.Rules, Opponent{Offer: w.Offer, StateText: terms})
	}
	for _, p := range s.People {
		state := ""
		switch {
		case p.Playing:
			state = l.Text("playing")
		case p.DoNotDisturb:
			state = l.Text("do not disturb")
		}
		add(p.Player, rules, Opponent{StateText: state, Busy: state != ""})
	}
	return rows
}

// Friend is a player whom the reader follows.
type Friend struct {
	session.Friend
	// DisplayName has the rating.
	DisplayName string
	// StateText is offline, online or playing.
	StateText string
}

// FriendsList lists the players whom the reader follows.
var FriendsList = List[Friend]{
	Columns: []Column{{Title: "Name", Kind: Heading}, {Title: "State"}},
	Cells:   func(_ i18n.Language, r Friend) []string { return []string{r.DisplayName, r.StateText} },
}

// FriendRows returns the players whom the reader follows, with their ratings under rules.
func FriendRows(l i18n.Language, all []session.Friend, rules match.Rules) []Friend {
	rows := make([]Friend, len(all))
	for i, f := range all {
		state := i18n.Key("offline")
		switch {
		case f.Playing:
			state = "playing"
		case f.Online:
			state = "online"
		}
		rows[i] = Friend{Friend: f, DisplayName: NameWithRating(l, f.Player, rules), StateText: l.Text(state)}
	}
	return rows
}
