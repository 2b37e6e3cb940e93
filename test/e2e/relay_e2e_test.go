//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/internal/export"
	"broadside/internal/server"
	"broadside/internal/test/sshtest"
)

// TestRelayOverSSH lets a program play through the real ssh client: a series of the base
// protocol, and rated matches as a program of an account.
func TestRelayOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := newAsker(t, h, "ann")
	for _, c := range []struct {
		line   string
		status int
		says   string
	}{
		{"relay --vs hard --room K3F9", 2, "Use only one of --vs, --room, --tournament and --ladder"},
		{"relay --ladder --vs hard", 2, "Use only one of"},
		{"relay --room K3F-97W-QXM", 1, "No private match has this code"},
		{"relay --rules chess", 1, `There are no rules called "chess"`},
		{"relay --games 0x", 2, "--games cannot be"},
		{"relay A1", 2, `Relay: unexpected argument "A1"`},
		{"relay --layout carrier A1 A9", 1, "carrier"},
		{"relay --program squid", 1, "ssh HOST register NAME"},
	} {
		if status, out, errs := ann.ask(c.line); status != c.status || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, output %q, errors %q", c.line, status, out, errs)
		}
	}

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, ann.ssh, append(ann.args, "relay --vs easy --games 2")...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	program := &raw{t: t, lines: bufio.NewReader(out), out: in}
	program.play(fleet, "\n") // two games, each of which begins with a role line
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, errs.String())
	}
	if !regexp.MustCompile(`^Matches: 2, won: \d\.\n$`).MatchString(errs.String()) {
		t.Errorf("at the end it says %q", errs.String())
	}
	if _, games, _ := ann.ask("history"); strings.Count(games, "easy – ann")+strings.Count(games, "ann – easy") != 2 {
		t.Errorf("the games are\n%s", games)
	}
}

// TestLayoutOverSSH lets the server hold a fleet given in the command.
func TestLayoutOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := newAsker(t, h, "ann")
	// Without input the client hangs up at once.
	_, out, errs := ann.ask("relay --vs easy --layout carrier J1 J5; battleship A1 A4; cruiser C1 C3; submarine E1 E3; destroyer G1 G2")
	_, list, _ := ann.ask("history --json")
	var games []struct{ ID string }
	if err := json.Unmarshal([]byte(list), &games); err != nil || len(games) != 1 {
		t.Fatalf("%v: the games are %s after %q, %q", err, list, out, errs)
	}
	_, text, _ := ann.ask("record " + games[0].ID)
	var record export.Record
	if err := json.Unmarshal([]byte(text), &record); err != nil {
		t.Fatal(err)
	}
	if l := record.Players[1].Layout; len(l) != 5 || l[0] != (export.Ship{Class: "carrier", From: "J1", To: "J5"}) {
		t.Errorf("ann's fleet is %v", l)
	}
}

// TestProxyProtocol checks that clients of both listeners have the addresses that a trusted
// load balancer sends.
func TestProxyProtocol(t *testing.T) {
	t.Parallel()
	log := sshtest.NewOutput()
	h := openLogging(t, func(c *server.Config) { c.Proxies, c.LogLevel, c.RelayHello = "127.0.0.1", "info", time.Minute }, log)
	program := h.program(t)
	program.say("PROXY TCP4 203.0.113.9 192.0.2.2 4711 22\r\n% vs bot easy\n")
	program.hear("% ok vs bot easy\n")
	program.nc.Close()
	log.Wait(t, "203.0.113.9:4711")
	nc, err := net.Dial("tcp", h.ssh)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, err := io.WriteString(nc, "PROXY TCP4 203.0.113.9 192.0.2.2 4712 22\r\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(nc).ReadString('\n'); err != nil || line != "SSH-2.0-Broadside\r\n" {
		t.Errorf("SSH says %q, %v", line, err)
	}
	log.Wait(t, "203.0.113.9:4712")
}
