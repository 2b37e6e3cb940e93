package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"broadside/internal/config"
)

// settings holds the values of the tests' table.
type settings struct {
	address, format string
	games           int
	wait            time.Duration
	talk            bool
}

func newTable(s *settings) config.Table {
	return config.Table{
		{Title: "Listeners", Options: []config.Option{
			{Name: "address", Value: config.TextValue(&s.address, ":22"), About: "where to listen"},
			{Name: "wait", Value: config.DurationValue(&s.wait, time.Minute, time.Second, time.Hour), About: "how long", Live: true},
		}},
		{Title: "Others", Options: []config.Option{
			{Name: "log-format", Value: config.ChoiceValue(&s.format, "text", "text", "json", "logfmt"), About: "how to log"},
			{Name: "max-games", Value: config.IntValue(&s.games, 5, 1, 10), About: "how many", Live: true},
			{Name: "talk", Value: config.BoolValue(&s.talk, true), About: "whether to talk"},
		}},
	}
}

// loadText loads a file's text, and args as flags if there are any.
func loadText(t *testing.T, text string, env map[string]string, args ...string) (settings, []config.Setting, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "b.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(file))
	var flags settings
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	newTable(&flags).AddFlags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	var s settings
	all, err := newTable(&s).Load(config.GivenFlags(f), func(name string) (string, bool) { v, ok := env[name]; return v, ok }, "b.toml")
	return s, all, err
}

func TestPrecedence(t *testing.T) {
	const file = "address = 'file'\nlog-format = 'json'\n\n# said\nwait = \"2s\"\n"
	env := map[string]string{"BROADSIDE_ADDRESS": "environment", "BROADSIDE_LOG_FORMAT": "logfmt"}
	s, all, err := loadText(t, file, env, "--address", "flag", "--talk=false")
	if err != nil {
		t.Fatal(err)
	}
	if want := (settings{"flag", "logfmt", 5, 2 * time.Second, false}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	other, _, err := loadText(t, strings.ReplaceAll(file, "\n", "\r"), nil, "--talk=false")
	if err != nil || other.address != "file" || other.wait != 2*time.Second {
		t.Errorf("with carriage returns: %+v, %v", other, err)
	}
	want := `address = "flag"       # --address
wait = "2s"            # b.toml
log-format = "logfmt"  # BROADSIDE_LOG_FORMAT
max-games = 5          # default
talk = false           # --talk
`
	if shown := config.FormatSettings(all); shown != want {
		t.Errorf("shown as\n%s\nwant\n%s", shown, want)
	}
	// The output is a file with the same settings.
	if again, _, err := loadText(t, config.FormatSettings(all), nil); err != nil || again != s {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ file, variable, want string }{
		{"\naddres = 'x'", "", `b.toml: unknown option "addres": did you mean address?`},
		{"colour = 'x'", "", `b.toml: unknown option "colour"`},
		{"address = 'x'\nmax-games = 11", "", `b.toml: max-games = "11": choose a number from 1 to 10`},
		{"max-games = 0", "", `b.toml: max-games = "0": choose a number from 1 to 10`},
		{"max-games = 'many'", "", `b.toml: max-games = "many": choose a number from 1 to 10`},
		{"wait = '1d'", "", `b.toml: wait = "1d": choose a duration from 1s to 1h, such as 90s or 1h30m`},
		{"wait = '2h'", "", `choose a duration from 1s to 1h, such as 90s or 1h30m`},
		{"wait = '0s'", "", `choose a duration from 1s to 1h, such as 90s or 1h30m`},
		{"log-format = 'xml'", "", `b.toml: log-format = "xml": choose text, json or logfmt`},
		{"talk = 'maybe'", "", `choose true or false`},
		{"talk = 'on'", "", ``},
		{"max-games = 0x0a", "", ``},
		{"address = 'a\\nb'", "", ``},
		{"address = \"a\\nb\"", "", `b.toml: address = "a\nb": it must be one line`},
		{"address = ['a']", "", `b.toml: address: the value must be a string, a whole number, true or false`},
		{"max-games = 1.5", "", `b.toml: max-games: the value must be a string`},
		{"wait = '1s'\n[network]\naddress = 'x'", "", `b.toml: [network]: the file must not have sections`},
		{"network.address = 'x'", "", `b.toml: [network]: the file must not have sections`},
		{"address = 'x'\n\naddress = 'y'", "", `b.toml:3: key address is already defined`},
		{"address = ", "", `b.toml:1: `},
		{"wait = '2s'\naddress", "", `b.toml:2: `},
		{"\xff", "", `b.toml`},
		{"wait = 'soon'", "3s", `b.toml: wait = "soon"`}, // although the variable holds
		{"", "soon", `environment variable BROADSIDE_WAIT="soon": choose a duration from 1s to 1h, such as 90s or 1h30m`},
	} {
		env := map[string]string{}
		if c.variable != "" {
			env["BROADSIDE_WAIT"] = c.variable
		}
		_, _, err := loadText(t, c.file, env)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.file, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q, BROADSIDE_WAIT=%q: %v, want %s", c.file, c.variable, err, c.want)
		}
	}
	_, err := newTable(&settings{}).Load(nil, os.LookupEnv, "nowhere.toml")
	if err == nil || !strings.Contains(err.Error(), "cannot read the configuration") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestUnknown checks which variables look like misspelled options.
func TestUnknown(t *testing.T) {
	got := newTable(&settings{}).DescribeUnknownVariables([]string{
		"BROADSIDE_WAIT=1s", "BROADSIDE_WIAT=1s", "BROADSIDE_CONFIG=f", "BROADSIDE_COLOUR=red", "PATH=/bin",
		"BROADSIDE_SERVICE_HOST=10.0.0.1", "BROADSIDE_SSH_PORT_22_TCP_ADDR=10.0.0.1",
	}, "BROADSIDE_CONFIG")
	want := []string{
		"BROADSIDE_WIAT is not an option of the server: did you mean BROADSIDE_WAIT?",
		"BROADSIDE_COLOUR is not an option of the server",
	}
	if !slices.Equal(got, want) {
		t.Errorf("Unknown() = %q, want %q", got, want)
	}
}

// TestAddress checks that passwords, which anyone could see, are refused.
func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "postgres://ann@db/x": "", "postgresql:///x": "",
		"mysql://db":           "the URL must start with postgres://",
		"postgres://ann:pw@db": "must not contain a password", "postgres://db?password=pw": "must not contain a password",
	} {
		var to string
		err := config.URLValue(&to, "postgres", "postgresql").Set(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && to != text {
			t.Errorf("%q: %v, %q, want %q", text, err, to, want)
		}
	}
}

// name is an item of a list.
type name string

// String implements [fmt.Stringer].
func (n name) String() string { return string(n) }

// TestListComesFromAllSources checks that a file's array, a variable's semicolons and repeated flags give the same
// list, and that a later source replaces it.
func TestListComesFromAllSources(t *testing.T) {
	load := func(file string, env map[string]string, args ...string) ([]name, []config.Setting, error) {
		newList := func(to *[]name) config.Table {
			parse := func(s string) (name, error) {
				if s == "bad" {
					return "", errors.New("choose another")
				}
				return name(s), nil
			}
			return config.Table{{Title: "Names", Options: []config.Option{{Name: "names", Value: config.ListValue(to, parse), About: "names"}}}}
		}
		path := filepath.Join(t.TempDir(), "b.toml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		var flagValues, names []name
		flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
		newList(&flagValues).AddFlags(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		all, err := newList(&names).Load(config.GivenFlags(flags), func(v string) (string, bool) { x, ok := env[v]; return x, ok }, path)
		return names, all, err
	}
	const file = `names = ["file", "two"]`
	for _, c := range []struct {
		want []name
		env  map[string]string
		args []string
	}{
		{want: []name{"file", "two"}},
		{want: []name{"a", "b"}, env: map[string]string{"BROADSIDE_NAMES": "a; b;"}},
		{want: []name{"x", "y"}, env: map[string]string{"BROADSIDE_NAMES": "a"}, args: []string{"--names", "x", "--names=y"}},
	} {
		names, all, err := load(file, c.env, c.args...)
		if err != nil || !slices.Equal(names, c.want) {
			t.Errorf("got %q, %v, want %q", names, err, c.want)
		}
		if again, _, err := load(config.FormatSettings(all), nil); err != nil || !slices.Equal(again, c.want) {
			t.Errorf("read again: got %q, %v, want %q", again, err, c.want)
		}
	}
	for _, wrong := range []string{`names = [1]`, `names = ["bad"]`, `names = [["a"]]`} {
		if _, _, err := load(wrong, nil); err == nil {
			t.Errorf("%s: got no error", wrong)
		}
	}
}

// TestSecretIsNotInErrors checks that errors hide a webhook's URL.
func TestSecretIsNotInErrors(t *testing.T) {
	var to string
	table := config.Table{{Options: []config.Option{{Name: "hook", Value: config.WebURLValue(&to), Secret: true}}}}
	for _, text := range []string{"secret", "ftp://secret", "http://", "http://[secret", "https://host/\x01secret"} {
		_, err := table.Load(map[string]string{"hook": text}, os.LookupEnv, "")
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, want an error without the URL", text, err)
		}
	}
	if _, err := table.Load(map[string]string{"hook": "https://host/secret"}, os.LookupEnv, ""); err != nil {
		t.Error(err)
	}
}

// TestListen checks that a port is enough for an address.
func TestListen(t *testing.T) {
	for text, want := range map[string]string{"22": ":22", ":22": ":22", "localhost:22": "localhost:22", "": ""} {
		var to string
		if err := config.ListenValue(&to, "x").Set(text); err != nil || to != want {
			t.Errorf("%q is %q, %v, want %q", text, to, err, want)
		}
	}
}

// TestExample removes the comment signs from the example and loads it.
func TestExample(t *testing.T) {
	var s settings
	text := newTable(&s).ExampleFile()
	if _, all, err := loadText(t, text, nil); err != nil || all[0].Source != "default" {
		t.Errorf("as it is: %v, %v", all, err)
	}
	var bare strings.Builder
	for l := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(l, "#"); ok && !strings.HasPrefix(rest, " ") {
			l = rest
		}
		bare.WriteString(l)
	}
	again, all, err := loadText(t, bare.String(), nil)
	if err != nil || again != s {
		t.Errorf("%+v, %v, want %+v, from\n%s", again, err, s, bare.String())
	}
	for _, set := range all {
		if set.Source == "default" {
			t.Errorf("%s is not in the example", set.Name)
		}
	}
	if !strings.Contains(text, "# How long. Values: 1s to 1h. (live)\n#wait = \"1m\"\n") {
		t.Errorf("the example does not explain itself:\n%s", text)
	}
}

func TestFlags(t *testing.T) {
	var s settings
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	newTable(&s).AddFlags(f)
	if err := f.Parse([]string{"--talk", "--max-games", "3"}); err != nil || !s.talk || s.games != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := f.Parse([]string{"--max-games", "99"}); err == nil || !strings.Contains(err.Error(), "choose a number from 1 to 10") {
		t.Error(err)
	}
	if s.games != 3 {
		t.Errorf("a value that was refused is %d", s.games)
	}
	t.Setenv("BROADSIDE_ADDRESS", "there")
	t.Setenv("BROADSIDE_MAX_GAMES", "4")
	if err := config.SetFromEnvironment(f, os.LookupEnv); err != nil || s.address != "there" || s.games != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	t.Setenv("BROADSIDE_WAIT", "soon")
	if err := config.SetFromEnvironment(f, os.LookupEnv); err == nil || !strings.Contains(err.Error(), `BROADSIDE_WAIT="soon"`) {
		t.Error(err)
	}
}

// FuzzFile loads any file. It is loaded or refused, and the resulting settings are shown.
func FuzzFile(f *testing.F) {
	f.Add("address = 'x'\nmax-games = 3\ntalk = false\n")
	f.Add("wait = \"\"\"1s\"\"\"\n[a.b]\nc = [1]\n")
	f.Add("\"address\" = \"\\u0041\\\"\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		none := func(string) (string, bool) { return "", false }
		var s, again settings
		all, err := newTable(&s).Load(nil, none, file)
		if err != nil {
			return
		}
		if err := os.WriteFile(file, []byte(config.FormatSettings(all)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := newTable(&again).Load(nil, none, file); err != nil || again != s {
			t.Errorf("%q: %+v, then %+v, %v", text, s, again, err)
		}
	})
}
