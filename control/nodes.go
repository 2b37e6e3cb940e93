package control

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"broadside/lobby/cluster"
)

// Status is what a node tells the others of itself with each heartbeat.
type Status struct {
	Version     string `json:"version"`
	SSH         string `json:"ssh"`      // the address at which it listens
	HostKey     string `json:"host_key"` // fingerprint
	Connections int    `json:"connections"`
	Sessions    int    `json:"sessions"` // with a screen or in lines
	Programs    int    `json:"programs"`
	People      int    `json:"people"`
	Waiting     int    `json:"waiting"` // for any opponent
	Leases      int    `json:"leases"`  // matches that it runs
	Spectators  int    `json:"spectators"`
	Draining    bool   `json:"draining"`
	Trouble     string `json:"trouble"` // empty: it can change what all share
}

// Encode returns the status for [cluster.Node.SetStatus].
func (s Status) Encode() []byte {
	b, err := json.Marshal(s)
	if err != nil { // it has only texts and numbers
		return nil
	}
	return b
}

// Node is a node of the service.
type Node struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Started time.Time `json:"started"` // by its own clock
	Status
}

// Report is what one node knows of all.
type Report struct {
	Asked   string    `json:"asked"` // the node that tells it, by ID
	At      time.Time `json:"at"`    // by its clock
	Matches int       `json:"matches"`
	Nodes   []Node    `json:"nodes"` // that live, by name
}

// Look returns what a node knows of all, with its own status as it is now. Matches
// is how many run, as far as it knows.
func Look(n cluster.Node, own Status, matches int) Report {
	r := Report{Asked: n.ID(), At: time.Now().UTC(), Matches: matches, Nodes: []Node{}}
	for _, p := range n.Peers() {
		node := Node{ID: p.ID, Name: p.Name, Started: p.Started.UTC()}
		if p.ID == n.ID() {
			node.Status = own
		} else if len(p.Status) > 0 && json.Unmarshal(p.Status, &node.Status) != nil {
			node.Status = Status{Trouble: "what it says of itself cannot be read"}
		}
		r.Nodes = append(r.Nodes, node)
	}
	slices.SortFunc(r.Nodes, func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return r
}

// SameHostKey tells whether all nodes show clients the same key.
func (r Report) SameHostKey() bool {
	return !slices.ContainsFunc(r.Nodes, func(n Node) bool {
		return n.HostKey != "" && n.HostKey != r.Nodes[0].HostKey && r.Nodes[0].HostKey != ""
	})
}

// Age is how long a node has been running.
func (r Report) Age(n Node) time.Duration { return max(0, r.At.Sub(n.Started)) }
