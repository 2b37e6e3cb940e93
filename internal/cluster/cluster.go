// Package cluster lets several nodes run one service.
//
// One node, the active node, owns all state that the nodes must agree on. The others are
// gateways: they accept their users' connections and forward sessions to the active node.
// The package has three parts.
//
// [Elect] uses a lock in PostgreSQL to decide which node is active. The node that becomes
// active gets an [Active], which says whether it may answer and guards its writes.
//
// [Journal] stores the events of running matches before they are published, so that the
// next active node can load them.
//
// [Gateway] and [Node] implement the two ends of a TLS connection that carries frames: a
// length, a kind, a session, a number, an epoch and a payload. Both ends start with a
// hello that contains their version. Every second, the gateway sends its node's status
// and receives the status of all nodes. To open a session, a gateway describes its
// client. The gateway sends orders, which are actions and queries, one at a time. The
// active node sends messages. A message contains what is new when the connection is ready
// for it: the reply to the order, an update, and the session's state if it has changed. So
// a slow gateway gets fewer updates, never outdated ones; at most two of a session are in
// flight. Orders and messages are numbered. The newest lobby snapshot is sent once for all
// sessions of a gateway. When the connection breaks or another node becomes active, the
// gateway attaches its sessions again. It sends the number of the newest message received,
// the player's previous state, and the order that has no reply yet, so that no event is
// lost or counted twice.
package cluster

import (
	"cmp"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"
)

// Config holds the settings that the parts of a node share.
type Config struct {
	// DSN locates the database of the store. The connection must be direct, because
	// connection poolers break locks and notifications.
	DSN     string
	World   string       // name of the group of nodes that elect an active node; empty: main
	Address string       // address of this node for gateways
	TLS     *tls.Config  // from [TLSConfig]
	Log     *slog.Logger // nil: no log
	// Status returns this node's status for other nodes, as JSON. It must not block, and
	// may be nil.
	Status func() json.RawMessage
	// version is the protocol version: [protocolVersion], except in tests.
	version uint64
	// slack multiplies the time limits of the election: 1, except in tests.
	slack time.Duration
	// Stored is called with the time it took to store a group of events. It must not
	// block, and may be nil.
	Stored func(time.Duration)
}

func (c Config) withDefaults() Config {
	c.World = cmp.Or(c.World, "main")
	c.version = cmp.Or(c.version, protocolVersion)
	c.slack = cmp.Or(c.slack, 1)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return c
}

// ErrClosed is returned by a closed [Journal], [Gateway] or session.
var ErrClosed = errors.New("closed")

const (
	keyInfo = "broadside internal port" // separates this key from others derived from the host key
	alpn    = "broadside-nodes"         // names the protocol of the internal port
)

// ErrStranger is returned if the peer is not a node of this service.
var ErrStranger = errors.New("the other end does not have the key of this service")

// ErrVersion is returned if the peer uses another version of the protocol.
var ErrVersion = errors.New("the nodes run incompatible versions of Broadside")

// InternalKeys derives the keys of the internal port from the host keys; see [TLSConfig].
func InternalKeys(hostKeys ...any) ([]ed25519.PrivateKey, error) {
	if len(hostKeys) == 0 {
		return nil, errors.New("nodes need a common host key")
	}
	keys := make([]ed25519.PrivateKey, len(hostKeys))
	for i, key := range hostKeys {
		if p, ok := key.(*ed25519.PrivateKey); ok {
			key = *p
		}
		secret, err := x509.MarshalPKCS8PrivateKey(key)
		var seed []byte
		if err == nil {
			seed, err = hkdf.Key(sha256.New, secret, nil, keyInfo, ed25519.SeedSize)
		}
		if err != nil {
			return nil, fmt.Errorf("deriving the key of the internal port: %w", err)
		}
		keys[i] = ed25519.NewKeyFromSeed(seed)
	}
	return keys, nil
}

// TLSConfig returns the TLS settings for both ends of a connection between nodes. Each
// end proves that it has a key derived from the SSH host key that the nodes share; the
// host key itself is never used. hostKeys are private keys as returned by
// golang.org/x/crypto/ssh.ParseRawPrivateKey. A node proves possession of the first one
// and trusts peers with any of them, so keys can be rotated.
func TLSConfig(hostKeys ...any) (*tls.Config, error) {
	keys, err := InternalKeys(hostKeys...)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, keys[0].Public(), keys[0])
	if err != nil {
		return nil, fmt.Errorf("creating the certificate of the internal port: %w", err)
	}
	// Certificates only carry keys. TLS proves that the peer has the private key; verify
	// compares the public key.
	verify := func(s tls.ConnectionState) error {
		if len(s.PeerCertificates) == 1 && s.NegotiatedProtocol == alpn {
			for _, k := range keys {
				if k.Public().(ed25519.PublicKey).Equal(s.PeerCertificates[0].PublicKey) {
					return nil
				}
			}
		}
		return ErrStranger
	}
	return &tls.Config{
		MinVersion:             tls.VersionTLS13,
		Certificates:           []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: keys[0]}},
		ClientAuth:             tls.RequireAnyClientCert,
		InsecureSkipVerify:     true, // there is no certificate authority; verify decides
		VerifyConnection:       verify,
		NextProtos:             []string{alpn},
		SessionTicketsDisabled: true,
	}, nil
}
