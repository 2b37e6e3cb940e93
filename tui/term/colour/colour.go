// Package colour names the colours of the interface by their purpose and defines them for
// each theme.
package colour

import (
	"image/color"

	"github.com/charmbracelet/x/ansi"
)

// Name is the purpose of a colour. None stands for the terminal's own colour.
type Name uint8

// The colours. OnX is the colour of text on X.
const (
	None Name = iota

	// Ground is the screen's background.
	Ground
	// Card is the background of blocks and panes.
	Card
	// Raised is the background of the row under the mouse and of unselected tabs.
	Raised
	// Rule is for thin lines beside titles.
	Rule
	// Bar is the first line's background.
	Bar
	OnBar
	Text
	// Muted is for notes and labels.
	Muted
	// Accent is for the selected row and for whose turn it is.
	Accent
	OnAccent
	// Mark is for focused titles and the cursor's coordinates.
	Mark
	Good
	Bad
	// Info is for keys in menus and senders of chat.
	Info
	// Key is for key caps and buttons.
	Key
	OnKey

	// The enemy's water has four tones from trough to crest.
	Sea
	Sea1
	Sea2
	Crest
	// Wave is for the symbol of water.
	Wave

	// The player's own water.
	Own
	Own1
	Own2
	OwnCrest
	OwnWave

	// Cells of a chart.
	Miss
	OnMiss
	// Deduced is for a cell that must be water.
	Deduced
	OnDeduced
	Hit
	OnHit
	Sunk
	OnSunk

	// Cells of a side's own board.
	Ship
	OnShip
	// Splash is for a shot that missed.
	Splash
	OnSplash
	// Spared is for water that the enemy can deduce.
	Spared
	OnSpared

	// Aim is for the cursor.
	Aim
	OnAim
	// Ghost is for a ship that is being placed, and Wrong for one at an invalid position.
	Ghost
	OnGhost
	Wrong
	OnWrong

	// Older shots, where ships move.
	MissOlder
	OnMissOlder
	MissOld
	OnMissOld
	HitOlder
	OnHitOlder
	HitOld
	OnHitOld
	SplashOlder
	OnSplashOlder
	SplashOld
	OnSplashOld

	// Steps of the animation of a shot.
	// Flash is the first frame.
	Flash
	OnFlash
	// Spray is for the cell of a miss, and RingNear for the water around it.
	Spray
	RingNear
	RingFar
	// Fire is for a hit's cell.
	Fire
	Ember
	OnFire
	// GlowNear is for the water around a hit.
	GlowNear
	GlowFar
	// Calm is for the water around a sunk ship.
	Calm

	// Heat maps, from cold to hot.
	Heat0
	Heat1
	Heat2
	Heat3
	Heat4
	Heat5
	Heat6
	Heat7
	Heat8
	// OnCold is for numbers on Heat0 to Heat5, and OnHot for those on Heat6 to Heat8.
	OnCold
	OnHot

	// Gradients from top to bottom: the sky behind banners, the first screen's sea from trough to
	// crest, the game's name, a ship, and the words for a win and a loss.
	Sky0
	Sky1
	Sky2
	Sky3
	Deep0
	Deep1
	Deep2
	Deep3
	Logo0
	Logo1
	Logo2
	Logo3
	Logo4
	Logo5
	Steel0
	Steel1
	Steel2
	Steel3
	Steel4
	Steel5
	Win0
	Win1
	Win2
	Win3
	Win4
	Win5
	Loss0
	Loss1
	Loss2
	Loss3
	Loss4
	Loss5

	// Count is the number of colours.
	Count
)

// Value is a colour in 24 bits, among 256 and among 16 colours.
type Value struct {
	RGB   uint32
	Index uint8
	Basic uint8
}

// Theme has a value for each colour except None.
type Theme [Count]Value

// Theme computes the values of all colours.
func (d *Definition) Theme() *Theme {
	var t Theme
	for n, rgb := range d.RGB {
		t[n] = nearestValue(rgb)
	}
	d.overrideNearest(&t)
	for n, like := range map[Name]Name{Mark: Accent, Aim: Accent, Crest: Sea, OwnCrest: Own, Splash: Miss} {
		if d.RGB[n] == 0 {
			t[n] = t[like]
		}
	}
	for _, n := range [...]Name{Bar, Accent, Key, Miss, Deduced, Hit, Sunk, Ship, Splash, Spared, Aim, Ghost, Wrong} {
		on := n + 1
		if d.RGB[on] == 0 {
			t[on] = t.textColour(n)
		}
	}
	d.overrideNearest(&t)
	heat := d.Heat
	if heat == nil {
		heat = &warmHeat
	}
	t.deriveColours(heat)
	for n, index := range d.Index {
		t[n].Index = index
	}
	return &t
}

// overrideNearest sets the values that the definition chooses instead of the nearest ones.
func (d *Definition) overrideNearest(t *Theme) {
	for n, index := range d.Index {
		t[n].Index = index
	}
	for n, basic := range d.Basic {
		t[n].Basic = basic
	}
}

// nearestValue returns a value with the nearest colours among 256 and among 16.
func nearestValue(rgb uint32) Value {
	c := color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff}
	return Value{rgb, uint8(ansi.Convert256(c)), uint8(ansi.Convert16(c))}
}

// Flatten returns the theme with water of a single tone.
func (t Theme) Flatten() Theme {
	sea, own := t[Sea], t[Own]
	// Where there are several tones of water, use the most frequent one.
	sea.Index, own.Index = t[Sea2].Index, t[Own2].Index
	for i := range tones {
		t[Sea+Name(i)] = sea
		t[Own+Name(i)] = own
	}
	return t
}

// tones is the number of tones of water.
const tones = 4

// mix returns a colour between a and b. percent is the share of b.
func (t *Theme) mix(a, b Name, percent int) Value {
	x, y := t[a], t[b]
	var rgb uint32
	for shift := 0; shift <= 16; shift += 8 {
		from, to := int(x.RGB>>shift&0xff), int(y.RGB>>shift&0xff)
		rgb |= uint32(from+(to-from)*percent/100) << shift
	}
	v := nearestValue(rgb)
	v.Basic = x.Basic
	if percent > 50 {
		v.Basic = y.Basic
	}
	return v
}

// deriveColours sets the colours that follow from others.
func (t *Theme) deriveColours(heat *HeatMap) {
	for i := range Name(tones) {
		share := 100 * int(i) / (tones - 1)
		sea, own := t.mix(Sea, Crest, share), t.mix(Own, OwnCrest, share)
		if i > 0 && i < tones-1 {
			sea.Index, own.Index = t[Sea].Index, t[Own].Index
			t[Sea+i], t[Own+i] = sea, own
		}
		t[Sky0+i] = t.mix(Ground, Sea, share*3/4)
	}
	copy(t[Deep0:], []Value{t[Sky1], t[Sky2], t[Sky3], t[Sea]})
	t.setFadedColours(Miss, Sea, MissOlder)
	t.setFadedColours(Hit, Sea, HitOlder)
	t.setFadedColours(Splash, Own, SplashOlder)
	t[OnFlash] = t.textColour(Flash)
	t[Spray], t[RingNear], t[RingFar] = t.mix(Info, Miss, 20), t.mix(Crest, Info, 45), t.mix(Crest, Info, 25)
	t[Fire], t[Ember], t[OnFire] = t[Aim], t.mix(Hit, Aim, 45), t[OnAim]
	t[GlowNear], t[GlowFar] = t.mix(Crest, Aim, 35), t.mix(Crest, Aim, 15)
	t[Calm] = t.mix(Sea2, Deduced, 50)
	copy(t[Heat0:], heat[:])
	for i := range Name(6) {
		share := 100 * int(i) / 5
		t[Steel0+i] = t.mix(Text, Ground, 38+28*int(i)/5)
		t[Logo0+i], t[Win0+i], t[Loss0+i] = t.mix(Text, Info, share), t.mix(Text, Good, share), t.mix(Text, Bad, share)
	}
}

// setFadedColours sets the colours of older and of old shots, which fade into the water. It sets older, the
// text on it, and the two colours that follow.
func (t *Theme) setFadedColours(fresh, water, older Name) {
	t[older], t[older+2] = t.mix(fresh, water, 60), t.mix(fresh, water, 82)
	t[older+1], t[older+3] = t.textColour(older), t.textColour(older+2)
	// With 16 colours, only the text differs.
	if t[older+1].Basic == t[fresh+1].Basic {
		t[older+1].Basic ^= 8
	}
	t[older+3].Basic = t[fresh].Basic
}

// textColour returns a legible colour for text on a background: white or nearly black.
func (t *Theme) textColour(ground Name) Value {
	rgb := t[ground].RGB
	light := 2*(rgb>>16&0xff) + 7*(rgb>>8&0xff) + rgb&0xff
	if light > 10*0x78 {
		return Value{0x101010, 233, 0}
	}
	return Value{0xffffff, 231, 15}
}

// HeatMap has the colours from Heat0 to OnHot.
type HeatMap [OnHot - Heat0 + 1]Value

var (
	warmHeat = HeatMap{
		{0x12304f, 17, 0}, {0x2e3566, 18, 4}, {0x513a78, 54, 4}, {0x7a3f80, 90, 5}, {0xa24377, 126, 5},
		{0xc24b63, 161, 1}, {0xdb6a4b, 203, 9}, {0xec9540, 215, 3}, {0xf6c64f, 221, 11}, {0xffffff, 231, 15}, {0x0a1420, 233, 0},
	}
	blueHeat = HeatMap{
		{0x00224e, 17, 0}, {0x123570, 18, 4}, {0x3b496c, 60, 4}, {0x575d6d, 240, 8}, {0x707173, 242, 8},
		{0x8a8678, 102, 7}, {0xa59c74, 144, 7}, {0xc9b65b, 179, 3}, {0xfde737, 227, 11}, {0xffffff, 231, 15}, {0x0a1420, 233, 0},
	}
)
