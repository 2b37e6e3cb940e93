package tui

import (
	"fmt"
	"testing"

	"broadside/lobby"
)

func hall(t testing.TB) *lobby.Lobby {
	t.Helper()
	l := lobby.New(lobby.Config{Seed: 1, BotPace: -1})
	t.Cleanup(l.Close)
	return l
}

func TestScratch(t *testing.T) {
	d := drive(t, hall(t), lobby.Player{ID: "key-ann", Name: "ann"}, 80, 24)
	d.see("ann (you)")
	fmt.Println(d.screen())
	d.press("b")
	fmt.Println(d.screen())
	d.press("enter")
	d.see("Place your fleet")
	d.press("C", "9")
	fmt.Println(d.screen())
	d.press("x", "enter")
	d.see("Your turn")
	d.press("enter", "b", "7", "enter")
	d.settle()
	d.press("enter")
	fmt.Println(d.screen())
	d.press("q", "y")
	d.see("rematch")
	fmt.Println(d.screen())
	d.press("?")
	fmt.Println(d.screen())
}
