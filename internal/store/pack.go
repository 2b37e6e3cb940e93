package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"broadside/match"
)

// maxUnpacked bounds what is made of a record that somebody has tampered with,
// in bytes. It is more than match.DecodeEvents reads.
const maxUnpacked = 8 << 20

// pack is the events of a match as they are stored: a tenth of the size of
// their JSON, which would fill the disk long before anything else does.
func (s *Store) pack(r match.Rules, events []match.Event) ([]byte, error) {
	plain, err := match.EncodeEvents(r, events)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, _ := s.zippers.Get().(*gzip.Writer) // making one is half of the work
	if z == nil {
		z, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed)
	}
	defer s.zippers.Put(z)
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
