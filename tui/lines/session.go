package lines

import (
	"context"
	"errors"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match/live"
	"broadside/sshd/command"
	"broadside/tui/term"
)

// Config configures a session. All fields except Opening are required.
type Config struct {
	Session  *session.Session    // closed by Run
	Opening  session.StartScreen // where to start, unless the player has a running match
	Console  *term.Console
	Settings account.Settings // the player's
	Language i18n.Language
	Commands *command.Commands
}

// Session is a session in line mode. Its only method, Run, must be called once.
type Session struct {
	*player
	interpreter *interpreter
	finder      *finder
	chats       *chats
	preferences preferences
	identity    identity

	noted   session.State // state as of the last update of each part
	opening session.StartScreen
	offered bool // offered to continue a match of another session
	ended   bool // the input has ended
}

// New returns a session that ends with ctx.
func New(ctx context.Context, cfg Config) *Session {
	out := &output{con: cfg.Console, l: cfg.Language}
	p := &player{output: out, ctx: ctx, own: cfg.Session, state: cfg.Session.State(), chosen: cfg.Settings}
	s := &Session{
		player: p, noted: p.state, opening: cfg.Opening,
		finder: &finder{player: p}, chats: &chats{player: p}, preferences: preferences{p},
	}
	s.identity = identity{p, s.arrive}
	s.interpreter = &interpreter{player: p}
	s.interpreter.run = func(c *command.Command, words []string) { s.run(cfg.Commands, c, words) }
	s.interpreter.own = s.list()
	s.interpreter.topics = topics(s.interpreter.own, cfg.Commands.ForLineMode())
	s.finder.interpreter = s.interpreter
	p.dropped = s.interpreter.drop
	p.moved = func() {
		s.noted.Seat = lobby.SeatState{}
		s.chats.rooms[session.MatchChat] = chatLines{}
	}
	return s
}

// Run runs the session until the player leaves, all commands have been executed after
// the end of input, or ctx ends. It returns the exit status.
func (s *Session) Run() int {
	ctx, cancel := context.WithCancel(s.ctx)
	s.ctx = ctx
	defer s.own.Close()
	defer cancel()
	if s.chosen.DoNotDisturb {
		s.saveSettings()
	}
	s.welcome()
	for len(s.state.Lobby.People) == 0 { // the first snapshot arrives at once
		u, err := s.own.Next(ctx)
		if err != nil {
			s.printGoodbye(err)
			return 1
		}
		s.update(u)
	}
	if !s.receive() {
		return 1
	}
	for {
		s.interpreter.proceed()
		if !s.receive() { // before the next line, which may ask about it
			return 1
		}
		if s.ended && s.interpreter.idle() && !s.done {
			s.done = true
			if s.playing() {
				s.printReturn()
			}
		}
		s.flush()
		if s.done {
			return 0
		}
		if !s.wait() {
			return 1
		}
	}
}

// printGoodbye says why the server ended the session, unless ctx ended it.
func (s *Session) printGoodbye(err error) {
	if s.ctx.Err() == nil {
		s.con.PrintMessage(i18n.NewMessage("%v", narrate.Localize(err)))
	}
}

// wait waits for an event and handles it. It returns false if ctx or the server ended
// the session.
func (s *Session) wait() bool {
	var lines <-chan string
	if !s.ended && !s.interpreter.full() {
		s.con.ShowPrompt()
		lines = s.con.Lines()
	}
	pause, remind := s.nextReminder(time.Now())
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case line, open := <-lines:
		if s.ended = !open; open {
			s.interpreter.read(line)
		}
	case <-s.own.Changed():
		return s.receive()
	case <-timer.C:
		remind()
	case <-s.ctx.Done():
		return false
	}
	return true
}

// nextReminder returns the next unprompted message and the time until it is due. The
// time is long if there is none.
func (s *Session) nextReminder(now time.Time) (time.Duration, func()) {
	pause, remind := time.Hour, func() {}
	late := s.interpreter.late
	if !late.IsZero() && !s.interpreter.empty() {
		pause, remind = late.Sub(now), s.interpreter.printWaiting
	}
	if s.game != nil && s.game.myTurn() {
		if until, left, ok := s.game.countdown.next(now); ok && until < pause {
			pause, remind = until, func() { s.game.remind(left) }
		}
	}
	return pause, remind
}

// receive handles all updates. It returns false if the server ended the session.
func (s *Session) receive() bool {
	for {
		switch u, err := s.own.Poll(); {
		case err != nil:
			s.printGoodbye(err)
			return false
		case u.Kind == 0:
			return true
		default:
			s.update(u)
		}
	}
}

// update handles an update.
func (s *Session) update(u session.Update) {
	s.sync()
	before := s.noted
	switch u.Kind {
	case session.LobbyChanged:
		s.noted.Lobby = s.state.Lobby
		s.lobbyChanged(before.Lobby)
	case session.ChallengeChanged:
		s.noted.Challenge = s.state.Challenge
		s.challengeChanged(before.Challenge)
	case session.OfferChanged:
		if u.Err != nil {
			s.fail(u.Err)
			s.dropped()
		}
	case session.MatchChanged:
		if s.game != nil {
			s.game.update(u.Match)
		}
	case session.MatchLost:
		s.matchLost(u.Err)
	case session.OpponentRemoved:
		s.opponentRemoved(u)
	case session.SeatChanged:
		s.noted.Seat = s.state.Seat
		s.seatChanged(before.Seat)
	case session.WatchChanged:
		if s.watched != nil {
			s.watched.update(u.Match)
		}
	case session.ChatChanged:
		s.chats.update(u.Chat, u.Lines)
	case session.ReviewReady:
		if s.game != nil && s.game.ID == u.ID {
			s.game.printReview(u.Review)
		}
	}
}

// welcome greets the player and starts with the opening.
func (s *Session) welcome() {
	me := s.state.Me
	if me.Account == "" && s.own.State().HasStore {
		s.print("Welcome to Broadside, Battleship over SSH. You are %s, a guest.", me.Name)
	} else {
		s.print("Welcome to Broadside, Battleship over SSH. You are %s.", me.Name)
	}
	if s.con.IsTerminal() {
		s.print("Type help for the commands, or quick to play immediately.")
	} else {
		s.print("Type help for the commands, or quick to play immediately. For full-screen mode, run: ssh -t HOST")
	}
	s.arrive()
}

// arrive continues the player's match, or starts with the opening.
func (s *Session) arrive() {
	if !s.check(s.own.RejoinMatch(false, false)) {
		return
	}
	if s.state.Match != nil {
		s.print("Welcome back. Your match continues.")
		return
	}
	if s.occupancy() == lobby.UsedSeat {
		s.offerOwnMatch()
	}
	o := s.opening
	s.opening = session.StartScreen{}
	s.finder.open(o)
}

// run runs a command of package command.
func (s *Session) run(commands *command.Commands, c *command.Command, words []string) {
	ctx, cancel := context.WithTimeout(s.ctx, storeTime)
	defer cancel()
	said, opening := commands.Run(ctx, command.Shell{Session: s.own, Settings: s.chosen, Language: s.l}, c, words)
	s.addLines(said)
	s.sync()
	if opening != nil {
		s.finder.open(*opening)
	}
}

// offerOwnMatch offers to continue the player's match, which another session is
// playing.
func (s *Session) offerOwnMatch() {
	s.offered = true
	s.print("You have a match in another session. To continue it here, type resume.")
}

// announceTime is how long an operator's announcement counts as new.
const announceTime = time.Minute

// lobbyChanged reports changes in the lobby.
func (s *Session) lobbyChanged(before *lobby.Snapshot) {
	now := s.state.Lobby
	if now.Announcement != before.Announcement && now.Announcement.Text != "" && time.Since(now.Announcement.At) < announceTime {
		s.print("The operator says: %s", now.Announcement.Text)
	}
	if now.Closing && !before.Closing {
		s.print("The server is shutting down. Running matches can continue for a short while.")
	}
	own := slices.ContainsFunc(now.Running, func(r lobby.Running) bool {
		return r.Players[0].ID == s.state.Me.ID || r.Players[1].ID == s.state.Me.ID
	})
	switch {
	case !own:
		s.offered = false
	case !s.offered && s.game == nil && s.state.Offer == nil && s.occupancy() == lobby.UsedSeat:
		s.offerOwnMatch()
	}
}

// challengeChanged announces a new challenge or the end of one.
func (s *Session) challengeChanged(before *lobby.Challenge) {
	c := s.state.Challenge
	switch {
	case s.playing():
	case c != nil && (before == nil || before.Offer != c.Offer):
		s.print("%s challenges you: %s. Type accept or decline within %s.", s.rated(c.From, c.Rules), s.offer(c.Rules, c.Stakes), s.until(c.Until))
	case c == nil && before != nil:
		s.print("%s's challenge has ended.", s.name(before.From))
	}
}

// seatChanged reports a request for the seat, or the opponent's decisions after the
// match.
func (s *Session) seatChanged(before lobby.SeatState) {
	now := s.state.Seat
	t := now.Takeover
	if t != nil && before.Takeover == nil {
		s.print("%s has entered your resume code and takes over your seat in %s. To keep it, type refuse.", s.name(t.By), s.until(t.Until))
	}
	switch {
	case s.game == nil || !s.game.over() || s.state.Offer != nil:
	case now.OpponentLeft && !before.OpponentLeft:
		s.print("%s left.", s.game.opponent)
	case now.RematchOffered && !before.RematchOffered:
		s.print("%s wants a rematch. Type rematch to play.", s.game.opponent)
	}
}

// matchLost says why the match no longer belongs to this session.
func (s *Session) matchLost(err error) {
	s.dropped()
	switch {
	case !errors.Is(err, live.ErrReplaced):
		s.fail(err)
	case s.occupancy() == lobby.NoSeat:
		s.print("Your seat was taken over with its resume code.")
	default:
		s.offerOwnMatch()
	}
}

// opponentRemoved says that the player's private match is open again, or why not.
func (s *Session) opponentRemoved(u session.Update) {
	s.dropped()
	if u.Err != nil {
		s.fail(u.Err)
		return
	}
	s.print("You removed %s: your private match is open again.", clean(u.Name))
	s.printOffer()
}

// quit leaves the session. During a match it asks for confirmation.
func (s *Session) quit(string) {
	if s.playing() && !s.confirmed("quit") {
		if s.state.WouldQuittingEndMatch() {
			s.print("Your match is still running. Type quit again to end it.")
		} else {
			s.print("Your match is still running. Type quit again to leave it for now, or resign to resign it.")
		}
		return
	}
	switch {
	case !s.playing():
		s.print("Goodbye.")
	case s.state.WouldQuittingEndMatch():
		s.own.LeaveMatch(true)
		s.sync()
		s.print("Goodbye.")
	default:
		s.printReturn()
	}
	s.done = true
}
