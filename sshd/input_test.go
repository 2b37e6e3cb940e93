package sshd

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// testPaste is the most bytes of a paste in these tests.
const testPaste = 64 << 10

// typed decodes chunks that come a pause after each other, and returns what
// came of each until the next, as text.
func typed(t *testing.T, pause time.Duration, chunks ...string) (events [][]string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in := make(chan []byte)
		var now []string
		done := make(chan error)
		go func() {
			done <- decodeInput(t.Context(), in, testPaste, func(e uv.Event) {
				switch e := e.(type) {
				case uv.KeyPressEvent:
					now = append(now, e.Keystroke())
				case uv.PasteEvent:
					now = append(now, fmt.Sprintf("paste %q", e.Content))
				default:
					now = append(now, fmt.Sprintf("%T", e))
				}
			})
		}()
		for _, c := range chunks {
			select {
			case in <- []byte(c):
			case err = <-done:
				return
			}
			time.Sleep(pause)
			synctest.Wait()
			events, now = append(events, now), nil
		}
		close(in)
		err = <-done
	})
	return events, err
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
		{"a sequence without an end", time.Second, []string{"\x1b]0;title", "a"}, [][]string{nil, {"a"}}},
		{"keys behind it", 15 * time.Millisecond, []string{"\x1b]0;", "a", "b", "c", "d", "e"}, [][]string{nil, nil, nil, nil, {"d"}, {"e"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := typed(t, c.pause, c.chunks...)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q became %q (%v), want %q", c.chunks, got, err, c.want)
			}
		})
	}
}

func TestEndlessPaste(t *testing.T) {
	chunks := []string{"\x1b[200~"}
	for range 200 {
		chunks = append(chunks, strings.Repeat("x", inputChunk))
	}
	got, err := typed(t, time.Millisecond, chunks...)
	if err != errEndless || len(got) > testPaste/inputChunk+2 {
		t.Errorf("%v after %d chunks", err, len(got))
	}
}
