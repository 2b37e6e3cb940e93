package command

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"broadside/internal/i18n"
)

const helpName = "help"

func firstWord(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}

// answerHelp writes the answer to a command line that is not a command: help, or which commands are meant.
func (l *Line) answerHelp(out, errs io.Writer) (status int) {
	name := trimDashes(l.words[0])
	if name == helpName {
		if len(l.words) == 1 || trimDashes(l.words[1]) == helpName {
			return exitStatus(l.writeOverview(out))
		}
		name = trimDashes(l.words[1])
		c, _ := Find(l.usable, []string{name})
		if c != nil {
			name = firstWord(c.Name)
		}
		all := ListByFirstWord(l.usable, name)
		if len(all) > 0 {
			return exitStatus(output{out: out, lang: l.user.Language}.writeHelp(all...))
		}
	}
	lang := l.user.Language
	choices := ListByFirstWord(l.usable, name)
	if len(choices) > 0 {
		fmt.Fprintln(errs, lang.Text("Choose one of these commands:"))
		for _, c := range choices {
			fmt.Fprintln(errs, "  "+strings.Join(c.usages(true, true), "\n  "))
		}
		return 2
	}
	text := lang.Text("There is no command %s here.", cleanName(name)) + " "
	near := NearestName(l.usable, name)
	if near != "" {
		text += lang.Text("Did you mean %s?", near) + " "
	}
	fmt.Fprintln(errs, text+lang.Text("Try: ssh HOST help"))
	return 2
}

// exitStatus returns the exit status of a command that fails only if it cannot write.
func exitStatus(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// bracketedOptions matches the optional options of a form.
var bracketedOptions = regexp.MustCompile(` ?\[--[^]]*\]…?`)

// usages returns a command's forms, as typed in a shell or in line mode. With options, they include those in
// brackets.
func (c *Command) usages(forShell, withOptions bool) []string {
	prefix := ""
	if forShell {
		prefix = "ssh HOST "
		switch c.Opens {
		case Screen, LineMode:
			prefix = "ssh -t HOST "
		case AtTerminal:
			prefix = "ssh [-t] HOST "
		}
	}
	all := make([]string, len(c.Forms))
	for i, form := range c.Forms {
		args := form.Args
		if !withOptions {
			args = bracketedOptions.ReplaceAllString(args, "")
		}
		all[i] = strings.TrimSpace(prefix + c.Name + " " + args)
	}
	return all
}

func (l *Line) writeOverview(out io.Writer) error {
	lang := l.user.Language
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	o := output{out: w, lang: lang}
	fmt.Fprintf(w, "%s\n\n", lang.Text("Broadside: Battleship over SSH."))
	fmt.Fprintf(w, "  ssh -t HOST\t%s\n", lang.Text("play in full-screen mode"))
	fmt.Fprintf(w, "  ssh HOST help [COMMAND]\t%s\n", lang.Text("list the commands, or explain one"))
	for _, t := range l.usable {
		fmt.Fprintf(w, "\n%s\n", lang.Text(t.Title))
		for _, c := range t.Commands {
			o.writeUsages(&c)
		}
	}
	return w.Flush()
}

// writeUsages writes a command's forms, one on each line.
func (o output) writeUsages(c *Command) {
	for i, usage := range c.usages(!o.forLineMode, false) {
		o.writeHelpLine(usage, o.lang.Text(c.Forms[i].Summary))
	}
}

// writeHelpLine writes a line that explains what to type.
func (o output) writeHelpLine(typed, about string) {
	if o.forLineMode {
		fmt.Fprintf(o.out, "%s: %s\n", typed, about)
	} else {
		fmt.Fprintf(o.out, "  %s\t%s\n", typed, about)
	}
}

// writeHelp writes the forms and the options of commands.
func (o output) writeHelp(all ...Command) error {
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	o.out = w
	for _, c := range all {
		o.writeUsages(&c)
	}
	explained := map[string]bool{}
	for _, c := range all {
		options := slices.DeleteFunc(c.options(), func(x option) bool {
			return explained[x.name] || o.forLineMode && x.name == "plain"
		})
		if len(options) > 0 {
			fmt.Fprintf(w, "\n%s\n", o.lang.Text("Options of %s:", c.Name))
		}
		for _, x := range options {
			o.writeHelpLine(strings.TrimSpace("--"+x.name+" "+x.value), x.about.Text(o.lang))
			explained[x.name] = true
		}
	}
	return w.Flush()
}

// WriteUsages writes how to type commands in line mode, one form on each line.
func WriteUsages(w io.Writer, l i18n.Language, all []Command) {
	for _, c := range all {
		output{w, l, true}.writeUsages(&c)
	}
}

// WriteHelp writes the forms and the options of commands, as typed in line mode.
func WriteHelp(w io.Writer, l i18n.Language, all []Command) { _ = output{w, l, true}.writeHelp(all...) }
