package tui

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"broadside/lobby"
	"broadside/lobby/daily"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/screen"
	"broadside/tui/widget"
)

// The root model knows screens only by the interfaces of package widget, and so do its
// tests. The functions below read state that the screen does not show.

// inspect returns a field of a screen, which may be unexported and nested, so that it
// can be read and set.
func inspect(from any, path ...string) reflect.Value {
	v := reflect.ValueOf(from)
	for _, name := range path {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		v = v.FieldByName(name)
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// peek returns a pointer to a field of a screen.
func peek[T any](from any, path ...string) *T { return inspect(from, path...).Addr().Interface().(*T) }

// page returns the current screen or, in a match, its page.
func (d *driver) page() any {
	if strings.HasSuffix(fmt.Sprintf("%T", d.m.currentScreen()), ".Match") {
		return inspect(d.m.currentScreen(), "page").Interface()
	}
	return d.m.currentScreen()
}

// shows reports whether a page with this type name is shown.
func (d *driver) shows(name string) bool {
	return strings.HasSuffix(fmt.Sprintf("%T", d.page()), "."+name)
}

// spots returns the positions of the boards in the last frame.
func (d *driver) spots() []board.Spot {
	if b := d.m.frame.boards; b != nil {
		return *peek[[]board.Spot](b, "arrangement", "Spots")
	}
	return nil
}

// aim moves the cursor of the page.
func (d *driver) aim(at match.Cell) { *peek[match.Cell](d.page(), "aim", "Cursor") = at }

// cursor returns the cursor of the page.
func (d *driver) cursor() match.Cell {
	if d.shows("placementPage") {
		return *peek[match.Cell](d.page(), "draft", "aim", "Cursor")
	}
	return *peek[match.Cell](d.page(), "aim", "Cursor")
}

// offer returns the open offer of the player.
func (d *driver) offer() *lobby.Terms { return d.m.env.State.Offer }

// seat is the model's state of a seat in a match.
type seat struct {
	side      match.Side
	last      *live.Update
	own       string
	opponent  string
	outcome   lobby.Outcome
	SeatState lobby.SeatState
}

// game returns the seat that is shown, or nil without a match.
func (d *driver) game() *seat {
	if d.m.match == nil {
		return nil
	}
	return seatOf(inspect(d.m.screens[0], "game"))
}

func seatOf(game reflect.Value) *seat {
	g := game.Interface()
	return &seat{
		side: *peek[match.Side](g, "side"), last: peek[live.Update](g, "last"), own: *peek[string](g, "ownName"),
		opponent: *peek[string](g, "opponent"), outcome: *peek[lobby.Outcome](g, "outcome"), SeatState: *peek[lobby.SeatState](g, "seat"),
	}
}

// hot returns both seats of a hot-seat match, or nil without one.
func (d *driver) hot() *[2]*seat {
	if d.m.match == nil || !d.m.match.HotSeat {
		return nil
	}
	games := inspect(d.m.screens[0], "hotSeat", "games")
	return &[2]*seat{seatOf(games.Index(0)), seatOf(games.Index(1))}
}

// placing is the state of the placement page.
type placing struct {
	layout match.Layout
	at     match.Cell
	order  []int
}

func (d *driver) placing() placing {
	p := d.page()
	return placing{*peek[match.Layout](p, "draft", "layout"), d.cursor(), *peek[[]int](p, "draft", "placedShips")}
}

// seaState is the state of the Daily sea's screen.
type seaState struct {
	read     bool
	view     daily.View
	standing daily.Leaderboard
	at       match.Cell
}

func (d *driver) sea() seaState {
	p := d.page()
	return seaState{*peek[bool](p, "isLoaded"), *peek[daily.View](p, "view"), *peek[daily.Leaderboard](p, "standing"), d.cursor()}
}

// playBot starts a match against a bot.
func (d *driver) playBot(bot string, r match.Rules, s lobby.RatingMode) {
	d.do(screen.StartMatch(d.m.env, bot, r, s))
	d.m.openNewMatch()
}

var _ widget.Navigator = (*Model)(nil)
