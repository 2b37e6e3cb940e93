package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/access"
	"broadside/internal/config"
	"broadside/internal/server"
	"broadside/internal/store"
)

func doctorCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether the server can run as it is configured",
		Long: "Checks configuration, data folder, keys, database, ports, clock and limits, and\n" +
			"changes nothing. A server may be running. The exit status is 1 if anything fails;\n" +
			"a warning alone does not.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := &doctor{ctx: c.Context(), out: c.OutOrStdout()}
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				d.fail("configuration", err.Error(), "correct it; broadside config --example explains all options")
			} else {
				d.ok("configuration", "it can be read")
				d.variables(new(server.Config).Table(), os.Environ())
				d.examine(cfg)
			}
			if d.failed > 0 {
				return errors.New("not all is well: see FAIL above")
			}
			return nil
		},
	}
	options.flags(c.Flags())
	return c
}

// doctor checks one thing after the other and says what it has found.
type doctor struct {
	ctx    context.Context
	out    io.Writer
	failed int

	storeIsNew bool // the database is there, and of this version
}

func (d *doctor) say(mark, what, found, advice string) {
	fmt.Fprintf(d.out, "%-4s  %-13s  %s\n", mark, what, found)
	if advice != "" {
		fmt.Fprintf(d.out, "%-4s  %-13s  → %s\n", "", "", advice)
	}
}

func (d *doctor) ok(what, found string)           { d.say("ok", what, found, "") }
func (d *doctor) warn(what, found, advice string) { d.say("warn", what, found, advice) }
func (d *doctor) fail(what, found, advice string) {
	d.failed++
	d.say("FAIL", what, found, advice)
}

// examine checks everything.
func (d *doctor) examine(cfg server.Config) {
	there := d.folder(cfg.Data)
	var last time.Time
	if there || cfg.Store != "" {
		last = d.database(cfg)
	}
	if there || cfg.KeyPlace() != cfg.Data {
		d.hostKeys(cfg)
	}
	d.clock(last)
	d.operators(cfg.AdminFile())
	d.port("SSH port", cfg.SSH, "--ssh", "SSH-2.0-Broadside")
	d.port("relay port", cfg.Relay, "--relay", "")
	if cfg.Metrics != "" {
		d.port("metrics port", cfg.Metrics, "--metrics-listen", "")
	}
	d.cluster(cfg)
	d.files(cfg)
}

// variables looks for options in the environment that are misspelt. The server
// cannot refuse them: others may use such names, too.
func (d *doctor) variables(t config.Table, environ []string) {
	for _, name := range t.Strangers(environ) {
		if name != config.Variable(configFlag) && name != server.KeyVariable {
			d.warn("environment", name+" is no option of the server", "remove it, or look up the name in broadside config --example")
		}
	}
}

// folder checks the data folder and tells whether it is there.
func (d *doctor) folder(folder string) bool {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.missingFolder(folder)
		return false
	case err != nil:
		d.fail("data folder", err.Error(), "let the server's user enter it")
		return false
	case !info.IsDir():
		d.fail("data folder", folder+" is no folder", "choose another with --data")
		return false
	}
	f, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		d.fail("data folder", err.Error(), "let the user who runs the server, and this command, write to it, and see that the disk is not full")
		return true
	}
	_, err = f.Write(make([]byte, 64<<10))
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		d.fail("data folder", err.Error(), "see that the disk is not full")
		return true
	}
	if err := server.SafeFolder(folder); err != nil {
		d.fail("data folder", err.Error(), "")
		return true
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		d.warn("data folder", fmt.Sprintf("others may look into %s (mode %04o)", folder, info.Mode().Perm()), "chmod 700 "+folder)
		return true
	}
	d.ok("data folder", folder+" can be written to")
	return true
}

// missingFolder checks whether the server could create a data folder, by making
// a folder next to it for a moment.
func (d *doctor) missingFolder(folder string) {
	there := filepath.Dir(filepath.Clean(folder))
	for there != filepath.Dir(there) {
		if _, err := os.Stat(there); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		there = filepath.Dir(there)
	}
	probe, err := os.MkdirTemp(there, ".doctor-*")
	if err == nil {
		err = os.Remove(probe)
	}
	if err == nil {
		err = server.SafeFolder(folder)
	}
	if err != nil {
		d.fail("data folder", fmt.Sprintf("%s does not exist and cannot be created: %v", folder, err), "choose another folder with --data, or create it for the server's user")
		return
	}
	d.warn("data folder", folder+" does not exist", "the server will create it at the first start; if it has run before, name its folder with --data")
}

func (d *doctor) hostKeys(cfg server.Config) {
	if cfg.KeyPlace() == server.KeysInStore && !d.storeIsNew {
		d.warn("host keys", "they are in the database, which this version has not set up yet or cannot read", "run doctor again after the first start")
		return
	}
	keys, err := cfg.ReadHostKeys(d.ctx)
	switch {
	case err != nil:
		d.fail("host keys", err.Error(), "")
	case len(keys) == 0:
		d.warn("host keys", "there are none", "they will be made on the first start; restore them from a backup if this server has run before")
	default:
		for _, k := range keys {
			d.ok("host key", fmt.Sprintf("%s %s %s", k.Type, k.Fingerprint, k.Where))
		}
	}
}

// database checks the database and returns when the last match in it ended;
// zero if that is not known.
func (d *doctor) database(cfg server.Config) time.Time {
	h, err := store.Check(d.ctx, cfg.Data)
	advice := "look at the file's owner and mode"
	if server.Unusable(err) || len(h.Damage) > 0 {
		advice = "stop the server, then " + server.FreshAdvice
	}
	if cfg.Store != "" {
		h, err = store.CheckServer(d.ctx, cfg.Store)
		advice = "see that the server of the database runs, and lets the user of --store in"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.warn("database", "there is none", "it will be made on the first start; see broadside restore if this server has run before")
	case err != nil:
		d.fail("database", err.Error(), advice)
	case len(h.Damage) > 0:
		d.fail("database", "it is damaged: "+strings.Join(h.Damage, "; "), advice)
	default:
		found := fmt.Sprintf("sound, schema %d, players %d, matches %d, %d KB", h.Schema, h.Players, h.Matches, h.Bytes/1000)
		if h.Schema < h.Newest {
			found += fmt.Sprintf("; it will be brought to schema %d on the next start", h.Newest)
		}
		d.ok("database", found)
		d.storeIsNew = h.Schema == h.Newest
	}
	return h.Last
}

// clock checks the clock by what has happened already.
func (d *doctor) clock(last time.Time) {
	now := time.Now()
	switch {
	case !last.IsZero() && now.Before(last.Add(-time.Minute)):
		d.fail("clock", fmt.Sprintf("it says %s, but the last match ended at %s", now.UTC().Format(time.DateTime), last.UTC().Format(time.DateTime)), "set the clock, and keep it right with NTP")
	case now.Year() < 2026:
		d.fail("clock", "it says "+now.UTC().Format(time.DateTime), "set the clock, and keep it right with NTP")
	default:
		d.ok("clock", now.UTC().Format(time.DateTime)+" UTC")
	}
}

func (d *doctor) operators(file string) {
	n, faults, err := access.Admins{File: file}.Check()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.warn("operators", file+" is not there", "put public keys of operators in it, one a line, see docs/hosting.md")
	case errors.Is(err, fs.ErrPermission):
		d.fail("operators", err.Error(), "let the server's user read it")
	case err != nil:
		d.fail("operators", err.Error(), "")
	case len(faults) > 0:
		d.fail("operators", file+": "+strings.Join(faults, "; "), "correct or remove these lines: their keys are nobody's")
	default:
		d.ok("operators", fmt.Sprintf("keys in %s: %d", file, n))
	}
}

// port checks whether a port can be listened on, or is by a server of ours,
// which is known by how it greets; the relay says nothing that early.
func (d *doctor) port(what, address, flag, greeting string) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		l.Close()
		d.ok(what, address+" is free")
		return
	}
	if greets(d.ctx, address, greeting) {
		d.ok(what, "a server of Broadside runs at "+address)
		return
	}
	advice := "choose another with " + flag + ", or stop what listens there (it may be this server)"
	if errors.Is(err, fs.ErrPermission) {
		advice = "ports below 1024 need a right: run setcap cap_net_bind_service=+ep on the program, or use the systemd unit; or choose another with " + flag
	}
	if greeting == "" && !errors.Is(err, fs.ErrPermission) {
		d.warn(what, err.Error(), advice)
		return
	}
	d.fail(what, err.Error(), advice)
}

// greets tells whether a server at an address begins with a greeting.
func greets(ctx context.Context, address, greeting string) bool {
	if greeting == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer nc.Close()
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	got := make([]byte, len(greeting))
	_, err = io.ReadFull(nc, got)
	return err == nil && string(got) == greeting
}

// files checks how many files the process may have open: each connection is
// one.
func (d *doctor) files(cfg server.Config) {
	const spare = 256 // for the database and others
	most, ok := openFiles()
	if !ok {
		return
	}
	need := uint64(cfg.Limits.MaxConns + cfg.RelayLimits.MaxConns + spare)
	if most < need {
		d.warn("open files", fmt.Sprintf("a process may have %d; the limits of both doors together ask for %d", most, need), "raise it with ulimit -n or LimitNOFILE= in the systemd unit, or lower max-connections and relay-max-connections")
		return
	}
	d.ok("open files", fmt.Sprintf("a process may have %d, and the limits of both doors together ask for %d", most, need))
}
