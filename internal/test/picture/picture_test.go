package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"broadside/internal/test/picture"
)

// TestWrite checks that a picture is valid XML and has all visible text, with several styles, wide
// characters and characters that XML reserves.
func TestWrite(t *testing.T) {
	em := vt.NewEmulator(12, 3)
	em.WriteString("a\x1b[1;38;2;1;2;3mb <&>\x1b[m \x1b[41m  \x1b[m\r\n漢x\x1b[8mhidden\x1b[m\r\n\x1b[7mr\x1b[m")
	var b bytes.Buffer
	if err := picture.Write(&b, em); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, &b)
		}
	}
	for _, want := range []string{
		`viewBox="0 0 140 86"`,
		`x="16" y="30.4" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#d8dce3">a<`,
		`x="25" y="30.4" textLength="45" lengthAdjust="spacingAndGlyphs" fill="#010203" font-weight="bold">b &lt;&amp;&gt;<`,
		`<rect x="79" y="16" width="18" height="18" fill="#d04b4b"/>`,
		`textLength="27" lengthAdjust="spacingAndGlyphs" fill="#d8dce3">漢x<`,
		`<rect x="16" y="52" width="9" height="18" fill="#d8dce3"/>`,
		`fill="#14171c">r<`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the picture does not contain %q", want)
		}
	}
	if strings.Contains(b.String(), "hidden") || t.Failed() {
		t.Errorf("the picture is %s", &b)
	}
}
