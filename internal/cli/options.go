package cli

import (
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"broadside/internal/config"
	"broadside/internal/server"
)

// commandOptions are the options of a command: those of the server, and where
// its file is.
type commandOptions struct {
	parsed server.Config // only holds what flags say
	file   string
}

// configFlag names the file. It is no option of the table, for the file cannot
// say where it is.
const configFlag = "config"

// flags adds the flags.
func (o *commandOptions) flags(flags *pflag.FlagSet) {
	flags.StringVar(&o.file, configFlag, "", "configuration file, see broadside config --example")
	o.parsed.Table().Flags(flags)
}

// load is the configuration that flags, environment and file make together.
func (o *commandOptions) load(flags *pflag.FlagSet) (server.Config, []config.Setting, error) {
	file := o.file
	if !flags.Changed(configFlag) {
		file = os.Getenv(config.Variable(configFlag))
	}
	var cfg server.Config
	settings, err := cfg.Table().Load(config.Given(flags), os.LookupEnv, file)
	return cfg, settings, err
}

// reload reads the configuration of a running server again.
type reload struct {
	load     func() (server.Config, []config.Setting, error)
	settings []config.Setting // as they were when they were last read
}

// read reads the configuration again and logs what has changed. It returns false if
// the configuration is wrong, and then changes nothing.
func (r *reload) read(log *slog.Logger) (next server.Config, ok bool) {
	next, settings, err := r.load()
	if err != nil {
		log.Error("the configuration stays as it is", "error", err)
		return next, false
	}
	for i, s := range settings {
		was, is := r.settings[i].Value.String(), s.Value.String()
		switch {
		case was == is:
		case s.Live:
			log.Info("configuration changed", "option", s.Name, "was", was, "is", is, "source", s.Source)
		default:
			log.Warn("this option needs a restart", "option", s.Name, "is", was, "wants", is, "source", s.Source)
			settings[i] = r.settings[i] // so that it is logged again next time
		}
	}
	r.settings = settings
	log.Info("configuration read")
	return next, true
}
