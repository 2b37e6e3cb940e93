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
	"strings"
	"time"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/access"
	"broadside/internal/owner"
	"broadside/internal/server"
	"broadside/internal/store"
)

func doctorCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check the configuration and the environment of the server",
		Long: "Checks configuration, data folder, keys, database, ports, clock and limits, and\n" +
			"changes nothing. The server may be running. The exit status is 1 if a check fails,\n" +
			"and 0 if there are only warnings.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := &doctor{ctx: c.Context(), findings: []finding{}}
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				d.fail("configuration", err.Error(), "correct it; broadside config --example explains all options")
			} else {
				d.ok("configuration", "valid")
				for _, text := range unknownVariables(os.Environ()) {
					d.warn("environment", text, "remove it, or look up the right name with broadside config --example")
				}
				d.examine(cfg)
			}
			var failed error
			if d.failed {
				failed = errors.New("some checks failed: see FAIL above")
			}
			if asJSON {
				return errors.Join(failed, printJSON(c.OutOrStdout(), d.findings))
			}
			d.print(c.OutOrStdout())
			return failed
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c)
	return c
}

// finding is the result of a check.
type finding struct {
	Result string `json:"result"` // ok, warn or FAIL
	Check  string `json:"check"`
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

// doctor runs the checks and collects the findings.
type doctor struct {
	ctx      context.Context
	findings []finding
	failed   bool

	storeIsNew bool // the database exists and has the schema of this version
}

func (d *doctor) report(mark, what, found, advice string) {
	d.findings = append(d.findings, finding{mark, what, found, advice})
}

// print prints the findings as text.
func (d *doctor) print(out io.Writer) {
	for _, f := range d.findings {
		fmt.Fprintf(out, "%-4s  %-13s  %s\n", f.Result, f.Check, f.Found)
		if f.Advice != "" {
			fmt.Fprintf(out, "%-4s  %-13s  → %s\n", "", "", f.Advice)
		}
	}
}

func (d *doctor) ok(what, found string)           { d.report("ok", what, found, "") }
func (d *doctor) warn(what, found, advice string) { d.report("warn", what, found, advice) }
func (d *doctor) fail(what, found, advice string) {
	d.failed = true
	d.report("FAIL", what, found, advice)
}

// examine runs all checks that need the configuration.
func (d *doctor) examine(cfg server.Config) {
	there := d.folder(cfg.Data)
	if folder := server.OldFolder(cfg.Data); folder != "" {
		d.warn("data folder", "only earlier versions used "+folder, "remove it")
	}
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
	if cfg.Web != "" {
		d.port("web port", cfg.Web, "--web", "")
	}
	if cfg.Metrics != "" {
		d.port("metrics port", cfg.Metrics, "--metrics-listen", "")
	}
	d.cluster(cfg)
	d.files(cfg)
}

// folder checks the data folder and reports whether it exists.
func (d *doctor) folder(folder string) bool {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.missingFolder(folder)
		return false
	case err != nil:
		d.fail("data folder", err.Error(), "give the server's user access to it")
		return false
	case !info.IsDir():
		d.fail("data folder", folder+" is not a folder", "choose another with --data")
		return false
	}
	f, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		d.fail("data folder", err.Error(), "run this command as the server's user, give that user write access to the folder, and check that the disk is not full")
		return true
	}
	_, err = f.Write(make([]byte, 64<<10))
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		d.fail("data folder", err.Error(), "check that the disk is not full")
		return true
	}
	if err := server.SafeFolder(folder); err != nil {
		d.fail("data folder", err.Error(), "")
		return true
	}
	if err := owner.Secret(folder); err != nil {
		d.warn("data folder", err.Error(), "")
		return true
	}
	d.ok("data folder", folder+" is writable")
	return true
}

// missingFolder checks whether the server could create the data folder, by creating and
// removing a folder next to it.
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
	d.warn("data folder", folder+" does not exist", "the server creates it at the first start; if it has run before, set --data to its folder")
}

func (d *doctor) hostKeys(cfg server.Config) {
	if cfg.KeyPlace() == server.KeysInStore && !d.storeIsNew {
		d.warn("host keys", "they are in the database, which cannot be read or does not have this version's schema yet", "run doctor again after the first start")
		return
	}
	keys, err := cfg.ReadHostKeys(d.ctx)
	switch {
	case err != nil:
		d.fail("host keys", err.Error(), "")
	case len(keys) == 0:
		d.warn("host keys", "none", "the server creates them at the first start; if it has run before, restore them from a backup")
	default:
		for _, k := range keys {
			d.ok("host key", k.PublicKey().Type()+" "+gossh.FingerprintSHA256(k.PublicKey()))
		}
	}
}

// database checks the database and returns the end of the newest match in it, or zero if it
// is unknown.
func (d *doctor) database(cfg server.Config) time.Time {
	h, err := store.Check(d.ctx, cfg.Data)
	advice := "check the owner and mode of the file"
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotOurs) || len(h.Damage) > 0 {
		advice = "stop the server, then restore a backup with broadside restore"
	}
	if cfg.Store != "" {
		h, err = store.CheckServer(d.ctx, cfg.Store)
		advice = "check that the database server is running and admits the user of --store"
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && server.CheckDatabase(cfg.Data) != nil:
		d.fail("database", server.CheckDatabase(cfg.Data).Error(), "start the server when that is done")
	case errors.Is(err, fs.ErrNotExist):
		d.warn("database", "none", "the server creates it at the first start; if it has run before, see broadside restore")
	case err != nil:
		d.fail("database", err.Error(), advice)
	case len(h.Damage) > 0:
		d.fail("database", "damaged: "+strings.Join(h.Damage, "; "), advice)
	default:
		found := fmt.Sprintf("intact, schema %d, players %d, matches %d, %d KB", h.Schema, h.Players, h.Matches, h.Bytes/1000)
		if h.Schema < h.Newest {
			found += fmt.Sprintf("; the next start migrates it to schema %d", h.Newest)
		}
		d.ok("database", found)
		d.storeIsNew = h.Schema == h.Newest
	}
	return h.Last
}

// clock checks the clock against the end of the last match.
func (d *doctor) clock(last time.Time) {
	now := time.Now()
	switch {
	case !last.IsZero() && now.Before(last.Add(-time.Minute)):
		d.fail("clock", fmt.Sprintf("the clock shows %s, but the last match ended at %s", now.UTC().Format(time.DateTime), last.UTC().Format(time.DateTime)), "set the clock and synchronize it with NTP")
	case now.Year() < 2026:
		d.fail("clock", "the clock shows "+now.UTC().Format(time.DateTime), "set the clock and synchronize it with NTP")
	default:
		d.ok("clock", now.UTC().Format(time.DateTime)+" UTC")
	}
}

func (d *doctor) operators(file string) {
	n, faults, err := access.Admins{File: file}.Check()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.warn("operators", file+" does not exist", "add the public keys of operators to it, one per line; see docs/hosting.md")
	case errors.Is(err, fs.ErrPermission):
		d.fail("operators", err.Error(), "give the server's user read access")
	case err != nil:
		d.fail("operators", err.Error(), "")
	case len(faults) > 0:
		d.fail("operators", file+": "+strings.Join(faults, "; "), "correct or remove these lines; the server ignores them")
	default:
		d.ok("operators", fmt.Sprintf("keys in %s: %d", file, n))
	}
}

// port checks whether an address is free or used by Broadside, which it recognizes by its
// greeting. The relay sends no greeting.
func (d *doctor) port(what, address, flag, greeting string) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		l.Close()
		d.ok(what, address+" is free")
		return
	}
	if greets(d.ctx, address, greeting) {
		d.ok(what, "a Broadside server is running at "+address)
		return
	}
	advice := "choose another address with " + flag + ", or stop the program that uses it (it may be this server)"
	if errors.Is(err, fs.ErrPermission) {
		advice = "ports below 1024 require a capability: run setcap cap_net_bind_service=+ep on the program, use the systemd unit, or choose another address with " + flag
	}
	if greeting == "" && !errors.Is(err, fs.ErrPermission) {
		d.warn(what, err.Error(), advice)
		return
	}
	d.fail(what, err.Error(), advice)
}

// greets reports whether a server at an address sends a greeting.
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

// files checks the limit of open files: each connection needs one.
func (d *doctor) files(cfg server.Config) {
	const spare = 256 // for the database and other files
	most, ok := openFiles()
	if !ok {
		return
	}
	need := uint64(cfg.Limits.MaxConns + cfg.RelayLimits.MaxConns + spare)
	if most < need {
		d.warn("open files", fmt.Sprintf("the limit is %d; max-connections and relay-max-connections require %d", most, need), "raise it with ulimit -n or LimitNOFILE= in the systemd unit, or lower these options")
		return
	}
	d.ok("open files", fmt.Sprintf("the limit is %d; max-connections and relay-max-connections require %d", most, need))
}
