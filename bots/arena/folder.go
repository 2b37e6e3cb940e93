package arena

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
)

// Names of the files in a tournament's folder.
const (
	settingsFile = "settings.json"
	recordsFile  = "games.jsonl"
	// lockFile is locked by the running arena and never removed.
	lockFile = "arena.lock"
)

// folder is a tournament's folder, whose records file is open for appending.
type folder struct {
	records *os.File
	// lock is released when the process ends.
	lock *flock.Flock
}

// openFolder creates a tournament's folder. With Resume, it opens the existing folder and calls
// addUnit for each unit of an earlier run. findPairing returns a record's pairing, or nil.
func openFolder(cfg *Config, findPairing func(int) *pairing, addUnit func(unit, []Record) error) (_ *folder, err error) {
	if err := os.MkdirAll(cfg.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot create the folder: %w: choose another", err)
	}
	lock := flock.New(filepath.Join(cfg.Dir, lockFile))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("cannot lock the folder: %w: choose another", err)
	case !ok:
		return nil, fmt.Errorf("another arena plays a tournament in %s: wait for its end, or choose another folder", cfg.Dir)
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err := prepareFolder(cfg.Dir, cfg.Resume, cfg.newSettings()); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(cfg.Dir, recordsFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot write the records: %w: choose another folder", err)
	}
	if err := resumeRecords(f, findPairing, addUnit); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w: remove the folder %s to play the tournament anew", f.Name(), err, cfg.Dir)
	}
	return &folder{records: f, lock: lock}, nil
}

// prepareFolder writes the settings of a new tournament to an existing folder. If the folder holds a
// tournament already, it returns an error, unless resume is set and the settings are the same.
func prepareFolder(dir string, resume bool, settings Settings) error {
	wanted, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	name := filepath.Join(dir, settingsFile)
	info, err := os.Stat(filepath.Join(dir, recordsFile))
	if err != nil || info.Size() == 0 {
		return writeFileAtomically(name, wanted)
	}
	stored, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s holds games of an unknown tournament: remove that folder, or choose another", dir)
	case err != nil:
		return fmt.Errorf("cannot read the folder: %w: choose another", err)
	case !resume:
		return fmt.Errorf("%s holds a tournament already: add --resume to continue it, or remove that folder to play it anew", dir)
	case !bytes.Equal(stored, wanted):
		return fmt.Errorf("%s holds a tournament of other settings: %s: change that back, or remove the folder to play the tournament anew",
			dir, describeDifference(stored, wanted))
	}
	return nil
}

// describeDifference describes the first setting that differs, by its name in the JSON.
func describeDifference(stored, wanted []byte) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(stored, &a) != nil || json.Unmarshal(wanted, &b) != nil {
		return "the settings are not JSON"
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[name]; !ok {
			return fmt.Sprintf("%s is %.60s there", name, a[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if value, ok := a[name]; !ok {
			return fmt.Sprintf("%s is missing there", name)
		} else if !bytes.Equal(value, b[name]) {
			return fmt.Sprintf("%s is %.60s there, not %.60s", name, value, b[name])
		}
	}
	return "another version wrote the settings"
}

// resumeRecords reads the existing records, calls addUnit for each unit, and removes an incomplete line or
// unit at the end. It leaves the file offset at the end.
func resumeRecords(f *os.File, findPairing func(int) *pairing, addUnit func(unit, []Record) error) error {
	// end is the offset after the last complete unit.
	end := int64(0)
	var u unit
	var pending []Record
	err := ReadRecords(f, func(r *Record, recordEnd int64) error {
		p := findPairing(r.Pairing)
		if p == nil {
			return errors.New("the record belongs to another tournament")
		}
		if r.Unit < 0 || r.Unit >= p.units || r.Game != len(pending) ||
			len(pending) > 0 && (u.pairing != r.Pairing || u.number != r.Unit) {
			return errors.New("the record is out of order")
		}
		if p.recordedUnits[r.Unit] {
			return errors.New("the unit is recorded twice")
		}
		g, err := r.gameResult()
		if err != nil {
			return err
		}
		u.pairing, u.number, u.gameCount = r.Pairing, r.Unit, p.unitGames(r.Unit)
		u.games[r.Game] = g
		pending = append(pending, *r)
		if len(pending) < u.gameCount {
			return nil
		}
		if p.recordedUnits == nil {
			p.recordedUnits = map[int]bool{}
		}
		p.recordedUnits[u.number] = true
		end = recordEnd
		err = addUnit(u, pending)
		u, pending = unit{}, pending[:0]
		return err
	})
	if err != nil {
		return err
	}
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.Seek(end, io.SeekStart)
	return err
}

// appendRecords writes the records of complete units, as lines, in one write.
func (f *folder) appendRecords(lines []byte) error {
	if _, err := f.records.Write(lines); err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	return nil
}

func (f *folder) close() error {
	if err := errors.Join(f.records.Sync(), f.records.Close(), f.lock.Close()); err != nil {
		return fmt.Errorf("write the records: %w", err)
	}
	return nil
}

// writeFileAtomically writes a file completely or not at all.
func writeFileAtomically(name string, data []byte) error {
	temporary := name + ".new"
	if err := os.WriteFile(temporary, data, 0o666); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(temporary, name); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
