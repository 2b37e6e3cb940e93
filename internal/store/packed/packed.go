// Package packed encodes the events of a match as compressed JSON, about a tenth of the
// uncompressed size.
package packed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"

	"broadside/match"
)

// maxSize is the maximum size of decompressed events in bytes, which guards against
// manipulated records. It exceeds the limit of match.DecodeEvents.
const maxSize = 8 << 20

// Packer encodes events. The zero value is ready to use, on any goroutine.
type Packer struct {
	zippers   sync.Pool // of *gzip.Writer: allocating one takes half of the time
	unzippers sync.Pool // of *unzipper
}

// Pack encodes the rules and events of a match.
func (p *Packer) Pack(r match.Rules, events []match.Event) ([]byte, error) {
	plain, err := match.EncodeEvents(r, events)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, _ := p.zippers.Get().(*gzip.Writer)
	if z == nil {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed)
	}
	defer p.zippers.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	return b.Bytes(), nil
}

// Unpack decodes what [Packer.Pack] has encoded.
func (p *Packer) Unpack(data []byte) (match.Rules, []match.Event, error) {
	u, _ := p.unzippers.Get().(*unzipper)
	if u == nil {
		u = new(unzipper)
	}
	defer p.unzippers.Put(u)
	if err := u.read(data); err != nil {
		return match.Rules{}, nil, fmt.Errorf("reading events: %w", err)
	}
	return match.DecodeEvents(u.plain.Bytes())
}

// unzipper decompresses events.
type unzipper struct {
	gzip  gzip.Reader
	plain bytes.Buffer
}

// read fills plain.
func (u *unzipper) read(data []byte) error {
	if err := u.gzip.Reset(bytes.NewReader(data)); err != nil {
		return err
	}
	u.plain.Reset()
	_, err := io.Copy(&u.plain, io.LimitReader(&u.gzip, maxSize))
	return err
}
