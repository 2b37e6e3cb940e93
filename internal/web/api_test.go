package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestOpenAPI compares openapi.json with the handlers, and the responses of all endpoints with their schemas.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	s := openSite(t, Limits{})
	schemas := jsonschema.NewCompiler()
	schemas.AssertFormat()
	_, body := s.get(apiRoot + "/openapi.json")
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas.AddResource("openapi.json", parsed); err != nil {
		t.Fatal(err)
	}
	check := func(path, address string) {
		t.Helper()
		pointer := strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(path)
		schema, err := schemas.Compile("openapi.json#/paths/" + pointer + "/get/responses/200/content/application~1json/schema")
		if err != nil {
			t.Fatal(err)
		}
		response, body := s.get(apiRoot + address)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v\n%s", address, response.Status, err, body)
		}
	}
	s.playLadder()
	first, second, id := s.startMatch()
	check("/matches", "/matches")
	s.finishMatch(first, second, id)
	addresses := map[string]string{
		"/server": "/server", "/matches": "/matches", "/matches/{id}": "/matches/" + id,
		"/matches/{id}/frames": "/matches/" + id + "/frames", "/matches/{id}/odds": "/matches/" + id + "/odds?frame=1",
		"/games": "/games", "/leaderboard": "/leaderboard?rules=naval&of=bots&limit=3", "/ladder": "/ladder",
		"/ladder/{name}": "/ladder/whale", "/bots": "/bots?rules=naval", "/rules": "/rules",
		"/daily/{day}": "/daily/today", "/players/{name}": "/players/hard", "/openapi.json": "/openapi.json",
	}
	for path, address := range addresses {
		check(path, address)
	}

	var document struct {
		OpenAPI  string
		Security []any
		Paths    map[string]struct {
			Get struct {
				OperationID, Summary string
				Parameters           []struct{ Name, In string }
				Responses            map[string]any
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(openAPI))
	if err := d.Decode(&document); err != nil {
		t.Fatal(err)
	}
	served := []string{"/openapi.json", "/events", "/matches/{id}/events"}
	for _, e := range endpoints {
		served = append(served, e.path)
		if addresses[e.path] == "" {
			t.Errorf("%s is not tested", e.path)
		}
	}
	slices.Sort(served)
	if documented := slices.Sorted(maps.Keys(document.Paths)); !slices.Equal(documented, served) {
		t.Errorf("the document has\n%v, the server\n%v", documented, served)
	}
	if document.Security == nil || !strings.HasPrefix(document.OpenAPI, "3.1") {
		t.Error("the document lacks its version, or that everyone has access")
	}
	ids := map[string]bool{"": true}
	for path, x := range document.Paths {
		o := x.Get
		if ids[o.OperationID] || o.Summary == "" || o.Responses["200"] == nil || o.Responses["4XX"] == nil {
			t.Errorf("%s lacks a summary, a response or an ID of its own: %+v", path, o)
		}
		ids[o.OperationID] = true
		for _, p := range o.Parameters {
			if p.In == "path" && !strings.Contains(path, "{"+p.Name+"}") {
				t.Errorf("%s has no part %s", path, p.Name)
			}
		}
		if n := strings.Count(path, "{"); n != strings.Count(fmt.Sprint(o.Parameters), " path}") {
			t.Errorf("%s has %d parameters: %v", path, n, o.Parameters)
		}
	}
}
