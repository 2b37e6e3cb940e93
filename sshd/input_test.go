package sshd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"broadside/internal/i18n"
)

// testPaste is the maximum length of a paste in these tests.
const testPaste = 64 << 10

// readEvents sends all events of an input.
func readEvents(r *eventReader, send func(uv.Event)) {
	for {
		var e uv.Event
		select {
		case <-r.input.readable:
			e = r.next(false)
		case <-r.timeout:
			e = r.next(true)
		}
		switch {
		case e != nil:
			send(e)
		case r.ended:
			return
		}
	}
}

// decodeChunks decodes chunks with pauses between them and returns each chunk's events as
// text.
func decodeChunks(t *testing.T, pause time.Duration, chunks ...string) (events [][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in := newInputBuffer(new(unread))
		in.markStarted()
		var now []string
		reading := newEventReader(in, testPaste, func() {}, func(text i18n.Key) { now = append(now, "notice: "+string(text)) })
		var reader sync.WaitGroup
		reader.Go(func() {
			readEvents(reading, func(e uv.Event) {
				switch e := e.(type) {
				case uv.KeyPressEvent:
					now = append(now, e.Keystroke())
				case uv.PasteEvent:
					now = append(now, fmt.Sprintf("paste %q", e.Content))
				case answer:
				default:
					now = append(now, fmt.Sprintf("%T", e))
				}
			})
		})
		for _, c := range chunks {
			in.append([]byte(c))
			time.Sleep(pause)
			synctest.Wait()
			events, now = append(events, now), nil
		}
		in.markEnd()
		reader.Wait()
	})
	return events
}

func TestDecodeInput(t *testing.T) {
	const together = time.Millisecond
	for _, c := range []struct {
		name   string
		pause  time.Duration
		chunks []string
		want   [][]string
	}{
		{"letters", together, []string{"aB7\r"}, [][]string{{"a", "shift+b", "7", "enter"}}},
		{"arrows", together, []string{"\x1b[A\x1bOB\x1b[C"}, [][]string{{"up", "down", "right"}}},
		{"an arrow in pieces", together, []string{"\x1b", "[", "D"}, [][]string{nil, nil, {"left"}}},
		{"escape", time.Second, []string{"\x1b"}, [][]string{{"esc"}}},
		{"escape, later a letter", time.Second, []string{"\x1b", "a"}, [][]string{{"esc"}, {"a"}}},
		{"escape twice", time.Second, []string{"\x1b\x1b"}, [][]string{{"alt+esc"}}},
		{"alt", time.Second, []string{"\x1bx"}, [][]string{{"alt+x"}}},
		{"a letter in pieces", together, []string{"\xc3", "\xa4"}, [][]string{nil, {"ä"}}},
		{"half a letter", time.Second, []string{"\xc3", "a"}, [][]string{nil, {"a"}}},
		{"a cluster", together, []string{"👩‍✈️"}, [][]string{{"👩‍✈️"}}},
		{"a paste", together, []string{"\x1b[200~carrier A1 A5\r\ncru", "iser \x1b[A\x1b[20", "1~x"},
			[][]string{nil, nil, {`paste "carrier A1 A5\r\ncruiser \x1b[A"`, "x"}}},
		{"an empty paste", together, []string{"\x1b[200~\x1b[201~"}, [][]string{{`paste ""`}}},
		{"a paste of nonsense", together, []string{"\x1b[200~a\xff\x1b[201~"}, [][]string{{`paste "a"`}}},
		{"a paste whose end is lost", 6 * time.Second, []string{"\x1b[200~abc", "x"}, [][]string{{`paste "abc"`}, {"x"}}},
		{"a slow paste", 4 * time.Second, []string{"\x1b[200~a", "b", "c\x1b[201~"}, [][]string{nil, nil, {`paste "abc"`}}},
		{"escape after a paste", time.Second, []string{"\x1b[200~a\x1b[201~\x1b"}, [][]string{{`paste "a"`, "esc"}}},
		{"the mouse", together, []string{"\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<64;1;1M\x1b[<35;1;1M"},
			[][]string{{"uv.MouseClickEvent", "uv.MouseReleaseEvent", "uv.MouseWheelEvent", "uv.MouseMotionEvent"}}},
		{"the mouse on its way", together, []string{"\x1b[<35;1;1M\x1b[<35;2;1M\x1b[<35;3;1M\x1b[<32;3;1M\x1b[<32;3;2Ma\x1b[<35;9;9M"},
			[][]string{{"uv.MouseMotionEvent", "uv.MouseMotionEvent", "a", "uv.MouseMotionEvent"}}},
		{"half a click", together, []string{"\x1b[<0;1", "0;5M", "\x1b[<0;10;5", "m"},
			[][]string{nil, {"uv.MouseClickEvent"}, nil, {"uv.MouseReleaseEvent"}}},
		{"what nobody has asked for", time.Second,
			[]string{"\x1b[8;60000;60000t\x1b[48;9000;9000;1;1t\x1b[?2026;2$y\x1b[I\x1b[O\x1b]11;rgb:00/00/00\x07\x1b[?62c\x1bP1+r524742\x1b\\\x1b[3;4Ra"},
			[][]string{{"a"}}},
		{"a line feed", together, []string{"\n", "\r\n", "\n\n"}, [][]string{{"enter"}, {"enter"}, {"enter", "enter"}}},
		{"a sequence without an end", 6 * time.Second, []string{"\x1b]0;title", "a"}, [][]string{nil, {"a"}}},
		{"another key after it", time.Second, []string{"\x1b]0;title", "\ra", "\x1b]0;title", "\x1b[A"}, [][]string{nil, {"enter", "a"}, nil, {"up"}}},
		{"keys that start no sequence", time.Second, []string{"\x1b]", "a", "\x1bP", "t"}, [][]string{nil, {"a"}, nil, {"t"}}},
		{"a click in pieces", 400 * time.Millisecond, []string{"\x1b[<0", ";7", "0;12M"}, [][]string{nil, nil, {"uv.MouseClickEvent"}}},
		{"a click too late", 600 * time.Millisecond, []string{"\x1b[<0", ";70;12Ma"}, [][]string{nil, {"a"}}},
		{"a cell after a late click", 700 * time.Millisecond, []string{"\x1b[<0", ";70;12M", "B7"}, [][]string{nil, nil, {"shift+b", "7"}}},
		{"a report too late", 600 * time.Millisecond, []string{"\x1b]11;rgb:1e", "1e/1e1e/2e", "2e\x1b", "\\", "a"}, [][]string{nil, nil, nil, nil, {"a"}}},
		{"a name too late", 600 * time.Millisecond, []string{"\x1bP>|XTe", "rm(1)\x1b\\", "\x1b_Gi=1;", "OK\x1b\\", "a"}, [][]string{nil, nil, nil, nil, {"a"}}},
		{"a paste that starts too late", 600 * time.Millisecond, []string{"\x1b[2", "00~q\x1b[201~"}, [][]string{nil, {`paste "q"`}}},
		{"a click after its escape", 100 * time.Millisecond, []string{"\x1b", "[<0;2;2M", "a"}, [][]string{{"esc"}, nil, {"a"}}},
		{"a report after its escape", 100 * time.Millisecond, []string{"\x1b", "]11;rgb:1e1e/1e1e/2e2e\a", "a"}, [][]string{{"esc"}, nil, {"a"}}},
		{"a paste after its escape", 100 * time.Millisecond, []string{"\x1b", "[200~q\x1b[201~"}, [][]string{{"esc"}, {`paste "q"`}}},
		{"escape and an arrow", 100 * time.Millisecond, []string{"\x1b", "\x1b[A", "\x1b", "\x1b"}, [][]string{{"esc"}, {"up"}, {"esc"}, {"esc"}}},
		{"escape and a bracket", time.Second, []string{"\x1b", "[", "]", "P", "_"}, [][]string{{"esc"}, {"["}, {"]"}, {"shift+p"}, {"_"}}},
		{"escape and soon a bracket", 200 * time.Millisecond, []string{"\x1b", "[", "", "", "Px"}, [][]string{{"esc"}, nil, nil, {"["}, {"shift+p", "x"}}},
		{"escape and soon a word", 200 * time.Millisecond, []string{"\x1b", "Paul"}, [][]string{{"esc"}, {"shift+p", "a", "u", "l"}}},
		{"a report after escape", 100 * time.Millisecond, []string{"\x1b\x1b]11;rgb:00", "/00/00\a", "a"}, [][]string{nil, {"esc"}, {"a"}}},
		{"function keys of a console", together, []string{"\x1b[[A", "\x1b[[", "Ba"}, [][]string{nil, nil, {"a"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decodeChunks(t, c.pause, c.chunks...)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("events of %q = %q, want %q", c.chunks, got, c.want)
			}
		})
	}
}

// TestLongPaste checks that a paste longer than the limit is ignored with a notice.
func TestLongPaste(t *testing.T) {
	long := []string{"\x1b[200~"}
	for range testPaste/1000 + 1 {
		long = append(long, strings.Repeat("x", 1000))
	}
	for name, end := range map[string][]string{
		"with an end":           {"\x1b[201~a"},
		"with an end in pieces": {"\x1b[2", "01~a"},
		"with the end lost":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			got := decodeChunks(t, time.Millisecond, append(slices.Clone(long), end...)...)
			events := slices.Concat(got...)
			want := []string{"notice: " + string(longPaste), "a"}
			if end == nil {
				// The pause is too short.
				want = nil
			}
			if !slices.Equal(events, want) {
				t.Errorf("got events %q, want %q", events, want)
			}
		})
	}
}

// TestTooMuchInput checks that keys beyond the limit are ignored with a notice.
func TestTooMuchInput(t *testing.T) {
	notice := "notice: " + string(tooManyKeys)
	count := func(events []string) (keys, others, notices int) {
		for _, e := range events {
			switch e {
			case "x":
				keys++
			case notice:
				notices++
			default:
				others++
			}
		}
		return keys, others, notices
	}
	repeat := func(chunk string, n int) []string { return slices.Repeat([]string{chunk}, n) }
	for _, c := range []struct {
		name   string
		pause  time.Duration
		chunks []string
		// keys and notices are the wanted numbers, and most limits the other events.
		keys, most, notices int
	}{
		// The last keys come too early for the end of the pause.
		{"a text pasted as keys", 10 * time.Millisecond, append(repeat(strings.Repeat("x", 1000), 200), "x", "x", "x"), keyBurst, 0, 1},
		{"a key after a pause", quietTime, []string{strings.Repeat("x", 10000), "a"}, keyBurst, 1, 1},
		{"a key held down", time.Second / 30, repeat("x", 1000), 1000, 0, 0},
		{"some seconds of typing at once", time.Second, []string{strings.Repeat("x", 90), strings.Repeat("x", 40)}, 130, 0, 0},
		{"keys while the wheel turns", 10 * time.Millisecond, repeat(strings.Repeat("\x1b[<64;1;1M", 20)+"x", 100), 100, mouseBurst + mouseRate, 0},
		{"a sequence without an end", 10 * time.Millisecond, append(repeat("\x1b]"+strings.Repeat("x", 500), 100), "\a"), keyBurst - 1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys, others, notices := count(slices.Concat(decodeChunks(t, c.pause, c.chunks...)...))
			if keys != c.keys || others > c.most || c.most > 0 && others == 0 || notices != c.notices {
				t.Errorf("got %d keys, %d other events and %d notices", keys, others, notices)
			}
		})
	}
}
