package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"

	"broadside/match"
)

// maxRecord is the maximum size of a match's decompressed events in bytes. It guards against manipulated
// records, and exceeds the limit of match.DecodeEvents.
const maxRecord = 8 << 20

// compressors keeps gzip writers for reuse. With a new one of 1.2 MB for each record, storing a match takes
// 2.4 instead of 1.4 ms at 200 matches a second.
type compressors struct{ pool sync.Pool }

// encodeRecord encodes rules and events as compressed JSON. It has about a tenth of the uncompressed size.
func (c *compressors) encodeRecord(r match.Rules, events []match.Event) ([]byte, error) {
	plain, err := match.EncodeEvents(r, events)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, ok := c.pool.Get().(*gzip.Writer)
	if !ok {
		z, err = gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			return nil, err
		}
	}
	defer c.pool.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, fmt.Errorf("compress events: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress events: %w", err)
	}
	return b.Bytes(), nil
}

func decodeRecord(data []byte) (match.Rules, []match.Event, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("read events: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxRecord))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("read events: %w", err)
	}
	return match.DecodeEvents(plain)
}
