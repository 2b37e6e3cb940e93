package account_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby/account"
	"broadside/match"
)

// chosen holds settings that all differ from the defaults.
func chosen(t *testing.T) account.Settings {
	t.Helper()
	custom := must.Get(account.CustomRules(14, 7, match.Rules{Contact: match.TouchNone}))
	return account.Settings{
		Rules: custom.WithClock(42 * time.Second), Custom: custom, Bot: "hard",
		Notify: account.NotifyOff, Language: "de", Theme: "colour-blind", Glyphs: "ascii", Sea: "plain",
		NoAnimation: true, NoMouse: true, DoNotDisturb: true, HideChat: true, HideRemarks: true, Casual: true,
	}
}

func TestSettingsAreReadAsTheyWereWritten(t *testing.T) {
	hasbro := account.DefaultSettings()
	hasbro.Rules = match.Hasbro()
	for _, want := range []account.Settings{account.DefaultSettings(), hasbro, chosen(t)} {
		text := must.Get(json.Marshal(want))
		var got account.Settings
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as\n%+v, %v, want\n%+v", text, got, err, want)
		}
	}
	// A new field must be set in chosen; otherwise it is not tested.
	v := reflect.ValueOf(chosen(t))
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not chosen", v.Type().Field(i).Name)
		}
	}
}

func TestSpoiledSettingsFallBackOneByOne(t *testing.T) {
	good := must.Get(json.Marshal(chosen(t)))
	standard := account.DefaultSettings()
	for _, c := range []struct {
		field, value string
		want         func(s *account.Settings)
	}{
		{"version", `99`, func(*account.Settings) {}},
		{"novelty", `{"a":[1]}`, func(*account.Settings) {}},
		{"rules", `"chess"`, func(s *account.Settings) { s.Rules = match.Classic().WithClock(s.Rules.Clock) }},
		{"rules", `7`, func(s *account.Settings) { s.Rules = match.Classic().WithClock(s.Rules.Clock) }},
		{"clock", `-3`, func(s *account.Settings) { s.Rules.Clock = 0 }},
		{"clock", `9223372036854775807`, func(s *account.Settings) { s.Rules.Clock = 0 }},
		{"clock", `1e99`, func(s *account.Settings) { s.Rules.Clock = 0 }},
		{"custom", `{"size":27,"ships":5,"contact":"any"}`, nil},
		{"custom", `{"size":5,"ships":10,"contact":"none"}`, nil},
		{"custom", `{"size":9,"ships":5,"contact":"glue"}`, nil},
		{"custom", `[]`, nil},
		{"bot", `"grid"`, func(s *account.Settings) { s.Bot = "" }},
		{"bot", `"sequence:/etc/passwd"`, func(s *account.Settings) { s.Bot = "" }},
		{"language", `"\u001b[31m"`, func(s *account.Settings) { s.Language = "" }},
		{"theme", `{}`, func(s *account.Settings) { s.Theme = "" }},
		{"glyphs", `"much-too-long-for-this"`, func(s *account.Settings) { s.Glyphs = "" }},
		{"still", `"yes"`, func(s *account.Settings) { s.NoAnimation = false }},
		{"no_mouse", `1`, func(s *account.Settings) { s.NoMouse = false }},
		{"notify", `null`, func(s *account.Settings) { s.Notify = "" }},
		{"quiet", `[true]`, func(s *account.Settings) { s.DoNotDisturb = false }},
		{"no_talk", `0`, func(s *account.Settings) { s.HideChat = false }},
	} {
		var fields map[string]json.RawMessage
		must.Do(json.Unmarshal(good, &fields))
		fields[c.field] = json.RawMessage(c.value)
		text := must.Get(json.Marshal(fields))
		want := chosen(t)
		// The choices made in the lobby are reset as well.
		if c.want == nil {
			want.Rules, want.Custom = match.Classic().WithClock(want.Rules.Clock), match.Rules{}
		} else {
			c.want(&want)
		}
		var got account.Settings
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as\n%+v, %v, want\n%+v", text, got, err, want)
		}
	}
	for _, text := range []string{`[]`, `"x"`, `7`} {
		var got account.Settings
		if err := json.Unmarshal([]byte(text), &got); err == nil || !reflect.DeepEqual(got, standard) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{}`, `null`} {
		var got account.Settings
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, standard) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
}

func TestSettingsStayWithTheAccount(t *testing.T) {
	s := storetest.Open(t)
	l := openAccounts(t, s)
	p := newAccount(t, s, "ann")
	if got := l.Settings(t.Context(), p); !reflect.DeepEqual(got, account.DefaultSettings()) {
		t.Errorf("a new account has %+v", got)
	}
	want := chosen(t)
	// The last value counts.
	for seconds := 5; seconds <= 42; seconds++ {
		want.Rules.Clock = time.Duration(seconds) * time.Second
		l.SaveSettings(p, want)
	}
	// Close waits until the settings are stored.
	l.Close()
	l = openAccounts(t, s)
	if got := l.Settings(t.Context(), p); !reflect.DeepEqual(got, want) {
		t.Errorf("kept\n%+v, want\n%+v", got, want)
	}
	must.Do(s.Accounts.SaveSettings(t.Context(), p.ID, json.RawMessage(`[1,2]`)))
	if got := l.Settings(t.Context(), p); !reflect.DeepEqual(got, account.DefaultSettings()) {
		t.Errorf("what is no object is read as %+v", got)
	}
	for _, nobody := range []account.Player{{Name: "guest"}, {ID: "x", Account: "gone", Name: "x"}} {
		if got := l.Settings(t.Context(), nobody); !reflect.DeepEqual(got, account.DefaultSettings()) {
			t.Errorf("%+v has %+v", nobody, got)
		}
	}
}

func TestWhetherSettingsAreKept(t *testing.T) {
	s := must.Get(store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)}))
	l := openAccounts(t, s)
	ann, guest := newAccount(t, s, "ann"), account.Player{Name: "gus"}
	if err := <-l.SaveSettings(ann, chosen(t)); err != nil {
		t.Errorf("kept: %v", err)
	}
	if err := <-l.SaveSettings(guest, chosen(t)); err != nil {
		t.Errorf("a guest's: %v", err)
	}
	must.Do(s.Close())
	if err := <-l.SaveSettings(ann, chosen(t)); !errors.Is(err, account.ErrStore) {
		t.Errorf("without a disk: %v", err)
	}
}

// TestSettingsBeforeTheyAreStored reads settings right after a change, as a second session
// does.
func TestSettingsBeforeTheyAreStored(t *testing.T) {
	s := storetest.Open(t)
	a := openAccounts(t, s)
	ann := newAccount(t, s, "ann")
	for range 20 {
		for _, want := range []account.Settings{chosen(t), account.DefaultSettings()} {
			stored := a.SaveSettings(ann, want)
			if got := a.Settings(t.Context(), ann); !reflect.DeepEqual(got, want) {
				t.Fatalf("the settings are\n%+v, want\n%+v", got, want)
			}
			must.Do(<-stored)
		}
	}
}
