package command

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"

	"broadside/internal/i18n"
)

const helpName = "help"

// firstWord returns the first word of a command's name.
func firstWord(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return first
}

// help answers a command line without a command: help, or a mistake.
func (l *Line) help(out, errs io.Writer) (status int) {
	name := trimDashes(l.words[0])
	if name == helpName {
		if len(l.words) == 1 || trimDashes(l.words[1]) == helpName {
			return status1(l.writeOverview(out))
		}
		name = trimDashes(l.words[1])
		if c, _ := find(l.usable, []string{name}); c != nil {
			name = firstWord(c.Name)
		}
		if all := Named(l.usable, name); len(all) > 0 {
			return l.describe(out, all)
		}
	}
	lang := l.user.Language
	if all := Named(l.usable, name); len(all) > 0 {
		fmt.Fprintln(errs, lang.Text("Choose one of these commands:"))
		for _, c := range all {
			fmt.Fprintln(errs, "  "+strings.Join(c.usages(true), "\n  "))
		}
		return 2
	}
	text := lang.Text("There is no command %s here.", clip(name)) + " "
	if near := Suggest(l.usable, name); near != "" {
		text += lang.Text("Did you mean %s?", near) + " "
	}
	fmt.Fprintln(errs, text+lang.Text("Try: ssh HOST help"))
	return 2
}

// status1 returns the exit status of a command that cannot fail except with err.
func status1(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// clip shortens and escapes a word of the user.
func clip(word string) string {
	if runes := []rune(word); len(runes) > 40 {
		word = string(runes[:40]) + "…"
	}
	return strings.Trim(fmt.Sprintf("%q", word), `"`)
}

// bracketedOptions matches the optional options of a usage.
var bracketedOptions = regexp.MustCompile(` ?\[--[^]]*\]…?`)

// usages returns the forms of a command, with all options or only with those that are required.
func (c *Command) usages(options bool) []string {
	all := make([]string, len(c.Forms))
	for i, form := range c.Forms {
		args := form.Args
		if !options {
			args = bracketedOptions.ReplaceAllString(args, "")
		}
		all[i] = strings.TrimSpace(c.prefix() + c.Name + " " + args)
	}
	return all
}

// prefix returns what precedes the command's name in a shell.
func (c *Command) prefix() string {
	switch c.Opens {
	case Screen, LineMode:
		return "ssh -t HOST "
	case AtTerminal:
		return "ssh [-t] HOST "
	}
	return "ssh HOST "
}

// writeOverview lists all commands.
func (l *Line) writeOverview(out io.Writer) error {
	lang := l.user.Language
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n\n", lang.Text("Broadside: Battleship over SSH."))
	fmt.Fprintf(w, "  ssh -t HOST\t%s\n", lang.Text("play on the screen"))
	fmt.Fprintf(w, "  ssh HOST help [COMMAND]\t%s\n", lang.Text("list the commands, or explain one"))
	for _, t := range l.usable {
		fmt.Fprintf(w, "\n%s\n", lang.Text(t.Title))
		for _, c := range t.Commands {
			writeForms(w, lang, &c)
		}
	}
	return w.Flush()
}

// writeForms writes the forms of a command, one on a line.
func writeForms(w io.Writer, lang i18n.Language, c *Command) {
	for i, usage := range c.usages(false) {
		fmt.Fprintf(w, "  %s\t%s\n", usage, lang.Text(c.Forms[i].About))
	}
}

// describe explains commands and their options.
func (l *Line) describe(out io.Writer, all []Command) (status int) {
	lang := l.user.Language
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range all {
		writeForms(w, lang, &c)
	}
	explained := map[string]bool{}
	for _, c := range all {
		var options []string
		for _, o := range c.options() {
			line := fmt.Sprintf("  --%s\t%s\n", strings.TrimSpace(o.name+" "+o.value), o.about.In(lang))
			if !explained[line] {
				options = append(options, line)
			}
			explained[line] = true
		}
		if len(options) > 0 {
			fmt.Fprintf(w, "\n%s\n%s", lang.Text("Options of %s:", c.Name), strings.Join(options, ""))
		}
	}
	return status1(w.Flush())
}

// writeUsage writes how to use a command, one form on a line.
func writeUsage(w io.Writer, lang i18n.Language, c *Command) {
	for _, usage := range c.usages(true) {
		fmt.Fprintln(w, lang.Text("Usage: %s", usage))
	}
}
