package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"broadside/match"
)

// maxUnpacked is the maximum size of an unpacked record in bytes, which guards against
// manipulated records. It exceeds the limit of match.DecodeEvents.
const maxUnpacked = 8 << 20

// pack encodes the events of a match as compressed JSON, about a tenth of the
// uncompressed size.
func (ms Matches) pack(r match.Rules, events []match.Event) ([]byte, error) {
	plain, err := match.EncodeEvents(r, events)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, _ := ms.zippers.Get().(*gzip.Writer) // allocating a writer takes half of the time
	if z == nil {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed)
	}
	defer ms.zippers.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	return b.Bytes(), nil
}

func unpack(packed []byte) (match.Rules, []match.Event, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("reading events: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxUnpacked))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("reading events: %w", err)
	}
	return match.DecodeEvents(plain)
}
