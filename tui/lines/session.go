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

// Config configures a session. All fields except Start are required.
type Config struct {
	// Run closes Session.
	Session *session.Session
	// Start is what to do first, unless the player has a running match.
	Start    session.StartScreen
	Console  *term.Console
	Settings account.Settings
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

	start session.StartScreen
	// reported has each part of the state as it was last reported to the player.
	reported session.State
	// offeredResume is set once the player knows that a match can be continued here.
	offeredResume bool
	// remindedOffer is the offer during which the player has been offered a bot.
	remindedOffer *lobby.Terms
	inputEnded    bool
	// turns are the correspondence matches and offers that the player knows about.
	turns session.Turns
}

// New returns a session that ends with ctx.
func New(ctx context.Context, cfg Config) *Session {
	out := &output{console: cfg.Console, lang: cfg.Language}
	p := &player{output: out, ctx: ctx, session: cfg.Session, state: cfg.Session.State(), settings: cfg.Settings}
	s := &Session{
		player: p, reported: p.state, start: cfg.Start,
		finder: &finder{player: p}, chats: &chats{player: p}, preferences: preferences{p},
	}
	s.identity = identity{p, s.resumeOrStart}
	s.interpreter = &interpreter{player: p}
	s.interpreter.runCommand = func(c *command.Command, words []string) { s.runCommand(cfg.Commands, c, words) }
	s.interpreter.ownTopics = s.commandTopics()
	s.interpreter.topics = mergeTopics(s.interpreter.ownTopics, cfg.Commands.LineModeTopics())
	s.finder.interpreter = s.interpreter
	p.onTurnsObsolete = s.interpreter.dropMatchCommands
	p.onMatchEntered = func() {
		s.reported.Seat = lobby.SeatState{}
		s.chats.rooms[session.MatchChat] = roomLines{}
	}
	return s
}

// Run runs the session until the player leaves, all commands have been executed after
// the end of input, or ctx ends. It returns the exit status.
func (s *Session) Run() int {
	ctx, cancel := context.WithCancel(s.ctx)
	s.ctx = ctx
	defer s.session.Close()
	defer cancel()
	if s.settings.DoNotDisturb {
		s.saveSettings()
	}
	s.greetPlayer()
	s.reportTurns()
	// The first snapshot arrives immediately.
	for len(s.state.Lobby.People) == 0 {
		u, err := s.session.Next(ctx)
		if err != nil {
			s.printEndReason(err)
			return 1
		}
		s.handleUpdate(u)
	}
	if !s.handleUpdates() {
		return 1
	}
	for {
		s.interpreter.executeQueue()
		// Updates come before the next line, which may ask about them.
		if !s.handleUpdates() {
			return 1
		}
		if s.inputEnded && s.interpreter.isIdle() && !s.isLeaving {
			s.isLeaving = true
			if s.isPlaying() {
				s.printReturnHint()
			}
		}
		s.flush()
		if s.isLeaving {
			return 0
		}
		if !s.waitForEvent() {
			return 1
		}
	}
}

// printEndReason says why the server ended the session, unless ctx ended it.
func (s *Session) printEndReason(err error) {
	if s.ctx.Err() == nil {
		s.console.PrintMessage(i18n.NewMessage("%v", narrate.Localize(err)))
	}
}

// waitForEvent waits for an event and handles it. It returns false if ctx or the server ended the session.
func (s *Session) waitForEvent() bool {
	var lines <-chan string
	if !s.inputEnded && !s.interpreter.isQueueFull() {
		s.console.ShowPrompt()
		lines = s.console.Lines()
	}
	pause, remind := s.nextReminder(time.Now())
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case line, open := <-lines:
		s.inputEnded = !open
		if open {
			s.interpreter.handleLine(line)
		}
	case <-s.session.Changed():
		return s.handleUpdates()
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
	late := s.interpreter.noticeTime
	if !late.IsZero() && !s.interpreter.isQueueEmpty() {
		pause, remind = late.Sub(now), s.interpreter.printQueue
	}
	o := s.state.Offer
	if s.game == nil && o != nil && o.IsOpenToAnyone && o != s.remindedOffer {
		until := o.Since.Add(lobby.LongWait).Sub(now)
		if until < pause {
			pause, remind = until, s.offerBot
		}
	}
	if s.game != nil && s.game.isMyTurn() {
		if until, left, ok := s.game.countdown.nextReminder(now); ok && until < pause {
			pause, remind = until, func() { s.game.printReminder(left) }
		}
	}
	return pause, remind
}

// offerBot offers a match against a bot to a player who waits.
func (s *Session) offerBot() {
	s.remindedOffer = s.state.Offer
	s.print("Still waiting. To play a bot meanwhile, type bot easy. When a player comes, your match with them opens.")
}

// handleUpdates handles all updates that have arrived. It returns false if the server ended the session.
func (s *Session) handleUpdates() bool {
	for {
		switch u, err := s.session.Poll(); {
		case err != nil:
			s.printEndReason(err)
			return false
		case u.Kind == 0:
			return true
		default:
			s.handleUpdate(u)
		}
	}
}

// handleUpdate prints what an update changes.
func (s *Session) handleUpdate(u session.Update) {
	wasPaced := s.game != nil && s.game.Pace > 0
	s.syncState()
	before := s.reported
	switch u.Kind {
	case session.LobbyChanged:
		s.reported.Lobby = s.state.Lobby
		s.printLobbyChanges(before.Lobby)
		if s.state.TurnRevision != before.TurnRevision {
			s.reportTurns()
		}
	case session.ChallengeChanged:
		s.reported.Challenge = s.state.Challenge
		s.printChallengeChange(before.Challenge)
	case session.OfferEnded:
		if u.Err != nil {
			s.printError(u.Err)
			s.onTurnsObsolete()
		}
	case session.MatchChanged:
		if s.game != nil {
			s.game.handleUpdate(u.Match)
		}
	case session.MatchLost:
		s.printMatchLoss(u.Err, wasPaced)
	case session.OpponentRemoved:
		s.printRemoval(u)
	case session.SeatChanged:
		s.reported.Seat = s.state.Seat
		s.printSeatChange(before.Seat)
	case session.WatchChanged:
		if s.watched != nil {
			s.watched.handleUpdate(u.Match)
		}
	case session.ChatChanged:
		s.chats.updateRoom(u.Chat, u.Lines)
	case session.ReviewReady:
		if s.game != nil && s.game.ID == u.ID {
			s.game.printReview(u.Review)
		}
	}
}

// greetPlayer welcomes the player and then continues the match, or starts what the client asked for.
func (s *Session) greetPlayer() {
	me := s.state.Me
	if me.Account == "" && s.session.State().HasStore {
		s.print("Welcome to Broadside, Battleship over SSH. You are %s, a guest.", me.Name)
	} else {
		s.print("Welcome to Broadside, Battleship over SSH. You are %s.", me.Name)
	}
	if s.console.IsTerminal() {
		s.print("Type help for the commands, or quick to play immediately.")
	} else {
		s.print("Type help for the commands, or quick to play immediately. For full-screen mode, run: ssh -t HOST")
	}
	s.resumeOrStart()
}

// resumeOrStart continues the player's match, or starts what the client asked for.
func (s *Session) resumeOrStart() {
	if !s.reportAndSync(s.session.RejoinMatch(false, false)) {
		return
	}
	if s.state.Match != nil {
		s.print("Welcome back. Your match continues.")
		return
	}
	if s.session.Occupancy() == lobby.UsedSeat {
		s.printResumeHint()
	}
	o := s.start
	s.start = session.StartScreen{}
	s.finder.openStartScreen(o)
}

// runCommand runs a command of package command.
func (s *Session) runCommand(commands *command.Commands, c *command.Command, words []string) {
	ctx, cancel := context.WithTimeout(s.ctx, storeTime)
	defer cancel()
	said, opening := commands.RunInLineMode(ctx, command.Shell{Session: s.session, Settings: s.settings, Language: s.lang}, c, words)
	s.addLines(said)
	s.syncState()
	if opening != nil {
		s.finder.openStartScreen(*opening)
	}
}

// printResumeHint offers to continue a match of the player that another session is playing.
func (s *Session) printResumeHint() {
	s.offeredResume = true
	s.print("You have a match in another session. To continue it here, type resume.")
}

// announceTime is how long an operator's announcement counts as new.
const announceTime = time.Minute

// printLobbyChanges reports changes in the lobby.
func (s *Session) printLobbyChanges(before *lobby.Snapshot) {
	now := s.state.Lobby
	news := now.Announcement
	if news != before.Announcement && news.Text != "" && time.Since(news.At) < announceTime {
		s.print("The operator says: %s", news.Text)
	}
	if now.Closing && !before.Closing {
		s.print("The server is shutting down. Running matches can continue for a short while.")
	}
	own := slices.ContainsFunc(now.Running, func(r lobby.RunningMatch) bool {
		return r.Players[0].ID == s.state.Me.ID || r.Players[1].ID == s.state.Me.ID
	})
	switch {
	case !own:
		s.offeredResume = false
	case !s.offeredResume && s.game == nil && s.state.Offer == nil && s.session.Occupancy() == lobby.UsedSeat:
		s.printResumeHint()
	}
}

// printChallengeChange announces a new challenge, or its end.
func (s *Session) printChallengeChange(before *lobby.Challenge) {
	if s.isPlaying() {
		return
	}
	c := s.state.Challenge
	switch {
	case c != nil && (before == nil || before.Offer != c.Offer):
		from, terms := s.nameWithRating(c.From, c.Rules), s.offerTerms(c.Rules, c.RatingMode)
		s.print("%s challenges you: %s. Type accept or decline within %s.", from, terms, s.timeLeft(c.Expires))
	case c == nil && before != nil:
		s.print("%s's challenge has ended.", s.nameWithKind(before.From))
	}
}

// printSeatChange reports a request for the seat, or the opponent's decisions after the match.
func (s *Session) printSeatChange(before lobby.SeatState) {
	now := s.state.Seat
	t := now.Takeover
	if t != nil && before.Takeover == nil {
		name, left := s.nameWithKind(t.By), s.timeLeft(t.Until)
		s.print("%s has entered your resume code and takes over your seat in %s. To keep it, type refuse.", name, left)
	}
	if s.game == nil || !s.game.isOver() || s.state.Offer != nil {
		return
	}
	if now.OpponentLeft && !before.OpponentLeft {
		s.print("%s left.", s.game.opponent)
	} else if now.RematchOffered && !before.RematchOffered {
		s.print("%s wants a rematch. Type rematch to play.", s.game.opponent)
	}
}

// printMatchLoss says why the match, which may be a correspondence match, no longer belongs to this session.
func (s *Session) printMatchLoss(err error, paced bool) {
	s.onTurnsObsolete()
	switch {
	case !errors.Is(err, live.ErrReplaced):
		s.printError(err)
	case paced:
		s.print("You opened this match in another session.")
	case s.session.Occupancy() == lobby.NoSeat:
		s.print("Another session took over your seat with its resume code.")
	default:
		s.printResumeHint()
	}
}

// printRemoval says that the player's private match is open again, or why not.
func (s *Session) printRemoval(u session.Update) {
	s.onTurnsObsolete()
	if u.Err != nil {
		s.printError(u.Err)
		return
	}
	s.print("You removed %s: your private match is open again.", collapseSpaces(u.Name))
	s.printOffer()
}

// quit leaves the session. During a match it asks for confirmation.
func (s *Session) quit(string) {
	if s.isPlaying() && s.game.Pace == 0 && !s.isConfirmed("quit") {
		if s.state.WouldQuittingEndMatch() {
			s.print("Your match is still running. Type quit again to end it.")
		} else {
			s.print("Your match is still running. Type quit again to leave it for now, or resign to resign it.")
		}
		return
	}
	switch {
	case !s.isPlaying():
		s.print("Goodbye.")
	case s.state.WouldQuittingEndMatch():
		s.session.LeaveMatch(true)
		s.syncState()
		s.print("Goodbye.")
	default:
		s.printReturnHint()
	}
	s.isLeaving = true
}
