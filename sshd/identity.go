package sshd

import (
	"strings"
	"unicode"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// maxName is the longest name, in characters.
const maxName = 16

// guestUsers are the user names that are let in without any authentication. A
// client asks for that first, always, before it offers its key; letting
// everybody in by it would make nobody known. Everybody else gets in by key,
// or, without one, by keyboard-interactive or password, unasked.
var guestUsers = map[string]bool{"guest": true, "anonymous": true}

// admit sets up authentication: everybody is let in, and those with a key are
// known by it.
func admit(srv *ssh.Server) {
	srv.PublicKeyHandler = func(ssh.Context, ssh.PublicKey) bool { return true }
	srv.PasswordHandler = func(ssh.Context, string) bool { return true }
	srv.KeyboardInteractiveHandler = func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool { return true }
	srv.ServerConfigCallback = func(ssh.Context) *gossh.ServerConfig {
		return &gossh.ServerConfig{
			NoClientAuth: true,
			NoClientAuthCallback: func(c gossh.ConnMetadata) (*gossh.Permissions, error) {
				if guestUsers[c.User()] {
					return nil, nil
				}
				return nil, ssh.ErrPermissionDenied
			},
		}
	}
}

// fingerprint identifies a key; a certificate is identified by its key. Empty
// without one.
func fingerprint(key gossh.PublicKey) string {
	if key == nil {
		return ""
	}
	if cert, ok := key.(*gossh.Certificate); ok {
		key = cert.Key
	}
	return gossh.FingerprintSHA256(key)
}

// cleanName makes a name of what a client calls its user: printable, without
// spaces, marks or directions, and not too long.
func cleanName(user string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.IsSpace(r) || unicode.In(r, unicode.M, unicode.C) {
			return -1
		}
		return r
	}, user)
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName])
	}
	if name == "" {
		return "guest"
	}
	return name
}
