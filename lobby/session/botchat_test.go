package session

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/match"
)

// playBot plays a match against easy, firing at all cells row by row, and returns what the bot said.
func playBot(s *Session) (lines []chat.Line) {
	must.Do(s.PlayBot("easy", match.Classic(), lobby.Casual))
	must.Do(s.Place(match.First, match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))))
	for {
		synctest.Wait()
		u := must.Get(s.Poll())
		if u.Kind == 0 {
			return lines
		}
		if u.Kind == ChatChanged && u.Chat == MatchChat {
			lines = u.Lines
		}
		if u.Kind != MatchChanged {
			continue
		}
		v := &u.Match.View
		if v.Phase == match.Battle && v.Turn == u.Side && !v.Pending {
			n := v.Charts[u.Side].Fired
			must.Do(s.Fire(match.First, u.Match.Seq, match.NewCell(n%10, n/10)))
		}
	}
}

// TestBotSpeaksToPlayer checks that a bot comments on a match and on its end, to people only, and not if it is muted.
func TestBotSpeaksToPlayer(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		ann := New(Config{Lobby: l, Player: account.Player{ID: "key ann", Name: "ann"}})
		defer ann.Close()
		lines := playBot(ann)
		if len(lines) < 2 {
			t.Errorf("got %+v, want remarks during the match and at its end", lines)
		}
		for i, line := range lines {
			if line.Number != i+1 || line.From.Name != "easy" || line.Remark == "" || i > 0 && line.Remark == lines[i-1].Remark {
				t.Errorf("line %d is %+v", i, line)
			}
		}
		program := openProgram(t, &Host{Lobby: l}, account.Player{Name: "squid"})
		if lines := playBot(program); lines != nil {
			t.Errorf("a program got %+v", lines)
		}
		must.Do(ann.SetMuteState(t.Context(), ann.State().Match.Opponent, chat.MutedForSession))
		if lines := playBot(ann); lines != nil {
			t.Errorf("a player who muted the bot got %+v", lines)
		}
	})
}
