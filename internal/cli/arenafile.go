package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/match/layoutfile"
)

// setFlagsFromFile sets flags from a TOML file whose keys are the flags' names, unless they were given on the
// command line. A list sets a flag several times, and a table sets it to NAME=VALUE for each of its keys.
func setFlagsFromFile(flags *pflag.FlagSet, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var values map[string]any
	if err := toml.Unmarshal([]byte(sanitize.Decode(text)), &values); err != nil {
		wrong := (*toml.DecodeError)(nil)
		if errors.As(err, &wrong) {
			line, _ := wrong.Position()
			return fmt.Errorf("%s, line %d: %w", file, line, err)
		}
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		f := flags.Lookup(name)
		if f == nil {
			return fmt.Errorf("%s: unknown flag %s: broadside arena tournament --help lists all flags", file, name)
		}
		if f.Changed {
			continue
		}
		for _, value := range flagValues(values[name]) {
			if err := f.Value.Set(value); err != nil {
				return fmt.Errorf("%s: %s = %q: %w", file, name, value, err)
			}
		}
	}
	return nil
}

// flagValues returns the texts with which to set a flag for a TOML value.
func flagValues(value any) (all []string) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			all = append(all, fmt.Sprint(one))
		}
		return all
	case map[string]any:
		for name, one := range v {
			all = append(all, fmt.Sprintf("%s=%v", name, one))
		}
		return all
	}
	return []string{fmt.Sprint(value)}
}

// readStartLayouts reads a file with one fleet in each line, written as in a layout file with ; between the
// ships. Two lines are a pair. Blank lines and text after a # are ignored.
func readStartLayouts(r match.Rules, file string) (all [][2]match.Layout, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read start layouts: %w", err)
	}
	var fleets []match.Layout
	number := 0
	for line := range strings.Lines(sanitize.Decode(text)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		parsed, err := layoutfile.Parse(r, strings.ReplaceAll(line, ";", "\n"))
		if err == nil && len(parsed) > 1 {
			err = errors.New("the line has two fleets: write one per line")
		}
		inner := (*match.Problem)(nil)
		if errors.As(err, &inner) && inner.Sentence == layoutfile.WrongLine {
			// Its line number counts ships.
			err = inner.Unwrap()
		}
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, number, err)
		}
		fleets = append(fleets, parsed[0])
	}
	if len(fleets) == 0 || len(fleets)%2 != 0 {
		return nil, fmt.Errorf("%s has %d fleets: write two for each pair of games", file, len(fleets))
	}
	for pair := range slices.Chunk(fleets, 2) {
		all = append(all, [2]match.Layout(pair))
	}
	return all, nil
}
