package narrate

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
	"broadside/match"
	"broadside/match/live"
)

// sentinels maps error values of language-independent packages to messages.
var sentinels = map[error]i18n.Key{
	live.ErrNoClaim:          "you cannot claim the win: your opponent has not been away long enough",
	live.ErrTimeOver:         "your time is up: press enter to fire a random shot",
	live.ErrEnded:            "the match has ended",
	live.ErrReplaced:         "another session took over the match",
	live.ErrPaused:           "the match is paused: the server cannot save it at the moment",
	ratelimit.ErrFull:        "the server is full right now: try again in a few minutes",
	ratelimit.ErrAddressFull: "too many sessions from your address: end one, or try again in a few minutes",
	ratelimit.ErrTooFast:     "too many connections from your address: try again in a minute",
}

// ErrorText returns the message of err in a language, or its English text if it has no
// message.
func ErrorText(l i18n.Language, err error) string { return l.ErrorText(Localize(err)) }

// Localize returns err with its message if err is or wraps an error of package match, match/live or ratelimit. It
// returns other errors unchanged.
func Localize(err error) error {
	var has i18n.LocalizedError
	if err == nil || errors.As(err, &has) {
		return err
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		m := ownMessage(e)
		if m.Key != "" {
			return &localized{err, m}
		}
	}
	return err
}

// localized is an error with its message.
type localized struct {
	error
	message i18n.Message
}

// LocalizedMessage implements [i18n.LocalizedError].
func (e *localized) LocalizedMessage() i18n.Message { return e.message }

// Unwrap returns the original error.
func (e *localized) Unwrap() error { return e.error }

// ownMessage returns the message of err itself, ignoring the errors that it wraps.
func ownMessage(err error) i18n.Message {
	if p, ok := err.(*match.Problem); ok {
		args := slices.Clone(p.Args)
		for i, arg := range args {
			switch arg := arg.(type) {
			case match.Class:
				args[i] = ClassName(arg)
			case match.Cell:
				args[i] = arg.String()
			case error:
				args[i] = Localize(arg)
			}
		}
		return i18n.NewMessage(i18n.Key(p.Sentence), args...)
	}
	for sentinel, text := range sentinels {
		if err == sentinel {
			return i18n.NewMessage(text)
		}
	}
	return i18n.Message{}
}

// ErrorSentence returns the message of err as a sentence, with a capital letter and, unless it is a question, a
// full stop.
func ErrorSentence(l i18n.Language, err error) string {
	s := strings.TrimSuffix(ErrorText(l, err), ".")
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	sentence := string(unicode.ToUpper(r)) + s[size:]
	if strings.HasSuffix(sentence, "?") {
		return sentence
	}
	return sentence + "."
}
