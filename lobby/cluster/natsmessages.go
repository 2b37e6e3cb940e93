package cluster

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// sort takes in what the others say, until Close.
func (n *natsNode) sort() {
	for {
		select {
		case m := <-n.in:
			n.take(m)
		case <-n.ctx.Done():
			return
		}
	}
}

// take takes in a message: SERVICE.to.ID.FROM, or SERVICE.all.FROM.KIND.
func (n *natsNode) take(m *nats.Msg) {
	part := strings.Split(m.Subject, ".")
	if part[1] == "to" {
		n.desk.receive(part[3], m.Data)
		return
	}
	from, kind := part[2], part[3]
	switch {
	case from == n.id:
	case kind == "message":
		n.desk.receive(from, m.Data)
	case kind == "beat":
		var p Peer
		if json.Unmarshal(m.Data, &p) == nil && p.ID == from && n.peers.beat(p) {
			n.say("all."+n.id+".beat", n.beat(n.peers.last())) // so that it knows this one at once
		}
	case kind == "bye":
		n.peers.bye(from)
	}
}

// beat returns a heartbeat.
func (n *natsNode) beat(p Peer) []byte {
	data, err := json.Marshal(p)
	if err != nil {
		n.log.Error("a heartbeat can't be written", "err", err)
	}
	return data
}

// beats tells the others that this node lives, until Close.
func (n *natsNode) beats() {
	t := time.NewTicker(BeatEvery)
	defer t.Stop()
	for {
		n.say("all."+n.id+".beat", n.beat(n.peers.own()))
		select {
		case <-t.C:
			n.peers.silent()
		case <-n.ctx.Done():
			return
		}
	}
}

// say has something sent. It never waits.
func (n *natsNode) say(subject string, data []byte) {
	if len(data) > 2*MaxData {
		n.log.Error("a message is too long", "bytes", len(data))
		return
	}
	select {
	case n.out <- &nats.Msg{Subject: n.service + "." + subject, Data: data}:
	default: // the server does not read: it is lost
	}
}

// sendAll sends what is to be said, until Close.
func (n *natsNode) sendAll() {
	for {
		select {
		case m := <-n.out:
			_ = n.conn.PublishMsg(m) // it is lost if there is no connection
		case <-n.ctx.Done():
			_ = n.conn.Publish(n.service+".all."+n.id+".bye", nil)
			return
		}
	}
}

// Send implements [Node].
func (n *natsNode) Send(node string, data []byte) {
	if checkKey(node) == nil && !strings.Contains(node, ".") {
		n.say("to."+node+"."+n.id, data)
	}
}

// Broadcast implements [Node].
func (n *natsNode) Broadcast(data []byte) { n.say("all."+n.id+".message", data) }

// Handle implements [Node].
func (n *natsNode) Handle(f func(from string, data []byte)) { n.desk.setHandle(f) }

// Peers implements [Node].
func (n *natsNode) Peers() []Peer { return n.peers.all() }

// HandlePeers implements [Node].
func (n *natsNode) HandlePeers(f func([]Peer)) { n.peers.setTell(f) }

// SetStatus implements [Node].
func (n *natsNode) SetStatus(f func() []byte) { n.peers.setStatus(f) }
