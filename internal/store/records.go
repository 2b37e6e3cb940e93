package store

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"broadside/match"
)

// maxRecord is the maximum size of the decompressed events of a match in bytes, which
// guards against manipulated records. It exceeds the limit of match.DecodeEvents.
const maxRecord = 8 << 20

// encodeRecord encodes the rules and events of a match as compressed JSON, about a tenth
// of the uncompressed size.
func encodeRecord(r match.Rules, events []match.Event) ([]byte, error) {
	plain, err := match.EncodeEvents(r, events)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(plain); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compressing events: %w", err)
	}
	return b.Bytes(), nil
}

// decodeRecord decodes what encodeRecord has encoded.
func decodeRecord(data []byte) (match.Rules, []match.Event, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("reading events: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxRecord))
	if err != nil {
		return match.Rules{}, nil, fmt.Errorf("reading events: %w", err)
	}
	return match.DecodeEvents(plain)
}
