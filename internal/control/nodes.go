package control

import (
	"cmp"
	"slices"
	"time"
)

// Status is the state of a node. Matches, People, Waiting and Spectators count the whole
// service on the active node, and are 0 on other nodes.
type Status struct {
	Active      bool   `json:"active"`
	Version     string `json:"version"`
	SSH         string `json:"ssh"`      // listen address
	HostKey     string `json:"host_key"` // fingerprint
	Connections int    `json:"connections"`
	Sessions    int    `json:"sessions"` // interactive: with a screen or in line mode
	Programs    int    `json:"programs"`
	Matches     int    `json:"matches"`
	People      int    `json:"people"`
	Waiting     int    `json:"waiting"` // seeking any opponent
	Spectators  int    `json:"spectators"`
	Draining    bool   `json:"draining"`
	Trouble     string `json:"trouble"` // why its players cannot play; empty if they can
}

// Node is a node of the service.
type Node struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Started time.Time `json:"started"` // by the node's clock
	Status
}

// Report is one node's view of all nodes.
type Report struct {
	Asked   string    `json:"asked"` // ID of the node that reports
	At      time.Time `json:"at"`    // by that node's clock
	Epoch   int64     `json:"epoch"` // of the active node; 0 for a single server
	Matches int       `json:"matches"`
	Nodes   []Node    `json:"nodes"` // sorted by name
}

// NewReport returns the report of a node. The others may include an earlier status of the
// node itself, which NewReport leaves out.
func NewReport(epoch int64, own Node, others []Node) Report {
	r := Report{Asked: own.ID, At: time.Now().UTC(), Epoch: epoch, Nodes: []Node{own}}
	for _, n := range others {
		if n.ID != own.ID {
			r.Nodes = append(r.Nodes, n)
		}
	}
	slices.SortFunc(r.Nodes, func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for _, n := range r.Nodes {
		r.Matches += n.Matches
	}
	return r
}

// SameHostKey reports whether all nodes present the same host key.
func (r Report) SameHostKey() bool {
	return !slices.ContainsFunc(r.Nodes, func(n Node) bool {
		return n.HostKey != "" && n.HostKey != r.Nodes[0].HostKey && r.Nodes[0].HostKey != ""
	})
}

// Age returns how long a node has been running, at the time of the report.
func (r Report) Age(n Node) time.Duration { return max(0, r.At.Sub(n.Started)) }
