// Package browser drives a headless Chromium for tests of the website.
package browser

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"broadside/internal/test/need"
)

// patience bounds every wait; it only ends tests that hang.
const patience = 2 * time.Minute

// pollTime is the interval at which Wait looks at a page.
const pollTime = 20 * time.Millisecond

// Browser is a running browser.
type Browser struct {
	t testing.TB
	*rod.Browser
}

// Open starts Chromium until the test ends. Without Chromium, it skips the test.
func Open(t testing.TB) *Browser {
	t.Helper()
	path := need.Tool(t, "chromium")
	l := launcher.New().Bin(path).Leakless(false).NoSandbox(true).UserDataDir(t.TempDir())
	address, err := l.Launch()
	if err != nil {
		t.Fatalf("starting Chromium: %v", err)
	}
	t.Cleanup(l.Kill)
	b := rod.New().ControlURL(address)
	if err := b.Connect(); err != nil {
		t.Fatalf("connecting to Chromium: %v", err)
	}
	t.Cleanup(func() { _ = b.Close() }) // it is killed otherwise
	return &Browser{t, b}
}

// View is how a page is shown.
type View struct {
	Width    int
	Light    bool
	NoScript bool
}

// Page is an open tab.
type Page struct {
	t    testing.TB
	page *rod.Page

	mu     sync.Mutex
	faults []string // guarded by mu: errors in the console
}

// Open opens an address in a new window with its own profile, because a profile has
// few connections to each server.
func (b *Browser) Open(address string, v View) *Page {
	b.t.Helper()
	profile, err := b.Incognito()
	if err != nil {
		b.t.Fatal(err)
	}
	tab, err := profile.Page(proto.TargetCreateTarget{})
	if err != nil {
		b.t.Fatal(err)
	}
	p := &Page{t: b.t, page: tab.Timeout(4 * patience)}
	go p.page.EachEvent(func(e *proto.LogEntryAdded) {
		if e.Entry.Level == proto.LogLogEntryLevelError || e.Entry.Level == proto.LogLogEntryLevelWarning {
			p.fault(e.Entry.Text + " " + e.Entry.URL)
		}
	}, func(e *proto.RuntimeExceptionThrown) {
		p.fault(e.ExceptionDetails.Text)
	}, func(e *proto.RuntimeConsoleAPICalled) {
		if e.Type == proto.RuntimeConsoleAPICalledTypeError || e.Type == proto.RuntimeConsoleAPICalledTypeWarning {
			p.fault(fmt.Sprint(e.Type))
		}
	})()
	scheme := "dark"
	if v.Light {
		scheme = "light"
	}
	p.must(proto.LogEnable{}.Call(p.page))
	p.must(proto.EmulationSetDeviceMetricsOverride{Width: v.Width, Height: 900, DeviceScaleFactor: 1, Mobile: v.Width < 500}.Call(p.page))
	p.must(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}.Call(p.page))
	p.must(proto.EmulationSetScriptExecutionDisabled{Value: v.NoScript}.Call(p.page))
	p.must(proto.BrowserGrantPermissions{Permissions: []proto.BrowserPermissionType{proto.BrowserPermissionTypeClipboardReadWrite}, BrowserContextID: profile.BrowserContextID}.Call(b))
	p.must(p.page.Navigate(address))
	p.Wait("location.href !== 'about:blank' && document.readyState === 'complete'") // WaitLoad may wait forever without scripts
	return p
}

func (p *Page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%v; the console has %q", err, p.Faults())
	}
}

func (p *Page) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, text)
}

// Faults returns the errors and warnings in the console so far.
func (p *Page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}

// Eval returns the value of a JavaScript expression.
func (p *Page) Eval(expression string) any {
	p.t.Helper()
	r, err := retry(func() (*proto.RuntimeEvaluateResult, error) {
		return proto.RuntimeEvaluate{Expression: expression, ReturnByValue: true, AwaitPromise: true}.Call(p.page)
	})
	p.must(err)
	if r.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value.Val()
}

// retry calls f again if it fails, as it may while a page without JavaScript reloads itself.
func retry[R any](f func() (R, error)) (R, error) {
	r, err := f()
	for i := 0; err != nil && i < 3; i++ {
		time.Sleep(pollTime)
		r, err = f()
	}
	return r, err
}

// Wait waits until a JavaScript expression is true. The expression is false while it throws
// an error, as it may while a page loads.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(pollTime) {
		r, err := proto.RuntimeEvaluate{Expression: "Boolean(" + expression + ")", ReturnByValue: true}.Call(p.page)
		if err == nil && r.ExceptionDetails == nil && r.Result.Value.Bool() {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s is not true (%v); the console has %q:\n%s", expression, err, p.Faults(), p.Text())
		}
	}
}

// Text returns the visible text of the page.
func (p *Page) Text() string {
	p.t.Helper()
	return fmt.Sprint(p.Eval("document.body.innerText"))
}

// Click clicks the first element that a CSS selector matches.
func (p *Page) Click(selector string) {
	p.t.Helper()
	e, err := p.page.Element(selector)
	p.must(err)
	p.must(e.Click(proto.InputMouseButtonLeft, 1))
}

// Press presses a key.
func (p *Page) Press(key input.Key) {
	p.t.Helper()
	p.must(p.page.Keyboard.Press(key))
	p.must(p.page.Keyboard.Release(key))
}

// Screenshot returns a PNG of the page: all of it, or what fits into the window.
func (p *Page) Screenshot(all bool) []byte {
	p.t.Helper()
	png, err := p.page.Screenshot(all, nil)
	p.must(err)
	return png
}

// Names returns the names of all elements with a role in the accessibility tree, such as
// gridcell.
func (p *Page) Names(role string) (names []string) {
	p.t.Helper()
	tree, err := retry(func() (*proto.AccessibilityGetFullAXTreeResult, error) {
		return proto.AccessibilityGetFullAXTree{}.Call(p.page)
	})
	p.must(err)
	for _, n := range tree.Nodes {
		if !n.Ignored && n.Role != nil && n.Role.Value.Str() == role {
			name := ""
			if n.Name != nil {
				name = n.Name.Value.Str()
			}
			names = append(names, name)
		}
	}
	return names
}

// Close closes the tab.
func (p *Page) Close() {
	p.t.Helper()
	p.must(p.page.Close())
}
