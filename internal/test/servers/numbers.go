package servers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// patience limits a request.
const patience = 2 * time.Minute

// ReadMetric returns the value of a metric without labels, such as go_goroutines, from a
// server's metrics address.
func ReadMetric(ctx context.Context, address, name string) (float64, error) {
	page, err := fetchPage(ctx, "http://"+address+"/metrics")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(page) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, fmt.Errorf("no metric %s", name)
}

// CollectGarbage runs a garbage collection on a server that serves profiles.
func CollectGarbage(ctx context.Context, address string) error {
	_, err := fetchPage(ctx, "http://"+address+"/debug/pprof/heap?gc=1&debug=1")
	return err
}

func fetchPage(ctx context.Context, url string) (string, error) { return FetchPage(ctx, url, patience) }

// FetchPage requests a URL and returns the page. It waits at most for patience.
func FetchPage(ctx context.Context, url string, patience time.Duration) (string, error) {
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

// Cost is the resource usage of a process.
type Cost struct {
	Memory int64 // proportional set size, in bytes
	Time   time.Duration
	Files  int // open files
}

// MeasureProcess returns the cost of a process, or zero if pid is 0. Unknown values are zero, as on systems
// other than Linux.
func MeasureProcess(pid int) Cost {
	var c Cost
	if pid == 0 {
		return c
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid)); err == nil {
		for line := range strings.Lines(string(b)) {
			if kib, ok := strings.CutPrefix(line, "Pss:"); ok {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kib), " kB"), 10, 64)
				c.Memory = n << 10
			}
		}
	}
	if files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
		c.Files = len(files)
	}
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		// The second field, in parentheses, may contain any characters.
		words := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(words) > 12 {
			const tick = 10 * time.Millisecond // USER_HZ on all supported systems
			user, _ := strconv.ParseInt(words[11], 10, 64)
			system, _ := strconv.ParseInt(words[12], 10, 64)
			c.Time = time.Duration(user+system) * tick
		}
	}
	return c
}
