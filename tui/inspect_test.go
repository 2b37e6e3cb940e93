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

// inspectField returns a field of a screen, which may be unexported and nested, so that it
// can be read and set.
func inspectField(from any, path ...string) reflect.Value {
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

// fieldPointer returns a pointer to a field of a screen.
func fieldPointer[T any](from any, path ...string) *T {
	return inspectField(from, path...).Addr().Interface().(*T)
}

// shownPage returns the current screen or, in a match, its page.
func (d *driver) shownPage() any {
	if strings.HasSuffix(fmt.Sprintf("%T", d.m.currentScreen()), ".Match") {
		return inspectField(d.m.currentScreen(), "page").Interface()
	}
	return d.m.currentScreen()
}

// showsPage reports whether a page with this type name is shown.
func (d *driver) showsPage(name string) bool {
	return strings.HasSuffix(fmt.Sprintf("%T", d.shownPage()), "."+name)
}

// boardSpots returns the boards' positions in the last frame.
func (d *driver) boardSpots() []board.Spot {
	if b := d.m.frame.boards; b != nil {
		return *fieldPointer[[]board.Spot](b, "arrangement", "Spots")
	}
	return nil
}

// setCursor moves the page's cursor.
func (d *driver) setCursor(at match.Cell) {
	*fieldPointer[match.Cell](d.shownPage(), "aim", "Cursor") = at
}

// cursor returns the page's cursor.
func (d *driver) cursor() match.Cell {
	if d.showsPage("placementPage") {
		return *fieldPointer[match.Cell](d.shownPage(), "draft", "aim", "Cursor")
	}
	return *fieldPointer[match.Cell](d.shownPage(), "aim", "Cursor")
}

// offer returns the player's open offer.
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
	return seatOf(inspectField(d.m.screens[0], "game"))
}

func seatOf(game reflect.Value) *seat {
	g := game.Interface()
	return &seat{
		side: *fieldPointer[match.Side](g, "side"), last: fieldPointer[live.Update](g, "last"), own: *fieldPointer[string](g, "ownName"),
		opponent: *fieldPointer[string](g, "opponent"), outcome: *fieldPointer[lobby.Outcome](g, "outcome"), SeatState: *fieldPointer[lobby.SeatState](g, "seat"),
	}
}

// hotSeats returns both seats of a hot-seat match, or nil without one.
func (d *driver) hotSeats() *[2]*seat {
	if d.m.match == nil || !d.m.match.HotSeat {
		return nil
	}
	games := inspectField(d.m.screens[0], "hotSeat", "games")
	return &[2]*seat{seatOf(games.Index(0)), seatOf(games.Index(1))}
}

// placementState is the placement page's state.
type placementState struct {
	layout match.Layout
	at     match.Cell
	order  []int
}

func (d *driver) placement() placementState {
	p := d.shownPage()
	return placementState{*fieldPointer[match.Layout](p, "draft", "layout"), d.cursor(), *fieldPointer[[]int](p, "draft", "placedShips")}
}

// dailyState is the state of the Daily sea's screen.
type dailyState struct {
	read     bool
	view     daily.View
	standing daily.Leaderboard
	at       match.Cell
}

func (d *driver) dailyState() dailyState {
	p := d.shownPage()
	return dailyState{*fieldPointer[bool](p, "isLoaded"), *fieldPointer[daily.View](p, "view"), *fieldPointer[daily.Leaderboard](p, "standing"), d.cursor()}
}

// playBot starts a match against a bot.
func (d *driver) playBot(bot string, r match.Rules, s lobby.RatingMode) {
	d.runCmd(screen.StartMatch(d.m.env, bot, r, s))
	d.m.openNewMatch()
}

var _ widget.Navigator = (*Model)(nil)
