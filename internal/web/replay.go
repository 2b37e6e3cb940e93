package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/svg"
	"broadside/internal/web/feed"
	"broadside/match"
	"broadside/tui/replay"
)

// course is a finished match as frames. It is not safe for concurrent use.
type course struct {
	*replay.Replay
	about session.Summary
	names [2]string
	moves bool // ships move
}

// course returns the frames of a finished match. It hides the names of guests.
func (s *Server) course(ctx context.Context, p *page, id string) (*course, error) {
	m, err := ask(ctx, s.answers, session.GetRecord{ID: id})
	if err != nil {
		return nil, err
	}
	c := &course{moves: m.Rules.Moving}
	for side := range m.Seats {
		c.names[side] = p.seatName(m.Summary, match.Side(side))
		m.Seats[side].Name = c.names[side]
	}
	c.about = m.Summary
	c.Replay, err = replay.New(p.Lang, m)
	return c, err
}

// replayPage is the page of a finished match.
type replayPage struct {
	ID, Rules, Ended, Line, Ending, Clock string
	Names, Links                          [2]string
	Boards                                [2]*svg.Board
	Status                                feed.Status
	Frame, Last                           int
	First, Back, Next, End, Heat          string // links without JavaScript
	Hot                                   bool
	Accuracy                              [2]string // empty until the match is analysed
	Costly                                []replayShot
	Shots                                 []replayShot
}

// replayShot is a turn in the list of a match.
type replayShot struct {
	Frame      int
	Text, Link string
}

// replay serves the page of a finished match.
func (s *Server) replay(w http.ResponseWriter, p *page, id string) {
	c, err := s.course(p.r.Context(), p, id)
	if err != nil {
		s.fail(w, p, err)
		return
	}
	q := p.r.URL.Query()
	n := c.Len() - 1
	if shot, err := strconv.Atoi(q.Get("shot")); err == nil {
		n = min(max(shot, 0), n)
	}
	b := replayPage{
		ID: id, Rules: c.about.RuleSet, Ended: p.Date(c.about.Ended()), Names: c.names, Frame: n, Last: c.Len() - 1,
		Ending: c.Ending(), Clock: phrase.Clock(c.At(n)), Hot: q.Get("heat") == "1", Status: feed.StatusOf(c.View(n)),
	}
	for side, seat := range c.about.Seats {
		b.Links[side] = p.Profile(seat.Name, seat.Player != "")
	}
	b.Boards = c.boards(n)
	if b.Hot {
		if hot, side, err := s.heat(p.r.Context(), c, n); err == nil && hot != nil {
			b.Boards[side] = hot
		}
	}
	for i := range c.Len() {
		b.Shots = append(b.Shots, replayShot{i, p.turnLine(c, i), p.Link(frameLink(id, i, b.Hot))})
	}
	b.Line = b.Shots[n].Text
	b.First, b.Back = p.Link(frameLink(id, 0, b.Hot)), p.Link(frameLink(id, max(n-1, 0), b.Hot))
	b.Next, b.End = p.Link(frameLink(id, min(n+1, b.Last), b.Hot)), p.Link(frameLink(id, b.Last, b.Hot))
	b.Heat = p.Link(frameLink(id, n, !b.Hot))
	if review, err := ask(p.r.Context(), s.answers, session.GetReview{ID: id}); err == nil && review.Ready {
		b.addReview(p, review)
	}
	p.Title = p.T("replay-of", c.names[0], c.names[1])
	p.Description = p.Title + ". " + b.Ending
	p.Picture, p.Unlisted = "/m/"+id+"/picture.png", c.about.Private
	p.Body = b
	p.render(w, "replay", http.StatusOK)
}

// addReview adds the accuracy of both players and their costliest shots.
func (b *replayPage) addReview(p *page, review session.Review) {
	for side, r := range review.Sides {
		if r.Judged > 0 {
			b.Accuracy[side] = phrase.Percent(p.Lang, r.Accuracy)
		}
		for _, x := range r.Costliest {
			text := p.T("costly-shot", b.Names[side], x.Cell, phrase.Percent(p.Lang, x.Odds), x.Best, phrase.Percent(p.Lang, x.BestOdds))
			b.Costly = append(b.Costly, replayShot{x.Turn - 1, text, p.Link(frameLink(b.ID, x.Turn-1, true))})
		}
	}
}

// frameLink returns the path of a frame.
func frameLink(id string, n int, hot bool) string {
	link := "/m/" + id + "?shot=" + strconv.Itoa(n)
	if hot {
		link += "&heat=1"
	}
	return link
}

// boards returns both boards of a frame.
func (c *course) boards(n int) (b [2]*svg.Board) {
	for side := range b {
		b[side] = svg.NewBoard(c.View(n), match.Side(side))
	}
	return b
}

// turnLine describes the shots of a frame.
func (p *page) turnLine(c *course, n int) string {
	t, ok := c.Turn(n)
	if !ok {
		return p.T("begins", c.names[match.Second])
	}
	var cells, results []string
	for _, cell := range t.Cells {
		cells = append(cells, cell.String())
	}
	for _, shot := range t.Shots {
		results = append(results, p.Lang.Text(resultTexts[resultNames[shot.Result]]))
	}
	return p.T("fired", c.names[t.Side], strings.Join(cells, ", "), strings.Join(results, ", "))
}

// resultNames are the results of shots in JSON.
var resultNames = map[match.Result]string{match.Water: "water", match.Hit: "hit", match.Sunk: "sunk", match.LastSunk: "last"}

// heat returns the board that is shot at next, with the admiral's odds of a ship in each
// open cell. The board is nil if nobody shoots next or there are no odds.
func (s *Server) heat(ctx context.Context, c *course, n int) (*svg.Board, match.Side, error) {
	v := c.View(n)
	if v.Phase != match.Battle {
		return nil, match.Nobody, nil
	}
	select {
	case s.advice <- struct{}{}:
		defer func() { <-s.advice }()
	case <-ctx.Done():
		return nil, match.Nobody, ctx.Err()
	}
	a := c.Advise(n)()
	side := v.Turn.Other()
	b := svg.NewBoard(v, side)
	if a.Odds == nil {
		return nil, side, nil
	}
	open := v.Charts[v.Turn].Open()
	hottest := 0.0
	for cell := range open.All() {
		hottest = max(hottest, a.Of(cell))
	}
	for cell := range open.All() {
		b.SetHeat(cell, a.Of(cell), hottest)
	}
	return b, side, nil
}
