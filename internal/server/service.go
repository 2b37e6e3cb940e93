package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/proxy"
	"broadside/internal/store"
	"broadside/internal/web"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/sshd"
	"broadside/sshd/command"
	"broadside/tui"
	"broadside/tui/lines"
	"broadside/tui/term"
)

// service is the lobby with its frontends, for a time in which this process serves clients.
type service struct {
	cfg      Config
	log      *slog.Logger
	doors    doors
	store    *store.Store
	node     bool // this process is a node, and the service owns its store
	lobby    *lobby.Lobby
	host     *session.Host
	bans     *connections
	ssh      *sshd.Server
	relay    *relay.Server
	commands *command.Commands
	site     *web.Server // nil: no website

	background context.Context // of the goroutines in work
	stop       context.CancelFunc
	work       sync.WaitGroup
}

// openService opens a lobby with its frontends, which do not serve yet. On a node, it owns the store.
func (s *Server) openService(ctx context.Context, db *store.Store) (*service, error) {
	cfg := s.config()
	v := &service{cfg: cfg, log: s.log, doors: s.doors, store: db, node: s.election != nil, host: &session.Host{}}
	admins := access.NewOperators(cfg.OperatorFile(), s.log)
	policy, err := access.Open(ctx, access.Config{Store: db, Operators: admins, Log: s.log})
	if err != nil {
		return nil, err
	}
	v.relay = relay.New(relay.Config{
		Host: v.host, HelloDelay: pace(cfg.RelayHello), Admit: policy.CheckProgram, AdmitOwner: policy.CheckOwner,
		Refused: s.meter.CountRefusal, Log: s.log,
		Limits: cfg.RelayLimits, Fill: time.Duration(cfg.RelayFill) * time.Second, FillBot: cfg.RelayFillBot,
	})
	v.commands = command.New(command.Config{
		Host: v.host, Relay: v.relay, Nodes: s, Log: s.log, Operator: &command.Operator{Operators: admins},
	})
	v.ssh, err = sshd.New(sshd.Config{
		HostKeys: s.keys, Limits: cfg.Limits,
		Log:      s.log,
		Access:   policy,
		Notice:   tui.Notice,
		Language: v.languageOf,
		Meter:    s.meter.SSHMeter(),
		Command:  func(user sshd.User, words []string) sshd.Command { return v.commands.Line(user, words) },
		App:      v.app,
		Lines:    v.lines,
	})
	if err != nil {
		return nil, err
	}
	v.bans = &connections{Policy: policy, front: v.ssh, relay: v.relay}
	if v.doors.web != nil {
		proxies, err := proxy.ParseTrusted(cfg.WebProxies)
		if err != nil {
			return nil, fmt.Errorf("--web-proxies: %w", err)
		}
		v.site = web.New(web.Config{
			Host: v.host, Log: s.log, Admit: v.bans.CheckAddress, Limits: cfg.WebLimits, Proxies: proxies,
			Address: cfg.Public, Ladder: cfg.Ladder, SSH: v.doors.ssh.Addr(), Relay: v.doors.relay.Addr(),
			Fingerprint: s.Fingerprint(),
		})
	}
	v.lobby, err = lobby.Open(ctx, lobby.Config{
		Audit: audits[cfg.Audit], MoveTimeout: cfg.MoveTimeout, AnswerTime: cfg.AnswerTime, BotPace: pace(cfg.BotPace),
		Log: s.log, Store: db, QuietGuests: !cfg.GuestTalk, Ladder: cfg.Ladder, LadderPause: cfg.LadderPause,
		MaxMatches: cfg.MaxMatches, Meter: s.meter.LobbyMeter(),
	})
	if err != nil {
		return nil, err
	}
	v.host.Lobby, v.host.Access = v.lobby, v.bans
	v.background, v.stop = context.WithCancel(context.Background())
	if v.node { // operators of other worlds can change bans, too
		v.work.Go(func() { followBans(v.background, v.bans, s.log) })
	}
	return v, nil
}

// serve serves clients until ctx ends or a frontend fails or ends.
func (v *service) serve(ctx context.Context) error {
	serving, failed := errgroup.WithContext(ctx)
	serving.Go(func() error { return v.ssh.Serve(v.doors.ssh) })
	serving.Go(func() error { return v.relay.Serve(v.doors.relay) })
	if v.site != nil {
		v.log.Info("serving the website", "address", v.doors.web.Addr().String())
		serving.Go(func() error { return v.site.Serve(v.doors.web) })
	}
	<-failed.Done()
	v.closeDoors()
	return serving.Wait()
}

// closeDoors stops accepting connections.
func (v *service) closeDoors() {
	for _, d := range v.doors.all() {
		d.Close()
	}
}

// configure applies the options that can change while the server runs.
func (v *service) configure(cfg Config) {
	v.lobby.Chat.SetQuietGuests(!cfg.GuestTalk)
	v.lobby.Matches.SetMaxPerPlayer(cfg.MaxMatches)
	if err := v.ssh.SetLimits(cfg.Limits); err != nil {
		v.log.Error("invalid limits, keeping the current ones", "error", err)
	}
	v.relay.SetLimits(cfg.RelayLimits)
	if v.site != nil {
		v.site.SetLimits(cfg.WebLimits)
	}
}

// app opens a session and returns its screen.
func (v *service) app(ctx context.Context, user sshd.User) (sshd.Screen, error) {
	own, err := v.host.Open(ctx, v.clientOf(user, tui.WatchPace))
	if err != nil {
		return nil, err
	}
	settings, _ := own.Settings(ctx) // defaults if they cannot be read
	return tui.New(ctx, tui.Config{
		Session: own, Settings: settings, Opening: openingOf(user),
		Width: user.Width, Height: user.Height, Terminal: term.DetectTerminal(user.Term, user.Env),
		Language: i18n.ParseEnviron(user.Env), Returned: user.Returned,
	}), nil
}

// lines serves a session in line mode and returns its exit status.
func (v *service) lines(ctx context.Context, user sshd.User, c *term.Console) int {
	own, err := v.host.Open(ctx, v.clientOf(user, lines.WatchPace))
	if err != nil {
		c.PrintMessage(i18n.NewMessage("%v", narrate.Localize(err)))
		return 1
	}
	settings, _ := own.Settings(ctx)
	return lines.New(ctx, lines.Config{
		Session: own, Opening: openingOf(user), Console: c, Settings: settings, Language: user.Language, Commands: v.commands,
	}).Run()
}

// clientOf describes a user to the host of sessions.
func (v *service) clientOf(user sshd.User, watchPace time.Duration) session.Client {
	return session.Client{
		Address: cmp.Or(v.cfg.Public, user.Local), Name: user.Name, Fingerprint: user.Fingerprint, Addr: user.Addr,
		Conn: strconv.Itoa(user.Conn), WatchPace: watchPace,
	}
}

// Messages shown to players when the server ends their sessions.
var (
	partingForGood = i18n.NewMessage("The server has been shut down.")
	partingToOther = i18n.NewMessage("The server is restarting. Reconnect to continue where you left off.")
)

// leaveTime is how long sessions and connections have to end by themselves once the
// matches have ended.
const leaveTime = 5 * time.Second

// end ends sessions and connections, and then the lobby. Programs may finish their matches
// until ctx ends.
func (v *service) end(ctx context.Context, parting i18n.Message) {
	v.closeDoors()
	var programs sync.WaitGroup
	programs.Go(func() { v.relay.Drain(ctx) })
	leaving, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	err := v.ssh.Shutdown(leaving, parting)
	programs.Wait()
	leaving, cancel = context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if v.site != nil {
		err = errors.Join(err, v.site.Shutdown(leaving))
	}
	if err := errors.Join(err, v.relay.Shutdown(leaving)); err != nil {
		v.log.Warn("connections did not end in time", "error", err)
	}
	v.stop()
	v.work.Wait()
	v.lobby.Close()
	if !v.node {
		return
	}
	if err := v.store.Close(); err != nil {
		v.log.Error("cannot close the database properly", "error", err)
	}
}
