package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain runs the tests, or one node of those that are processes of their own.
func TestMain(m *testing.M) {
	if address := os.Getenv("NODE_ADDRESS"); address != "" {
		if err := obey(address, strings.Split(os.Getenv("NODE_PEERS"), ",")); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	for _, s := range outside.servers {
		s.close()
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}

// outside is a cluster of three servers that are not those of nodes, for all
// tests that need one.
var outside struct {
	once    sync.Once
	servers []*embedded
}

// elsewhere returns the URLs of such a cluster.
func elsewhere() []string {
	outside.once.Do(func() {
		peers, err := addresses(3)
		for i := range peers {
			if err == nil {
				var s *embedded
				if s, err = startServer(Config{
					Name: fmt.Sprint("s", i), Service: "elsewhere", Listen: peers[i], Peers: peers, Secret: "s",
					Log: slog.New(slog.DiscardHandler),
				}); err == nil {
					outside.servers = append(outside.servers, s)
				}
			}
		}
		if err != nil {
			panic(err)
		}
	})
	var urls []string
	for _, s := range outside.servers {
		u := url.URL{Scheme: "nats", User: url.UserPassword(user, s.password), Host: s.Addr().String()}
		urls = append(urls, u.String())
	}
	return urls
}

// addresses returns free addresses on this machine.
func addresses(count int) (list []string, err error) {
	for range count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list, nil
}

// obey is a node as a process: it says "joined", and then does what each line
// of its input says: "append LOG AFTER DATA", answered by "appended SEQ" or
// "error TEXT".
func obey(address string, peers []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	n, err := Join(ctx, Config{Name: "n" + address, Listen: address, Peers: peers, Folder: os.Getenv("NODE_FOLDER")})
	if err != nil {
		return err
	}
	defer n.Close()
	fmt.Println("joined", n.ID())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var log, data string
		var after uint64
		if _, err := fmt.Sscanf(lines.Text(), "append %s %d %s", &log, &after, &data); err != nil {
			return err
		}
		seq, err := n.Append(ctx, log, after, []byte(data))
		for errors.Is(err, ErrCut) { // a process that was stopped for long finds itself alone at first
			time.Sleep(10 * time.Millisecond)
			seq, err = n.Append(ctx, log, after, []byte(data))
		}
		if err != nil {
			fmt.Println("error", err)
		} else {
			fmt.Println("appended", seq)
		}
	}
	return nil
}

func TestConfig(t *testing.T) {
	three := []string{"10.0.0.1:6222", "10.0.0.2:6222", "10.0.0.3:6222"}
	for _, c := range []struct {
		Config
		want string // of the error; empty: none
	}{
		{Config{}, ""},
		{Config{URLs: []string{"nats://h:4222"}}, ""},
		{Config{Listen: three[0], Peers: three, Secret: "s"}, ""},
		{Config{Listen: "127.0.0.1:1", Peers: three}, ""},
		{Config{Listen: three[0], Peers: three}, "secret"},
		{Config{Listen: "0.0.0.0:6222", Peers: three}, "secret"},
		{Config{Listen: three[0], Peers: three[:2], Secret: "s"}, "two peers"},
		{Config{Listen: three[0], Peers: []string{three[1], three[1]}, Secret: "s"}, "two peers"},
		{Config{Peers: three}, "address"},
		{Config{Listen: "10.0.0.1", Peers: three, Secret: "s"}, "address"},
		{Config{Listen: "10.0.0.1:x", Peers: three, Secret: "s"}, "port"},
		{Config{Listen: three[0], Peers: append(three, "h:0"), Secret: "s"}, "port"},
		{Config{Listen: three[0], Peers: three, Secret: "s", URLs: []string{"nats://h:4222"}}, "not both"},
		{Config{Service: "a.b"}, "called"},
		{Config{Service: "a b"}, "called"},
	} {
		got, err := c.Config.complete()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c.Config, err)
		case c.want == "" && (got.Name == "" || got.Service == "" || slices.Contains(got.Peers, got.Listen)):
			t.Errorf("%+v became %+v", c.Config, got)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want something about %q", c.Config, err, c.want)
		}
	}
}

// TestFolder sees that the server's files are where they should be, and nothing
// else is touched.
func TestFolder(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "kept"), nil, 0o600))
	must(t, os.MkdirAll(filepath.Join(folder, "nats", "left"), 0o700))
	n := join(t, Config{Name: "n", Folder: folder})
	if _, err := os.Stat(filepath.Join(folder, "nats", "left")); !os.IsNotExist(err) {
		t.Errorf("what was left over is still there: %v", err)
	}
	n.Close()
	list, err := os.ReadDir(folder)
	must(t, err)
	if len(list) != 1 || list[0].Name() != "kept" {
		t.Errorf("the folder has %v", list)
	}
}
