package cluster

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"broadside/internal/session"
)

// message is what the active node sends about a session, as an update or as the reply to
// an action.
type message struct {
	// The state is left out if the former message of the same kind had it.
	Version uint64                `json:",omitzero"` // grows with each new state
	State   *session.EncodedState `json:",omitzero"`
	HasChat bool                  `json:",omitzero"` // goes with State

	Opened   bool                   `json:",omitzero"` // the session was opened at this active node
	HasStore bool                   `json:",omitzero"` // goes with Opened
	Update   *session.EncodedUpdate `json:",omitzero"` // lines of a chat without those that Kept counts
	Kept     int                    `json:",omitzero"` // the last lines of the former update that are still there, before the new ones
	Err      json.RawMessage        `json:",omitzero"` // of an action or a query
	Answer   json.RawMessage        `json:",omitzero"` // to a query
}

// order is an action or a query as a gateway sends it.
type order struct {
	query bool
	seen  [2]int // by side, the events of the match that the player had been shown
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
	maxEvents = 1 << 20         // more than a match can have
	maxData   = MaxPayload >> 1 // of an order, in bytes; the active node accepts much less
)
