package sshd

import (
	"io"
	"strings"
	"testing"
)

func TestInputBuffer(t *testing.T) {
	early := newInputBuffer(new(unread))
	if !early.append(make([]byte, maxEarlyInput)) || early.append([]byte("x")) {
		t.Error("append returned false for as many bytes as may come early")
	}

	u := new(unread)
	b := newInputBuffer(u)
	b.markStarted()
	text := strings.Repeat("0123456789", maxInputChunk)
	if !b.fill(strings.NewReader(text)) || u.bytes.Load() != int64(len(text)) {
		t.Errorf("unread bytes = %d, want %d", u.bytes.Load(), len(text))
	}
	taken, ended := b.removeChunk()
	read := make([]byte, 10)
	if n, err := b.Read(read); n != 10 || err != nil || ended || string(taken)+string(read) != text[:maxInputChunk+10] {
		t.Errorf("removeChunk returned %d bytes and ended = %v, then Read = %d, %v", len(taken), ended, n, err)
	}
	rest, err := io.ReadAll(b)
	if string(taken)+string(read)+string(rest) != text || err != nil || u.bytes.Load() != 0 {
		t.Errorf("read %d bytes, left %d unread, error %v", len(rest), u.bytes.Load(), err)
	}

	closed := newInputBuffer(u)
	closed.markStarted()
	closed.append([]byte("x"))
	closed.Close()
	if !closed.fill(strings.NewReader(text)) || u.bytes.Load() != 0 {
		t.Errorf("unread bytes after the session = %d, want 0", u.bytes.Load())
	}
	if n, err := closed.Read(read); n != 0 || err != io.EOF {
		t.Errorf("Read after the session = %d, %v", n, err)
	}
}
