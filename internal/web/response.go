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
	// A browser asks each time. If nothing has changed, the response has no body.
	fresh = "no-cache"
	// The content never changes.
	permanent = "public, max-age=86400"
)

// minGzip is the size from which responses are compressed, in bytes.
const minGzip = 1400

// gzipWriters are writers for responses. A new one needs 1.2 MB.
var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return z
}}

// response is the response to a request.
type response struct {
	// status is 0 for OK.
	status      int
	contentType string
	// cache is the Cache-Control header, if the response is OK.
	cache string
	// language is empty if the response is the same in every language.
	language string
	body     []byte
}

// answerTime limits the time to build a response.
const answerTime = 10 * time.Second

// newHandler returns an address's handler. build builds the response with a spectator's session without an
// account, and fail returns the response to its error. Identical requests that arrive meanwhile get the same response,
// so that the lobby's work does not grow with their number.
func (s *Server) newHandler(build func(*page) (response, error), fail func(*page, error) response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := s.newPage(r)
		key := p.siteURL() + r.URL.RequestURI() + " " + p.Lang.String()
		shared, _, _ := s.responses.Do(key, func() (any, error) {
			x, err := p.buildWithSession(build)
			if err != nil {
				x = fail(p, err)
			}
			return x, nil
		})
		shared.(response).write(w, r)
	}
}

// buildWithSession calls build while the page has a session.
func (p *page) buildWithSession(build func(*page) (response, error)) (response, error) {
	ctx, cancel := context.WithTimeout(p.site.ctx, answerTime)
	defer cancel()
	own, err := p.site.hub.OpenSession(ctx)
	if err != nil {
		return response{}, err
	}
	defer own.Close()
	p.r, p.session = p.r.WithContext(ctx), own
	return build(p)
}

// write writes the response. A response that is OK has an ETag, and no body if the client has it already.
func (res response) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", res.contentType)
	if res.language != "" {
		h.Set("Content-Language", res.language)
		h.Set("Vary", "Accept-Language")
	}
	if res.contentType == svgType {
		// Pictures have their own styles and load nothing.
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	}
	if res.status != 0 {
		h.Set("Cache-Control", "no-store")
		if res.status == http.StatusServiceUnavailable {
			h.Set("Retry-After", "5")
		}
		w.WriteHeader(res.status)
		w.Write(res.body)
		return
	}
	sum := sha256.Sum256(res.body)
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", res.cache)
	h.Add("Vary", "Accept-Encoding")
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		known = strings.TrimSpace(known)
		if known == tag || known == "*" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if len(res.body) < minGzip || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(res.body)
		return
	}
	h.Set("Content-Encoding", "gzip")
	z := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(z)
	z.Reset(w)
	z.Write(res.body)
	z.Close()
}

// jsonResponse returns a value as JSON.
func jsonResponse(status int, cache string, v any) response {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetIndent("", "  ")
	// All values are plain structs, which can be encoded.
	_ = e.Encode(v)
	return response{status: status, contentType: "application/json", cache: cache, body: body.Bytes()}
}

// textResponse returns an error as text.
func textResponse(status int, text string) response {
	return response{status: status, contentType: "text/plain; charset=utf-8", body: []byte(text + "\n")}
}

// isForAPI reports whether a request is for the API.
func isForAPI(r *http.Request) bool {
	return r.URL.Path == apiRoot || strings.HasPrefix(r.URL.Path, apiRoot+"/")
}

// writeRefusal writes an error, as JSON to a request for the API and otherwise as text.
func writeRefusal(w http.ResponseWriter, r *http.Request, status int, text string) {
	if isForAPI(r) {
		jsonResponse(status, "", Failure{text}).write(w, r)
		return
	}
	textResponse(status, text).write(w, r)
}

// errNotFound is returned for an address without content.
var errNotFound = errors.New("not found")

// errorStatus returns an error's HTTP status. It logs errors that are the server's fault.
func (p *page) errorStatus(err error) int {
	missing := []error{errNotFound, store.ErrNotFound, feed.ErrNoMatch}
	if slices.ContainsFunc(missing, func(e error) bool { return errors.Is(err, e) }) {
		return http.StatusNotFound
	}
	// A path may contain a private feed's token.
	p.site.cfg.Log.Warn("cannot answer a request", "path", p.r.Pattern, "error", err)
	return http.StatusServiceUnavailable
}
