package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/picture"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
)

var pictures = flag.String("pictures", "", "write pictures of boards in all sizes and themes to this `folder`")

// TestPictures draws a battle in all themes, some of them with fewer colours, and on large
// boards:
//
//	go test -run 'TestPictures|Golden' ./tui -pictures /tmp/pictures
//
// The golden screens are drawn as well, in three themes and five sizes.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures were asked for")
	}
	for _, rules := range []match.Rules{match.Hasbro(), match.Naval()} {
		shoot(t, rules.Name, rules, [2]int{100, 30}, term.Appearance{}, term.Terminal{})
	}
	if rules, err := match.CustomRules(26, 10, match.TouchAny); err == nil {
		for _, size := range [][2]int{{60, 30}, {80, 24}, {160, 45}} {
			shoot(t, "26", rules, size, term.Appearance{}, term.Terminal{})
		}
	}
	for _, theme := range term.ThemeNames()[1:] {
		for _, size := range pictureSizes {
			shoot(t, theme, match.Classic(), size, term.Appearance{Theme: term.Theme(theme)}, term.Terminal{})
		}
		for name, profile := range map[string]colorprofile.Profile{"256": colorprofile.ANSI256, "16": colorprofile.ANSI} {
			shoot(t, theme+"-"+name, match.Classic(), [2]int{100, 30}, term.Appearance{Theme: term.Theme(theme)}, term.Terminal{Profile: profile})
		}
	}
	shoot(t, "ascii", match.Classic(), [2]int{80, 24}, term.Appearance{Glyphs: term.ASCII}, term.Terminal{})
	shoot(t, "none-ascii", match.Classic(), [2]int{80, 24}, term.Appearance{Glyphs: term.ASCII}, term.Terminal{Profile: colorprofile.NoTTY})
}

// pictured holds the names of the golden screens that have been drawn.
var pictured sync.Map

// pictureSizes are the sizes of terminals that pictures show.
var pictureSizes = [][2]int{{160, 45}, {120, 36}, {80, 24}, {60, 20}, {40, 16}}

// takePictures draws the screen in three themes and five sizes, once for each name.
func (d *driver) takePictures(name string) {
	if _, done := pictured.LoadOrStore(name, true); done {
		return
	}
	was := tea.WindowSizeMsg{Width: d.m.width, Height: d.m.height}
	for _, theme := range []term.Theme{term.Light, "colour-blind", term.Navy} {
		d.m.SetAppearance(term.Appearance{Theme: theme})
		for _, size := range pictureSizes {
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			takePicture(d.t, d, name+"-"+string(theme))
		}
	}
	d.send(was)
}

// shoot plays a while and takes pictures.
func shoot(t *testing.T, name string, rules match.Rules, size [2]int, c term.Appearance, term term.Terminal) {
	l := lobbytest.Open(lobby.Config{Seed: 5, BotPace: time.Millisecond})
	defer l.Close()
	d := startDriverWith(t, session.Config{Lobby: l, Player: account.Player{ID: "key", Name: "ann"}}, Config{Width: size[0], Height: size[1], Terminal: term})
	defer d.close()
	d.m.SetAppearance(c)
	d.playBot("hard", rules, lobby.Rated)
	d.wait("placing", func(string) bool { return d.showsPage("placementPage") && d.placement().layout != nil })
	d.press("J", "2")
	takePicture(t, d, name+"-place")
	d.press("x", "enter")
	d.wait("the battle", func(string) bool { return d.game() != nil && d.game().last.View.Phase == match.Battle })
	for n := 0; n < rules.Size*rules.Size*2/3; n++ {
		v := &d.game().last.View
		if v.Phase != match.Battle || n > 25 && v.Charts[d.game().side].SunkShips > 0 || n > 45 {
			break
		}
		open := v.Charts[d.game().side].OpenCells()
		at := open.Nth((n * 7) % open.Len())
		fired := v.Charts[d.game().side].Fired
		d.m.env.CheckAction(d.m.env.Session.Fire(match.First, 0, at))
		d.wait("the answer", func(string) bool {
			v := &d.game().last.View
			return v.Phase != match.Battle || v.Charts[d.game().side].Fired > fired && v.Turn == d.game().side
		})
	}
	if d.showsPage("battlePage") {
		d.setCursor(match.NewCell(6, 3))
	}
	takePicture(t, d, name+"-battle")
}

func takePicture(t testing.TB, d *driver, name string) {
	em := vt.NewEmulator(d.m.width, d.m.height)
	profile := d.m.terminal.Profile
	if profile == colorprofile.Unknown {
		profile = colorprofile.TrueColor
	}
	w := term.NewWriter(em, d.m.width, d.m.height)
	if err := w.Draw(d.m.Frame()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(*pictures, name+"-"+fmt.Sprintf("%dx%d", d.m.width, d.m.height)+".svg"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := picture.Write(f, em); err != nil {
		t.Fatal(err)
	}
}
