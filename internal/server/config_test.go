package server_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"broadside/internal/server"
)

var update = flag.Bool("update", false, "write the options into docs/configuration.md")

// TestConfigurationPage compares docs/configuration.md with the table of options.
func TestConfigurationPage(t *testing.T) {
	const file, fence = "../../docs/configuration.md", "```toml\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start, _, _ := strings.Cut(string(page), fence)
	want := start + fence + new(server.Config).OptionTable().ExampleFile() + "```\n"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Error("docs/configuration.md is old: go test ./internal/server -run TestConfigurationPage -update")
	}
}

// TestPublicWebAddressIsWebsite checks that the website's address needs a host.
func TestPublicWebAddressIsWebsite(t *testing.T) {
	lookup := func(string) (string, bool) { return "", false }
	for address, valid := range map[string]bool{"": true, "https://play.example.org": true, "https://": false, "postgres://db": false} {
		_, err := new(server.Config).OptionTable().Load(map[string]string{"public-web-address": address}, lookup, "")
		if (err == nil) != valid {
			t.Errorf("%q: got %v, want valid: %v", address, err, valid)
		}
	}
}
