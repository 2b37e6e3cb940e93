//go:build release

package release

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"
)

// forge stands in for GitHub. It keeps what goreleaser publishes.
type forge struct {
	// mu guards the fields below.
	mu sync.Mutex
	// release describes the release as goreleaser does.
	release map[string]any
	// assets are the release's files, by name.
	assets map[string][]byte
	// files are those of other repositories, by repository and path.
	files map[string]string
}

// Tokens for releases of the repository and for files in others.
const token, tapToken = "for-releases", "for-files"

// newForge returns a forge without releases, and its handler.
func newForge(t *testing.T) (*forge, http.Handler) {
	f := &forge{release: map[string]any{}, assets: map[string][]byte{}, files: map[string]string{}}
	mux := http.NewServeMux()
	handle := func(pattern, token string, answer func(r *http.Request) any) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			defer f.mu.Unlock()
			if token != "" && r.Header.Get("Authorization") != "Bearer "+token {
				t.Errorf("%s %s has the authorization %q", r.Method, r.URL, r.Header.Get("Authorization"))
			}
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(answer(r))
		})
	}
	handle("GET /api/v3/rate_limit", "", func(*http.Request) any {
		return map[string]any{"resources": map[string]any{"core": map[string]int{"limit": 5000, "remaining": 5000}}}
	})
	describe := func(r *http.Request) any {
		decodeJSON(t, r.Body, &f.release)
		return map[string]int{"id": 1}
	}
	handle("POST /api/v3/repos/ann/broadside/releases", token, describe)
	handle("PATCH /api/v3/repos/ann/broadside/releases/1", token, describe)
	handle("POST /api/uploads/repos/ann/broadside/releases/1/assets", token, func(r *http.Request) any {
		content, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		f.assets[r.FormValue("name")] = content
		return map[string]int{"id": 1}
	})
	handle("GET /api/v3/repos/ann/{repository}", tapToken, func(*http.Request) any {
		return map[string]string{"default_branch": "main"}
	})
	mux.Handle("GET /api/v3/repos/ann/{repository}/contents/{path...}", http.NotFoundHandler())
	handle("PUT /api/v3/repos/ann/{repository}/contents/{path...}", tapToken, func(r *http.Request) any {
		var file struct{ Content []byte }
		decodeJSON(t, r.Body, &file)
		f.files[r.PathValue("repository")+"/"+r.PathValue("path")] = string(file.Content)
		return struct{}{}
	})
	return f, mux
}

// decodeJSON decodes JSON. Fields that it lacks keep their values.
func decodeJSON(t *testing.T, r io.Reader, v any) {
	t.Helper()
	if err := json.NewDecoder(r).Decode(v); err != nil {
		t.Error(err)
	}
}
