package term

// themes holds the pens of each theme.
var themes = [themeCount][styleCount]pen{
	Classic:     classic(),
	Dark:        dark(),
	Light:       bright(),
	Contrast:    contrast(),
	ColourBlind: colourBlind(),
	Mono:        mono(),
}

const (
	bold    = "1"
	faint   = "2"
	reverse = "7"
)

// textPens returns the pens of text outside boards, which are the same in all themes with
// the terminal's background.
func textPens(good, bad, warn colour) [styleCount]pen {
	return [styleCount]pen{
		Faint: {attrs: faint}, Strong: {attrs: bold}, Key: {attrs: bold},
		Good: {fg: good, attrs: bold}, Bad: {fg: bad, attrs: bold}, Warn: {fg: warn, attrs: bold},
		Heading: {attrs: faint}, HeadingHere: {attrs: bold},
	}
}

var (
	white = c(0xffffff, 15)
	black = c(0x101010, 0)
)

// heatPens sets the pens of heat maps, from cold to hot.
func heatPens(p *[styleCount]pen) {
	p[Heat0] = pen{fg: c(0xd0d0d0, 7), bg: c(0x23304a, 0)}
	p[Heat1] = pen{fg: c(0xd0d0d0, 15), bg: c(0x3b3a63, 4)}
	p[Heat2] = pen{fg: white, bg: c(0x5d3f78, 4)}
	p[Heat3] = pen{fg: white, bg: c(0x843f7d, 5)}
	p[Heat4] = pen{fg: white, bg: c(0xa84173, 5)}
	p[Heat5] = pen{fg: white, bg: c(0xc64a60, 1)}
	p[Heat6] = pen{fg: black, bg: c(0xdf6a4a, 9)}
	p[Heat7] = pen{fg: black, bg: c(0xef9440, 3)}
	p[Heat8] = pen{fg: black, bg: c(0xf8c44f, 11)}
}

// agePens sets the pens of older shots, which fade into the sea.
func agePens(p *[styleCount]pen) {
	for _, a := range []struct{ fresh, ground, older, old Style }{
		{Missed, Unknown, MissedOlder, MissedOld}, {Struck, Unknown, StruckOlder, StruckOld}, {Splash, Sea, SplashOlder, SplashOld},
	} {
		fresh, ground := p[a.fresh], p[a.ground]
		p[a.older] = pen{bg: c(mix(fresh.bg.rgb, ground.bg.rgb, 45), fresh.bg.basic-1), attrs: fresh.attrs}
		p[a.old] = pen{bg: c(mix(fresh.bg.rgb, ground.bg.rgb, 75), ground.bg.basic-1), attrs: bold}
		fading := white.basic
		if fresh.fg.basic == fading {
			fading = 8 // light grey
		}
		p[a.older].fg = c(legible(p[a.older].bg.rgb), fading-1)
		p[a.old].fg = c(legible(p[a.old].bg.rgb), fresh.bg.basic-1)
	}
}

// mix returns colour a with the given percentage of colour b.
func mix(a, b uint32, percent int) (rgb uint32) {
	for shift := 0; shift <= 16; shift += 8 {
		x, y := int(a>>shift&0xff), int(b>>shift&0xff)
		rgb |= uint32(x+(y-x)*percent/100) << shift
	}
	return rgb
}

// legible returns white or black, whichever is easier to read on a background.
func legible(ground uint32) uint32 {
	light := 2*(ground>>16&0xff) + 7*(ground>>8&0xff) + ground&0xff
	if light > 10*0x78 {
		return black.rgb
	}
	return white.rgb
}

// classic returns the theme of the first client. The enemy's waters are grey, misses
// blue, hits red, and wrecks dark grey. On the player's own board, the sea is light blue,
// ships are light grey, and the enemy's misses dark blue.
func classic() [styleCount]pen {
	p := textPens(c(0x3fa34d, 2), c(0xe0574f, 9), c(0xd7a021, 3))
	heatPens(&p)
	grey, darkGrey, lightGrey := c(0x8a8a8a, 7), c(0x3a3a3a, 8), c(0xd0d0d0, 7)
	blue, lightBlue, darkBlue, red := c(0x2f6fb3, 4), c(0x9fd0ee, 14), c(0x173f73, 4), c(0xc8322b, 1)
	p[Bar] = pen{fg: white, bg: darkBlue}
	p[Title] = pen{fg: white, bg: darkBlue, attrs: bold}
	p[ChartLine] = pen{fg: c(0x767676, 8), bg: grey}
	p[FleetLine] = pen{fg: c(0x7ab2d8, 6), bg: lightBlue}
	p[HullLine] = pen{fg: c(0x30363d, 0), bg: lightGrey}
	p[WreckLine] = pen{fg: c(0xb4b4b4, 15), bg: darkGrey}
	p[Unknown] = pen{fg: black, bg: grey}
	p[Missed] = pen{fg: white, bg: blue}
	p[Deduced] = pen{fg: c(0x10233a, 0), bg: c(0x7fa3c4, 6)}
	p[Struck] = pen{fg: white, bg: red, attrs: bold}
	p[Wrecked] = pen{fg: c(0xd0d0d0, 15), bg: darkGrey, attrs: bold}
	p[Sea] = pen{fg: c(0x3f7dab, 4), bg: lightBlue}
	p[Splash] = pen{fg: white, bg: darkBlue}
	p[Spared] = pen{fg: c(0x173f73, 0), bg: c(0x78aed3, 6)}
	p[Hull] = pen{fg: black, bg: lightGrey}
	p[HullHit] = p[Struck]
	p[HullSunk] = p[Wrecked]
	p[Ghost] = pen{fg: black, bg: c(0xb8e0a0, 10), attrs: bold}
	p[Wrong] = pen{fg: white, bg: c(0x9b2fae, 5), attrs: bold}
	p[Aim] = pen{fg: black, bg: c(0xffd54a, 11), attrs: bold}
	p[Blast] = pen{fg: black, bg: white, attrs: bold}
	agePens(&p)
	return p
}

// dark returns a restrained theme for dark backgrounds, which emphasizes events.
func dark() [styleCount]pen {
	p := textPens(c(0x6fcf7f, 10), c(0xf2776d, 9), c(0xe8bf5a, 11))
	heatPens(&p)
	night, red, wreck := c(0x1b2430, 0), c(0xc0392b, 1), c(0x4b4f58, 8)
	deep, steel := c(0x14354f, 4), c(0x93a4b3, 7)
	p[Bar] = pen{fg: c(0xdfe7ee, 15), bg: c(0x22344a, 4)}
	p[Title] = pen{fg: c(0xdfe7ee, 15), bg: c(0x22344a, 4), attrs: bold}
	p[ChartLine] = pen{fg: c(0x303d4d, 8), bg: night}
	p[FleetLine] = pen{fg: c(0x22506f, 12), bg: deep}
	p[HullLine] = pen{fg: c(0x1d242b, 0), bg: steel}
	p[WreckLine] = pen{fg: c(0xa7adb8, 15), bg: wreck}
	p[Unknown] = pen{fg: c(0x6d7f95, 7), bg: night}
	p[Missed] = pen{fg: c(0xe6f1fb, 15), bg: c(0x2a66a8, 4)}
	p[Deduced] = pen{fg: c(0x86add4, 0), bg: c(0x1f3d61, 6)}
	p[Struck] = pen{fg: white, bg: red, attrs: bold}
	p[Wrecked] = pen{fg: c(0xf0d9d5, 15), bg: wreck, attrs: bold}
	p[Sea] = pen{fg: c(0x55809e, 12), bg: deep}
	p[Splash] = pen{fg: c(0xe6f1fb, 0), bg: c(0x3f86c6, 6)}
	p[Spared] = pen{fg: c(0x9cc4de, 0), bg: c(0x235578, 12)}
	p[Hull] = pen{fg: c(0x101418, 0), bg: steel}
	p[HullHit] = p[Struck]
	p[HullSunk] = p[Wrecked]
	p[Ghost] = pen{fg: black, bg: c(0x8fd18a, 10), attrs: bold}
	p[Wrong] = pen{fg: white, bg: c(0x9b2fae, 5), attrs: bold}
	p[Aim] = pen{fg: black, bg: c(0xf5c542, 11), attrs: bold}
	p[Blast] = pen{fg: black, bg: white, attrs: bold}
	agePens(&p)
	return p
}

// bright returns the theme for light backgrounds.
func bright() [styleCount]pen {
	p := textPens(c(0x1a7f37, 2), c(0xb3261e, 1), c(0x8a5a00, 3))
	heatPens(&p)
	p[Faint], p[Heading] = pen{fg: c(0x5b6670, 8)}, pen{fg: c(0x5b6670, 8)}
	paper, red, wreck := c(0xe3e7eb, 7), c(0xd1342a, 1), c(0x565d66, 8)
	pale, grey := c(0xcfe8f8, 14), c(0xb4bac1, 7)
	p[Bar] = pen{fg: white, bg: c(0x24598f, 4)}
	p[Title] = pen{fg: white, bg: c(0x24598f, 4), attrs: bold}
	p[ChartLine] = pen{fg: c(0xc3cad1, 8), bg: paper}
	p[FleetLine] = pen{fg: c(0xa4cfe9, 6), bg: pale}
	p[HullLine] = pen{fg: c(0x3a4149, 0), bg: grey}
	p[WreckLine] = pen{fg: c(0xc7ccd2, 15), bg: wreck}
	p[Unknown] = pen{fg: c(0x717b86, 0), bg: paper}
	p[Missed] = pen{fg: white, bg: c(0x3b82c9, 4)}
	p[Deduced] = pen{fg: c(0x2a5f92, 0), bg: c(0xaed1ee, 6)}
	p[Struck] = pen{fg: white, bg: red, attrs: bold}
	p[Wrecked] = pen{fg: c(0xf3f3f3, 15), bg: wreck, attrs: bold}
	p[Sea] = pen{fg: c(0x5a97c0, 4), bg: pale}
	p[Splash] = pen{fg: white, bg: c(0x2467ab, 4)}
	p[Spared] = pen{fg: c(0x22567f, 0), bg: c(0x9ccaea, 6)}
	p[Hull] = pen{fg: c(0x1c2126, 0), bg: grey}
	p[HullHit] = p[Struck]
	p[HullSunk] = p[Wrecked]
	p[Ghost] = pen{fg: black, bg: c(0x9ed99a, 10), attrs: bold}
	p[Wrong] = pen{fg: white, bg: c(0x8b2a9c, 5), attrs: bold}
	p[Aim] = pen{fg: black, bg: c(0xffc928, 11), attrs: bold}
	p[Blast] = pen{fg: white, bg: c(0x101010, 0), attrs: bold}
	agePens(&p)
	return p
}

// contrast returns a theme with a contrast of at least 7 to 1 in every cell.
func contrast() [styleCount]pen {
	style, paper := c(0xffffff, 15), c(0x000000, 0)
	p := textPens(c(0x00ff66, 10), c(0xff8080, 9), c(0xffff00, 11))
	heatPens(&p)
	cyan, navy, red, yellow := c(0x00e5ff, 14), c(0x0000a8, 4), c(0xa80000, 1), c(0xffff00, 11)
	p[Faint], p[Heading] = pen{}, pen{}
	p[Strong].attrs, p[HeadingHere].attrs = "1;4", "1;7"
	p[Bar] = pen{fg: paper, bg: style}
	p[Title] = pen{fg: paper, bg: style, attrs: bold}
	p[ChartLine] = pen{fg: c(0x9a9a9a, 7), bg: paper}
	p[FleetLine] = pen{fg: c(0x9a9a9a, 7), bg: paper}
	p[HullLine] = pen{fg: paper, bg: yellow}
	p[WreckLine] = pen{fg: paper, bg: style}
	p[Unknown] = pen{fg: style, bg: paper}
	p[Missed] = pen{fg: paper, bg: cyan}
	p[Deduced] = pen{fg: style, bg: navy}
	p[Struck] = pen{fg: style, bg: red, attrs: bold}
	p[Wrecked] = pen{fg: paper, bg: style, attrs: bold}
	p[Sea] = p[Unknown]
	p[Splash] = p[Missed]
	p[Spared] = p[Deduced]
	p[Hull] = pen{fg: paper, bg: yellow, attrs: bold}
	p[HullHit] = p[Struck]
	p[HullSunk] = p[Wrecked]
	p[Ghost] = pen{fg: paper, bg: c(0x00ff66, 10), attrs: bold}
	p[Wrong] = pen{fg: style, bg: c(0x800080, 5), attrs: bold}
	p[Aim] = pen{fg: paper, bg: c(0xff9dff, 13), attrs: bold}
	p[Blast] = pen{fg: paper, bg: c(0xffb000, 3), attrs: bold}
	p[MissedOlder] = pen{fg: paper, bg: c(0x00a8bc, 6)}
	p[MissedOld] = pen{fg: cyan, bg: paper}
	p[StruckOlder] = pen{fg: style, bg: c(0x700000, 1)}
	p[StruckOld] = pen{fg: c(0xff9090, 9), bg: paper}
	p[SplashOlder], p[SplashOld] = p[MissedOlder], p[MissedOld]
	return p
}

// colourBlind returns a theme whose colours differ in brightness and along the blue-yellow
// axis, which nearly everyone can see.
func colourBlind() [styleCount]pen {
	p := textPens(c(0x56b4e9, 14), c(0xd55e00, 3), c(0xe69f00, 11))
	heatPens(&p)
	blue, orange, yellow, coal := c(0x0b5a94, 4), c(0xe8820e, 3), c(0xf4ea6a, 11), c(0x242424, 8)
	grey, pale := c(0xb9b9b9, 7), c(0xd3ebf8, 14)
	p[Bar] = pen{fg: white, bg: c(0x0a4b7c, 4)}
	p[Title] = pen{fg: white, bg: c(0x0a4b7c, 4), attrs: bold}
	p[ChartLine] = pen{fg: c(0x9c9c9c, 8), bg: grey}
	p[FleetLine] = pen{fg: c(0xa9d2ea, 6), bg: pale}
	p[HullLine] = pen{fg: c(0x4a4410, 0), bg: yellow}
	p[WreckLine] = pen{fg: c(0xbfbfbf, 15), bg: coal}
	p[Unknown] = pen{fg: c(0x303030, 0), bg: grey}
	p[Missed] = pen{fg: white, bg: blue}
	p[Deduced] = pen{fg: c(0x0b3d63, 0), bg: c(0x74bdea, 6)}
	p[Struck] = pen{fg: black, bg: orange, attrs: bold}
	p[Wrecked] = pen{fg: c(0xf0f0f0, 15), bg: coal, attrs: bold}
	p[Sea] = pen{fg: c(0x4b87ad, 4), bg: pale}
	p[Splash] = pen{fg: white, bg: blue}
	p[Spared] = pen{fg: c(0x0b3d63, 0), bg: c(0x86c3ea, 6)}
	p[Hull] = pen{fg: black, bg: yellow}
	p[HullHit] = p[Struck]
	p[HullSunk] = p[Wrecked]
	p[Ghost] = pen{fg: black, bg: c(0x2bb88a, 2), attrs: bold}
	p[Wrong] = pen{fg: white, bg: c(0x5b2a6b, 5), attrs: bold}
	p[Aim] = pen{fg: c(0xffffff, 15), bg: c(0x000000, 0), attrs: "1;4"}
	p[Blast] = pen{fg: black, bg: white, attrs: bold}
	agePens(&p)
	return p
}

// mono returns a theme that uses only attributes.
func mono() [styleCount]pen {
	p := textPens(colour{}, colour{}, colour{})
	for k := Heat0; k < styleCount; k++ {
		switch i := int(k - Heat0); {
		case i < Heats/3:
			p[k].attrs = faint
		case i >= 2*Heats/3:
			p[k].attrs = "1;7"
		}
	}
	p[Bar].attrs, p[Title].attrs = reverse, "1;7"
	p[ChartLine].attrs, p[FleetLine].attrs = faint, faint
	p[HullLine].attrs, p[WreckLine].attrs = bold, bold
	p[Unknown].attrs, p[Sea].attrs = faint, faint
	p[Deduced].attrs, p[Spared].attrs = faint, faint
	p[Struck].attrs, p[HullHit].attrs = "1;7", "1;7"
	p[Wrecked].attrs, p[HullSunk].attrs = reverse, reverse
	p[Hull].attrs, p[Ghost].attrs = bold, "1;4"
	p[Wrong].attrs = "1;4;7"
	p[MissedOld].attrs, p[SplashOld].attrs = faint, faint
	p[StruckOlder].attrs = bold
	p[Aim].attrs, p[Blast].attrs = "1;7", "1;7"
	return p
}
