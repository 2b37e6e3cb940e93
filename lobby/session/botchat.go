package session

import (
	"cmp"
	"slices"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/chat"
	"broadside/match"
	"broadside/match/live"
)

// botChat holds what a bot has said to its opponent in this session. Bots do not read.
type botChat struct {
	speaker *bots.Speaker
	lines   []chat.Line
}

// openBotChatLocked opens an empty chat for a match against a bot.
func (s *Session) openBotChatLocked(taken *lobby.Seat) {
	s.botChat = &botChat{speaker: taken.NewSpeaker()}
	s.pending.addLocked(Update{Kind: ChatChanged, Chat: MatchChat, ID: taken.Match().ID()})
}

// addRemarkLocked adds what the bot says about an update's events, at most one line.
func (s *Session) addRemarkLocked(seat *seat, m *live.Update) {
	b, bot := s.botChat, seat.held.Opponent
	// The bot stays silent about what happened before the player came.
	if b == nil || m.Missed || s.member.Chat.MuteState(bot.ID) != chat.NotMuted {
		return
	}
	var remark i18n.Key
	for _, e := range m.Events {
		if o, ok := botOccasion(e, seat.held.Side().Other()); ok {
			remark = cmp.Or(b.speaker.Remark(o), remark)
		}
	}
	if remark == "" {
		return
	}
	line := chat.Line{Number: len(b.lines) + 1, At: time.Now(), From: bot, Remark: remark}
	// There are at most as many lines as ships, and one about the result.
	b.lines = append(slices.Clip(b.lines), line)
	s.pending.addLocked(Update{Kind: ChatChanged, Chat: MatchChat, ID: seat.held.Match().ID(), Lines: b.lines})
}

// botOccasion returns what an event means to a bot with the given side, or false if it is no occasion for a remark.
func botOccasion(e match.Event, side match.Side) (o bots.Occasion, ok bool) {
	switch {
	case e.Kind == match.ShotAnswered && e.Result == match.Sunk && e.Side == side:
		return bots.LostShip, true
	case e.Kind == match.ShotAnswered && e.Result == match.Sunk:
		return bots.SankShip, true
	case e.Kind == match.GameEnded && e.Side == side:
		return bots.WonMatch, true
	case e.Kind == match.GameEnded && e.Side == side.Other():
		return bots.LostMatch, true
	}
	return 0, false
}
