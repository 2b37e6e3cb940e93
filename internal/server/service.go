package server

import (
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
	"broadside/internal/webhook"
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
	cfg       Config
	log       *slog.Logger
	listeners listeners
	store     *store.Store
	// node is set if this process is a node, whose service owns its store.
	node     bool
	lobby    *lobby.Lobby
	host     *session.Host
	bans     *connectionPolicy
	ssh      *sshd.Server
	relay    *relay.Server
	commands *command.Commands
	// site is nil if there is no website.
	site *web.Server
	// webhook is nil if there is none.
	webhook *webhook.Sender

	// background is the context of the goroutines in work.
	background context.Context
	stop       context.CancelFunc
	work       sync.WaitGroup
}

// openService opens a lobby with its frontends, which do not serve yet. On a node, the service owns the
// store.
func (s *Server) openService(ctx context.Context, db *store.Store) (*service, error) {
	cfg := s.config()
	v := &service{
		cfg: cfg, log: s.log, listeners: s.listeners, store: db, node: s.election != nil,
		host: &session.Host{Website: cfg.PublicWeb, Address: cfg.Public},
	}
	admins := access.NewOperators(cfg.OperatorFile(), s.log)
	policy, err := access.Open(ctx, access.Config{Store: db, Operators: admins, Log: s.log})
	if err != nil {
		return nil, err
	}
	v.relay = relay.New(relay.Config{
		Host: v.host, HelloDelay: encodePause(cfg.RelayHello), Admit: policy.CheckProgram, AdmitOwner: policy.CheckOwner,
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
		Notice:   tui.NewNotice,
		Language: v.userLanguage,
		Meter:    s.meter.SSHMeter(),
		Command:  func(user sshd.User, words []string) sshd.Command { return v.commands.ParseLine(user, words) },
		App:      v.newScreen,
		Lines:    v.runLineMode,
	})
	if err != nil {
		return nil, err
	}
	v.bans = &connectionPolicy{Policy: policy, ssh: v.ssh, relay: v.relay}
	if v.listeners.web != nil {
		proxies, err := proxy.ParseTrusted(cfg.WebProxies)
		if err != nil {
			return nil, fmt.Errorf("--web-proxies: %w", err)
		}
		v.site = web.New(web.Config{
			Host: v.host, Log: s.log, Admit: v.bans.CheckAddress, Limits: cfg.WebLimits, Proxies: proxies,
			Address: cfg.Public, Ladder: cfg.Ladder, SSH: v.listeners.ssh.Addr(), Relay: v.listeners.relay.Addr(),
			Fingerprint: s.Fingerprint(),
		})
	}
	if cfg.Webhook != "" {
		v.webhook = webhook.New(cfg.Webhook, s.log)
	}
	v.lobby, err = lobby.Open(ctx, lobby.Config{
		Audit: audits[cfg.Audit], MoveTimeout: cfg.MoveTimeout, AnswerTime: cfg.AnswerTime, BotPace: encodePause(cfg.BotPace),
		Log: s.log, Store: db, QuietGuests: !cfg.GuestTalk, Ladder: cfg.Ladder, LadderPause: cfg.LadderPause,
		MaxMatches: cfg.MaxMatches, Puzzles: true, Meter: s.meter.LobbyMeter(),
		Alert: v.alert(),
	})
	if err != nil {
		return nil, err
	}
	v.host.Lobby, v.host.Access = v.lobby, v.bans
	v.background, v.stop = context.WithCancel(context.Background())
	// Operators of other worlds can change bans, too.
	if v.node {
		v.work.Go(func() { refreshBans(v.background, v.bans, s.log) })
	}
	return v, nil
}

// alert returns the function that sends alerts to the webhook, or nil if there is none. The messages are in English,
// as they are for the operator's community, and contain no names.
func (svc *service) alert() func(lobby.Alert) bool {
	if svc.webhook == nil {
		return nil
	}
	where := ""
	if svc.cfg.Public != "" {
		where = " Play: " + narrate.ConnectCommand(svc.cfg.Public)
	}
	return func(a lobby.Alert) bool {
		message := "A player is waiting for an opponent."
		if a == lobby.TournamentStarts {
			message = "A tournament starts in a few minutes."
		}
		return svc.webhook.Send(message + where)
	}
}

// serve serves clients until ctx ends or a frontend fails or ends.
func (svc *service) serve(ctx context.Context) error {
	serving, failed := errgroup.WithContext(ctx)
	serving.Go(func() error { return svc.ssh.Serve(svc.listeners.ssh) })
	serving.Go(func() error { return svc.relay.Serve(svc.listeners.relay) })
	if svc.site != nil {
		svc.log.Info("serving the website", "address", svc.listeners.web.Addr().String())
		serving.Go(func() error { return svc.site.Serve(svc.listeners.web) })
	}
	<-failed.Done()
	svc.closeListeners()
	return serving.Wait()
}

// closeListeners stops accepting connections.
func (svc *service) closeListeners() {
	for _, d := range svc.listeners.listOpen() {
		d.Close()
	}
}

// applyOptions applies the options that can change while the server runs.
func (svc *service) applyOptions(cfg Config) {
	svc.lobby.Chat.SetQuietGuests(!cfg.GuestTalk)
	svc.lobby.Matches.SetMaxPerPlayer(cfg.MaxMatches)
	svc.lobby.Tournaments.SetSchedule(cfg.Tournaments)
	if err := svc.ssh.SetLimits(cfg.Limits); err != nil {
		svc.log.Error("invalid limits, keeping the current ones", "error", err)
	}
	svc.relay.SetLimits(cfg.RelayLimits)
	if svc.site != nil {
		svc.site.SetLimits(cfg.WebLimits)
	}
}

// newScreen opens a session and returns its screen.
func (svc *service) newScreen(ctx context.Context, user sshd.User) (sshd.Screen, error) {
	own, err := svc.host.Open(ctx, svc.sessionClient(user, tui.WatchPace))
	if err != nil {
		return nil, err
	}
	// Settings that cannot be read are the defaults.
	settings, _ := own.Settings(ctx)
	return tui.New(ctx, tui.Config{
		Session: own, Settings: settings, Opening: requestedScreen(user),
		Width: user.Width, Height: user.Height, Terminal: term.DetectTerminal(user.Term, user.Env),
		Language: i18n.ParseEnviron(user.Env), Returned: user.HadScreen,
	}), nil
}

// runLineMode serves a session in line mode and returns its exit status.
func (svc *service) runLineMode(ctx context.Context, user sshd.User, c *term.Console) int {
	own, err := svc.host.Open(ctx, svc.sessionClient(user, lines.WatchPace))
	if err != nil {
		c.PrintMessage(i18n.NewMessage("%v", narrate.Localize(err)))
		return 1
	}
	settings, _ := own.Settings(ctx)
	return lines.New(ctx, lines.Config{
		Session: own, Start: requestedScreen(user), Console: c, Settings: settings, Language: user.Language, Commands: svc.commands,
	}).Run()
}

// sessionClient returns the user as a client of sessions.
func (svc *service) sessionClient(user sshd.User, watchPace time.Duration) session.Client {
	return session.Client{
		Address: user.ServerAddr, Name: user.Name, Fingerprint: user.Fingerprint, Addr: user.Addr,
		Conn: strconv.Itoa(user.Conn), WatchPace: watchPace,
	}
}

// Messages shown to players when the server ends their sessions.
var (
	partingForGood = i18n.NewMessage("The server has been shut down.")
	partingToOther = i18n.NewMessage("The server is restarting. Reconnect to continue where you left off.")
)

// disconnectTime is how long sessions and connections may take to end once the matches have ended.
const disconnectTime = 5 * time.Second

// shutDown ends sessions and connections, and then the lobby. Programs may finish their matches until ctx
// ends.
func (svc *service) shutDown(ctx context.Context, parting i18n.Message) {
	svc.closeListeners()
	var programs sync.WaitGroup
	programs.Go(func() { svc.relay.Drain(ctx) })
	leaving, cancel := context.WithTimeout(context.Background(), disconnectTime)
	defer cancel()
	err := svc.ssh.Shutdown(leaving, parting)
	programs.Wait()
	leaving, cancel = context.WithTimeout(context.Background(), disconnectTime)
	defer cancel()
	if svc.site != nil {
		err = errors.Join(err, svc.site.Shutdown(leaving))
	}
	if err := errors.Join(err, svc.relay.Shutdown(leaving)); err != nil {
		svc.log.Warn("cannot end all connections in time", "error", err)
	}
	svc.stop()
	svc.work.Wait()
	svc.lobby.Close()
	if svc.webhook != nil {
		svc.webhook.Close()
	}
	if !svc.node {
		return
	}
	if err := svc.store.Close(); err != nil {
		svc.log.Error("cannot close the database properly", "error", err)
	}
}
