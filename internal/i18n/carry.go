package i18n

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// carried is an argument, or a whole message, on its way to another process.
type carried struct {
	Kind byte      `json:"k"`
	Text string    `json:"t,omitempty"`
	Int  int64     `json:"i,omitempty"`
	Args []carried `json:"a,omitempty"`
	// Full is the English text of an error that wraps what it says in other
	// languages.
	Full string `json:"w,omitempty"`
}

// Carry encodes an error for another process of this program, where [Carried]
// makes an error of it that says the same in every language.
func Carry(err error) []byte {
	b, jsonErr := json.Marshal(carry(err))
	if jsonErr != nil { // of strings and numbers it cannot fail
		panic(jsonErr)
	}
	return b
}

func carry(a any) carried {
	var s Speaker
	switch a := a.(type) {
	case error:
		if !errors.As(a, &s) {
			return carried{Kind: 's', Text: a.Error()}
		}
		c := carry(s.Said())
		c.Kind = 'e'
		if full := a.Error(); full != s.Said().In(English) {
			c.Full = full
		}
		return c
	case Message:
		c := carried{Kind: 'm', Text: string(a.Text)}
		for _, x := range a.Args {
			c.Args = append(c.Args, carry(x))
		}
		return c
	case Text:
		return carried{Kind: 't', Text: string(a)}
	case int:
		return carried{Kind: 'i', Int: int64(a)}
	case int64:
		return carried{Kind: 'i', Int: a}
	case time.Duration:
		return carried{Kind: 'd', Int: int64(a)}
	case fmt.Stringer:
		return carried{Kind: 's', Text: a.String()}
	case string:
		return carried{Kind: 's', Text: a}
	}
	return carried{Kind: 's', Text: fmt.Sprint(a)}
}

// Carried returns the error that [Carry] was given. The second error says that it
// cannot be read.
func Carried(b []byte) (said, err error) {
	var c carried
	if err := json.Unmarshal(b, &c); err != nil {
		return nil, fmt.Errorf("reading an error that was carried here: %w", err)
	}
	if e, ok := c.value().(error); ok {
		return e, nil
	}
	return errors.New(c.Text), nil
}

func (c carried) value() any {
	switch c.Kind {
	case 'i':
		return int(c.Int)
	case 'd':
		return time.Duration(c.Int)
	case 't':
		return Text(c.Text)
	case 'm', 'e':
		m := Message{Text: Text(c.Text)}
		for _, a := range c.Args {
			m.Args = append(m.Args, a.value())
		}
		switch {
		case c.Kind == 'm':
			return m
		case c.Full != "":
			return &wrapping{c.Full, &Error{m}}
		}
		return &Error{m}
	}
	return c.Text
}

// wrapping is an error with a text of its own that wraps another one.
type wrapping struct {
	text string
	said *Error
}

func (w *wrapping) Error() string { return w.text }
func (w *wrapping) Unwrap() error { return w.said }
