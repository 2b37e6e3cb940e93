package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
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
		Short: "Check the server's configuration and environment",
		Long: "Checks configuration, data folder, keys, database, ports, clock and limits, and\n" +
			"changes nothing. The server may be running. The exit status is 1 if a check fails,\n" +
			"and 0 if there are only warnings.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := &doctor{ctx: c.Context(), findings: []finding{}}
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				d.addFailure("configuration", err.Error(), "correct it: broadside config --example explains all options")
			} else {
				d.addOK("configuration", "valid")
				for _, text := range describeUnknownVariables(os.Environ()) {
					d.addWarning("environment", text, "remove it, or look up the right name with broadside config --example")
				}
				d.checkAll(cfg)
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
	addJSONFlag(c, &asJSON)
	options.addFlags(c)
	return c
}

// finding is a check's result: ok, warn or FAIL.
type finding struct {
	Result string `json:"result"`
	Check  string `json:"check"`
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

// doctor runs the checks and collects the findings.
type doctor struct {
	ctx      context.Context
	findings []finding
	failed   bool

	// schemaIsCurrent is set if the database exists and has this version's schema.
	schemaIsCurrent bool
}

func (d *doctor) addOK(what, found string) {
	d.findings = append(d.findings, finding{Result: "ok", Check: what, Found: found})
}

func (d *doctor) addWarning(what, found, advice string) {
	d.findings = append(d.findings, finding{Result: "warn", Check: what, Found: found, Advice: advice})
}

func (d *doctor) addFailure(what, found, advice string) {
	d.failed = true
	d.findings = append(d.findings, finding{Result: "FAIL", Check: what, Found: found, Advice: advice})
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

// checkAll runs all checks that need the configuration.
func (d *doctor) checkAll(cfg server.Config) {
	exists := d.checkFolder(cfg.Data)
	var h store.Health
	if exists || cfg.Store != "" {
		h = d.checkDatabase(cfg)
	}
	if exists || cfg.HostKeyLocation() != cfg.Data {
		d.checkHostKeys(cfg)
	}
	d.checkClock(h)
	d.checkOperators(cfg.OperatorFile())
	d.checkPort("SSH port", cfg.SSH, "--ssh")
	d.checkPort("relay port", cfg.Relay, "--relay")
	d.checkPort("web port", cfg.Web, "--web")
	d.checkPort("metrics port", cfg.Metrics, "--metrics-listen")
	if err := cfg.CheckNodeOptions(); err != nil {
		d.addFailure("node", err.Error(), "see docs/scaling.md")
	} else if cfg.Store != "" && d.schemaIsCurrent {
		d.checkNodes(cfg)
	}
	d.checkFileLimit(cfg)
}

// checkFolder checks the data folder and reports whether it exists.
func (d *doctor) checkFolder(folder string) bool {
	old := server.FindOldFolder(folder)
	if old != "" {
		d.addWarning("data folder", "only earlier versions used "+old, "remove it")
	}
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := cmp.Or(tryWriting(parentFolder(folder)), server.CheckFolder(folder)); err != nil {
			d.addFailure("data folder", fmt.Sprintf("%s does not exist, and the server cannot create it: %v", folder, err),
				"choose another folder with --data, or create it for the server's user")
			return false
		}
		d.addWarning("data folder", folder+" does not exist",
			"the server creates it when it first starts. If it has run before, set --data to its folder")
		return false
	case err != nil:
		d.addFailure("data folder", err.Error(), "give the server's user access to it")
		return false
	case !info.IsDir():
		d.addFailure("data folder", folder+" is not a folder", "choose another with --data")
		return false
	}
	if err := tryWriting(folder); err != nil {
		d.addFailure("data folder", err.Error(), "run this command as the server's user, give that user write access "+
			"to the folder, and check that the disk is not full")
	} else if err := server.CheckFolder(folder); err != nil {
		d.addFailure("data folder", err.Error(), "")
	} else if err := owner.CheckPrivate(folder); err != nil {
		d.addWarning("data folder", err.Error(), "")
	} else {
		d.addOK("data folder", folder+" is writable")
	}
	return true
}

// parentFolder returns the nearest existing folder above a path.
func parentFolder(path string) string {
	for {
		above := filepath.Dir(filepath.Clean(path))
		if _, err := os.Stat(above); above == path || !errors.Is(err, fs.ErrNotExist) {
			return above
		}
		path = above
	}
}

// tryWriting writes a file with a megabyte into a folder, and removes it.
func tryWriting(folder string) error {
	f, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 1<<20))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

func (d *doctor) checkHostKeys(cfg server.Config) {
	if cfg.HostKeyLocation() == server.KeysInStore && !d.schemaIsCurrent {
		d.addWarning("host keys", "cannot read them: the database is unreadable or does not have this version's schema yet",
			"run doctor again after the first start")
		return
	}
	keys, err := cfg.ReadHostKeys(d.ctx)
	switch {
	case err != nil:
		d.addFailure("host keys", err.Error(), "")
	case len(keys) == 0:
		d.addWarning("host keys", "none", "the server creates them when it first starts. If it has run before, restore them "+
			"from a backup")
	default:
		for _, k := range keys {
			d.addOK("host key", k.PublicKey().Type()+" "+gossh.FingerprintSHA256(k.PublicKey()))
		}
	}
}

// leastPostgres is the oldest version of PostgreSQL that the server works with.
const leastPostgres = 14

// checkDatabase checks the database and returns its state.
func (d *doctor) checkDatabase(cfg server.Config) store.Health {
	var h store.Health
	var err error
	var advice string
	if cfg.Store != "" {
		ctx, cancel := context.WithTimeout(d.ctx, 10*time.Second)
		defer cancel()
		h, err = store.CheckPostgres(ctx, cfg.Store)
		advice = "check that the database server is running and admits the user of --store"
	} else {
		h, err = store.Check(d.ctx, cfg.Data)
		advice = "check the owner and mode of the file"
	}
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotOurs) {
		advice = "stop the server, then restore a backup with broadside restore"
	}
	switch {
	case h.PostgresVersion > 0 && h.PostgresVersion < leastPostgres:
		d.addFailure("database", fmt.Sprintf("the database server is PostgreSQL %d", h.PostgresVersion),
			fmt.Sprintf("upgrade it to version %d or newer", leastPostgres))
	case h.ReadOnly:
		d.addFailure("database", "the database server accepts no writes",
			"name the primary server in --store, or all servers: nodes use the one that accepts writes")
	case errors.Is(err, fs.ErrNotExist) && server.CheckDatabase(cfg.Data) != nil:
		d.addFailure("database", server.CheckDatabase(cfg.Data).Error(), "start the server when that is done")
	case errors.Is(err, fs.ErrNotExist):
		d.addWarning("database", "none", "the server creates it when it first starts. If it has run before, see broadside restore")
	case err != nil:
		d.addFailure("database", err.Error(), advice)
	case len(h.Damage) > 0:
		d.addFailure("database", "damaged: "+strings.Join(h.Damage, "; "),
			"stop the server, then restore a backup with broadside restore")
	default:
		found := fmt.Sprintf("intact, schema %d, players %d, matches %d, %d KB", h.Schema, h.Players, h.Matches, h.Bytes/1000)
		if h.Schema < h.Newest {
			found += fmt.Sprintf(", which the next start changes to %d", h.Newest)
		}
		d.addOK("database", found)
		d.schemaIsCurrent = h.Schema == h.Newest
	}
	return h
}

// checkClock compares the clock with the database server's and with the end of the last match.
func (d *doctor) checkClock(h store.Health) {
	now := time.Now().UTC()
	skew := now.Sub(h.ServerClock).Round(time.Second)
	switch {
	case now.Before(h.LastMatchEnd.Add(-time.Minute)):
		d.addFailure("clock", fmt.Sprintf("the clock shows %s, but the last match ended at %s",
			now.Format(time.DateTime), h.LastMatchEnd.UTC().Format(time.DateTime)), "set the clock and synchronize it with NTP")
	case !h.ServerClock.IsZero() && skew.Abs() > 2*time.Second:
		d.addWarning("clock", fmt.Sprintf("the clock differs by %v from that of the database server", skew),
			"synchronize the clocks of all computers with NTP")
	default:
		d.addOK("clock", now.Format(time.DateTime)+" UTC")
	}
}

func (d *doctor) checkOperators(file string) {
	n, faults, err := access.CheckOperatorFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.addWarning("operators", file+" does not exist",
			"add the operators' public keys to it, one per line (see docs/hosting.md)")
	case err != nil:
		d.addFailure("operators", err.Error(), "let only the server's user and root change it, and the server's user read it")
	case len(faults) > 0:
		d.addFailure("operators", file+": "+strings.Join(faults, "; "), "correct or remove these lines, which the server ignores")
	default:
		d.addOK("operators", fmt.Sprintf("keys in %s: %d", file, n))
	}
}

// checkPort checks whether an address is free or used by Broadside. Only SSH has a greeting by which it can
// be recognized.
func (d *doctor) checkPort(what, address, flag string) {
	if address == "" {
		return
	}
	l, err := net.Listen("tcp", address)
	switch {
	case err == nil:
		d.addOK(what, address+" is free")
		_ = l.Close()
	case errors.Is(err, fs.ErrPermission):
		d.addFailure(what, err.Error(), "ports below 1024 require a capability: run setcap cap_net_bind_service=+ep on the "+
			"program, use the systemd unit, or choose another address with "+flag)
	case flag != "--ssh":
		d.addWarning(what, err.Error(), "choose another address with "+flag+", unless this server uses the port")
	case isBroadside(address):
		d.addOK(what, "a Broadside server is running at "+address)
	default:
		d.addFailure(what, err.Error(), "choose another address with "+flag+", or stop the program that uses it")
	}
}

// isBroadside reports whether an SSH server at an address is Broadside.
func isBroadside(address string) bool {
	const greeting, patience = "SSH-2.0-Broadside", 2 * time.Second
	nc, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return false
	}
	defer nc.Close()
	_ = nc.SetDeadline(time.Now().Add(patience))
	got := make([]byte, len(greeting))
	_, err = io.ReadFull(nc, got)
	return err == nil && string(got) == greeting
}

// checkNodes checks whether this computer reaches all nodes, including those of other worlds.
func (d *doctor) checkNodes(cfg server.Config) {
	list, err := store.OpenNodes(cfg.Store)
	if err != nil {
		d.addFailure("nodes", err.Error(), "")
		return
	}
	defer list.Close()
	all, err := list.List(d.ctx)
	if err != nil {
		d.addFailure("nodes", err.Error(), "give the user of --store all rights on the table node")
		return
	}
	active := "no node is active"
	for _, n := range all {
		name := n.Name + " of the world " + n.World
		if n.Gone {
			d.addWarning("node", name+" no longer reports", "see its log, or ignore this if the node was removed")
			continue
		}
		if n.Active && n.World == cfg.World {
			active = n.Name
		}
		for _, address := range slices.Sorted(maps.Values(n.Addresses)) {
			nc, err := net.DialTimeout("tcp", address, 2*time.Second)
			if err != nil {
				d.addFailure("node", name+": "+err.Error(),
					"let other nodes connect to this address, so that a standby can forward connections")
				continue
			}
			_ = nc.Close()
			d.addOK("node", name+" answers at "+address)
		}
	}
	d.addOK("active node", active)
}

// checkFileLimit checks the limit on open files. Each connection needs one.
func (d *doctor) checkFileLimit(cfg server.Config) {
	// spare is for the database and other files.
	const spare = 256
	most, ok := maxOpenFiles()
	if !ok {
		return
	}
	need := uint64(cfg.Limits.MaxConns + cfg.RelayLimits.MaxConns + spare)
	found := fmt.Sprintf("the limit is %d, but max-connections and relay-max-connections require %d", most, need)
	if most < need {
		d.addWarning("open files", found, "raise it with ulimit -n or LimitNOFILE= in the systemd unit, or lower these options")
		return
	}
	d.addOK("open files", found)
}
