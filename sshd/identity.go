package sshd

import (
	"strings"
	"unicode"

	"broadside/internal/sanitize"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// maxName is the maximum length of a name, in characters.
const maxName = 16

// guestUsers are the user names that log in as guests without authentication. Clients try this method first,
// even if they have a key. If it were allowed for other names, no user would log in with a key. Users of other
// names without a key log in by keyboard-interactive or password, without a question.
var guestUsers = map[string]bool{"guest": true, "anonymous": true}

// connectionKey is the context key under which the library keeps the connection.
type connectionKey struct{}

// configureAuthentication lets everyone log in. A verified key identifies its user. Since a client may offer
// keys that it does not have, only VerifiedPublicKeyCallback sets the identity.
func configureAuthentication(srv *ssh.Server, isUserKey func(gossh.PublicKey) bool) {
	srv.PublicKeyHandler = func(_ ssh.Context, key ssh.PublicKey) bool { return isUserKey(key) }
	srv.PasswordHandler = func(ssh.Context, string) bool { return true }
	srv.KeyboardInteractiveHandler = func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool { return true }
	srv.ServerConfigCallback = func(ctx ssh.Context) *gossh.ServerConfig {
		c := ctx.Value(connectionKey{}).(*connection)
		return &gossh.ServerConfig{
			Config:                  secureAlgorithms(),
			PublicKeyAuthAlgorithms: gossh.SupportedAlgorithms().PublicKeyAuths,
			NoClientAuth:            true,
			NoClientAuthCallback: func(m gossh.ConnMetadata) (*gossh.Permissions, error) {
				if guestUsers[m.User()] {
					return nil, nil
				}
				return nil, ssh.ErrPermissionDenied
			},
			VerifiedPublicKeyCallback: func(
				_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string,
			) (*gossh.Permissions, error) {
				c.setVerifiedKey(key)
				return p, nil
			},
			AuthLogCallback: func(m gossh.ConnMetadata, method string, err error) {
				if err == nil {
					c.setLogin(m.User(), method)
				}
			},
		}
	}
}

// secureAlgorithms returns the algorithms without a known weakness. Every client of the last ten years supports
// some of them.
func secureAlgorithms() gossh.Config {
	return gossh.Config{
		KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
		Ciphers: []string{
			gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305,
			gossh.CipherAES256CTR, gossh.CipherAES128CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
	}
}

// fingerprint returns a key's fingerprint, or of the key in a certificate. It is empty for nil.
func fingerprint(key gossh.PublicKey) string {
	if key == nil {
		return ""
	}
	if cert, ok := key.(*gossh.Certificate); ok {
		key = cert.Key
	}
	return gossh.FingerprintSHA256(key)
}

// cleanName returns a login name without spaces and characters that cannot be shown. It has at most maxName
// characters and is never empty.
func cleanName(user string) string {
	name := strings.Map(func(r rune) rune {
		if r == ' ' || unicode.Is(unicode.M, r) || !sanitize.IsVisible(r) {
			return -1
		}
		return r
	}, user)
	runes := []rune(name)
	if len(runes) > maxName {
		name = string(runes[:maxName])
	}
	if name == "" {
		return "guest"
	}
	return name
}
