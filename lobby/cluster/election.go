package cluster

import (
	"time"
	_ "unsafe" // for go:linkname
)

// The embedded server finds out after 4 to 9 s that another one is lost, and has
// no option for that. Players would wait for all of it. These are its own
// variables, whose values its own tests change as well; the proportions are
// kept, at four times the pace. Nothing else is known of them. If a later
// version has them no more, this does not link: then this file can go, and
// whoever loses a node waits longer.

//go:linkname minElectionTimeout github.com/nats-io/nats-server/v2/server.minElectionTimeout
var minElectionTimeout time.Duration

//go:linkname maxElectionTimeout github.com/nats-io/nats-server/v2/server.maxElectionTimeout
var maxElectionTimeout time.Duration

//go:linkname hbInterval github.com/nats-io/nats-server/v2/server.hbInterval
var hbInterval time.Duration

//go:linkname lostQuorumInterval github.com/nats-io/nats-server/v2/server.lostQuorumInterval
var lostQuorumInterval time.Duration

//go:linkname lostQuorumCheck github.com/nats-io/nats-server/v2/server.lostQuorumCheck
var lostQuorumCheck time.Duration

func init() {
	for _, d := range []*time.Duration{&minElectionTimeout, &maxElectionTimeout, &hbInterval, &lostQuorumInterval, &lostQuorumCheck} {
		*d /= 4
	}
}
