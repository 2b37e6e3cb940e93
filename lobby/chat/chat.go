// Package chat lets players chat in the lobby and in matches.
//
// A [Chat] has a [Member] for each session. Members join a [Room] to read and write its lines. A
// room keeps a limited number of lines. A slow reader misses intermediate states of the list but
// always gets the newest. Returned errors are sentences for the player.
package chat

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Limits on chats.
const (
	// LobbyLines is the number of lines kept in the lobby.
	LobbyLines = 50
	// MatchLines is the number of lines kept in a match, separately for players and spectators.
	MatchLines = 20
	// A person may write MaxBurst lines within BurstTime.
	MaxBurst  = 5
	BurstTime = 10 * time.Second

	// readPause is the minimum time between two updates for a room's readers.
	readPause    = 200 * time.Millisecond
	storeTimeout = 3 * time.Second
)

// Reasons for refusing a line.
var (
	ErrEmpty  = i18n.Errorf("the message is empty: type a line, or a number")
	ErrGuests = i18n.Errorf("guests cannot chat on this server: create an account first")
	ErrLeft   = i18n.Errorf("you have left that chat")
)

// Chat is the server's chat. Its methods, and those of its members and participants, may be called
// from any goroutine.
type Chat struct {
	// store may be nil. Then permanent mutes are not available.
	store *store.Store
	log   *slog.Logger
	// ctx ends with Close.
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	// mu guards the fields below. It is never held while waiting.
	mu     sync.Mutex
	closed bool
	lobby  Room
	// members holds the sessions by player ID.
	members map[string][]*Member
	// recent holds the times of a player's last lines, by player ID.
	recent map[string][]time.Time
	// operatorMutes holds when mutes end, by player ID. See MuteByOperator.
	operatorMutes map[string]time.Time
	// lines is the number of lines written so far.
	lines int
	// quiet is set by SetQuietGuests.
	quiet bool
}

// New returns a chat. The store may be nil. For quietGuests, see [Chat.SetQuietGuests]. Close the
// chat with [Chat.Close].
func New(s *store.Store, log *slog.Logger, quietGuests bool) *Chat {
	c := &Chat{
		store: s, log: log, quiet: quietGuests,
		members: map[string][]*Member{}, recent: map[string][]time.Time{}, operatorMutes: map[string]time.Time{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// Close waits until all goroutines and timers of the chat have ended.
func (c *Chat) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.work.Wait()
}

// SetQuietGuests sets whether players without an account can only read.
func (c *Chat) SetQuietGuests(quiet bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = quiet
}

// MuteByOperator mutes the members with an ID until the given time, even if they come back with the
// same key. If the time is zero, the mute ends when they leave. Operators use it for guests, whose
// mutes cannot be stored. It returns false if there are no such members.
func (c *Chat) MuteByOperator(id string, until time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.members[id]) == 0 {
		return false
	}
	now := time.Now()
	maps.DeleteFunc(c.operatorMutes, func(_ string, until time.Time) bool { return !until.IsZero() && now.After(until) })
	c.operatorMutes[id] = until
	return true
}

// UnmuteByOperator undoes MuteByOperator. It returns false if no member was muted.
func (c *Chat) UnmuteByOperator(id string) (undone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, undone = c.operatorMutes[id]
	delete(c.operatorMutes, id)
	return undone
}

// EndMatch marks a room's match as ended, which lets its players read the spectators' lines.
func (c *Chat) EndMatch(r *Room) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.ended = true
	c.updateLocked(r)
}

// Room holds the lines of the lobby or of a match. The zero value is an empty room. The
// chat's lock guards it.
type Room struct {
	// lines holds the players' lines, and spectators those of spectators, oldest first.
	lines        []Line
	spectators   []Line
	participants map[*Participant]struct{}
	// ended reports that the match has ended.
	ended bool
	// due is true while an update for the readers is scheduled.
	due bool
}

func (c *Chat) addLocked(r *Room, line Line) {
	kept := MatchLines
	if r == &c.lobby {
		kept = LobbyLines
	}
	list := &r.lines
	if line.BySpectator {
		list = &r.spectators
	}
	// Readers share the old slice, so a new one is made.
	*list = append(slices.Clone((*list)[max(0, len(*list)-kept+1):]), line)
	c.updateLocked(r)
}

// updateLocked updates a room's readers, at most once per readPause.
func (c *Chat) updateLocked(r *Room) {
	if r.due || len(r.participants) == 0 {
		return
	}
	r.due = true
	c.work.Add(1)
	time.AfterFunc(readPause, func() {
		defer c.work.Done()
		c.mu.Lock()
		defer c.mu.Unlock()
		r.due = false
		for p := range r.participants {
			p.updateLocked()
		}
	})
}
