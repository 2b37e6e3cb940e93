package main

import (
	"slices"
	"strconv"
	"sync"

	"broadside/commands"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui"
)

// residents joins what the doors know of who is here with what the lobby knows.
// It implements [commands.House] once the doors are set.
type residents struct {
	front *sshd.Server
	wire  *relay.Server

	mu      sync.Mutex
	screens map[int][]*tui.Model // guarded by mu: by connection
}

// resident is a screen whose person is known to be here until it is closed.
type resident struct {
	*tui.Model
	all  *residents
	conn int
}

// receive notes whose screen a connection has.
func (r *residents) receive(conn int, m *tui.Model) sshd.Screen {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.screens == nil {
		r.screens = map[int][]*tui.Model{}
	}
	r.screens[conn] = append(r.screens[conn], m)
	return resident{m, r, conn}
}

// Close implements [sshd.Screen].
func (s resident) Close() {
	s.Model.Close()
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	left := slices.DeleteFunc(s.all.screens[s.conn], func(m *tui.Model) bool { return m == s.Model })
	if s.all.screens[s.conn] = left; len(left) == 0 {
		delete(s.all.screens, s.conn)
	}
}

// person is who a connection belongs to. Without a screen it is nobody the
// lobby knows.
func (r *residents) person(c sshd.Client) commands.Here {
	h := commands.Here{Session: strconv.Itoa(c.Conn), User: c.User, Addr: c.Addr, Fingerprint: c.Fingerprint, Since: c.Since}
	r.mu.Lock()
	defer r.mu.Unlock()
	if screens := r.screens[c.Conn]; len(screens) > 0 {
		h.Player = screens[0].Player()
	}
	return h
}

func program(c relay.Client) commands.Here {
	return commands.Here{
		Session: "p" + strconv.Itoa(c.Conn), User: c.Player.Name, Addr: c.Addr, Since: c.Since, Player: c.Player,
	}
}

// Here implements [commands.House].
func (r *residents) Here() []commands.Here {
	var all []commands.Here
	for _, c := range r.front.Clients() {
		all = append(all, r.person(c))
	}
	for _, c := range r.wire.Clients() {
		all = append(all, program(c))
	}
	return all
}

// Cut implements [commands.House].
func (r *residents) Cut(which func(commands.Here) bool, parting string) int {
	return r.front.Cut(func(c sshd.Client) bool { return which(r.person(c)) }, parting) +
		r.wire.Cut(func(c relay.Client) bool { return which(program(c)) })
}
