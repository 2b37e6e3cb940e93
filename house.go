package main

import (
	"slices"
	"strconv"
	"sync"

	"broadside/commands"
	"broadside/internal/session"
	"broadside/lobby"
	"broadside/relay"
	"broadside/sshd"
	"broadside/tui"
	"broadside/words"
)

// residents joins what the doors know of who is here with what the lobby knows.
// It implements [commands.House] once the doors are set.
type residents struct {
	front *sshd.Server
	wire  *relay.Server

	mu      sync.Mutex
	persons map[int][]person // guarded by mu: by connection
}

// person is a session, whose player may change their name.
type person interface{ Player() lobby.Player }

// resident is a screen whose person is known to be here until it is closed.
type resident struct {
	*tui.Model
	forget func()
}

// receive notes whose screen a connection has.
func (r *residents) receive(conn int, own session.Session, m *tui.Model) sshd.Screen {
	return resident{m, r.note(conn, own)}
}

// Close implements [sshd.Screen].
func (s resident) Close() {
	s.Model.Close()
	s.forget()
}

// note notes whose session a connection has, until forget is called.
func (r *residents) note(conn int, p person) (forget func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.persons == nil {
		r.persons = map[int][]person{}
	}
	r.persons[conn] = append(r.persons[conn], p)
	return func() { r.forget(conn, p) }
}

func (r *residents) forget(conn int, gone person) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := slices.DeleteFunc(r.persons[conn], func(p person) bool { return p == gone })
	if r.persons[conn] = left; len(left) == 0 {
		delete(r.persons, conn)
	}
}

// person is who a connection belongs to. Without a screen it is nobody the
// lobby knows.
func (r *residents) person(c sshd.Client) commands.Here {
	h := commands.Here{Session: strconv.Itoa(c.Conn), User: c.User, Addr: c.Addr, Fingerprint: c.Fingerprint, Since: c.Since}
	r.mu.Lock()
	defer r.mu.Unlock()
	if persons := r.persons[c.Conn]; len(persons) > 0 {
		h.Player = persons[0].Player()
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

// accounts are those of all who are here.
func (r *residents) accounts() []string {
	var all []string
	for _, h := range r.Here() {
		if h.Player.Account != "" {
			all = append(all, h.Player.Account)
		}
	}
	return all
}

// Cut implements [commands.House].
func (r *residents) Cut(which func(commands.Here) bool, parting words.Message) int {
	return r.front.Cut(func(c sshd.Client) bool { return which(r.person(c)) }, parting) +
		r.wire.Cut(func(c relay.Client) bool { return which(program(c)) })
}
