package command

import (
	"errors"
	"io"
	"strings"

	"broadside/internal/export"
	"broadside/internal/session"
	"broadside/match"
)

var record = command{
	name: "record", args: "ID",
	about: "A match that has ended, as JSON", most: 1,
	set: func(f flags) func(*call) error {
		f.Bool("json", true, f.lang.Say("write JSON, which a record always is"))
		return func(c *call) error {
			m, err := c.match()
			if err != nil {
				return err
			}
			b, err := export.JSON(m)
			if err == nil {
				_, err = c.out.Write(b)
			}
			return err
		}
	},
}

var replay = command{
	name: "replay", args: "ID [--cast]",
	about: "The course of a match that has ended, as text or as a film", most: 1,
	set: func(f flags) func(*call) error {
		cast := f.Bool("cast", false, f.lang.Say("write an asciicast, which asciinema plays"))
		return func(c *call) error {
			m, err := c.match()
			if err != nil {
				return err
			}
			if *cast {
				err = export.Cast(c.lang, c.out, m)
			} else {
				var text string
				if text, err = export.Text(c.lang, m); err == nil {
					_, err = io.WriteString(c.out, text)
				}
			}
			if errors.Is(err, match.ErrHistory) {
				c.cfg.Log.Error("a match cannot be played again", "match", m.ID, "error", err)
				return failed("the record of this match is damaged and cannot be shown")
			}
			return err
		}
	},
}

// match is the match that is named.
func (c *call) match() (session.Record, error) {
	if len(c.args) == 0 {
		return session.Record{}, wrong("there is no ID of a match: ssh HOST games lists them")
	}
	m, err := ask(c, session.GetRecord{ID: strings.ToLower(c.args[0])})
	if errors.Is(err, session.ErrNotFound) {
		return m, failed("there is no match %q: ssh HOST games lists those that have ended", c.args[0])
	}
	return m, err
}
