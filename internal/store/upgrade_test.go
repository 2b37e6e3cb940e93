package store_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"broadside/internal/store"
	"broadside/match"
)

// beforeJournal is the version of the schema before running matches moved to the journal.
const beforeJournal = 19

// slot returns a slot of the file in which earlier versions kept the newest events.
func slot(t *testing.T, id string, from int, events []match.Event, compress bool) []byte {
	t.Helper()
	encoded, err := match.EncodeEvents(match.Rules{}, events)
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(map[string]any{"from": from, "to": from + len(events), "events": json.RawMessage(encoded)})
	if err != nil {
		t.Fatal(err)
	}
	if compress {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(content)
		z.Close()
		content = b.Bytes()
	}
	all := make([]byte, 4096)
	binary.LittleEndian.PutUint32(all, uint32(len(content)))
	binary.LittleEndian.PutUint32(all[4:], crc32.ChecksumIEEE(content))
	copy(all[8:], id)
	copy(all[40:], content)
	return all
}

// TestUpgradeDuringMatches upgrades a database of a server that was killed while matches were
// running. On SQLite, their newest events are in a file beside it.
func TestUpgradeDuringMatches(t *testing.T) {
	folder := t.TempDir()
	upgrading.Lock()
	err := schemaOf(t, folder).Upgrade(ctx, beforeJournal)
	upgrading.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	m := finished(random(10), store.Player{Name: "Ann"}, store.Player{Name: "Bob"}, match.First, start)
	encode := func(r match.Rules, events []match.Event) string {
		b, err := match.EncodeEvents(r, events)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	db := raw(t, folder)
	for _, id := range []string{"plain", "tail", "packed", "stale", "torn"} {
		if _, err := db.Exec(`INSERT INTO running (id, started, rules, seats, details) VALUES ($1, 7, $2, '[{"Name":"Ann"},{"Name":"Bob"}]', '{"x":1}')`,
			id, encode(m.Rules, nil)); err != nil {
			t.Fatal(err)
		}
		for _, part := range [][2]int{{0, 1}, {1, 4}, {3, 6}} { // parts could overlap
			if _, err := db.Exec(`INSERT INTO running_events (match, number, events) VALUES ($1, $2, $3)`,
				id, part[0], encode(match.Rules{}, m.Events[part[0]:part[1]])); err != nil {
				t.Fatal(err)
			}
		}
	}
	db.Close()
	want := map[string]int{"plain": 6, "tail": 9, "packed": 10, "stale": 6}
	file := filepath.Join(folder, "broadside.tail")
	if server == nil {
		torn := slot(t, "torn", 4, m.Events[4:9], false)
		torn[100]++
		tail := bytes.Join([][]byte{
			make([]byte, 4096), slot(t, "tail", 4, m.Events[4:9], false), slot(t, "packed", 6, m.Events[6:10], true),
			slot(t, "stale", 2, m.Events[2:5], false), torn, slot(t, "gone", 0, m.Events[:3], false),
		}, nil)
		if err := os.WriteFile(file, tail, 0o600); err != nil {
			t.Fatal(err)
		}
	} else {
		want = map[string]int{"plain": 6, "tail": 6, "packed": 6, "stale": 6, "torn": 6}
	}

	for range 2 { // the second time, the file is gone
		cfg := config(t, folder)
		cfg.Exclusive = server == nil
		s, err := store.Open(ctx, cfg)
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Running.List(ctx)
		if err != nil || len(all) != len(want) {
			t.Errorf("%d matches, %v", len(all), err)
		}
		for _, r := range all {
			if len(r.Events) != want[r.ID] || encode(r.Rules, r.Events) != encode(m.Rules, m.Events[:len(r.Events)]) ||
				r.Seats[1].Name != "Bob" || string(r.Details) != `{"x":1}` || r.Started.UnixMicro() != 7 {
				t.Errorf("%d events, want %d: %+v", len(r.Events), want[r.ID], r)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file: %v", err)
		}
	}
}
