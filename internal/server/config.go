package server

import (
	"path/filepath"
	"time"

	"broadside/internal/config"
	"broadside/lobby"
	"broadside/relay"
	"broadside/sshd"
)

// Config is what an operator can set.
type Config struct {
	SSH, Relay       string // addresses to listen on
	Data             string // folder for what must outlast the process
	Store            string // URL of a database of PostgreSQL; empty: the one in data
	HostKeys         string // where they are; see keyPlace
	AdminKeys        string // file of operators' public keys; empty: admin_keys in the data folder
	LogLevel         string
	LogFormat        string
	Audit            string
	Drain            time.Duration
	RelayHello       time.Duration
	MoveTimeout      time.Duration
	FirstMoveTimeout time.Duration
	AnswerTime       time.Duration
	BotPace          time.Duration
	GuestTalk        bool
	ECDSA            bool
	MaxMatches       int
	Limits           sshd.Limits
	RelayFill        int // seconds
	RelayFillBot     string
	RelayLimits      relay.Limits
	Proxies          string // addresses and networks

	NodeName string        // empty: the host's
	Cluster  string        // address of the internal port; empty: a single server
	Pause    time.Duration // how long matches pause while PostgreSQL is unavailable

	Metrics  string // address for metrics; empty: none
	Profiles bool

	FreshDatabase bool // a database that is empty or damaged is replaced

	Version string // of the program, for operators
}

// Table is all options of the server. Flags, variables, the file and
// docs/configuration.md come from it.
func (c *Config) Table() config.Table {
	const day = 24 * time.Hour
	l := &c.Limits
	w := &c.RelayLimits
	return config.Table{
		{Title: "Doors and data", Options: []config.Option{
			{Name: "ssh", Value: config.Text(&c.SSH, ":2222"), About: "Address for SSH"},
			{Name: "relay", Value: config.Text(&c.Relay, ":54321"), About: "Address for programs"},
			{Name: "proxy-protocol", Value: config.Text(&c.Proxies, ""), About: "Addresses and networks of load balancers, with commas between them, that say where their clients are (PROXY protocol 1 or 2); at both doors they have to, and nobody else can"},
			{Name: "data", Value: config.Text(&c.Data, "data"), About: "Folder for the host keys and the database, unless they are elsewhere"},
			{Name: "store", Value: config.Address(&c.Store, "postgres", "postgresql"), About: "PostgreSQL database to use instead of the one in the data folder, such as postgres://broadside@db.example.org/broadside; the password is in PGPASSWORD or ~/.pgpass"},
			{Name: "admin-keys", Value: config.Text(&c.AdminKeys, ""), About: "File of operators' public keys, as in authorized_keys; without a name, admin_keys in the data folder. It is read anew whenever it matters"},
		}},
		{Title: "Nodes", Options: []config.Option{
			{Name: "node-name", Value: config.Text(&c.NodeName, ""), About: "Name of this node; if empty, the host's name"},
			{Name: "cluster", Value: config.Text(&c.Cluster, ""), About: "Address at which other nodes reach this one, such as 10.0.0.1:7411; it makes the server a node of a cluster. All nodes share the database of --store. Traffic is encrypted; see docs/scaling.md"},
			{Name: "pause", Value: config.Duration(&c.Pause, 5*time.Minute, time.Second, day), About: "How long matches stay paused, with their clocks stopped, while PostgreSQL cannot be reached. After that, everybody is disconnected and can continue when it is back"},
		}},
		{Title: "Security", Options: []config.Option{
			{Name: "host-keys", Value: config.Text(&c.HostKeys, ""), About: "Where the host keys are: a folder, which several servers may share; store, for the database; or env, for private keys in PEM in the variable BROADSIDE_HOST_KEY_PEM. If empty, the data folder, or on a node of a cluster the database"},
			{Name: "ecdsa-host-key", Value: config.Bool(&c.ECDSA, false), About: "Whether an ECDSA host key is made and offered beside the ed25519 one, for clients that know nothing newer; ssh-audit calls its curve suspicious"},
		}},
		{Title: "Log", Options: []config.Option{
			{Name: "log-level", Value: config.Choice(&c.LogLevel, "info", "debug", "info", "warn", "error"), About: "Least level to log", Live: true},
			{Name: "log-format", Value: config.Choice(&c.LogFormat, "text", "text", "json", "logfmt"), About: "How to log"},
		}},
		{Title: "Play", Options: []config.Option{
			{Name: "bot-pace", Value: config.Duration(&c.BotPace, lobby.DefaultBotPace, 0, time.Minute), About: "A bot's pause before it fires at a person"},
			{Name: "challenge-timeout", Value: config.Duration(&c.AnswerTime, lobby.DefaultAnswerTime, time.Second, time.Hour), About: "Time for a person to answer a challenge"},
			{Name: "guest-talk", Value: config.Bool(&c.GuestTalk, true), About: "Whether people without an account may talk; they read anyway", Live: true},
			{Name: "drain", Value: config.Duration(&c.Drain, 30*time.Second, 0, day), About: "Time for running matches to end on SIGTERM", Live: true},
		}},
		{Title: "Metrics", Options: []config.Option{
			{Name: "metrics-listen", Value: config.Text(&c.Metrics, ""), About: "Address for Prometheus's metrics, /healthz and /readyz, such as 127.0.0.1:9464; without one there are none. Keep it private"},
			{Name: "metrics-profiles", Value: config.Bool(&c.Profiles, false), About: "Whether profiles of Go's pprof are there, too"},
		}},
		{Title: "Limits", Options: []config.Option{
			{Name: "max-connections", Value: config.Int(&l.MaxConns, 4096, 1, 1<<20), About: "Connections by SSH, in all", Live: true},
			{Name: "max-connections-per-address", Value: config.Int(&l.MaxConnsPerAddr, 512, 1, 1<<20), About: "Connections by SSH from one address; an IPv6 network of 64 bits counts as one", Live: true},
			{Name: "connection-rate", Value: config.Int(&l.ConnRate, 300, 1, 1<<20), About: "New connections by SSH a minute from one address", Live: true},
			{Name: "connection-burst", Value: config.Int(&l.ConnBurst, 300, 1, 1<<20), About: "The same at once from one address", Live: true},
			{Name: "failed-logins", Value: config.Int(&l.FailedLogins, 60, 1, 1<<20), About: "Connections by SSH from one address that may end without a login before it has to wait", Live: true},
			{Name: "failed-login-rate", Value: config.Int(&l.FailedLoginRate, 20, 1, 1<<20), About: "How many of them are forgiven a minute", Live: true},
			{Name: "max-sessions", Value: config.Int(&l.MaxSessions, 4096, 1, 1<<20), About: "Screens in all", Live: true},
			{Name: "max-sessions-per-address", Value: config.Int(&l.MaxSessionsPerAddr, 512, 1, 1<<20), About: "Screens for one address", Live: true},
			{Name: "max-sessions-per-connection", Value: config.Int(&l.MaxSessionsPerConn, 8, 1, 1000), About: "Sessions on one SSH connection", Live: true},
			{Name: "max-matches", Value: config.Int(&c.MaxMatches, lobby.DefaultMaxMatches, 1, 1000), About: "Matches that a person may play at a time", Live: true},
			{Name: "login-timeout", Value: config.Duration(&l.HandshakeTimeout, 10*time.Second, time.Second, time.Hour), About: "Time to log in", Live: true},
			{Name: "idle-timeout", Value: config.Duration(&l.IdleTimeout, time.Hour, time.Minute, 30*day), About: "Time without a key before a session ends; it is warned a minute before", Live: true},
			{Name: "session-time", Value: config.Duration(&l.SessionTime, day, time.Minute, 365*day), About: "Time before a session ends in any case; it is warned five minutes before", Live: true},
			{Name: "write-timeout", Value: config.Duration(&l.WriteTimeout, 10*time.Second, time.Second, time.Hour), About: "Time for a client to take what it is sent, after which it is cut: nothing piles up for it", Live: true},
			{Name: "keep-alive", Value: config.Duration(&l.KeepAlive, 30*time.Second, time.Second, time.Hour), About: "Time between questions whether a client is alive; three without an answer and it is cut", Live: true},
			{Name: "input-rate", Value: config.Int(&l.InputRate, 2048, 64, 1<<20), About: "Bytes a second that an SSH connection may send", Live: true},
			{Name: "input-burst", Value: config.Int(&l.InputBurst, 16384, 64, 1<<20), About: "Bytes at once that an SSH connection may send", Live: true},
			{Name: "input-rate-per-address", Value: config.Int(&l.InputRatePerAddr, 1<<20, 4096, 1<<30), About: "Bytes a second that the SSH connections from one address may send beyond that, all together", Live: true},
			{Name: "max-paste", Value: config.Int(&l.MaxPaste, 64<<10, 1024, 1<<24), About: "Bytes of a paste", Live: true},
		}},
		{Title: "Programs", Options: []config.Option{
			{Name: "relay-hello", Value: config.Duration(&c.RelayHello, relay.DefaultHelloDelay, 0, time.Minute), About: "How long a program may take to send its directives on connecting"},
			{Name: "relay-move-timeout", Value: config.Duration(&c.MoveTimeout, lobby.DefaultMoveTimeout, time.Second, day), About: "Time for a program's shot, answer or reveal, after which it loses"},
			{Name: "relay-first-move-timeout", Value: config.Duration(&c.FirstMoveTimeout, lobby.DefaultFirstMove, time.Second, day), About: "The same for its first shot and all before it, if that is shorter"},
			{Name: "relay-fill", Value: config.Int(&c.RelayFill, 0, 0, 86400), About: "Seconds after which a bot plays a program that waits for anybody; 0: never"},
			{Name: "relay-fill-bot", Value: config.Text(&c.RelayFillBot, "prolog"), About: "That bot"},
			{Name: "relay-max-connections", Value: config.Int(&w.MaxConns, 8192, 1, 1<<20), About: "Programs that are connected, in all", Live: true},
			{Name: "relay-max-connections-per-address", Value: config.Int(&w.MaxConnsPerAddr, 1024, 1, 1<<20), About: "Programs that are connected from one address; an IPv6 network of 64 bits counts as one", Live: true},
			{Name: "relay-connection-rate", Value: config.Int(&w.ConnRate, 1200, 1, 1<<20), About: "New connections of programs a minute from one address; this machine's own are not counted", Live: true},
			{Name: "relay-connection-burst", Value: config.Int(&w.ConnBurst, 600, 1, 1<<20), About: "New connections of programs at once from one address", Live: true},
			{Name: "relay-audit", Value: config.Choice(&c.Audit, "flag", "flag", "forfeit", "off"), About: "What a program's contradicting answers lead to in casual matches"},
		}},
		{Options: []config.Option{
			{Name: "nats", Value: config.Removed(clusterAdvice)},
			{Name: "cluster-listen", Value: config.Removed(clusterAdvice)},
			{Name: "cluster-peers", Value: config.Removed(clusterAdvice)},
			{Name: "cluster-secret", Value: config.Removed(clusterAdvice)},
		}},
	}
}

// clusterAdvice names the options that replace removed ones.
const clusterAdvice = "a node needs only --store postgres://… and --cluster ADDRESS:PORT; see docs/scaling.md"

// AdminFile is the file of operators' public keys.
func (c *Config) AdminFile() string {
	if c.AdminKeys != "" {
		return c.AdminKeys
	}
	return filepath.Join(c.Data, "admin_keys")
}
