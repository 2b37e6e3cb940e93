package server

import (
	"cmp"
	"path/filepath"
	"time"

	"broadside/internal/config"
	"broadside/internal/web"
	"broadside/lobby"
	"broadside/lobby/tournament"
	"broadside/relay"
	"broadside/sshd"
)

// Config holds the server's options. [Config.OptionTable] describes them and sets their defaults.
type Config struct {
	// SSH, Relay, Web and Metrics are listen addresses. The last two may be empty.
	SSH, Relay, Web, Metrics string
	// WebProxies and Proxies are addresses and networks, separated by commas.
	WebProxies, Proxies string
	// Public is the public address for SSH. If it is empty, it is that of each connection.
	Public string
	// PublicWeb is the website's public URL. If it is empty, players' results do not link to it.
	PublicWeb string
	// Data is the folder for persistent data.
	Data string
	// Store is the URL of a PostgreSQL database. If it is empty, the database is in Data.
	Store string
	// HostKeys is the location of the host keys; see [Config.HostKeyLocation].
	HostKeys string
	// OperatorKeys is the file with the operators' public keys; see [Config.OperatorFile].
	OperatorKeys string
	ECDSA        bool

	LogLevel  string
	LogFormat string
	Profiles  bool

	BotPace     time.Duration
	AnswerTime  time.Duration
	MaxMatches  int
	GuestTalk   bool
	Ladder      bool
	LadderPause time.Duration
	Drain       time.Duration

	// Tournaments are the scheduled tournaments.
	Tournaments []tournament.Slot
	// Webhook is a URL, or empty.
	Webhook string

	RelayHello  time.Duration
	MoveTimeout time.Duration
	// RelayFill is in seconds.
	RelayFill    int
	RelayFillBot string
	Audit        string

	Limits      sshd.Limits
	RelayLimits relay.Limits
	WebLimits   web.Limits

	// NodeName is the host's name if it is empty.
	NodeName string
	// NodeAddress is the host at which other nodes reach this one. If it is empty, it is the one
	// that the database sees.
	NodeAddress string
	World       string

	// Version is Broadside's version, which operators see.
	Version string
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
			{Name: "ssh", Value: config.ListenValue(&c.SSH, ":2222"), About: "listen address for SSH"},
			{Name: "public-address", Value: config.TextValue(&c.Public, ""),
				About: "host name at which players reach SSH, such as play.example.org:2222. Add the port if it " +
					"is not 22. Invitations to private matches and the website show this address. If it is " +
					"empty, they show the one that the player or browser used"},
			{Name: "relay", Value: config.ListenValue(&c.Relay, ":54321"), About: "listen address of the relay, for programs"},
			{Name: "web", Value: config.ListenValue(&c.Web, ""),
				About: "listen address of the website and its API, such as :8080. If it is empty, both are off. " +
					"They use plain HTTP, so put a reverse proxy with TLS in front of them (see docs/web.md)"},
			{Name: "public-web-address", Value: config.WebURLValue(&c.PublicWeb),
				About: "URL at which browsers reach the website, such as https://play.example.org. Results that " +
					"players copy and their private feeds (ssh HOST feed) use it. If it is empty, results name " +
					"the SSH server, and there are no feeds"},
			{Name: "web-proxies", Value: config.TextValue(&c.WebProxies, "127.0.0.1, ::1"),
				About: "addresses and networks of reverse proxies, separated by commas. The website trusts " +
					"their headers X-Forwarded-For and X-Forwarded-Proto"},
			{Name: "proxy-protocol", Value: config.TextValue(&c.Proxies, ""),
				About: "addresses and networks of load balancers, separated by commas. Their connections to SSH " +
					"and the relay must start with a PROXY protocol header, version 1 or 2"},
			{Name: "data", Value: config.TextValue(&c.Data, "data"),
				About: "folder for the host keys and the database, unless other options place them elsewhere"},
			{Name: "store", Value: config.URLValue(&c.Store, "postgres", "postgresql"),
				About: "URL of a PostgreSQL database to use instead of the one in the data folder, such as " +
					"postgres://broadside@db.example.org/broadside. Set the password in PGPASSWORD or " +
					"~/.pgpass"},
			{Name: "admin-keys", Value: config.TextValue(&c.OperatorKeys, ""),
				About: "file with the operators' public keys, in the format of authorized_keys. If it is empty, " +
					"the file is admin_keys in the data folder. Changes to the file apply immediately"},
		}},
		{Title: "Nodes", Options: []config.Option{
			{Name: "node-name", Value: config.TextValue(&c.NodeName, ""),
				About: "name of this node. If it is empty, the host's name is used"},
			{Name: "node-address", Value: config.TextValue(&c.NodeAddress, ""),
				About: "host name or IP address at which other nodes reach this one. If it is empty, they use " +
					"the address from which this node connects to PostgreSQL"},
			{Name: "world", Value: config.TextValue(&c.World, DefaultWorld),
				About: "name of the world that this node serves. Worlds share a PostgreSQL database with its " +
					"accounts and ratings, but each has its own lobby (see docs/scaling.md)"},
		}},
		{Title: "Security", Options: []config.Option{
			{Name: "host-keys", Value: config.TextValue(&c.HostKeys, ""),
				About: "location of the host keys: a folder, which several servers may share, store for the " +
					"database, or env for private keys in PEM in the variable BROADSIDE_HOST_KEY_PEM. If it " +
					"is empty, they are in the data folder, or in the database if that is PostgreSQL"},
			{Name: "ecdsa-host-key", Value: config.BoolValue(&c.ECDSA, false),
				About: "create an ECDSA host key and offer it in addition to the Ed25519 key, for old clients. " +
					"ssh-audit reports its curve as suspicious"},
		}},
		{Title: "Log", Options: []config.Option{
			{Name: "log-level", Value: config.ChoiceValue(&c.LogLevel, "info", "debug", "info", "warn", "error"), Live: true,
				About: "lowest level to log"},
			{Name: "log-format", Value: config.ChoiceValue(&c.LogFormat, "text", "text", "json", "logfmt"),
				About: "format of the server log"},
		}},
		{Title: "Play", Options: []config.Option{
			{Name: "bot-pace", Value: config.DurationValue(&c.BotPace, lobby.DefaultBotPace, 0, time.Minute),
				About: "time that a bot waits before it fires at a player"},
			{Name: "challenge-timeout", Value: config.DurationValue(&c.AnswerTime, lobby.DefaultAnswerTime, time.Second, time.Hour),
				About: "time to answer a challenge"},
			{Name: "ladder", Value: config.BoolValue(&c.Ladder, false),
				About: "run a ladder: pair the registered programs that ask for it in rated matches, around the " +
					"clock, and rank them (see docs/protocol.md)"},
			{Name: "ladder-pause", Value: config.DurationValue(&c.LadderPause, lobby.DefaultLadderPause, time.Millisecond, time.Hour),
				About: "time between two ladder matches of a program"},
			{Name: "guest-talk", Value: config.BoolValue(&c.GuestTalk, true), Live: true,
				About: "let guests write in the chat. They can always read it"},
			{Name: "drain", Value: config.DurationValue(&c.Drain, 30*time.Second, 0, day), Live: true,
				About: "time for running matches to end after SIGTERM"},
		}},
		{Title: "Tournaments and webhook", Options: []config.Option{
			{Name: "tournament", Value: config.ListValue(&c.Tournaments, tournament.ParseSlot), Live: true,
				About: "tournaments that the server starts by itself, such as \"fri 19:00 Europe/Berlin, 5 rounds, classic\" " +
					"or \"daily 19:00 UTC, rated\": a day (sun, mon, tue, wed, thu, fri, sat or daily), a time and a time zone, " +
					"then rounds, rules and rated if you want. In the file, this is an array. Elsewhere, semicolons separate " +
					"them, and the flag can be repeated (see docs/hosting.md)"},
			{Name: "webhook", Value: config.WebURLValue(&c.Webhook), Secret: true,
				About: "URL that is told when a player waits for any opponent or a scheduled tournament starts soon, at " +
					"most once in ten minutes, without names. It can be a topic of ntfy, or a webhook of Discord, Matrix " +
					"hookshot, Slack or Mattermost (see docs/hosting.md). Keep it secret: set it in the file or a variable"},
		}},
		{Title: "Metrics", Options: []config.Option{
			{Name: "metrics-listen", Value: config.ListenValue(&c.Metrics, ""),
				About: "listen address for Prometheus metrics, /healthz and /readyz, such as 127.0.0.1:9464. If " +
					"it is empty, they are off. Keep it private"},
			{Name: "metrics-profiles", Value: config.BoolValue(&c.Profiles, false),
				About: "also serve profiles (/debug/pprof/) at the address for metrics"},
		}},
		{Title: "Limits", Options: []config.Option{
			{Name: "max-connections", Value: config.IntValue(&ssh.MaxConns, 4096, 1, most), Live: true,
				About: "maximum number of SSH connections"},
			{Name: "max-connections-per-address", Value: config.IntValue(&ssh.MaxConnsPerAddr, 512, 1, most), Live: true,
				About: "maximum number of SSH connections from one address. An IPv6 /64 network counts as one " +
					"address"},
			{Name: "connection-rate", Value: config.IntValue(&ssh.ConnRate, 300, 1, most), Live: true,
				About: "new SSH connections per minute from one address"},
			{Name: "connection-burst", Value: config.IntValue(&ssh.ConnBurst, 300, 1, most), Live: true,
				About: "new SSH connections that one address may open immediately, before connection-rate " +
					"applies"},
			{Name: "max-sessions", Value: config.IntValue(&ssh.MaxSessions, 4096, 1, most), Live: true,
				About: "maximum number of interactive sessions"},
			{Name: "max-sessions-per-address", Value: config.IntValue(&ssh.MaxSessionsPerAddr, 512, 1, most), Live: true,
				About: "maximum number of interactive sessions from one address"},
			{Name: "max-sessions-per-connection", Value: config.IntValue(&ssh.MaxSessionsPerConn, 8, 1, 1000), Live: true,
				About: "maximum number of sessions on one SSH connection"},
			{Name: "max-matches", Value: config.IntValue(&c.MaxMatches, lobby.DefaultMaxMatches, 1, 1000), Live: true,
				About: "maximum number of matches that a player may play at the same time"},
			{Name: "login-timeout", Value: config.DurationValue(&ssh.HandshakeTimeout, 10*time.Second, time.Second, time.Hour), Live: true,
				About: "time to log in"},
			{Name: "idle-timeout", Value: config.DurationValue(&ssh.IdleTimeout, time.Hour, time.Minute, 30*day), Live: true,
				About: "time without input after which a session ends. The user is warned one minute before"},
			{Name: "session-time", Value: config.DurationValue(&ssh.SessionTime, day, time.Minute, 365*day), Live: true,
				About: "maximum duration of a session. The user is warned five minutes before the end"},
			{Name: "write-timeout", Value: config.DurationValue(&ssh.WriteTimeout, 10*time.Second, time.Second, time.Hour), Live: true,
				About: "time for a client to accept output. A client that takes longer is disconnected"},
			{Name: "keep-alive", Value: config.DurationValue(&ssh.KeepAlive, 30*time.Second, time.Second, time.Hour), Live: true,
				About: "time between keep-alive requests. A client that does not answer three of them is " +
					"disconnected"},
			{Name: "input-rate", Value: config.IntValue(&ssh.InputRate, 2048, 64, most), Live: true,
				About: "bytes per second that an SSH connection may send"},
			{Name: "input-burst", Value: config.IntValue(&ssh.InputBurst, 16384, 64, most), Live: true,
				About: "bytes that an SSH connection may send immediately, before input-rate applies"},
			{Name: "input-rate-per-address", Value: config.IntValue(&ssh.InputRatePerAddr, 1<<20, 4096, 1<<30), Live: true,
				About: "bytes per second that all SSH connections from one address may send together, beyond " +
					"input-rate and input-burst"},
			{Name: "max-paste", Value: config.IntValue(&ssh.MaxPaste, 64<<10, 1024, 1<<24), Live: true,
				About: "maximum size of pasted text, in bytes"},
		}},
		{Title: "Programs", Options: []config.Option{
			{Name: "relay-hello", Value: config.DurationValue(&c.RelayHello, relay.DefaultHelloDelay, 0, time.Minute),
				About: "time for a new program to send its directives"},
			{Name: "relay-move-timeout", Value: config.DurationValue(&c.MoveTimeout, lobby.DefaultMoveTimeout, time.Second, day),
				About: "time for a program to fire a shot or send a result. A program that takes longer loses " +
					"the match"},
			{Name: "relay-fill", Value: config.IntValue(&c.RelayFill, 0, 0, 86400),
				About: "seconds after which a program that waits for any opponent plays a bot. 0 means never"},
			{Name: "relay-fill-bot", Value: config.TextValue(&c.RelayFillBot, "prolog"), About: "bot that relay-fill uses"},
			{Name: "relay-max-connections", Value: config.IntValue(&programs.MaxConns, 8192, 1, most), Live: true,
				About: "maximum number of connected programs"},
			{Name: "relay-max-connections-per-address", Value: config.IntValue(&programs.MaxConnsPerAddr, 1024, 1, most), Live: true,
				About: "maximum number of connected programs from one address. An IPv6 /64 network counts as " +
					"one address"},
			{Name: "relay-connection-rate", Value: config.IntValue(&programs.ConnRate, 1200, 1, most), Live: true,
				About: "new connections of programs per minute from one address. Connections from this computer " +
					"are not counted"},
			{Name: "relay-connection-burst", Value: config.IntValue(&programs.ConnBurst, 600, 1, most), Live: true,
				About: "new connections of programs that one address may open immediately, before " +
					"relay-connection-rate applies"},
			{Name: "relay-audit", Value: config.ChoiceValue(&c.Audit, "flag", "flag", "forfeit", "off"),
				About: "what happens in a casual match if a program's results contradict each other"},
		}},
		{Title: "Website", Options: []config.Option{
			{Name: "web-max-connections", Value: config.IntValue(&web.MaxConns, 16384, 1, most), Live: true,
				About: "maximum number of connections to the website"},
			{Name: "web-max-connections-per-address", Value: config.IntValue(&web.MaxConnsPerAddr, 1024, 1, most), Live: true,
				About: "maximum number of connections to the website from one address, except from reverse " +
					"proxies. An IPv6 /64 network counts as one address"},
			{Name: "web-request-rate", Value: config.IntValue(&web.RequestRate, 3000, 1, most), Live: true,
				About: "requests per minute from one address"},
			{Name: "web-request-burst", Value: config.IntValue(&web.RequestBurst, 1000, 1, most), Live: true,
				About: "requests that one address may send immediately, before web-request-rate applies"},
			{Name: "web-max-streams", Value: config.IntValue(&web.MaxStreams, 12000, 1, most), Live: true,
				About: "maximum number of open event streams"},
			{Name: "web-max-streams-per-address", Value: config.IntValue(&web.MaxStreamsPerAddr, 512, 1, most), Live: true,
				About: "maximum number of open event streams from one address"},
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
