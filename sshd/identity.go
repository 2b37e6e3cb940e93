package sshd

import (
	"strings"
	"unicode"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// maxName is the longest name, in characters.
const maxName = 16

// guestUsers are the user names that are let in without any authentication,
// always as guests. A client asks for that first, before it offers its key, and
// nothing in its question tells whether it has one; letting everybody in by it
// would make nobody known. Everybody else gets in by key, or, without one, by
// keyboard-interactive or password, unasked.
var guestUsers = map[string]bool{"guest": true, "anonymous": true}

// connectionKey is where a connection stands in the library's context.
type connectionKey struct{}

// authenticate sets up authentication: everybody is let in, and those who prove to
// own a user's key are known by it. Offering a key proves nothing yet, so no
// identity comes from the handlers below but from VerifiedPublicKeyCallback.
func authenticate(srv *ssh.Server, isUsers func(gossh.PublicKey) bool) {
	srv.PublicKeyHandler = func(_ ssh.Context, key ssh.PublicKey) bool { return isUsers(key) }
	srv.PasswordHandler = func(ssh.Context, string) bool { return true }
	srv.KeyboardInteractiveHandler = func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool { return true }
	srv.ServerConfigCallback = func(ctx ssh.Context) *gossh.ServerConfig {
		c := ctx.Value(connectionKey{}).(*connection)
		return &gossh.ServerConfig{
			Config:                  algorithms(),
			PublicKeyAuthAlgorithms: gossh.SupportedAlgorithms().PublicKeyAuths,
			NoClientAuth:            true,
			NoClientAuthCallback: func(m gossh.ConnMetadata) (*gossh.Permissions, error) {
				if guestUsers[m.User()] {
					return nil, nil
				}
				return nil, ssh.ErrPermissionDenied
			},
			VerifiedPublicKeyCallback: func(_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string) (*gossh.Permissions, error) {
				c.signed(key)
				return p, nil
			},
			AuthLogCallback: func(m gossh.ConnMetadata, method string, err error) {
				if err == nil {
					c.loggedIn(m.User(), method)
				}
			},
		}
	}
}

// algorithms are those that nothing is known against; every client of the last
// ten years has some of them.
func algorithms() gossh.Config {
	return gossh.Config{
		KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
		Ciphers: []string{
			gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305, gossh.CipherAES256CTR, gossh.CipherAES128CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
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

// cleanName makes a name of what a client calls its user: what can be seen,
// without spaces, marks or directions, and not too long. Nobody is nameless.
func cleanName(user string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		switch r {
		case ' ', unicode.ReplacementChar, '\u2800': // the last is a letter of Braille without dots
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
