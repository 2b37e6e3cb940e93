package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"broadside/match"
)

// Journal stores the events of running matches before anyone sees them. [Matches.Finish]
// removes a match's entries in the transaction that stores the match.
type Journal interface {
	// Append stores entries. Once it has returned nil, they survive the end of the process,
	// and on PostgreSQL also a power failure. Entries that are already stored are ignored, so
	// after an error the same entries can be appended again.
	Append(ctx context.Context, entries ...Entry) error
}

// Entry is a part of a [Journal]. Match and Seq identify it.
type Entry struct {
	Match string
	Seq   int    // 0: the beginning of the match; otherwise number of the first event plus one
	Body  []byte // JSON
}

// tableJournal writes entries with a connection of a pool. On SQLite, this connection does
// not wait for the disk; see BenchmarkJournal. A later change by another connection syncs the
// entries, too.
type tableJournal struct {
	db   *database
	pool *sql.DB
}

func (j tableJournal) Append(ctx context.Context, entries ...Entry) error {
	return j.db.updateOn(ctx, j.pool, func(t *tx) error {
		for _, e := range entries {
			if _, err := t.exec(`INSERT INTO journal (match, seq, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, e.Match, e.Seq, e.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// tailName is a file in which earlier versions kept events that were not in the database
// yet.
const tailName = "broadside.tail"

// importTail adds the events in a tail to the journal and removes the file.
func (rs Running) importTail(ctx context.Context, folder string) error {
	const slotSize, headerSize = 4096, 40
	file := filepath.Join(folder, tailName)
	tail, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	running, err := rs.List(ctx)
	if err != nil {
		return err
	}
	slots := map[string]tailSlot{}
	for ; len(tail) >= slotSize; tail = tail[slotSize:] {
		length, id := binary.LittleEndian.Uint32(tail), string(bytes.TrimRight(tail[8:headerSize], "\x00"))
		if length == 0 {
			continue
		}
		slot := tailSlot{From: -1}
		if length <= slotSize-headerSize {
			content := tail[headerSize : headerSize+length]
			if crc32.ChecksumIEEE(content) == binary.LittleEndian.Uint32(tail[4:]) {
				if z, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
					content, _ = io.ReadAll(io.LimitReader(z, maxRecord)) // damaged content is no JSON
				}
				_ = json.Unmarshal(content, &slot) // a slot that is not JSON keeps From
			}
		}
		slots[id] = slot
	}
	for _, r := range running {
		slot, ok := slots[r.ID]
		known := len(r.Events) - slot.From
		if !ok || slot.From >= 0 && slot.To <= len(r.Events) {
			continue
		}
		_, events, err := match.DecodeEvents(slot.Events)
		if err != nil || slot.From < 0 || known < 0 || slot.From+len(events) != slot.To {
			rs.db.log.Error("a match cannot continue: its newest events in the tail are damaged", "match", r.ID)
			err = rs.Forget(ctx, r.ID)
		} else {
			err = rs.Append(ctx, r.ID, len(r.Events), events[known:])
		}
		if err != nil {
			return err
		}
	}
	return os.Remove(file)
}

// tailSlot is what a tail has of a match: Events are those from number From up to To.
type tailSlot struct {
	From, To int
	Events   json.RawMessage
}
