package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"broadside/internal/picture"
	"broadside/internal/sshtest"
	"broadside/match"
)

var pictureFile = flag.String("picture", "", "write a picture of a real battle's screen to this `file`")

// TestPicture makes the picture in README from the running program:
//
//	go test -run TestPicture -picture docs/battle.png .
func TestPicture(t *testing.T) {
	if *pictureFile == "" {
		t.Skip("no -picture was asked for")
	}
	h := open(t, nil)
	p := sshtest.Dial(t, h.ssh, sshtest.Options{
		User: "ann", Signer: sshtest.NewSigner(t), Width: 100, Height: 30, Env: map[string]string{"COLORTERM": "truecolor"},
	})
	introduce(p)
	p.WaitText("ann (you)")
	p.Press("b")
	p.WaitText("Play a bot")
	p.Press("3")
	place(p)
	// Every third cell, as people do, until the screen has much to show.
	for n := 0; n < 100; n += 3 {
		cell := match.At(n%10, n/10).String()
		p.WaitFor("one's turn", func(s string) bool {
			return strings.Contains(s, "Your turn.") || strings.Contains(s, "YOU HAVE")
		})
		p.Type(cell)
		p.Press("enter")
		s := p.WaitFor("the shot", func(s string) bool {
			return strings.Contains(s, "You fired at "+cell+":") || refused(s, cell) || strings.Contains(s, "YOU HAVE")
		})
		if strings.Count(s, "#") > 6 && strings.Count(s, "X") > 3 {
			break
		}
	}
	p.WaitText("Your turn.")
	p.WaitFor("the last shots to have fallen", func(s string) bool {
		for _, falling := range []string{"‹.›", "‹o›", "‹+›", "‹*›", "[.]", "[o]", "[+]", "[*]"} {
			if strings.Contains(s, falling) {
				return false
			}
		}
		return true
	})
	f, err := os.Create(*pictureFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := picture.Write(f, p.Snapshot(), picture.Options{}); err != nil {
		t.Fatal(err)
	}
}
