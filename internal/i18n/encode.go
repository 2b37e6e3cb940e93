package i18n

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// encoded is the form in which an argument or a message is sent to another process.
type encoded struct {
	Kind byte `json:"k"`
	// Text is a string, or an English text that a version without the key can still show.
	Text string    `json:"t,omitempty"`
	Key  Key       `json:"n,omitempty"`
	Int  int64     `json:"i,omitempty"`
	Args []encoded `json:"a,omitempty"`
}

// EncodeError encodes an error for [DecodeError] in another process.
func EncodeError(err error) []byte {
	b, jsonErr := json.Marshal(encode(err))
	if jsonErr != nil { // impossible: all values are strings and numbers
		panic(jsonErr)
	}
	return b
}

func encode(a any) encoded {
	var has Localized
	switch a := a.(type) {
	case error:
		if !errors.As(a, &has) {
			return encoded{Kind: 's', Text: a.Error()}
		}
		e := encode(has.Localized())
		e.Kind = 'e'
		return e
	case Message:
		e := encode(a.Key)
		e.Kind = 'm'
		for _, x := range a.Args {
			e.Args = append(e.Args, encode(x))
		}
		return e
	case Key:
		return encoded{Kind: 't', Text: English.Text(a), Key: a}
	case int:
		return encoded{Kind: 'i', Int: int64(a)}
	case int64:
		return encoded{Kind: 'i', Int: a}
	case time.Duration:
		return encoded{Kind: 'd', Int: int64(a)}
	case fmt.Stringer:
		return encoded{Kind: 's', Text: a.String()}
	case string:
		return encoded{Kind: 's', Text: a}
	}
	return encoded{Kind: 's', Text: fmt.Sprint(a)}
}

// DecodeError returns an error with the same text in every language as the error encoded
// by [EncodeError]. The second error reports malformed data.
func DecodeError(data []byte) (decoded, err error) {
	var e encoded
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("decoding an error: %w", err)
	}
	if decoded, ok := e.value().(error); ok {
		return decoded, nil
	}
	return errors.New(e.Text), nil
}

func (e encoded) value() any {
	switch e.Kind {
	case 'i':
		return int(e.Int)
	case 'd':
		return time.Duration(e.Int)
	case 't':
		return e.key()
	case 'm', 'e':
		m := Message{Key: e.key()}
		for _, a := range e.Args {
			m.Args = append(m.Args, a.value())
		}
		if e.Kind == 'm' {
			return m
		}
		return &Error{m}
	}
	return e.Text
}

// key returns the key, or the English text as a format if this version lacks the key.
func (e encoded) key() Key {
	if _, known := English.catalog().texts()[e.Key]; known {
		return e.Key
	}
	return Key(e.Text)
}
