package control

import (
	"slices"
	"time"
)

// Status is what a node says of itself.
type Status struct {
	Version     string `json:"version"`
	SSH         string `json:"ssh"`      // the address at which it listens
	HostKey     string `json:"host_key"` // fingerprint
	Connections int    `json:"connections"`
	Sessions    int    `json:"sessions"` // with a screen or in lines
	Programs    int    `json:"programs"`
	People      int    `json:"people"`
	Waiting     int    `json:"waiting"` // for any opponent
	Matches     int    `json:"matches"` // that it runs
	Spectators  int    `json:"spectators"`
	Draining    bool   `json:"draining"`
	Trouble     string `json:"trouble"` // empty: it is well
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

// SameHostKey tells whether all nodes show clients the same key.
func (r Report) SameHostKey() bool {
	return !slices.ContainsFunc(r.Nodes, func(n Node) bool {
		return n.HostKey != "" && n.HostKey != r.Nodes[0].HostKey && r.Nodes[0].HostKey != ""
	})
}

// Age is how long a node has been running.
func (r Report) Age(n Node) time.Duration { return max(0, r.At.Sub(n.Started)) }
