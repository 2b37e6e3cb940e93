package web

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/internal/view"
	"broadside/lobby"
)

// turnFeed is a player's private feed, as Atom and JSON Feed encode it.
type turnFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed" json:"-"`
	Version string      `xml:"-" json:"version"`
	ID      string      `xml:"id" json:"-"`
	Title   string      `xml:"title" json:"title"`
	Author  string      `xml:"author>name" json:"-"`
	Updated string      `xml:"updated" json:"-"`
	Entries []turnEntry `xml:"entry" json:"items"`
}

// turnEntry says that it is the player's turn.
type turnEntry struct {
	ID      string `xml:"id" json:"id"`
	Title   string `xml:"title" json:"title"`
	Updated string `xml:"updated" json:"date_published"`
	Content string `xml:"content" json:"content_text"`
}

// readTurns returns the private feed that an address names: TOKEN.atom or TOKEN.json.
func (p *page) readTurns() (response, error) {
	token, format, _ := strings.Cut(p.r.PathValue("file"), ".")
	if format != "atom" && format != "json" {
		return response{}, errNotFound
	}
	read, err := p.session.ReadFeed(p.r.Context(), token)
	if err != nil {
		return response{}, err
	}
	// The settings decide, not the feed reader's header. An unknown language is English.
	p.Lang, _ = i18n.Parse(read.Language)
	feed := turnFeed{
		Version: "https://jsonfeed.org/version/1.1", ID: "urn:broadside:turns:" + read.Player.Account, Title: "Broadside",
		Author: "Broadside", Updated: formatFeedTime(time.Unix(0, 0)), Entries: []turnEntry{},
	}
	for _, m := range read.Turns {
		e := p.newTurnEntry(m)
		feed.Updated = max(feed.Updated, e.Updated)
		feed.Entries = append(feed.Entries, e)
	}
	const cache = "private, " + fresh
	if format == "json" {
		res := jsonResponse(0, cache, feed)
		res.contentType = "application/feed+json"
		return res, nil
	}
	var body bytes.Buffer
	body.WriteString(xml.Header)
	err = xml.NewEncoder(&body).Encode(feed)
	return response{contentType: "application/atom+xml; charset=utf-8", cache: cache, body: body.Bytes()}, err
}

// newTurnEntry returns a turn's entry. It does not contain the time left, because it must change only with the
// turn: readers show a changed entry again.
func (p *page) newTurnEntry(m lobby.CorrespondenceMatch) turnEntry {
	deadline := m.Deadline.Round(time.Minute)
	return turnEntry{
		ID:      fmt.Sprintf("urn:broadside:turn:%s:%d", m.ID, m.Due.Microseconds()),
		Title:   p.translate("Your turn against %s", sanitize.Text(m.Opponent)),
		Updated: formatFeedTime(deadline.Add(-m.Pace)),
		Content: p.translate("%s. Deadline: %s UTC. To play: %s", view.CorrespondenceTerms(p.Lang, m.Rules, m.Pace, m.Mode),
			view.FormatDateTime(p.Lang, deadline), p.sshCommand()),
	}
}

func formatFeedTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }
