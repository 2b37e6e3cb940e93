package term

import (
	"iter"
	"strconv"
	"strings"
)

// Zone is a clickable part of a line. A click presses Key or, if Key is empty, picks Item.
type Zone struct {
	Line, Left, Width int
	Key               string
	Item              int
}

// Zones are marks in lines, like styles. A start mark has zoneStart, Item, and the characters of Key as
// numbers. The zone ends at the next zone, at ZoneEnd, or at the end of the line.
const (
	zoneStart = markStart + "200;"
	// ZoneEnd ends a zone.
	ZoneEnd = markStart + "200m"
)

// ZoneStart returns the mark that starts a zone.
func ZoneStart(key string, item int) string {
	b := strconv.AppendInt([]byte(zoneStart), int64(item), 10)
	for _, r := range key {
		b = strconv.AppendInt(append(b, ';'), int64(r), 10)
	}
	return string(append(b, 'm'))
}

// MakeClickable makes a line, or a part of one, a zone.
func MakeClickable(key string, item int, line string) string {
	return ZoneStart(key, item) + line + ZoneEnd
}

// Zones yields all zones in lines.
func Zones(lines []string) iter.Seq[Zone] {
	return func(yield func(Zone) bool) {
		for y, line := range lines {
			if !yieldZones(y, line, yield) {
				return
			}
		}
	}
}

// yieldZones yields the zones of line y. It returns false if yield does.
func yieldZones(y int, line string, yield func(Zone) bool) bool {
	column := 0
	for {
		before, rest, ok := strings.Cut(line, zoneStart)
		if !ok {
			return true
		}
		column += Width(before)
		zone := Zone{Line: y, Left: column}
		numbers, rest, _ := strings.Cut(rest, "m")
		for i, n := range strings.Split(numbers, ";") {
			value, _ := strconv.Atoi(n)
			if i == 0 {
				zone.Item = value
			} else {
				zone.Key += string(rune(value))
			}
		}
		inside, _, _ := strings.Cut(rest, ZoneEnd)
		inside, _, _ = strings.Cut(inside, zoneStart)
		zone.Width = Width(inside)
		if zone.Width > 0 && !yield(zone) {
			return false
		}
		line = rest
	}
}

// isZoneMark reports whether a mark starts or ends a zone.
func isZoneMark(mark string) bool { return strings.HasPrefix(mark, zoneStart) || mark == ZoneEnd }

// UnclosedStyle returns the start mark of the style that is still open at the end of a line, or "".
func UnclosedStyle(line string) string {
	style := ""
	for {
		i := strings.Index(line, "\x1b[")
		if i < 0 {
			return style
		}
		line = line[i:]
		mark := line[:max(2, markLength(line))]
		line = line[len(mark):]
		switch {
		case mark == StyleEnd:
			style = ""
		case !isZoneMark(mark):
			style = mark
		}
	}
}
