package web

import (
	"embed"
	"net/http"
	"strings"

	"broadside/internal/svg"
)

//go:embed assets
var assetFiles embed.FS

// svgType is the type of pictures.
const svgType = "image/svg+xml"

// assetTypes has the content types of assets by file extension.
var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".png": "image/png", ".svg": svgType,
}

// serveAsset serves the style sheet, the module, the icon and the preview picture for links.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		s.serveUnknown(w, r)
		return
	}
	kind := name[strings.LastIndexByte(name, '.'):]
	if kind == ".css" {
		body = append(body, svg.Stylesheet...)
	}
	response{contentType: assetTypes[kind], cache: "public, max-age=600", body: body}.write(w, r)
}
