package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// How long caches may keep a response without asking again.
const (
	fresh     = "no-cache"              // asks each time; an unchanged response has no body
	permanent = "public, max-age=86400" // for content that never changes
)

// minGzip is the size from which responses are compressed, in bytes.
const minGzip = 1400

// zippers are writers for responses.
var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return z
}}

// respond writes a response with an ETag, or none of the body if the client has it already.
func respond(w http.ResponseWriter, r *http.Request, contentType, cache string, body []byte) {
	sum := sha256.Sum256(body)
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", cache)
	h.Set("Content-Type", contentType)
	h.Add("Vary", "Accept-Encoding")
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if known = strings.TrimSpace(known); known == tag || known == "*" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if len(body) >= minGzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		var b bytes.Buffer
		z := zippers.Get().(*gzip.Writer)
		z.Reset(&b)
		z.Write(body)
		z.Close()
		zippers.Put(z)
		h.Set("Content-Encoding", "gzip")
		body = b.Bytes()
	}
	w.Write(body)
}

// respondJSON writes a value as JSON.
func respondJSON(w http.ResponseWriter, r *http.Request, cache string, v any) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // cannot happen: all values are plain structs
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	respond(w, r, "application/json", cache, append(b, '\n'))
}

// respondError writes an error of the API.
func respondError(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	b, _ := json.Marshal(Failure{text}) // cannot fail
	w.Write(append(b, '\n'))
}

// forAPI reports whether a request is for the API.
func forAPI(r *http.Request) bool {
	return r.URL.Path == apiRoot || strings.HasPrefix(r.URL.Path, apiRoot+"/")
}

// refuse writes an error in the form of the API, or as text for all other addresses.
func refuse(w http.ResponseWriter, r *http.Request, code int, text string) {
	if forAPI(r) {
		respondError(w, code, text)
		return
	}
	http.Error(w, text, code)
}
