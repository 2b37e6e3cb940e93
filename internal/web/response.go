package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/internal/store"
	"broadside/internal/web/feed"
)

// How long caches may keep a response without asking again.
const (
	fresh     = "no-cache"              // asks each time; an unchanged response has no body
	permanent = "public, max-age=86400" // for content that never changes
)

// minGzip is the size from which responses are compressed, in bytes.
const minGzip = 1400

// zippers are writers for responses. A new one needs 1.2 MB.
var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// response is the response to a request.
type response struct {
	status      int // 0: OK
	contentType string
	cache       string // of a response that is OK
	language    string // empty: the same in every language
	body        []byte
}

// answerTime limits the time to build a response.
const answerTime = 10 * time.Second

// answer returns the handler of an address. build builds the response with a session of a spectator without an
// account; fail returns the response to its error. Identical requests that arrive meanwhile get the same response,
// so that the lobby's work does not grow with their number.
func (s *Server) answer(build func(*page) (response, error), fail func(*page, error) response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := s.newPage(r)
		key := p.Base() + r.URL.RequestURI() + " " + p.Lang.String()
		shared, _, _ := s.building.Do(key, func() (any, error) {
			x, err := p.open(build)
			if err != nil {
				x = fail(p, err)
			}
			return x, nil
		})
		shared.(response).write(w, r)
	}
}

// open calls build while the page has a session.
func (p *page) open(build func(*page) (response, error)) (response, error) {
	ctx, cancel := context.WithTimeout(p.server.ctx, answerTime)
	defer cancel()
	own, err := p.server.hub.Open(ctx)
	if err != nil {
		return response{}, err
	}
	defer own.Close()
	p.r, p.session = p.r.WithContext(ctx), own
	return build(p)
}

// write writes the response. A response that is OK has an ETag, and no body if the client has it already.
func (x response) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", x.contentType)
	if x.language != "" {
		h.Set("Content-Language", x.language)
		h.Set("Vary", "Accept-Language")
	}
	if x.contentType == svgType { // pictures have their own styles and load nothing
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	}
	if x.status != 0 {
		h.Set("Cache-Control", "no-store")
		if x.status == http.StatusServiceUnavailable {
			h.Set("Retry-After", "5")
		}
		w.WriteHeader(x.status)
		w.Write(x.body)
		return
	}
	sum := sha256.Sum256(x.body)
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", x.cache)
	h.Add("Vary", "Accept-Encoding")
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		known = strings.TrimSpace(known)
		if known == tag || known == "*" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if len(x.body) < minGzip || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(x.body)
		return
	}
	h.Set("Content-Encoding", "gzip")
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(w)
	z.Write(x.body)
	z.Close()
}

// jsonResponse returns a value as JSON.
func jsonResponse(status int, cache string, v any) response {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // all values are plain structs
	return response{status: status, contentType: "application/json", cache: cache, body: body.Bytes()}
}

// textResponse returns an error as text.
func textResponse(status int, text string) response {
	return response{status: status, contentType: "text/plain; charset=utf-8", body: []byte(text + "\n")}
}

// forAPI reports whether a request is for the API.
func forAPI(r *http.Request) bool {
	return r.URL.Path == apiRoot || strings.HasPrefix(r.URL.Path, apiRoot+"/")
}

// refuse writes an error in the form of the API, or as text for all other addresses.
func refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if forAPI(r) {
		jsonResponse(status, "", Failure{text}).write(w, r)
		return
	}
	textResponse(status, text).write(w, r)
}

// errNotFound is returned for an address without content.
var errNotFound = errors.New("not found")

// statusOf returns the HTTP status of an error, and logs an error that is the server's fault.
func (p *page) statusOf(err error) int {
	missing := []error{errNotFound, store.ErrNotFound, feed.ErrNoMatch}
	if slices.ContainsFunc(missing, func(e error) bool { return errors.Is(err, e) }) {
		return http.StatusNotFound
	}
	p.server.cfg.Log.Warn("cannot answer a request", "path", p.r.URL.Path, "error", err)
	return http.StatusServiceUnavailable
}
