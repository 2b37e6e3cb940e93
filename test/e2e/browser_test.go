//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"broadside/internal/test/need"
)

// pollTime is the interval at which Wait looks at a page.
const pollTime = 20 * time.Millisecond

// browser is a running browser.
type browser struct {
	t    testing.TB
	pipe *browserPipe
}

// openBrowser starts Chromium until the test ends. Without Chromium, it skips the test.
func openBrowser(t testing.TB) *browser {
	t.Helper()
	cmd := exec.Command(need.Tool(t, "chromium"), "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(),
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-quic")
	p, err := startBrowser(cmd)
	if err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	t.Cleanup(func() {
		p.out.Close()
		timer := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer timer.Stop()
		_ = cmd.Wait()
	})
	return &browser{t, p}
}

// view is how a page is shown.
type view struct {
	Width    int
	Light    bool
	NoScript bool
}

// page is an open tab.
type page struct {
	t       testing.TB
	pipe    *browserPipe
	target  string
	session string

	mu sync.Mutex
	// faults are the console's errors. They are guarded by mu.
	faults []string
}

// Open opens an address in a new window with its own profile, because a profile has
// few connections to each server.
func (b *browser) Open(address string, v view) *page {
	b.t.Helper()
	p := &page{t: b.t, pipe: b.pipe}
	var profile struct{ BrowserContextID string }
	p.failOn(b.pipe.call("", "Target.createBrowserContext", nil, &profile))
	var target struct{ TargetID string }
	p.failOn(b.pipe.call("", "Target.createTarget",
		cdpParams{"url": "about:blank", "browserContextId": profile.BrowserContextID}, &target))
	var session struct{ SessionID string }
	p.failOn(b.pipe.call("", "Target.attachToTarget", cdpParams{"targetId": target.TargetID, "flatten": true}, &session))
	p.target, p.session = target.TargetID, session.SessionID
	b.pipe.listen(p.session, p.listen)
	scheme := "dark"
	if v.Light {
		scheme = "light"
	}
	p.call("Log.enable", nil, nil)
	p.call("Runtime.enable", nil, nil)
	p.call("Emulation.setDeviceMetricsOverride",
		cdpParams{"width": v.Width, "height": 900, "deviceScaleFactor": 1, "mobile": v.Width < 500}, nil)
	p.call("Emulation.setScrollbarsHidden", cdpParams{"hidden": true}, nil)
	p.call("Emulation.setEmulatedMedia",
		cdpParams{"features": []cdpParams{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	p.call("Emulation.setScriptExecutionDisabled", cdpParams{"value": v.NoScript}, nil)
	p.failOn(b.pipe.call("", "Browser.grantPermissions",
		cdpParams{"permissions": []string{"clipboardReadWrite"}, "browserContextId": profile.BrowserContextID}, nil))
	p.call("Page.navigate", cdpParams{"url": address}, nil)
	p.Wait("location.href !== 'about:blank' && document.readyState === 'complete'")
	return p
}

// listen keeps the errors that an event reports.
func (p *page) listen(m cdpMessage) {
	var event struct {
		Entry            struct{ Level, Text, URL string }
		ExceptionDetails struct{ Text string }
		Type             string
	}
	if err := json.Unmarshal(m.Params, &event); err != nil {
		p.addFault(err.Error())
	}
	switch m.Method {
	case "Log.entryAdded":
		if event.Entry.Level == "error" || event.Entry.Level == "warning" {
			p.addFault(event.Entry.Text + " " + event.Entry.URL)
		}
	case "Runtime.exceptionThrown":
		p.addFault(event.ExceptionDetails.Text)
	case "Runtime.consoleAPICalled":
		if event.Type == "error" || event.Type == "warning" {
			p.addFault(event.Type)
		}
	}
}

// call sends a command to the page and decodes the result, unless result is nil.
func (p *page) call(method string, args cdpParams, result any) {
	p.t.Helper()
	p.failOn(p.pipe.call(p.session, method, args, result))
}

func (p *page) failOn(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("%v; the console has %q", err, p.Faults())
	}
}

func (p *page) addFault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, text)
}

// Faults returns the errors and warnings in the console so far.
func (p *page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.faults)
}

// cdpValue is a JavaScript expression's result.
type cdpValue struct {
	Result           struct{ Value any }
	ExceptionDetails *struct{ Exception struct{ Description string } }
}

// Eval returns the value of a JavaScript expression.
func (p *page) Eval(expression string) any {
	p.t.Helper()
	v, err := retry[cdpValue](p, "Runtime.evaluate",
		cdpParams{"expression": expression, "returnByValue": true, "awaitPromise": true})
	p.failOn(err)
	if v.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, v.ExceptionDetails.Exception.Description)
	}
	return v.Result.Value
}

// retry sends a command again if it fails, as it may while a page without JavaScript reloads
// itself.
func retry[R any](p *page, method string, args cdpParams) (result R, err error) {
	for range 4 {
		if err = p.pipe.call(p.session, method, args, &result); err == nil {
			break
		}
		time.Sleep(pollTime)
	}
	return result, err
}

// Wait waits until a JavaScript expression is true. The expression is false while it throws
// an error, as it may while a page loads.
func (p *page) Wait(expression string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(pollTime) {
		var v cdpValue
		err := p.pipe.call(p.session, "Runtime.evaluate",
			cdpParams{"expression": "Boolean(" + expression + ")", "returnByValue": true}, &v)
		if err == nil && v.Result.Value == true {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s is not true (%v); the console has %q:\n%s", expression, err, p.Faults(), p.Text())
		}
	}
}

// Text returns the visible text of the page.
func (p *page) Text() string {
	p.t.Helper()
	return fmt.Sprint(p.Eval("document.body.innerText"))
}

// Click clicks the first element that a CSS selector matches.
func (p *page) Click(selector string) {
	p.t.Helper()
	element := fmt.Sprintf("document.querySelector(%q)", selector)
	p.Wait(element)
	p.Eval(element + ".scrollIntoView({block: 'center', behavior: 'instant'})")
	centre := "(({x, y, width, height}) => [x + width / 2, y + height / 2])"
	at := p.Eval(centre + "(" + element + ".getBoundingClientRect())").([]any)
	for _, event := range []string{"mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent",
			cdpParams{"type": event, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// webKey is a key without a character, with its name and its Windows code.
type webKey struct {
	Name string
	Code int
}

// Keys that tests press.
var (
	homeKey  = webKey{"Home", 36}
	rightKey = webKey{"ArrowRight", 39}
)

// Press presses a key.
func (p *page) Press(key webKey) {
	p.t.Helper()
	for _, event := range []string{"rawKeyDown", "keyUp"} {
		p.call("Input.dispatchKeyEvent",
			cdpParams{"type": event, "key": key.Name, "code": key.Name, "windowsVirtualKeyCode": key.Code}, nil)
	}
}

// Screenshot returns a PNG of the whole page.
func (p *page) Screenshot() []byte {
	p.t.Helper()
	var layout struct{ CSSContentSize cdpParams }
	p.call("Page.getLayoutMetrics", nil, &layout)
	clip := layout.CSSContentSize
	clip["scale"] = 1
	var picture struct{ Data []byte }
	p.call("Page.captureScreenshot", cdpParams{"captureBeyondViewport": true, "clip": clip}, &picture)
	return picture.Data
}

// AccessibleNames returns the names of all elements with a role in the accessibility tree, such as
// gridcell.
func (p *page) AccessibleNames(role string) (names []string) {
	p.t.Helper()
	type tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
		}
	}
	t, err := retry[tree](p, "Accessibility.getFullAXTree", nil)
	p.failOn(err)
	for _, n := range t.Nodes {
		if !n.Ignored && n.Role.Value == role {
			name, _ := n.Name.Value.(string)
			names = append(names, name)
		}
	}
	return names
}

// Close closes the tab.
func (p *page) Close() {
	p.t.Helper()
	p.failOn(p.pipe.call("", "Target.closeTarget", cdpParams{"targetId": p.target}, nil))
}
