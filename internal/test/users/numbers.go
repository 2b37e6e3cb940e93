package users

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Number returns the value of a metric without labels, such as go_goroutines, from a
// server's metrics address.
func Number(ctx context.Context, address, name string) (float64, error) {
	page, err := get(ctx, "http://"+address+"/metrics")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("the metrics do not tell %s", name)
}

// Collect runs a garbage collection on a server that serves profiles.
func Collect(ctx context.Context, address string) error {
	_, err := get(ctx, "http://"+address+"/debug/pprof/heap?gc=1&debug=1")
	return err
}

// Profile returns a CPU profile, for go tool pprof, of a server that serves profiles. It
// takes the given time, rounded down to seconds.
func Profile(ctx context.Context, address string, during time.Duration) ([]byte, error) {
	page, err := getFor(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", address, int(during.Seconds())), during+patience)
	return []byte(page), err
}

func get(ctx context.Context, url string) (string, error) { return getFor(ctx, url, patience) }

func getFor(ctx context.Context, url string, patience time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Do(q)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, r.Status)
	}
	return string(b), err
}
