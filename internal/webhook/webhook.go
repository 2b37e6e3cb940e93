// Package webhook tells a service such as ntfy, Discord or Matrix that something has happened, with one HTTP request.
// What is told belongs to the server.
package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Pause is the minimum time between two messages.
const Pause = 10 * time.Minute

// requestTime is a request's time limit.
const requestTime = 10 * time.Second

// Sender sends messages to a webhook in the background. Close it with [Sender.Close].
type Sender struct {
	url    string
	log    *slog.Logger
	client http.Client
	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu sync.Mutex
	// last is when the last message was accepted. mu guards it.
	last time.Time
}

// New returns a sender to a URL, which may contain secrets. The log never gets the URL.
func New(url string, log *slog.Logger) *Sender {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Sender{url: url, log: log, ctx: ctx, cancel: cancel}
	s.client = http.Client{
		Timeout:   requestTime,
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		// Another address must not get the message.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

// Send sends a message, which must not contain texts of players. It returns false if there was another message within
// [Pause]. It never waits.
func (s *Sender) Send(message string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.IsZero() && time.Since(s.last) < Pause {
		return false
	}
	s.last = time.Now()
	s.done.Go(func() {
		err := s.postMessage(s.ctx, message)
		if err != nil && s.ctx.Err() == nil {
			s.log.Warn("cannot tell the webhook", "error", err)
		}
	})
	return true
}

// Close drops the message that is being sent and waits for its goroutine.
func (s *Sender) Close() {
	s.cancel()
	s.done.Wait()
}

// postMessage sends a message. Its errors do not contain the URL.
func (s *Sender) postMessage(ctx context.Context, message string) error {
	kind, body := "text/plain; charset=utf-8", message
	if !isNtfy(s.url) {
		kind, body = "application/json", newJSONBody(message)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		return errors.New("invalid URL")
	}
	r.Header.Set("Content-Type", kind)
	response, err := s.client.Do(r)
	if err != nil {
		// The error itself contains the URL.
		return errors.Unwrap(err)
	}
	response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("the webhook answered %s", response.Status)
	}
	return nil
}

// isNtfy reports whether a webhook expects plain text: its host or its fragment, which is never sent, names ntfy.
func isNtfy(address string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.Contains(strings.ToLower(u.Host+" "+u.Fragment), "ntfy")
}

// newJSONBody returns a body with the message where Discord, Matrix hookshot, Slack and Mattermost look for it. Discord
// notifies no one.
func newJSONBody(message string) string {
	body, _ := json.Marshal(map[string]any{
		"content": message, "text": message, "allowed_mentions": map[string][]string{"parse": {}},
	})
	return string(body)
}
