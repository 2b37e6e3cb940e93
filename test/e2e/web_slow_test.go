//go:build slow && unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
)

var webPictures = flag.String("web-pictures", "", "folder for pictures of the website's pages")

// TestEveryPageInBrowser checks all pages in browsers of three widths, light and dark, also while two players play.
func TestEveryPageInBrowser(t *testing.T) {
	var address string
	withAddress := addSite(t, &address)
	h := open(t, func(c *server.Config) {
		withAddress(c)
		c.Ladder = true
		db, err := store.Open(t.Context(), store.Config{Folder: c.Data})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := storetest.StoreLadderMatch(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	})
	site := "http://" + address
	tabs := openBrowser(t)
	ann, bob := h.enterLobby(t, "ann"), h.enterLobby(t, "bob")
	meetInLobby(ann, bob)
	id := awaitMatch(t, site)
	type viewer struct {
		*page
		name string
		view view
	}
	var viewers []viewer
	for _, width := range []int{360, 800, 1440} {
		for _, light := range []bool{false, true} {
			name := fmt.Sprintf("%d-%s", width, map[bool]string{true: "light", false: "dark"}[light])
			v := view{Width: width, Light: light}
			viewers = append(viewers, viewer{tabs.Open(site+"/m/"+id, v), name, v})
		}
	}
	place(ann)
	place(bob)
	for _, v := range viewers {
		v.Wait("document.querySelector('[data-live]').dataset.phase === 'battle'")
	}
	var players sync.WaitGroup
	players.Go(func() { finishMatch(ann) })
	players.Go(func() { finishMatch(bob) })
	for _, v := range viewers {
		v.Wait("document.querySelectorAll('.sunk').length > 6")
		savePicture(t, v.page, "live-"+v.name)
	}
	players.Wait()
	for _, v := range viewers {
		v.Wait("document.querySelector('[data-scrub]') !== null")
		if n := checkGrid(t, v.page); n < 40 {
			t.Errorf("%s: %d cells of the replay are known", v.name, n)
		}
		watchReplay(t, v.page)
		for path, name := range map[string]string{
			"/": "home", "/live": "live-list", "/leaderboard": "leaderboard", "/daily": "daily", "/@ann": "profile", "/programs": "programs",
			"/ladder": "ladder", "/ladder/whale": "ladder-player",
			"/m/" + id + "?shot=40&heat=1": "replay", "/nothing": "not-found",
		} {
			p := tabs.Open(site+path, v.view)
			if wide := p.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth"); fmt.Sprint(wide) != "0" {
				t.Errorf("%s %s is wider than its window by %v", path, v.name, wide)
			}
			switch name {
			case "home":
				p.Wait("document.querySelectorAll('.hit, .miss').length > 10")
				p.Click(".connect button")
				p.Wait("document.querySelector('.connect button').textContent === 'Copied'")
			case "ladder-player":
				p.Wait("document.querySelector('h1').textContent === 'whale'")
			case "replay":
				p.Wait("document.querySelectorAll('.heat').length > 20 && !document.querySelector('[data-scrub]').hidden")
			}
			savePicture(t, p, name+"-"+v.name)
			if faults := p.Faults(); faults != nil && name != "not-found" {
				t.Errorf("%s %s: the console has %q", path, v.name, faults)
			}
			p.Close()
		}
		if faults := v.Faults(); faults != nil {
			t.Errorf("%s: the console has %q", v.name, faults)
		}
	}
	plain := tabs.Open(site, view{Width: 800, NoScript: true})
	if text := plain.Text(); !strings.Contains(text, "ssh -p ") || len(plain.AccessibleNames("gridcell")) != 200 {
		t.Errorf("without JavaScript, the home page is\n%s", text)
	}
}

// savePicture writes a picture of a page, if pictures are requested.
func savePicture(t *testing.T, p *page, name string) {
	t.Helper()
	if *webPictures == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*webPictures, name+".png"), p.Screenshot(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// meetInLobby lets two people play each other.
func meetInLobby(ann, bob *sshtest.Terminal) {
	ann.Press("p")
	bob.WaitFor("ann in the queue", func(s string) bool { return strings.Count(s, "ann") >= 2 })
	bob.Press("p")
}
