// Package chat lets players chat in the lobby and in matches.
//
// A [Chat] has a [Member] for each session. Members join a [Room] to read and write its
// lines. A room keeps a bounded number of lines; a slow reader skips intermediate states
// of the list but always gets the newest. Returned errors are sentences for the player.
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
	LobbyLines = 50 // lines kept in the lobby
	MatchLines = 20 // lines kept in a match, separately for its players and its spectators
	// A person may write MaxBurst lines within BurstTime.
	MaxBurst  = 5
	BurstTime = 10 * time.Second

	readPause    = 200 * time.Millisecond // minimum time between two updates for the readers of a chat
	storeTimeout = 3 * time.Second
)

// Reasons for refusing a line.
var (
	ErrEmpty  = i18n.Errorf("the message is empty: type a line, or a number")
	ErrGuests = i18n.Errorf("guests cannot chat on this server: create an account first")
	ErrLeft   = i18n.Errorf("you have left that chat")
)

// Chat is the server's chat. Its methods and those of its members and places may be
// called from any goroutine.
type Chat struct {
	store  *store.Store // nil: permanent mutes are not available
	log    *slog.Logger
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu            sync.Mutex // never held while waiting
	closed        bool       // guarded by mu, like the fields below
	lobby         Room
	members       map[string][]*Member   // sessions per player ID
	recent        map[string][]time.Time // times of the last lines, per player ID
	operatorMutes map[string]time.Time   // ends of mutes, per player ID; see Silence
	lines         int                    // lines written so far
	quiet         bool                   // see SetQuietGuests
}

// New returns a chat. The store may be nil; for quietGuests, see [Chat.SetQuietGuests]. Close the
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

// MuteByOperator prevents the members with an ID from writing until a time, even if they come back
// with the same key. If the time is zero, the mute ends when they leave. Operators use it for
// guests, whose mutes cannot be stored. It returns false if there are no such members.
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
	lines        []Line // oldest first
	spectators   []Line // written by spectators
	participants map[*Participant]struct{}
	ended        bool // the match has ended
	due          bool // an update of the readers is scheduled
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
	// A new slice, because readers share the old one.
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
