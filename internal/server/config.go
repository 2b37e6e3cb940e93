package server

import (
	"cmp"
	"path/filepath"
	"time"

	"broadside/internal/config"
	"broadside/internal/web"
	"broadside/lobby"
	"broadside/relay"
	"broadside/sshd"
)

// Config holds the options of the server.
type Config struct {
	SSH, Relay   string // listen addresses
	Web          string // listen address of the website; empty: none
	WebProxies   string // addresses and networks of reverse proxies
	WebLimits    web.Limits
	Data         string // folder for persistent data
	Store        string // URL of a PostgreSQL database; empty: the database in Data
	HostKeys     string // place of the host keys; see HostKeyLocation
	OperatorKeys string // file of operators' public keys; empty: admin_keys in Data
	LogLevel     string
	LogFormat    string
	Audit        string
	Drain        time.Duration
	RelayHello   time.Duration
	MoveTimeout  time.Duration
	AnswerTime   time.Duration
	BotPace      time.Duration
	GuestTalk    bool
	Ladder       bool
	LadderPause  time.Duration
	ECDSA        bool
	MaxMatches   int
	Limits       sshd.Limits
	RelayFill    int // seconds
	RelayFillBot string
	RelayLimits  relay.Limits
	Proxies      string // addresses and networks
	Public       string // public address for SSH; empty: that of each connection

	NodeName    string // empty: the host's name
	NodeAddress string // host at which other nodes reach this one; empty: as seen by the database
	World       string

	Metrics  string // address for metrics; empty: none
	Profiles bool

	Version string // of Broadside, shown to operators
}

// DefaultWorld is the name of the world of a server that names none.
const DefaultWorld = "main"

// OptionTable returns all options of the server and sets c to their defaults. Flags, variables,
// configuration keys and the file in docs/configuration.md are generated from it.
func (c *Config) OptionTable() config.Table {
	const (
		day  = 24 * time.Hour
		most = 1 << 20
	)
	ssh, programs, web := &c.Limits, &c.RelayLimits, &c.WebLimits
	return config.Table{
		{Title: "Addresses and data", Options: []config.Option{
			{Name: "ssh", Value: config.ListenValue(&c.SSH, ":2222"), About: "Listen address for SSH"},
			{Name: "public-address", Value: config.TextValue(&c.Public, ""),
				About: "Host name, with the port if it is not 22, at which players reach SSH, for invitations to private " +
					"matches and the website, such as play.example.org:2222; if empty, the address that the connection of " +
					"the player or of the browser used"},
			{Name: "relay", Value: config.ListenValue(&c.Relay, ":54321"), About: "Listen address of the relay, for programs"},
			{Name: "web", Value: config.ListenValue(&c.Web, ""),
				About: "Listen address of the website and its API, such as :8080; if empty, they are off. They use plain HTTP: " +
					"a reverse proxy adds TLS, see docs/web.md"},
			{Name: "web-proxies", Value: config.TextValue(&c.WebProxies, "127.0.0.1, ::1"),
				About: "Addresses and networks of reverse proxies, separated by commas, whose X-Forwarded-For and " +
					"X-Forwarded-Proto headers the website uses"},
			{Name: "proxy-protocol", Value: config.TextValue(&c.Proxies, ""),
				About: "Addresses and networks of load balancers, separated by commas, whose connections to SSH and the relay " +
					"begin with a PROXY protocol header (version 1 or 2)"},
			{Name: "data", Value: config.TextValue(&c.Data, "data"),
				About: "Folder for the host keys and the database, unless other options place them elsewhere"},
			{Name: "store", Value: config.URLValue(&c.Store, "postgres", "postgresql"),
				About: "PostgreSQL database to use instead of the one in the data folder, such as " +
					"postgres://broadside@db.example.org/broadside; set the password in PGPASSWORD or ~/.pgpass"},
			{Name: "admin-keys", Value: config.TextValue(&c.OperatorKeys, ""),
				About: "File of operators' public keys, in the format of authorized_keys; if empty, admin_keys in the data " +
					"folder. Changes to the file apply immediately"},
		}},
		{Title: "Nodes", Options: []config.Option{
			{Name: "node-name", Value: config.TextValue(&c.NodeName, ""), About: "Name of this node; if empty, the host's name"},
			{Name: "node-address", Value: config.TextValue(&c.NodeAddress, ""),
				About: "Host name or IP address at which other nodes reach this one; if empty, the address from which it " +
					"connects to PostgreSQL"},
			{Name: "world", Value: config.TextValue(&c.World, DefaultWorld),
				About: "Name of the world that this node serves. Worlds share a PostgreSQL database, with its accounts and " +
					"ratings, and have a lobby each; see docs/scaling.md"},
		}},
		{Title: "Security", Options: []config.Option{
			{Name: "host-keys", Value: config.TextValue(&c.HostKeys, ""),
				About: "Where the host keys are: a folder, which several servers may share; store, for the database; or env, " +
					"for private keys in PEM in the variable BROADSIDE_HOST_KEY_PEM. If empty, the data folder, or the " +
					"database if it is PostgreSQL"},
			{Name: "ecdsa-host-key", Value: config.BoolValue(&c.ECDSA, false),
				About: "Create an ECDSA host key and offer it in addition to the ed25519 key, for old clients; ssh-audit " +
					"reports its curve as suspicious"},
		}},
		{Title: "Log", Options: []config.Option{
			{Name: "log-level", Value: config.ChoiceValue(&c.LogLevel, "info", "debug", "info", "warn", "error"), Live: true,
				About: "Lowest level to log"},
			{Name: "log-format", Value: config.ChoiceValue(&c.LogFormat, "text", "text", "json", "logfmt"),
				About: "Format of the log"},
		}},
		{Title: "Play", Options: []config.Option{
			{Name: "bot-pace", Value: config.DurationValue(&c.BotPace, lobby.DefaultBotPace, 0, time.Minute),
				About: "Pause of a bot before it fires at a person"},
			{Name: "challenge-timeout", Value: config.DurationValue(&c.AnswerTime, lobby.DefaultAnswerTime, time.Second, time.Hour),
				About: "Time to answer a challenge"},
			{Name: "ladder", Value: config.BoolValue(&c.Ladder, false),
				About: "Run a ladder: around the clock, pair the registered programs that ask for it in rated matches, and " +
					"rank them; see docs/protocol.md"},
			{Name: "ladder-pause", Value: config.DurationValue(&c.LadderPause, lobby.DefaultLadderPause, time.Millisecond, time.Hour),
				About: "Pause of a program between two matches on the ladder"},
			{Name: "guest-talk", Value: config.BoolValue(&c.GuestTalk, true), Live: true,
				About: "Let guests write in the chat; they can always read it"},
			{Name: "drain", Value: config.DurationValue(&c.Drain, 30*time.Second, 0, day), Live: true,
				About: "Time for running matches to end after SIGTERM"},
		}},
		{Title: "Metrics", Options: []config.Option{
			{Name: "metrics-listen", Value: config.ListenValue(&c.Metrics, ""),
				About: "Listen address for Prometheus metrics, /healthz and /readyz, such as 127.0.0.1:9464; if empty, they " +
					"are off. Keep it private"},
			{Name: "metrics-profiles", Value: config.BoolValue(&c.Profiles, false),
				About: "Also serve profiles (/debug/pprof/) at the address for metrics"},
		}},
		{Title: "Limits", Options: []config.Option{
			{Name: "max-connections", Value: config.IntValue(&ssh.MaxConns, 4096, 1, most), Live: true,
				About: "Maximum number of SSH connections"},
			{Name: "max-connections-per-address", Value: config.IntValue(&ssh.MaxConnsPerAddr, 512, 1, most), Live: true,
				About: "Maximum number of SSH connections from one address; an IPv6 /64 network counts as one"},
			{Name: "connection-rate", Value: config.IntValue(&ssh.ConnRate, 300, 1, most), Live: true,
				About: "New SSH connections per minute from one address"},
			{Name: "connection-burst", Value: config.IntValue(&ssh.ConnBurst, 300, 1, most), Live: true,
				About: "New SSH connections at once from one address"},
			{Name: "max-sessions", Value: config.IntValue(&ssh.MaxSessions, 4096, 1, most), Live: true,
				About: "Maximum number of interactive sessions"},
			{Name: "max-sessions-per-address", Value: config.IntValue(&ssh.MaxSessionsPerAddr, 512, 1, most), Live: true,
				About: "Maximum number of interactive sessions from one address"},
			{Name: "max-sessions-per-connection", Value: config.IntValue(&ssh.MaxSessionsPerConn, 8, 1, 1000), Live: true,
				About: "Maximum number of sessions on one SSH connection"},
			{Name: "max-matches", Value: config.IntValue(&c.MaxMatches, lobby.DefaultMaxMatches, 1, 1000), Live: true,
				About: "Maximum number of simultaneous matches of one person"},
			{Name: "login-timeout", Value: config.DurationValue(&ssh.HandshakeTimeout, 10*time.Second, time.Second, time.Hour),
				Live: true, About: "Time to log in"},
			{Name: "idle-timeout", Value: config.DurationValue(&ssh.IdleTimeout, time.Hour, time.Minute, 30*day), Live: true,
				About: "Time without input before a session ends, with a warning one minute before"},
			{Name: "session-time", Value: config.DurationValue(&ssh.SessionTime, day, time.Minute, 365*day), Live: true,
				About: "Maximum duration of a session, with a warning five minutes before its end"},
			{Name: "write-timeout", Value: config.DurationValue(&ssh.WriteTimeout, 10*time.Second, time.Second, time.Hour),
				Live: true, About: "Time for a client to accept output before it is disconnected"},
			{Name: "keep-alive", Value: config.DurationValue(&ssh.KeepAlive, 30*time.Second, time.Second, time.Hour), Live: true,
				About: "Interval of keep-alive requests; a client is disconnected after three without a reply"},
			{Name: "input-rate", Value: config.IntValue(&ssh.InputRate, 2048, 64, most), Live: true,
				About: "Bytes per second that an SSH connection may send"},
			{Name: "input-burst", Value: config.IntValue(&ssh.InputBurst, 16384, 64, most), Live: true,
				About: "Bytes that an SSH connection may send at once"},
			{Name: "input-rate-per-address", Value: config.IntValue(&ssh.InputRatePerAddr, 1<<20, 4096, 1<<30), Live: true,
				About: "Bytes per second that all SSH connections from one address may send together beyond input-rate and " +
					"input-burst"},
			{Name: "max-paste", Value: config.IntValue(&ssh.MaxPaste, 64<<10, 1024, 1<<24), Live: true,
				About: "Maximum size of pasted text, in bytes"},
		}},
		{Title: "Programs", Options: []config.Option{
			{Name: "relay-hello", Value: config.DurationValue(&c.RelayHello, relay.DefaultHelloDelay, 0, time.Minute),
				About: "How long a new program may take to send its directives"},
			{Name: "relay-move-timeout", Value: config.DurationValue(&c.MoveTimeout, lobby.DefaultMoveTimeout, time.Second, day),
				About: "Time for a program's shot or answer; when it runs out, the program loses"},
			{Name: "relay-fill", Value: config.IntValue(&c.RelayFill, 0, 0, 86400),
				About: "Seconds after which a program that seeks any opponent plays a bot; 0: never"},
			{Name: "relay-fill-bot", Value: config.TextValue(&c.RelayFillBot, "prolog"), About: "The bot of relay-fill"},
			{Name: "relay-max-connections", Value: config.IntValue(&programs.MaxConns, 8192, 1, most), Live: true,
				About: "Maximum number of connected programs"},
			{Name: "relay-max-connections-per-address", Value: config.IntValue(&programs.MaxConnsPerAddr, 1024, 1, most), Live: true,
				About: "Maximum number of connected programs from one address; an IPv6 /64 network counts as one"},
			{Name: "relay-connection-rate", Value: config.IntValue(&programs.ConnRate, 1200, 1, most), Live: true,
				About: "New connections of programs per minute from one address; connections from this machine are not counted"},
			{Name: "relay-connection-burst", Value: config.IntValue(&programs.ConnBurst, 600, 1, most), Live: true,
				About: "New connections of programs at once from one address"},
			{Name: "relay-audit", Value: config.ChoiceValue(&c.Audit, "flag", "flag", "forfeit", "off"),
				About: "Consequence of contradictory answers of a program in casual matches"},
		}},
		{Title: "Website", Options: []config.Option{
			{Name: "web-max-connections", Value: config.IntValue(&web.MaxConns, 16384, 1, most), Live: true,
				About: "Maximum number of connections to the website"},
			{Name: "web-max-connections-per-address", Value: config.IntValue(&web.MaxConnsPerAddr, 1024, 1, most), Live: true,
				About: "Maximum number of connections to the website from one address, except from reverse proxies; an IPv6 " +
					"/64 network counts as one"},
			{Name: "web-request-rate", Value: config.IntValue(&web.RequestRate, 3000, 1, most), Live: true,
				About: "Requests per minute from one address"},
			{Name: "web-request-burst", Value: config.IntValue(&web.RequestBurst, 1000, 1, most), Live: true,
				About: "Requests at once from one address"},
			{Name: "web-max-streams", Value: config.IntValue(&web.MaxStreams, 12000, 1, most), Live: true,
				About: "Maximum number of open event streams"},
			{Name: "web-max-streams-per-address", Value: config.IntValue(&web.MaxStreamsPerAddr, 512, 1, most), Live: true,
				About: "Maximum number of open event streams from one address"},
		}},
	}
}

// OperatorFile returns the path of the file of operators' public keys.
func (c *Config) OperatorFile() string {
	return cmp.Or(c.OperatorKeys, filepath.Join(c.Data, "admin_keys"))
}

// withDefaults returns the configuration with all limits.
func (c Config) withDefaults() Config {
	c.Limits = c.Limits.WithDefaults()
	c.RelayLimits = c.RelayLimits.WithDefaults()
	c.WebLimits = c.WebLimits.WithDefaults()
	return c
}
