package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// namespace is the prefix of the server's own metrics.
const namespace = "broadside_"

// metric is a metric at one moment.
type metric struct {
	name    string
	kind    kind
	help    string
	samples []sample
}

type kind string

const (
	isGauge     kind = "gauge"
	isCounter   kind = "counter"
	isHistogram kind = "histogram"
	isSummary   kind = "summary"
)

// sample is a value. The suffix follows the name of the metric, such as `_sum` or `{le="1"}`.
type sample struct {
	suffix string
	value  float64
}

// single returns a metric without labels.
func single(k kind, name, help string, value float64) metric {
	return metric{name, k, help, []sample{{"", value}}}
}

// String returns the metric in the text format of Prometheus.
func (m metric) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
	for _, s := range m.samples {
		fmt.Fprintf(&b, "%s%s %v\n", m.name, s.suffix, s.value)
	}
	return b.String()
}

// counter counts events, separately for each combination of label values. Any goroutine may
// call its methods.
type counter struct {
	name, help string
	labels     []string // sorted

	mu     sync.Mutex
	counts map[string]uint64 // by suffix of the sample; guarded by mu
}

func newCounter(name, help string, labels ...string) *counter {
	c := &counter{name: namespace + name, help: help, labels: labels, counts: map[string]uint64{}}
	if len(labels) == 0 {
		c.add(0) // reported from the start
	}
	return c
}

// add adds n events with a value for each label.
func (c *counter) add(n uint64, values ...string) {
	suffix := labelled(c.labels, values)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[suffix] += n
}

// labelled returns the suffix of a sample with labels.
func labelled(names, values []string) string {
	if len(names) == 0 {
		return ""
	}
	pairs := make([]string, len(names))
	for i, name := range names {
		pairs[i] = fmt.Sprintf("%s=%q", name, values[i])
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func (c *counter) metric() metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := metric{name: c.name, kind: isCounter, help: c.help}
	for _, suffix := range slices.Sorted(maps.Keys(c.counts)) {
		m.samples = append(m.samples, sample{suffix, float64(c.counts[suffix])})
	}
	return m
}

// histogram counts durations by their length. Any goroutine may call its methods.
type histogram struct {
	name, help string
	bounds     []float64 // of the buckets, in seconds

	mu     sync.Mutex
	counts []uint64 // of each bucket, and of longer durations; guarded by mu
	sum    float64  // of all durations, in seconds; guarded by mu
}

// newHistogram returns a histogram with n buckets. Each bound is the previous one multiplied by
// factor.
func newHistogram(name, help string, bound, factor float64, n int) *histogram {
	h := &histogram{name: namespace + name, help: help, counts: make([]uint64, n+1)}
	for range n {
		h.bounds = append(h.bounds, bound)
		bound *= factor
	}
	return h
}

// observe adds a duration.
func (h *histogram) observe(d time.Duration) {
	seconds := d.Seconds()
	i, _ := slices.BinarySearch(h.bounds, seconds) // a bucket includes its bound
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[i]++
	h.sum += seconds
}

func (h *histogram) metric() metric {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := metric{name: h.name, kind: isHistogram, help: h.help}
	total := uint64(0)
	for i, bound := range append(h.bounds[:len(h.bounds):len(h.bounds)], math.Inf(1)) {
		total += h.counts[i]
		m.samples = append(m.samples, sample{fmt.Sprintf(`_bucket{le="%v"}`, bound), float64(total)})
	}
	m.samples = append(m.samples, sample{"_sum", h.sum}, sample{"_count", float64(total)})
	return m
}
