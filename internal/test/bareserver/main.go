// Command bareserver is a minimal SSH server, with which benchmarks compare the product: each
// session shows one line and echoes its input.
//
//	go run ./internal/test/bareserver 127.0.0.1:2222
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
)

func main() {
	fmt.Fprintln(os.Stderr, "bareserver:", serve(os.Args[1:]))
	os.Exit(1)
}

// serve serves until it fails.
func serve(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected an address to listen on, got %d arguments", len(args))
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return err
	}
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(signer)
	l, err := net.Listen("tcp", args[0])
	if err != nil {
		return err
	}
	for { // until the process is killed
		nc, err := l.Accept()
		if err != nil {
			return err
		}
		go connection(nc, config)
	}
}

// connection serves a connection until it ends.
func connection(nc net.Conn, config *ssh.ServerConfig) {
	conn, channels, requests, err := ssh.NewServerConn(nc, config)
	if err != nil {
		return // the client has left
	}
	defer conn.Close()
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range requests {
				r.Reply(true, nil)
				if r.Type == "shell" || r.Type == "exec" {
					go func() {
						io.WriteString(channel, "ready\r\n")
						io.CopyBuffer(struct{ io.Writer }{channel}, struct{ io.Reader }{channel}, make([]byte, 512))
					}()
				}
			}
		}()
	}
}
