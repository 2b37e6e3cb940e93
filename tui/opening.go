package tui

import (
	"math/rand/v2"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

// Opening is where a session begins. The zero value is the lobby.
type Opening struct {
	Room  string      // the code of a room to join
	Seat  string      // the resume code of a seat to take again
	Mine  bool        // the person's own match, even if another session plays it
	Play  bool        // play at once, a bot or the next who comes
	Bot   string      // with Play: the bot to play; empty: the next who comes
	Rules match.Rules // with Play
	// Stakes are chosen with Play.
	Stakes session.Stakes
	Daily  bool   // the sea of the day
	Watch  string // what to watch, see [session.WatchBy]; empty: nothing
}

// How the commands that open a session are written.
const (
	JoinUsage   = "CODE"
	ResumeUsage = "[CODE]"
	PlayUsage   = "[--vs BOT] [--rules RULES] [--casual]"
	WatchUsage  = "[ID|NAME|featured]"
)

// ParseOpening is the opening that a command asks for, by its words; no words
// ask for the lobby. The error is a sentence for the person. It may hold what
// they have written.
func ParseOpening(line []string) (Opening, error) {
	if len(line) == 0 {
		return Opening{}, nil
	}
	switch line[0] {
	case "join":
		return parseJoin(line[1:])
	case "resume":
		return parseResume(line[1:])
	case "play":
		return parsePlay(line[1:])
	case "watch":
		return parseWatch(line[1:])
	case "daily":
		if len(line) > 1 {
			return Opening{}, i18n.Errorf("on a screen daily is today's: leave -t out for %q", strings.Join(line, " "))
		}
		return Opening{Daily: true}, nil
	case "plain":
		if len(line) > 1 {
			return Opening{}, i18n.Errorf("plain takes nothing: ssh HOST plain")
		}
		return Opening{}, nil
	}
	return Opening{}, i18n.Errorf("there is no command %q", line[0])
}

func parseJoin(args []string) (Opening, error) {
	if len(args) != 1 {
		return Opening{}, i18n.Errorf("join takes the code of one room: ssh -t HOST join K3F-97W-QXM")
	}
	code, err := session.ParseCode(args[0])
	return Opening{Room: code}, err
}

func parseResume(args []string) (Opening, error) {
	switch len(args) {
	case 0:
		return Opening{Mine: true}, nil
	case 1:
		return Opening{Seat: args[0]}, nil
	}
	return Opening{}, i18n.Errorf("resume takes one code, or none for a match of your account: ssh -t HOST resume K3F9-7WQX-2ABC")
}

func parseWatch(args []string) (Opening, error) {
	switch {
	case len(args) == 0:
		return Opening{Watch: session.Featured}, nil
	case strings.HasPrefix(args[0], "-"):
		return Opening{}, i18n.Errorf("on a screen watch knows nothing of %q: leave -t out, or write ssh -t HOST watch %s", args[0], WatchUsage)
	case len(args) > 1:
		return Opening{}, i18n.Errorf("watch shows one match: ssh -t HOST watch %s", WatchUsage)
	}
	return Opening{Watch: args[0]}, nil
}

func parsePlay(args []string) (Opening, error) {
	o := Opening{Play: true, Rules: match.Classic()}
	for len(args) > 0 {
		if args[0] == "--casual" {
			o.Stakes, args = session.Casual, args[1:]
			continue
		}
		name, value, joined := strings.Cut(args[0], "=")
		if args = args[1:]; !joined && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		switch {
		case name != "--vs" && name != "--rules":
			return Opening{}, i18n.Errorf("play knows nothing of %q: ssh -t HOST play %s", name, PlayUsage)
		case value == "":
			return Opening{}, i18n.Errorf("there is nothing after %s: ssh -t HOST play %s", name, PlayUsage)
		case name == "--vs":
			o.Bot = value
			continue
		}
		rules, err := match.Preset(value)
		if err != nil {
			return Opening{}, err
		}
		o.Rules = rules
	}
	if o.Bot != "" {
		if _, err := bots.New(o.Bot, bots.Config{Rules: o.Rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return Opening{}, err
		}
	}
	return o, nil
}

// open begins the session where its command wanted.
func (m *Model) open(o Opening) tea.Cmd {
	if o.Room != "" {
		return m.play(session.JoinPrivate{Code: o.Room})
	}
	if o.Seat != "" {
		return m.seek(session.ResumeSeat{Code: o.Seat})
	}
	if o.Mine {
		m.continueHere()
		return nil
	}
	if o.Watch != "" {
		m.watchBy(o.Watch)
		return nil
	}
	if o.Daily {
		return m.toDaily()
	}
	if !o.Play {
		return nil
	}
	if o.Bot != "" {
		return m.challenge(o.Bot, o.Rules, o.Stakes)
	}
	return m.playNow(o.Rules, o.Stakes)
}
