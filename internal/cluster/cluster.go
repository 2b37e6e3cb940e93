// Package cluster lets several nodes run one service.
//
// One node, the active node, owns all state on which the nodes must agree. The
// others are gateways: they serve their users' connections and forward sessions
// to the active node. The package has three parts.
//
// [Elect] uses a lock in PostgreSQL to decide which node is active. The node that
// becomes active gets an [Active], which says whether it may answer and guards
// its writes.
//
// [Journal] stores the events of running matches before they are published, so
// that the next active node can load them.
//
// [Gateway] and [Node] hold the two ends of a TLS connection on which frames travel: a
// length, a kind, a session, a number, an epoch and a payload. Both ends send a hello with
// their version; each second the gateway sends the status of its node and receives those of
// all nodes. A gateway opens a session by describing its client. The active node then sends
// updates; the first one says that the session is open, and each contains the session's
// state if that is new. Orders, which are actions and queries, get replies. Each session
// has its own numbers for orders, of which there is one at a time, and for updates, of
// which two may be on their way. The newest lobby snapshot is sent once for all sessions of
// a gateway. Updates are encoded when the gateway is ready for them, so a slow one gets
// fewer, and never an old one. When the connection breaks or another node becomes active,
// the gateway attaches its sessions again with the number of the newest update that it
// has, what the player had, and the order that has no reply yet, so nothing is lost or
// counted twice.
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

	"broadside/internal/store/replication"
)

// Config holds the settings that the parts of a node share.
type Config struct {
	// DSN names the database of the store. The connection must be direct: connection
	// poolers break locks and notifications.
	DSN string
	// Primary knows which of the servers that DSN names is used. The stores of the
	// node share it. It may be nil.
	Primary *replication.Primary
	World   string       // name of the group of nodes that elect an active node; empty: main
	Address string       // where gateways reach this node
	TLS     *tls.Config  // from [TLSConfig]
	Log     *slog.Logger // nil: no log
	// Status returns what other nodes are told about this one, as JSON. It must not
	// wait. It may be nil.
	Status func() json.RawMessage
	// version is the version of the protocol, [protocolVersion] but in tests.
	version uint64
	// Stored is called with the time that storing a group of events took. It must not
	// wait. It may be nil.
	Stored func(time.Duration)
}

func (c Config) withDefaults() Config {
	c.World = cmp.Or(c.World, "main")
	c.Primary = cmp.Or(c.Primary, new(replication.Primary))
	c.version = cmp.Or(c.version, protocolVersion)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return c
}

// ErrClosed is returned by a [Journal], [Gateway] or session that has been closed.
var ErrClosed = errors.New("closed")

// wake signals a channel of capacity 1.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

const (
	keyInfo = "broadside internal port" // separates the key from others that are derived from the host key
	alpn    = "broadside-nodes"         // names the protocol of the internal port
)

// ErrStranger is returned for a connection to a program that is not a node of this
// service.
var ErrStranger = errors.New("the other end does not have the key of this service")

// ErrVersion is returned for a connection to a node with another version of the
// protocol.
var ErrVersion = errors.New("the nodes run incompatible versions of Broadside")

// InternalKeys returns the keys of the internal port, which are derived from the host
// keys: see [TLSConfig].
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

// TLSConfig returns the TLS settings of both ends of a connection between nodes.
// Each end proves that it has a key derived from the SSH host key that the nodes
// share; the host key itself is never used. hostKeys are private keys as returned
// by golang.org/x/crypto/ssh.ParseRawPrivateKey. A node proves that it has the
// first one and trusts nodes with any of them, so keys can be rotated.
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
	// Certificates only carry keys. TLS proves that the other end has the private
	// key; verify compares the public key.
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
		InsecureSkipVerify:     true, // there is no authority; verify decides
		VerifyConnection:       verify,
		NextProtos:             []string{alpn},
		SessionTicketsDisabled: true,
	}, nil
}
