package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be is said in one sentence that names the option, and the secret is
// in none.
func TestClusterOptions(t *testing.T) {
	const peers, word = "10.0.0.1:6222, 10.0.0.2:6222,10.0.0.3:6222", "sesame-sesame-sesame"
	file := filepath.Join(t.TempDir(), "word")
	if err := os.WriteFile(file, []byte(word+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cfg  serveConfig
		want string // of the error; empty: none
	}{
		{serveConfig{}, ""},
		{serveConfig{nodeName: "one"}, ""},
		{serveConfig{nodeName: "one two"}, "--node-name"},
		{serveConfig{clusterSecret: word}, ""}, // it may be in everybody's environment
		{serveConfig{nats: "nats://n:4222"}, "use --store postgres://"},
		{serveConfig{clusterListen: "10.0.0.1:6222"}, "use --store postgres://"},
		{serveConfig{clusterPeers: peers}, "use --store postgres://"},
		{serveConfig{store: "p", nats: "nats://n:4222"}, ""},
		{serveConfig{store: "p", nats: "nats://n:4222,tls://m"}, ""},
		{serveConfig{store: "p", nats: "n:4222"}, "--nats: name URLs such as"},
		{serveConfig{store: "p", nats: "http://n"}, "--nats: name URLs such as"},
		{serveConfig{store: "p", nats: ","}, "--nats: name at least one"},
		{serveConfig{store: "p", nats: "nats://u:sesame@n"}, "--nats: a URL must have no password"},
		{serveConfig{store: "p", nats: "nats://u@n"}, "set --cluster-secret, the password of u"},
		{serveConfig{store: "p", nats: "nats://u@n", clusterSecret: "short"}, ""},
		{serveConfig{store: "p", nats: "nats://n", clusterListen: "10.0.0.1:6222"}, "choose one"},
		{serveConfig{store: "p", nats: "nats://n", clusterPeers: peers}, "choose one"},
		{serveConfig{store: "p", clusterPeers: peers}, "--cluster-peers needs --cluster-listen"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222"}, "two other nodes at least"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: "10.0.0.1:6222,10.0.0.2:6222"}, "two other nodes at least"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers}, "set --cluster-secret"},
		{serveConfig{store: "p", clusterListen: ":6222", clusterPeers: peers}, "set --cluster-secret"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers, clusterSecret: "sesame"}, "16 characters"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers, clusterSecret: "@" + file + ".not"}, "--cluster-secret: the secret cannot be read"},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers, clusterSecret: "@" + file}, ""},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers, clusterSecret: word}, ""},
		{serveConfig{store: "p", clusterListen: "10.0.0.1", clusterPeers: peers, clusterSecret: word}, `"10.0.0.1" is no address with a port`},
		{serveConfig{store: "p", clusterListen: "10.0.0.1:6222", clusterPeers: peers + ",x:0", clusterSecret: word}, `"x:0" is no address with a port`},
		{serveConfig{store: "p", clusterListen: "127.0.0.1:1", clusterPeers: "127.0.0.1:2,127.0.0.1:3"}, ""},
		{serveConfig{store: "p", clusterListen: "localhost:1", clusterPeers: "[::1]:2,[::1]:3"}, ""},
	} {
		got, err := c.cfg.cluster()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c.cfg, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), "\n")):
			t.Errorf("%+v: %v, want %s", c.cfg, err, c.want)
		case err == nil && strings.HasPrefix(c.cfg.clusterSecret, "@") && got.Secret != word:
			t.Errorf("the secret in a file is %q", got.Secret)
		case err == nil && c.cfg.clusterSecret == "short" && got.URLs[0] != "nats://u:short@n":
			t.Errorf("the password is not used: %v", got.URLs)
		}
	}
}

// Nobody sees the secret, and the keys of several nodes are in the database.
func TestClusterConfiguration(t *testing.T) {
	t.Setenv("BROADSIDE_CLUSTER_SECRET", "sesame-sesame-sesame")
	args := []string{"--data", t.TempDir(), "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0"}
	out, err := try(t.Context(), append([]string{"config"}, args...)...)
	if err != nil || strings.Contains(out, "sesame") || !strings.Contains(out, `cluster-secret = "(hidden)"`) {
		t.Errorf("%v\n%s", err, out)
	}
	_, err = try(t.Context(), append([]string{"serve", "--nats", "nats://nowhere"}, args...)...)
	if err == nil || !strings.Contains(err.Error(), "use --store postgres://") {
		t.Error(err)
	}
	if place := (&serveConfig{data: "d", clusterListen: "x"}).keyPlace(); place != keysInStore {
		t.Errorf("the host keys of a node are in %s", place)
	}
	if place := (&serveConfig{data: "d"}).keyPlace(); place != "d" {
		t.Errorf("the host keys of a single server are in %s", place)
	}

	// The doctor looks for the others.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			nc.Write([]byte("INFO {}\r\n"))
			nc.Close()
		}
	}()
	silent := freeAddress(t)
	out, err = try(t.Context(), append([]string{
		"doctor", "--store", "postgres://nobody@127.0.0.1:1/none", "--cluster-listen", freeAddress(t), "--cluster-peers", l.Addr().String() + "," + silent,
	}, args...)...)
	for _, want := range []string{"is free", "ok    node           " + l.Addr().String() + " answers", "warn  node           " + silent + " does not answer", "FAIL  database"} {
		if !strings.Contains(out, want) {
			t.Errorf("the doctor does not say %q (%v):\n%s", want, err, out)
		}
	}
	out, err = try(t.Context(), append([]string{"doctor", "--store", "postgres://nobody@127.0.0.1:1/none", "--nats", "nats://" + silent}, args...)...)
	if err == nil || !strings.Contains(out, "FAIL  NATS server    "+silent) {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = try(t.Context(), append([]string{"doctor", "--nats", "nats://" + silent}, args...)...)
	if err == nil || !strings.Contains(out, "FAIL  nodes") || strings.Contains(out, "sesame") {
		t.Errorf("%v\n%s", err, out)
	}
}
