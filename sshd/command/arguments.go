package command

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/internal/i18n"
)

// one is the only argument.
func (c *call) one(missing i18n.Text) (string, error) {
	if len(c.args) == 0 {
		return "", usageError{i18n.Errorf(missing)}
	}
	return c.args[0], nil
}

// account returns the client's own account, or one of two errors if there is none:
// the client has no key, or no account has the key.
func (c *call) account(noKey, noAccount error) (string, error) {
	own, err := c.session()
	if err != nil {
		return "", err
	}
	if account := own.Player().Account; account != "" {
		return account, nil
	}
	if c.who.Fingerprint == "" {
		return "", noKey
	}
	return "", noAccount
}

func forFlag(f flags) *string {
	return f.String("for", "", f.lang.Say("for how long, such as 30m, 24h or 7d; without it, for good"))
}

func reasonFlag(f flags) *string {
	return f.String("reason", "", f.lang.Say("why, for the person to read"))
}

// reason is what --reason says, with the words that follow it: ssh does not
// keep them together.
func (c *call) reason(flag string) (string, error) {
	if flag == "" && len(c.args) > 1 {
		return "", wrong("there is one %q too many", c.args[1])
	}
	text := strings.Trim(strings.Join(append([]string{flag}, c.args[min(1, len(c.args)):]...), " "), `"' `)
	if utf8.RuneCountInString(text) > maxReason {
		return "", wrong("a reason has at most %d characters", maxReason)
	}
	return text, nil
}

// maxReason is the longest reason, in characters.
const maxReason = 200

// maxTime is the longest time that an act is for.
const maxTime = 10 * 365 * 24 * time.Hour

// until is when a time from now is over, for what --for says; zero: never.
func until(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); err == nil {
			d = time.Duration(min(max(n, 0), 10000)) * 24 * time.Hour
		}
	}
	if err != nil || d < time.Second || d > maxTime {
		return time.Time{}, wrong("--for cannot be %q: give a time such as 30m, 24h or 7d, at most ten years", text)
	}
	return time.Now().Add(d), nil
}

func (c *call) until(t time.Time) string {
	if t.IsZero() {
		return c.lang.Say("for good")
	}
	return c.lang.Say("until %s UTC", c.stamp(t))
}
