package metrics

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// runtimeTable lists metrics of the Go runtime under the names that Prometheus' Go client gives
// them. The value of each is the sum of one or more samples of package runtime/metrics.
var runtimeTable = []struct {
	name   string
	kind   kind
	help   string
	values string
}{
	{"go_gc_gogc_percent", isGauge, "Heap growth that starts a garbage collection, in percent (GOGC).", "/gc/gogc:percent"},
	{"go_gc_gomemlimit_bytes", isGauge, "Memory limit of the Go runtime (GOMEMLIMIT).", "/gc/gomemlimit:bytes"},
	{"go_goroutines", isGauge, "Number of goroutines.", "/sched/goroutines:goroutines"},
	{"go_memstats_alloc_bytes", isGauge, "Memory used by heap objects.", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_alloc_bytes_total", isCounter, "Memory allocated for heap objects since the start.", "/gc/heap/allocs:bytes"},
	{"go_memstats_buck_hash_sys_bytes", isGauge, "Memory used by profiles.", "/memory/classes/profiling/buckets:bytes"},
	{"go_memstats_frees_total", isCounter, "Heap objects freed since the start.", "/gc/heap/frees:objects /gc/heap/tiny/allocs:objects"},
	{"go_memstats_gc_sys_bytes", isGauge, "Memory used by metadata of the garbage collector.", "/memory/classes/metadata/other:bytes"},
	{"go_memstats_heap_alloc_bytes", isGauge, "Memory used by heap objects.", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_heap_idle_bytes", isGauge, "Heap memory that is not in use.", "/memory/classes/heap/free:bytes /memory/classes/heap/released:bytes"},
	{"go_memstats_heap_inuse_bytes", isGauge, "Heap memory in use.", "/memory/classes/heap/objects:bytes /memory/classes/heap/unused:bytes"},
	{"go_memstats_heap_objects", isGauge, "Number of heap objects.", "/gc/heap/objects:objects"},
	{"go_memstats_heap_released_bytes", isGauge, "Heap memory returned to the operating system.", "/memory/classes/heap/released:bytes"},
	{"go_memstats_heap_sys_bytes", isGauge, "Heap memory obtained from the operating system.", "/memory/classes/heap/objects:bytes /memory/classes/heap/unused:bytes /memory/classes/heap/free:bytes /memory/classes/heap/released:bytes"},
	{"go_memstats_mallocs_total", isCounter, "Heap objects allocated since the start.", "/gc/heap/allocs:objects /gc/heap/tiny/allocs:objects"},
	{"go_memstats_mcache_inuse_bytes", isGauge, "Memory used by mcache structures.", "/memory/classes/metadata/mcache/inuse:bytes"},
	{"go_memstats_mcache_sys_bytes", isGauge, "Memory obtained for mcache structures.", "/memory/classes/metadata/mcache/inuse:bytes /memory/classes/metadata/mcache/free:bytes"},
	{"go_memstats_mspan_inuse_bytes", isGauge, "Memory used by mspan structures.", "/memory/classes/metadata/mspan/inuse:bytes"},
	{"go_memstats_mspan_sys_bytes", isGauge, "Memory obtained for mspan structures.", "/memory/classes/metadata/mspan/inuse:bytes /memory/classes/metadata/mspan/free:bytes"},
	{"go_memstats_next_gc_bytes", isGauge, "Heap size that starts the next garbage collection.", "/gc/heap/goal:bytes"},
	{"go_memstats_other_sys_bytes", isGauge, "Other memory used by the Go runtime.", "/memory/classes/other:bytes"},
	{"go_memstats_stack_inuse_bytes", isGauge, "Memory used by goroutine stacks.", "/memory/classes/heap/stacks:bytes"},
	{"go_memstats_stack_sys_bytes", isGauge, "Memory obtained for stacks.", "/memory/classes/heap/stacks:bytes /memory/classes/os-stacks:bytes"},
	{"go_memstats_sys_bytes", isGauge, "Memory obtained from the operating system.", "/memory/classes/total:bytes"},
	{"go_sched_gomaxprocs_threads", isGauge, "Number of threads that can run Go code at the same time (GOMAXPROCS).", "/sched/gomaxprocs:threads"},
	{"go_threads", isGauge, "Number of threads of the process.", "/sched/threads/total:threads"},
}

// runtimeMetrics returns the metrics of the Go runtime.
func runtimeMetrics() []metric {
	var all []metric
	for _, row := range runtimeTable {
		m := single(row.kind, row.name, row.help, 0)
		for name := range strings.FieldsSeq(row.values) {
			read := []metrics.Sample{{Name: name}}
			metrics.Read(read)
			m.samples[0].value += float64(read[0].Value.Uint64())
		}
		all = append(all, m)
	}
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	pauses := metric{name: "go_gc_duration_seconds", kind: isSummary, help: "Durations of garbage collection pauses."}
	for i, pause := range stats.PauseQuantiles {
		quantile := float64(i) / float64(len(stats.PauseQuantiles)-1)
		pauses.samples = append(pauses.samples, sample{fmt.Sprintf(`{quantile="%v"}`, quantile), pause.Seconds()})
	}
	pauses.samples = append(pauses.samples, sample{"_sum", stats.PauseTotal.Seconds()}, sample{"_count", float64(stats.NumGC)})
	return append(all, pauses,
		single(isGauge, "go_memstats_last_gc_time_seconds", "Unix time of the last garbage collection.", seconds(stats.LastGC)),
		metric{"go_info", isGauge, "Always 1; the label has the version of Go.", []sample{{labelled([]string{"version"}, []string{runtime.Version()}), 1}}},
	)
}

// seconds returns a time as Unix time, in seconds.
func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// processMetrics returns the metrics of the process that the system reports in /proc. Only
// Linux has them.
func processMetrics() []metric {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return nil
	}
	// The second field, in parentheses, may contain any characters.
	words := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	field := func(number int) float64 { // numbered as in proc(5)
		n, _ := strconv.ParseFloat(words[number-3], 64)
		return n
	}
	const ticks = 100 // per second
	all := []metric{
		single(isCounter, "process_cpu_seconds_total", "CPU time used by the process.", (field(14)+field(15))/ticks),
		single(isGauge, "process_virtual_memory_bytes", "Virtual memory size of the process.", field(23)),
		single(isGauge, "process_resident_memory_bytes", "Resident memory size of the process.", field(24)*float64(os.Getpagesize())),
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		all = append(all, single(isGauge, "process_open_fds", "Number of open file descriptors.", float64(len(files)-1))) // without the folder itself
	}
	limits, _ := os.ReadFile("/proc/self/limits")
	if _, after, ok := strings.Cut(string(limits), "Max open files"); ok {
		limit, _ := strconv.ParseFloat(strings.Fields(after)[0], 64)
		all = append(all, single(isGauge, "process_max_fds", "Maximum number of open file descriptors.", limit))
	}
	return all
}
