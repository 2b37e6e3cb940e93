package code

import "testing"

func TestParse(t *testing.T) {
	for range 100 {
		c := New(ResumeLength)
		if got, ok := Parse(c, ResumeLength); !ok || got != c {
			t.Fatalf("%q is read as %q, %v", c, got, ok)
		}
	}
	for text, want := range map[string]string{"k3f97wqxm": "K3F-97W-QXM", " oil-OIL uuu ": "011-011-VVV"} {
		if got, ok := Parse(text, PrivateLength); !ok || got != want {
			t.Errorf("%q is read as %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "K3F-97W-QX", "K3F-97W-QXM-0", "K3F-97W-QX!", "K3F-97W-QXé"} {
		if got, ok := Parse(text, PrivateLength); ok {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if letters, invalid := Letters("k3!f?"); letters != "K3F" || invalid != "!" {
		t.Errorf("letters %q, invalid %q", letters, invalid)
	}
}
