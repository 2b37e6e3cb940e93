package cli

import (
	"log/slog"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/config"
	"broadside/internal/server"
)

// commandOptions are a command's options: those of the server and the configuration
// file.
type commandOptions struct {
	// flagValues has the flags without variables and the file.
	flagValues server.Config
	file       string
}

// configFlag names the configuration file. It is not in the table, because the file cannot
// contain it.
const configFlag = "config"

// optionGroup is the annotation that gives a flag its group's title.
const optionGroup = "group"

// addFlags adds the flags to a command, and groups them in its help. If used names options, the help and
// completions have no others. The command accepts all of them, like the server's variables and file.
func (o *commandOptions) addFlags(c *cobra.Command, used ...string) {
	c.Flags().StringVar(&o.file, configFlag, "", "configuration file (see broadside config --example)")
	table := o.flagValues.OptionTable()
	table.AddFlags(c.Flags())
	addOptionCompletions(c, table)
	for _, group := range table {
		for _, o := range group.Options {
			f := c.Flags().Lookup(o.Name)
			f.Hidden = len(used) > 0 && !slices.Contains(used, o.Name)
			f.Annotations = map[string][]string{optionGroup: {group.Title}}
		}
	}
}

// load returns the configuration from flags, environment and file.
func (o *commandOptions) load(flags *pflag.FlagSet) (server.Config, []config.Setting, error) {
	file := o.file
	if !flags.Changed(configFlag) {
		file = os.Getenv(config.VariableName(configFlag))
	}
	var cfg server.Config
	settings, err := cfg.OptionTable().Load(config.GivenFlags(flags), os.LookupEnv, file)
	return cfg, settings, err
}

// reloader rereads a running server's configuration.
type reloader struct {
	signals <-chan os.Signal
	load    func() (server.Config, []config.Setting, error)
	// settings are the running server's.
	settings []config.Setting
}

// reload rereads the configuration and logs the changes. If the configuration is invalid,
// reload returns false and changes nothing.
func (r *reloader) reload(log *slog.Logger) (next server.Config, ok bool) {
	next, settings, err := r.load()
	if err != nil {
		log.Error("invalid configuration, keeping the current one", "error", err)
		return next, false
	}
	for i, s := range settings {
		was, is := r.settings[i].Value, s.Value
		if was == is {
			continue
		}
		if s.Secret {
			was, is = "…", "…"
		}
		if s.Live {
			log.Info("option changed", "option", s.Name, "old", was, "new", is, "source", s.Source)
			continue
		}
		log.Warn("the new value of this option requires a restart",
			"option", s.Name, "current", was, "new", is, "source", s.Source)
		// The next reload logs the difference again.
		settings[i] = r.settings[i]
	}
	r.settings = settings
	log.Info("configuration reloaded")
	return next, true
}

// describeUnknownVariables describes each variable in an environment that looks like a server option but is none.
// They aren't errors, because other programs may use such names.
func describeUnknownVariables(environ []string) []string {
	return new(server.Config).OptionTable().DescribeUnknownVariables(environ, config.VariableName(configFlag), server.KeyVariable)
}
