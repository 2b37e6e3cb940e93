package colour

// Definition is a theme as its author writes it: one table of colours in 24 bits. Colours among 256 and
// among 16 are the nearest ones, except where contrast or taste demands others.
type Definition struct {
	// Name is one word.
	Name string
	// RGB has all up to Flash that do not follow from others, see [Definition.Theme]. Colours of text that are
	// missing are black or white, other missing colours are those of Accent, Sea, Own or Miss.
	RGB Colours
	// Index holds each colour's number in the palette of 256 colours, also for colours that follow from others.
	Index map[Name]uint8
	// Basic holds each colour's number in the palette of 16 colours.
	Basic map[Name]uint8
	// Heat is the warm map if it is nil.
	Heat *HeatMap
}

// Colours has a colour in 24 bits for each name.
type Colours [Count]uint32

// Themes lists all themes with colours, in the order in which players see them. The first one is for dark
// backgrounds, the second one for light backgrounds.
var Themes = []*Definition{&navy, &light, &contrast, &colourBlind, &classic}

// FindTheme returns the theme with a name, or nil.
func FindTheme(name string) *Definition {
	for _, d := range Themes {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// navy is the theme for dark backgrounds.
var navy = Definition{
	Name: "navy",
	RGB: Colours{
		Ground:    0x06111f,
		Card:      0x0b1c31,
		Raised:    0x15324f,
		Rule:      0x2a4867,
		Bar:       0x0f2742,
		Text:      0xdde8f3,
		Muted:     0x8ca5be,
		Accent:    0xf4c24f,
		Good:      0x74d692,
		Bad:       0xff8274,
		Info:      0x74bdff,
		Key:       0x1c3d5f,
		Sea:       0x0a2745,
		Crest:     0x123a63,
		Wave:      0x5e94c6,
		Own:       0x0b3c55,
		OwnCrest:  0x125271,
		OwnWave:   0x7fbcd6,
		Miss:      0x2271b5,
		Deduced:   0x1a4a78,
		OnDeduced: 0xa9cbea,
		Hit:       0xcf352e,
		Sunk:      0x343a43,
		OnSunk:    0xf0b7ae,
		Ship:      0xb7c3cf,
		OnShip:    0x1a2633,
		Splash:    0x2877b0,
		Spared:    0x1b6585,
		OnSpared:  0xc4e3f0,
		Ghost:     0x8fdb8b,
		Wrong:     0xa838b8,
		Flash:     0xffffff,
	},
	Index: map[Name]uint8{
		Ground: 16, Card: 234, Raised: 237, Rule: 24, Text: 254, Muted: 110, Accent: 221, Mark: 221,
		Info: 75, Key: 24, Sea: 24, Crest: 25, Wave: 74, Own: 24, OwnCrest: 31, OwnWave: 80, Miss: 75,
		OnMiss: 233, Deduced: 67, OnDeduced: 231, Hit: 160, OnSunk: 181, Ship: 251, OnShip: 235,
		Splash: 75, OnSplash: 233, Spared: 66, OnSpared: 231, Aim: 221, Wrong: 127,

		// Mixed colours. The nearest of 256 colours are grey, lavender or turquoise, because there is
		// no dark, unsaturated blue.
		Sea1: 25, Sea2: 25,
		Own1: 24, Own2: 24,
		Sky0: 16, Sky1: 16, Sky2: 16, Sky3: 17, Deep0: 17, Deep1: 17, Deep2: 17, Deep3: 18,
		Logo0: 255, Logo1: 255, Logo2: 153, Logo3: 153, Logo4: 117, Logo5: 75,
		Steel0: 246, Steel1: 245, Steel2: 244, Steel3: 243, Steel4: 242, Steel5: 241,
		Win0: 255, Win1: 194, Win2: 151, Win3: 151, Win4: 114, Win5: 78,
		Loss0: 255, Loss1: 224, Loss2: 217, Loss3: 217, Loss4: 210, Loss5: 210,
		Spray: 117, RingNear: 32, RingFar: 31, Calm: 67, Ember: 173, GlowNear: 101, GlowFar: 66,
		MissOlder: 32, MissOld: 25, SplashOlder: 32, SplashOld: 25, HitOlder: 131, HitOld: 95,
	},
	Basic: map[Name]uint8{
		Card: 0, Raised: 8, Rule: 8, Text: 15, Muted: 7, Accent: 11, Mark: 11, Info: 14, Key: 7, OnKey: 0,
		Crest: 4, Wave: 15, Own: 4, OwnCrest: 4, OwnWave: 15, Miss: 12, Deduced: 6, OnDeduced: 0, Hit: 1,
		Sunk: 8, OnSunk: 15, Ship: 7, OnShip: 0, Splash: 12, Spared: 6, OnSpared: 0, Aim: 11,
	},
}

// light is the theme for light backgrounds.
var light = Definition{
	Name: "light",
	RGB: Colours{
		Ground:    0xf4f7fa,
		Card:      0xe6edf4,
		Raised:    0xcfe0f0,
		Rule:      0xa9bbcd,
		Bar:       0x1d4e7e,
		Text:      0x122233,
		Muted:     0x4a5d70,
		Accent:    0xffc62b,
		Mark:      0x754a00,
		Good:      0x12672f,
		Bad:       0xa9231b,
		Info:      0x14568f,
		Key:       0xc5d6e6,
		OnKey:     0x122233,
		Sea:       0xbbd7ee,
		Crest:     0xcbe2f4,
		Wave:      0x37648e,
		Own:       0xbfe6ec,
		OwnCrest:  0xd0eef2,
		OwnWave:   0x20636f,
		Miss:      0x2a6fb4,
		Deduced:   0x8fbce2,
		OnDeduced: 0x10355a,
		Hit:       0xc42b23,
		Sunk:      0x4a515a,
		OnSunk:    0xffd9d3,
		Ship:      0x8d99a6,
		Splash:    0x1f64a6,
		Spared:    0x86c7d3,
		OnSpared:  0x0b3a44,
		Ghost:     0x7ccb7f,
		Wrong:     0x8b2a9c,
		Flash:     0x10161d,
	},
	Index: map[Name]uint8{
		Card: 255, Raised: 253, Rule: 250, Text: 234, Muted: 240, Bad: 88, OnKey: 234, Crest: 153,
		Wave: 24, Own: 195, Deduced: 75, OnDeduced: 17, Ship: 246, Spared: 80, OnSpared: 16, Wrong: 90,

		// Mixed colours.
		Sky0: 231, Sky1: 231, Sky2: 195, Sky3: 153, Deep0: 153, Deep1: 153, Deep2: 153, Deep3: 153,
		Logo0: 234, Logo1: 17, Logo2: 17, Logo3: 24, Logo4: 24, Logo5: 25,
		Steel0: 242, Steel1: 243, Steel2: 244, Steel3: 245, Steel4: 246, Steel5: 247,
		Win0: 234, Win1: 234, Win2: 22, Win3: 22, Win4: 28, Win5: 28,
		Loss0: 234, Loss1: 52, Loss2: 52, Loss3: 88, Loss4: 88, Loss5: 124,
	},
	Basic: map[Name]uint8{
		Card: 15, Raised: 7, Rule: 7, Text: 0, Accent: 11, Mark: 3, OnKey: 0, Sea: 4, Crest: 4, Wave: 15,
		Own: 4, OwnCrest: 4, OwnWave: 15, Miss: 12, Deduced: 6, OnDeduced: 0, Hit: 1, OnSunk: 15, Ship: 7,
		Splash: 12, Spared: 6, OnSpared: 0, Aim: 11, Wrong: 5,
	},
}

// contrast is the theme with high contrast.
var contrast = Definition{
	Name: "contrast",
	RGB: Colours{
		Ground:  0x000000,
		Card:    0x000000,
		Raised:  0x00307a,
		Rule:    0xffffff,
		Bar:     0xffffff,
		Text:    0xffffff,
		Muted:   0xe0e0e0,
		Accent:  0xffe600,
		Good:    0x4dff88,
		Bad:     0xff9a94,
		Info:    0x7fd8ff,
		Key:     0xffffff,
		Sea:     0x000000,
		Wave:    0x9cc8ff,
		Own:     0x00182e,
		OwnWave: 0x9ce4ff,
		Miss:    0x00c8f0,
		Deduced: 0x0a3c9a,
		Hit:     0xb00000,
		Sunk:    0xffffff,
		Ship:    0xc8f56a,
		Spared:  0x0a3c9a,
		Ghost:   0x4dff88,
		Wrong:   0x8a008a,
		Flash:   0xff9dff,
	},
	Index: map[Name]uint8{
		Raised: 18, Own: 17, OwnCrest: 17, OwnWave: 117, Deduced: 19, Spared: 19,
	},
	Basic: map[Name]uint8{
		Accent: 11, Mark: 11, Info: 14, Wave: 15, OwnWave: 15, Miss: 14, Splash: 14, Aim: 11, Ghost: 2,
	},
}

// colourBlind is the theme whose colours differ in brightness and along the blue-yellow
// axis, which nearly everyone can see.
var colourBlind = Definition{
	Name: "colour-blind",
	RGB: Colours{
		Ground:    0x0d1117,
		Card:      0x161c26,
		Raised:    0x26364d,
		Rule:      0x3c4c63,
		Bar:       0x0a3a63,
		Text:      0xe8edf3,
		Muted:     0xa0aebe,
		Accent:    0xf0e442,
		Good:      0x56b4e9,
		Bad:       0xff9d4d,
		Info:      0x8ccbf0,
		Key:       0x2b3a50,
		Sea:       0x10243c,
		Crest:     0x17304e,
		Wave:      0x6c9ac9,
		Own:       0x2b3644,
		OwnCrest:  0x344152,
		OwnWave:   0xa6b8cc,
		Miss:      0x0072b2,
		Deduced:   0x234e78,
		OnDeduced: 0xbbd9f2,
		Hit:       0xe8820e,
		Sunk:      0x050505,
		OnSunk:    0xffc48a,
		Ship:      0xd9dde2,
		Spared:    0x566779,
		Ghost:     0x35b8a0,
		Wrong:     0x5b2a6b,
		Flash:     0xffffff,
	},
	Index: map[Name]uint8{
		Raised: 237, Rule: 60, Bar: 24, Text: 255, Accent: 227, Mark: 227, Key: 238, Crest: 17, Own: 236,
		OwnCrest: 237, OwnWave: 249, Hit: 208, OnSunk: 216, Aim: 227, Ghost: 36,
	},
	Basic: map[Name]uint8{
		Raised: 8, Bar: 4, Text: 15, Accent: 11, Mark: 11, Good: 14, Bad: 11, Info: 14, Key: 7, OnKey: 0,
		Crest: 4, Wave: 15, Own: 4, OwnCrest: 4, OwnWave: 15, Miss: 12, Deduced: 6, OnDeduced: 0, Hit: 3,
		OnSunk: 15, Splash: 12, Spared: 6, OnSpared: 0, Aim: 11, Ghost: 10,
	},
	Heat: &blueHeat,
}

// classic is the theme with the first client's colours: the enemy's water is grey,
// the player's own light blue.
var classic = Definition{
	Name: "classic",
	RGB: Colours{
		Ground:    0x14181d,
		Card:      0x1c2229,
		Raised:    0x2c3742,
		Rule:      0x47535f,
		Bar:       0x173f73,
		Text:      0xe6eaee,
		Muted:     0xa3adb7,
		Accent:    0xffd54a,
		Good:      0x6fcf7f,
		Bad:       0xff8a80,
		Info:      0x9fd0ee,
		Key:       0x33404d,
		Sea:       0x8a8a8a,
		Wave:      0x101010,
		Own:       0x9fd0ee,
		OwnWave:   0x1e4e74,
		Miss:      0x2f6fb3,
		Deduced:   0x7fa3c4,
		OnDeduced: 0x10233a,
		Hit:       0xc8322b,
		Sunk:      0x3a3a3a,
		OnSunk:    0xd0d0d0,
		Ship:      0xd0d0d0,
		Splash:    0x173f73,
		Spared:    0x78aed3,
		OnSpared:  0x0f2d52,
		Ghost:     0xb8e0a0,
		Wrong:     0x9b2fae,
		Flash:     0xffffff,
	},
	Index: map[Name]uint8{
		Raised: 237, Rule: 239, Bar: 18, Text: 255, Good: 114, Key: 237, OnDeduced: 235, Hit: 160,
		Splash: 18, Spared: 74, Ghost: 150, Wrong: 90,
	},
	Basic: map[Name]uint8{
		Raised: 8, Text: 15, Accent: 11, Mark: 11, Info: 14, Key: 7, OnKey: 0, Own: 14, OwnCrest: 14,
		OwnWave: 0, Deduced: 6, OnDeduced: 0, Hit: 1, Sunk: 8, Ship: 7, Spared: 6, OnSpared: 0, Aim: 11,
	},
}
