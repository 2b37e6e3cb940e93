package arena

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"broadside/match"
	"broadside/match/audit"
)

// recordVersion is the version of records files and settings. Increase it for changes that
// old readers would misread.
const recordVersion = 3

// Names of the files in a tournament's folder.
const (
	settingsFile = "settings.json"
	recordsFile  = "games.jsonl"
	lockFile     = "arena.lock" // held by the running arena; the file remains afterwards
)

// Record is one game of a tournament, stored as a line of its records file.
type Record struct {
	Version int `json:"version"`
	// Pairing is the number of the pairing, from 0. Unit is the
	// number of the pair, or of the game in a solo. Game is 0 or 1 within a pair.
	Pairing int `json:"pairing"`
	Unit    int `json:"unit"`
	Game    int `json:"game"`
	// Players are by side; the second player shoots first.
	Players []string `json:"players"`
	Note    string   `json:"note,omitempty"`   // error message
	Shots   []int32  `json:"shots"`            // by side
	Rounds  int32    `json:"rounds,omitempty"` // if a turn can have several shots
	// Thought is the time that each side took to choose its shots, in nanoseconds. It is
	// missing in games that were not timed.
	Thought []int64 `json:"ns,omitempty"`
	// Rules and Events are missing if only results are recorded.
	match.Record
}

// Replay rebuilds the match from its events and validates each of them. It returns an error
// for records without events.
func (r *Record) Replay() (*match.Game, error) { return audit.ReplayRecord(&r.Record) }

// matchLine returns the record line of game g of a pair.
func matchLine(cfg *Config, p *pairing, u *unit, g int, o *outcome) ([]byte, error) {
	r := Record{
		Version: recordVersion, Pairing: p.index, Unit: u.number, Game: g, Players: make([]string, 2),
		Note: u.games[g].note, Shots: o.shots[:], Record: match.Record{Winner: o.winner.Index(), Reason: o.reason},
	}
	if !cfg.Brief {
		r.Record = match.NewRecord(cfg.Rules, o.events)
	}
	if cfg.Rules.Salvo {
		r.Rounds = o.rounds
	}
	for i, name := range p.players {
		r.Players[sideOf(i, g)] = name
	}
	if u.games[g].timed {
		r.Thought = make([]int64, 2)
		for i, d := range u.games[g].thought {
			r.Thought[sideOf(i, g)] = int64(d)
		}
	}
	return r.line()
}

func (r *Record) line() ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing a record: %w", err)
	}
	return append(b, '\n'), nil
}

// result returns the result of the recorded game.
func (r *Record) result() (result, error) {
	g := result{note: r.Note, timed: r.Thought != nil, winner: -1}
	if r.Version != recordVersion || len(r.Players) != 2 || len(r.Shots) != 2 ||
		r.Thought != nil && len(r.Thought) != 2 || r.Game < 0 || r.Game > 1 {
		return g, errors.New("it is no record of this version")
	}
	for side := range 2 {
		player := side ^ r.Game
		g.shots[player] = r.Shots[side]
		if g.timed {
			g.thought[player] = time.Duration(r.Thought[side])
		}
	}
	g.rounds = cmp.Or(r.Rounds, max(r.Shots[0], r.Shots[1]))
	if r.Reason == 0 || r.Winner != nil && (*r.Winner < 0 || *r.Winner > 1) {
		return g, errors.New("it has no result")
	}
	g.reason = r.Reason
	if r.Winner != nil {
		g.winner = int8(*r.Winner ^ r.Game)
		g.forfeit = r.Reason != match.FleetSunk
	}
	return g, nil
}

// ReadRecords reads records up to the end or an incomplete last line. It calls yield for
// each record with the offset of its end; an error from yield stops it.
func ReadRecords(r io.Reader, yield func(rec *Record, end int64) error) error {
	lines := bufio.NewReaderSize(r, 1<<16)
	end := int64(0)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		end += int64(len(line))
		rec := &Record{}
		if err := json.Unmarshal(line, rec); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if err := yield(rec, end); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// folder is a tournament's folder, with its records file open for appending.
type folder struct {
	records *os.File
	lock    *flock.Flock // released when the process ends
}

// openFolder creates the folder of a tournament. With Resume, it opens the existing folder
// and calls yield for each unit played before. find returns the pairing of a record, or nil.
func openFolder(cfg *Config, find func(int) *pairing, yield func(unit, []Record) error) (_ *folder, err error) {
	if err := os.MkdirAll(cfg.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("the folder cannot be made: %w: choose another", err)
	}
	lock := flock.New(filepath.Join(cfg.Dir, lockFile))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("the folder cannot be locked: %w: choose another", err)
	case !ok:
		return nil, fmt.Errorf("another arena plays a tournament in %s: wait for its end, or choose another folder", cfg.Dir)
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err := prepareFolder(cfg.Dir, cfg.Resume, cfg.settings()); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(cfg.Dir, recordsFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("the records cannot be written: %w: choose another folder", err)
	}
	if err := resumeRecords(f, find, yield); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w: remove the folder %s to play the tournament anew", f.Name(), err, cfg.Dir)
	}
	return &folder{records: f, lock: lock}, nil
}

// prepareFolder writes the settings of a new tournament to an existing folder. If the folder holds a
// tournament already, it returns an error, unless resume is set and the settings are the same.
func prepareFolder(dir string, resume bool, settings Settings) error {
	here, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	name := filepath.Join(dir, settingsFile)
	info, err := os.Stat(filepath.Join(dir, recordsFile))
	if err != nil || info.Size() == 0 {
		return writeFile(name, here)
	}
	there, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s holds games of an unknown tournament: remove that folder, or choose another", dir)
	case err != nil:
		return fmt.Errorf("the folder cannot be read: %w: choose another", err)
	case !resume:
		return fmt.Errorf("%s holds a tournament already: add --resume to continue it, or remove that folder to play it anew", dir)
	case !bytes.Equal(there, here):
		return fmt.Errorf("%s holds a tournament of other settings: %s: change that back, or remove the folder to play the tournament anew",
			dir, difference(there, here))
	}
	return nil
}

// difference describes the first setting that differs, by its name in the JSON.
func difference(there, here []byte) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(there, &a) != nil || json.Unmarshal(here, &b) != nil {
		return "its settings cannot be read"
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
	return "its settings were written by another version"
}

// resumeRecords reads the existing records and removes an incomplete line or pair at the end. It
// leaves the file offset at the end.
func resumeRecords(f *os.File, find func(int) *pairing, yield func(unit, []Record) error) error {
	whole := int64(0)
	var u unit
	var pending []Record
	err := ReadRecords(f, func(r *Record, end int64) error {
		p := find(r.Pairing)
		if p == nil {
			return errors.New("it belongs to another tournament")
		}
		if r.Unit < 0 || r.Unit >= p.units || r.Game != len(pending) ||
			len(pending) > 0 && (u.pairing != r.Pairing || u.number != r.Unit) {
			return errors.New("it does not belong where it stands")
		}
		if p.played[r.Unit] {
			return errors.New("it is there twice")
		}
		g, err := r.result()
		if err != nil {
			return err
		}
		u.pairing, u.number, u.count = r.Pairing, r.Unit, p.gamesIn(r.Unit)
		u.games[r.Game] = g
		pending = append(pending, *r)
		if len(pending) < u.count {
			return nil
		}
		if p.played == nil {
			p.played = map[int]bool{}
		}
		p.played[u.number] = true
		whole = end
		err = yield(u, pending)
		u, pending = unit{}, pending[:0]
		return err
	})
	if err != nil {
		return err
	}
	if err := f.Truncate(whole); err != nil {
		return err
	}
	_, err = f.Seek(whole, io.SeekStart)
	return err
}

// append writes the lines of complete units in one write.
func (f *folder) append(lines []byte) error {
	if _, err := f.records.Write(lines); err != nil {
		return fmt.Errorf("writing the records: %w", err)
	}
	return nil
}

func (f *folder) close() error {
	if err := errors.Join(f.records.Sync(), f.records.Close(), f.lock.Close()); err != nil {
		return fmt.Errorf("writing the records: %w", err)
	}
	return nil
}

// writeFile writes a file atomically.
func writeFile(name string, data []byte) error {
	temporary := name + ".new"
	if err := os.WriteFile(temporary, data, 0o666); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := os.Rename(temporary, name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
