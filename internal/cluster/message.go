package cluster

import (
	"encoding/json"

	"broadside/internal/session"
)

// message contains everything that the active node has to say about a session when the
// connection is ready for it.
type message struct {
	Opened bool                  `json:",omitzero"` // the session has been opened on this active node
	State  *session.EncodedState `json:",omitzero"` // nil: as in the previous message

	Reply  uint64          `json:",omitzero"` // number of the order that has been carried out; 0: none
	Err    json.RawMessage `json:",omitzero"` // of that order
	Answer json.RawMessage `json:",omitzero"` // of that order, if it was a query

	Update *session.EncodedUpdate `json:",omitzero"` // without the chat lines counted by Kept
	Kept   int                    `json:",omitzero"` // how many of the last lines of the previous update precede the new lines
}
