package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"broadside/internal/export"
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
	sides
	ID, Rules, Ended, Line, Ending string
	Frame, Last                    int
	First, Back, Next, End, Heat   string // links without JavaScript
	Hot                            bool
	Costly                         []replayShot
	Shots                          []replayShot
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
		ID: id, Rules: c.about.RuleSet, Ended: p.Date(c.about.Ended()), Frame: n, Last: c.Len() - 1,
		Ending: c.Ending(), Hot: q.Get("heat") == "1", sides: sides{Names: c.names, Status: feed.StatusOf(c.View(n))},
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
	p.Title = p.T("web-replay-of", c.names[0], c.names[1])
	p.Description = p.Title + ". " + b.Ending
	p.Picture, p.Unlisted = "/m/"+id+"/picture.png", c.about.Private
	p.Body = b
	p.render(w, http.StatusOK)
}

func (b replayPage) markup(p *page) markup {
	return fill(`<div data-replay="/api/v1/matches/%v" data-frame="%v" data-hot="%v">
<h1>%v – %v</h1>
<p class="line">%v <span class="note">%v · %v</span></p>
%v
%v
<section class="card">
%v
<ol class="log" start="0" tabindex="0" aria-label="%v" data-shots>%v</ol>
</section>
%v<p class="note"><a href="/api/v1/matches/%v">%v</a></p>
</div>`, b.ID, b.Frame, when(b.Hot, "1"), b.Names[0], b.Names[1], b.Ending, b.Rules, b.Ended, b.sides.markup(p), b.controls(p),
		title(p.T("web-log")), p.T("web-log"), each(b.Shots, func(s replayShot) markup {
			return fill(`<li><a href="%v"%v>%v</a></li>`, s.Link, when(s.Frame == b.Frame, ` aria-current="true"`), s.Text)
		}),
		when(len(b.Costly) > 0, fill("<section class=\"card\">\n%v\n<ul class=\"matches\" data-costly>%v</ul>\n</section>\n",
			title(p.T("costliest-shots")), each(b.Costly, func(s replayShot) markup { return fill(`<li><a href="%v">%v</a></li>`, s.Link, s.Text) }))),
		b.ID, p.T("web-record"))
}

// controls returns the timeline and the buttons of a replay.
func (b replayPage) controls(p *page) markup {
	return fill(`<section class="card controls" aria-label="%v">
<p class="line"><span class="count" data-count>%v</span> <span data-status role="status">%v</span></p>
<input type="range" min="0" max="%v" value="%v" aria-label="%v" data-scrub hidden>
<p class="buttons">
<a class="key" data-go="first" href="%v">⇤ %v</a>
<a class="key" data-go="back" href="%v" rel="prev">← %v</a>
<a class="key" data-go="next" href="%v" rel="next">→ %v</a>
<a class="key" data-go="last" href="%v">⇥ %v</a>
<button class="key" type="button" data-play hidden>%v</button>
<label data-pace hidden>%v <select><option value="2000">½×</option><option value="1000" selected>1×</option><option value="500">2×</option><option value="200">5×</option></select></label>
<a class="key" data-heat href="%v" aria-pressed="%v" role="button">%v</a>
</p>
<p class="note">%v <span data-keys hidden>%v</span></p>
</section>`, p.T("web-position"), p.T("web-shot-of", b.Frame, b.Last), b.Line, b.Last, b.Frame, p.T("web-position"),
		b.First, p.T("web-first"), b.Back, p.T("web-back"), b.Next, p.T("web-next"), b.End, p.T("web-last"),
		p.T("web-play"), p.T("web-speed"), b.Heat, b.Hot, p.T("web-heat"), p.T("web-odds-note"), p.T("web-keys"))
}

// addReview adds the accuracy of both players and their costliest shots.
func (b *replayPage) addReview(p *page, review session.Review) {
	for side, r := range review.Sides {
		if r.Judged > 0 {
			b.Accuracy[side] = phrase.Percent(p.Lang, r.Accuracy)
		}
		for _, x := range r.Costliest {
			text := p.T("web-costly-shot", b.Names[side], x.Cell, phrase.Percent(p.Lang, x.Odds), x.Best, phrase.Percent(p.Lang, x.BestOdds))
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
		return p.T("web-begins", c.names[match.Second])
	}
	var cells, results []string
	for _, cell := range t.Cells {
		cells = append(cells, cell.String())
	}
	for _, shot := range t.Shots {
		results = append(results, p.Lang.Text(resultTexts[export.ResultName(shot.Result)]))
	}
	return p.T("web-fired", c.names[t.Side], strings.Join(cells, ", "), strings.Join(results, ", "))
}

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
