package cluster

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"broadside/internal/session"
)

// message is sent by the active node about a session, as an update or as the reply to an
// action.
type message struct {
	// The state is omitted if the previous message of the same kind contained it.
	Version uint64                `json:",omitzero"` // increases with each new state
	State   *session.EncodedState `json:",omitzero"`
	HasChat bool                  `json:",omitzero"` // set together with State

	Opened   bool                   `json:",omitzero"` // the session has been opened on this active node
	HasStore bool                   `json:",omitzero"` // set together with Opened
	Update   *session.EncodedUpdate `json:",omitzero"` // without the chat lines counted by Kept
	Kept     int                    `json:",omitzero"` // how many of the last lines of the previous update precede the new lines
	Err      json.RawMessage        `json:",omitzero"` // of an action or a query
	Answer   json.RawMessage        `json:",omitzero"` // to a query
}

// order is an action or a query as a gateway sends it.
type order struct {
	query bool
	seen  [2]int // by side, the number of match events shown to the player
	data  []byte // see [session.EncodeAction] and [session.EncodeQuery]
}

var errOrder = errors.New("an action that cannot be read")

func (o order) encode() []byte {
	b := []byte{0}
	if o.query {
		b[0] = 1
	}
	for _, n := range o.seen {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return append(b, o.data...)
}

func decodeOrder(b []byte) (o order, err error) {
	if len(b) == 0 || b[0] > 1 {
		return o, errOrder
	}
	o.query, b = b[0] == 1, b[1:]
	for i := range o.seen {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > maxEvents {
			return o, errOrder
		}
		o.seen[i], b = int(n), b[size:]
	}
	o.data = b
	return o, nil
}

const (
	maxEvents = 1 << 20         // more than any match can have
	maxData   = MaxPayload >> 1 // size of an order in bytes; the active node accepts far less
)
