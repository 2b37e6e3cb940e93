package web

import (
	"net/http"
	"path"
	"reflect"
	"strings"
	"time"
)

// openAPI serves the description of the API.
func (a api) openAPI(w http.ResponseWriter, r *http.Request) {
	respondJSON(w, r, fresh, a.document())
}

// object is a JSON object.
type object map[string]any

// document returns the OpenAPI document, generated from the endpoints.
func (a api) document() object {
	schemas := object{}
	paths := object{}
	failure := object{"application/json": object{"schema": schemaOf(reflect.TypeFor[Failure](), schemas)}}
	describe := func(e endpoint, content object) {
		paths[e.path] = object{"get": object{
			"operationId": e.id, "summary": e.about, "parameters": e.parameters(),
			"responses": object{
				"200": object{"description": "OK", "content": content},
				"4XX": object{"description": "Nothing is there, or the client sends too many requests", "content": failure},
				"5XX": object{"description": "The server cannot answer now", "content": failure},
			},
		}}
	}
	describe(endpoint{path: "/openapi.json", id: "getDescription", about: "This document"}, object{"application/json": object{"schema": object{"type": "object"}}})
	for _, e := range a.endpoints() {
		content := object{"text/event-stream": object{"schema": object{"type": "string"}}}
		if e.returns != nil {
			content = object{"application/json": object{"schema": schemaOf(reflect.TypeOf(e.returns), schemas)}}
		}
		describe(e, content)
	}
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "Broadside", "version": "1", "description": "Read-only access to matches and players. New members may be added to objects. docs/commands.md and docs/records.md describe the members.", "license": object{"name": "MIT", "identifier": "MIT"}},
		"servers": []object{{"url": apiRoot}}, "security": []object{},
		"paths": paths, "components": object{"schemas": schemas},
	}
}

// parameters returns the parameters of an endpoint.
func (e *endpoint) parameters() []object {
	all := []object{}
	for part := range strings.SplitSeq(e.path, "/") {
		name := strings.Trim(part, "{}")
		if name == part {
			continue
		}
		all = append(all, object{"name": name, "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, q := range e.query {
		all = append(all, object{"name": q.name, "in": "query", "description": q.about, "schema": object{"type": q.kind}})
	}
	return all
}

// schemaOf returns the JSON schema of a type. It adds structs to schemas and refers to them.
func schemaOf(t reflect.Type, schemas object) object {
	if t == reflect.TypeFor[time.Time]() {
		return object{"type": "string", "format": "date-time"}
	}
	if t == reflect.TypeFor[time.Duration]() {
		return object{"type": "number"}
	}
	if _, ok := reflect.Zero(t).Interface().(interface{ MarshalText() ([]byte, error) }); ok {
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []object{schemaOf(t.Elem(), schemas), {"type": "null"}}}
	case reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), schemas)}
	case reflect.Array:
		return object{"type": "array", "items": schemaOf(t.Elem(), schemas)}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem(), schemas)}
	case reflect.Struct:
		return structSchema(t, schemas)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	}
	return object{"type": "integer"}
}

func structSchema(t reflect.Type, schemas object) object {
	name := t.Name()
	if path.Base(t.PkgPath()) == "ladder" { // the names of its types are those of others
		name = "Ladder" + name
	}
	ref := object{"$ref": "#/components/schemas/" + name}
	if _, known := schemas[name]; known {
		return ref
	}
	properties, required := object{}, []string{}
	schemas[name] = object{"type": "object", "properties": properties, "additionalProperties": false}
	for _, f := range reflect.VisibleFields(t) {
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || tag == "" || tag == "-" {
			continue
		}
		properties[tag] = schemaOf(f.Type, schemas)
		if !strings.Contains(options, "omit") {
			required = append(required, tag)
		}
	}
	schemas[name].(object)["required"] = required
	return ref
}
