package command

import (
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/text"
)

type sessionJSON struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Account bool   `json:"account"`
	Address string `json:"address"`
	Key     string `json:"key"`
	Since   string `json:"since"`
}

func (c *Call) listSessions() error {
	out, rows := []sessionJSON{}, [][]string{c.headings("Session", "Name", "Kind", "Address", "Key", "Since (UTC)")}
	for _, s := range c.operator.Sessions() {
		out = append(out, sessionJSON{
			s.Conn, s.Name(), s.Player.Kind.String(), s.Player.Account != "", s.Addr.String(), s.Fingerprint, formatUTC(s.Since),
		})
		kind := view.KindText(s.Player.Kind)
		if s.Player.Kind == account.Person && s.Player.Account == "" {
			kind = "guest"
		}
		rows = append(rows, []string{
			s.Conn, view.DashIfEmpty(cleanName(s.Name())), c.lang.Text(kind), s.Addr.String(), view.DashIfEmpty(s.Fingerprint),
			view.FormatDateTime(c.lang, s.Since),
		})
	}
	return c.writeResult(out, rows)
}

type banJSON struct {
	Subject string `json:"subject"`
	Added   string `json:"added"`
	// Ends is empty if the ban is permanent.
	Ends   string `json:"ends"`
	By     string `json:"by"`
	Reason string `json:"reason"`
}

func (c *Call) listBans() error {
	out, rows := []banJSON{}, [][]string{c.headings("Subject", "Added (UTC)", "Ends", "By##person", "Reason")}
	for _, b := range c.operator.Bans() {
		out = append(out, banJSON{b.Subject(), formatUTC(b.Added), formatUTC(b.Expires), b.By, b.Reason})
		rows = append(rows, []string{
			b.Subject(), view.FormatDateTime(c.lang, b.Added), c.expiryText(b.Expires), text.Clean(b.By, 100), text.Clean(b.Reason, maxReason),
		})
	}
	return c.writeResult(out, rows)
}

// actionJSON is an operator's action.
type actionJSON struct {
	At      string `json:"at"`
	Actor   string `json:"operator"`
	Act     string `json:"act"`
	Subject string `json:"subject"`
	Details string `json:"details"`
}

func (c *Call) listActions() error {
	limit, err := c.parseLimit(20)
	if err != nil {
		return err
	}
	acts, err := c.operator.AuditLog(c.ctx, limit)
	if err != nil {
		return err
	}
	out, rows := []actionJSON{}, [][]string{c.headings("At (UTC)", "Operator", "Action", "Subject", "Details")}
	for _, a := range acts {
		out = append(out, actionJSON{formatUTC(a.At), a.Actor, a.Verb, a.Subject, a.Details})
		rows = append(rows, []string{
			view.FormatDateTime(c.lang, a.At), text.Clean(a.Actor, 100), a.Verb, view.DashIfEmpty(text.Clean(a.Subject, 60)),
			text.Clean(a.Details, 200),
		})
	}
	return c.writeResult(out, rows)
}

func (c *Call) kickPlayer() error {
	n, err := c.operator.Kick(c.ctx, c.argument(0))
	return c.printUnlessError(err, "kicked: %s (%s)", c.argument(0), c.lang.Text("%d session||%d sessions", n))
}

func (c *Call) addBan() error {
	s, err := c.findBanTarget()
	if err != nil {
		return err
	}
	if err := c.checkLockout(s); err != nil {
		return err
	}
	expires, why, err := c.parsePenalty()
	if err != nil {
		return err
	}
	banned, err := c.operator.Ban(c.ctx, s, expires, why)
	if err != nil {
		return err
	}
	for _, b := range banned.Bans {
		c.printLine("banned: %s, %s", b.Subject(), c.expiryText(b.Expires))
	}
	return c.printLine("disconnected: %s", c.lang.Text("%d connection||%d connections", banned.ClosedConnections))
}

// checkLockout returns an error if a ban would lock out an operator.
func (c *Call) checkLockout(s session.BanTarget) error {
	for _, k := range s.Fingerprints {
		if _, ok := c.commands.cfg.Operator.Operators.Name(k); ok {
			return i18n.Errorf("that is an operator's key: remove it from the operators' keys first")
		}
	}
	for _, h := range c.operator.Sessions() {
		if h.Fingerprint == c.keyFingerprint() && s.Covers(h.Fingerprint, h.Addr, "") {
			return i18n.Errorf("%s is your own address", h.Addr)
		}
	}
	return nil
}

func (c *Call) removeBans() error {
	s, err := c.findBanTarget()
	if err != nil {
		return err
	}
	lifted, err := c.operator.Unban(c.ctx, s)
	if err != nil {
		return err
	}
	if len(lifted) == 0 {
		return i18n.Errorf("%q is not banned: ssh HOST bans lists all bans", c.argument(0))
	}
	for _, b := range lifted {
		c.printLine("no longer banned: %s", b.Subject())
	}
	return nil
}

func (c *Call) mutePlayer() error {
	expires, why, err := c.parsePenalty()
	if err != nil {
		return err
	}
	muted, err := c.operator.MutePlayer(c.ctx, c.argument(0), expires, why)
	if err != nil {
		return err
	}
	if muted.Guest && expires.IsZero() {
		return c.printLine("muted: %s, for this session", cleanName(muted.Name))
	}
	return c.printLine("muted: %s, %s", cleanName(muted.Name), c.expiryText(expires))
}

func (c *Call) unmutePlayer() error {
	name, err := c.operator.UnmutePlayer(c.ctx, c.argument(0))
	return c.printUnlessError(err, "no longer muted: %s", cleanName(name))
}

func (c *Call) renamePlayer() error {
	name, err := c.operator.RenamePlayer(c.ctx, c.argument(0), c.argument(1))
	return c.printUnlessError(err, "renamed: %s is now %s", name, c.argument(1))
}

func (c *Call) broadcastMessage() error {
	text := strings.Join(c.args, " ")
	if utf8.RuneCountInString(text) > lobby.MaxAnnouncement {
		return usageErrorf("the message is too long: at most %d characters fit on every screen", lobby.MaxAnnouncement)
	}
	return c.printUnlessError(c.operator.Announce(c.ctx, text), "sent")
}

func (c *Call) changeLockdown() error {
	if state := c.argument(0); state != "" {
		if state != "on" && state != "off" {
			return usageErrorf("lockdown must be on or off")
		}
		if err := c.operator.SetLockdown(c.ctx, state == "on"); err != nil {
			return err
		}
	}
	if c.operator.IsLockedDown() {
		return c.printLine("lockdown: on")
	}
	return c.printLine("lockdown: off")
}

// parsePenalty returns when a ban or mute ends, and the reason.
func (c *Call) parsePenalty() (expires time.Time, why string, err error) {
	expires, err = c.parseExpiry()
	if err != nil {
		return expires, "", err
	}
	why, err = c.parseReason()
	return expires, why, err
}

// maxPenalty is the maximum duration of a ban or mute that is not permanent.
const maxPenalty = 10 * 365 * 24 * time.Hour

// parseExpiry returns the time at which --for ends. Without the option, it returns the zero time, which means
// never.
func (c *Call) parseExpiry() (time.Time, error) {
	if !c.hasOption("for") {
		return time.Time{}, nil
	}
	given := c.optionText("for", "")
	d, err := time.ParseDuration(given)
	if days, ok := strings.CutSuffix(given, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); err == nil {
			d = time.Duration(min(max(n, 0), 10000)) * 24 * time.Hour
		}
	}
	if err != nil || d < time.Second || d > maxPenalty {
		return time.Time{}, usageErrorf("--for cannot be %q: use a duration such as 30m, 24h or 7d, at most ten years", given)
	}
	return time.Now().Add(d), nil
}

// maxReason is the maximum length of a reason, in characters.
const maxReason = 200

// parseReason returns the text after --reason. Its first word is the option's value. The others are arguments
// after the subject.
func (c *Call) parseReason() (string, error) {
	if !c.hasOption("reason") && len(c.args) > 1 {
		return "", usageErrorf("%s: unexpected argument %q", c.command.Name, c.argument(1))
	}
	why := strings.Trim(strings.Join(append([]string{c.optionText("reason", "")}, c.args[1:]...), " "), `"' `)
	if utf8.RuneCountInString(why) > maxReason {
		return "", usageErrorf("the reason is too long: at most %d characters", maxReason)
	}
	return why, nil
}

// fingerprintLength is the length of a fingerprint: the hash's name and 43 digits.
const fingerprintLength = len("SHA256:") + 43

// The shortest prefixes that can be banned, in bits. A shorter one would ban large parts of the Internet by
// mistake.
const (
	minPrefixIPv4 = 8
	minPrefixIPv6 = 16
)

// findBanTarget returns whom the first argument names: a key, an address, a network or a player.
func (c *Call) findBanTarget() (session.BanTarget, error) {
	name := c.argument(0)
	if session.IsFingerprint(name) {
		if len(name) != fingerprintLength || !sanitize.HasOnlyAlphanumerics(name[len("SHA256:"):], "+/") {
			return session.BanTarget{}, usageErrorf("%q is not a fingerprint: it has 43 characters after %s", name, "SHA256:")
		}
	} else if strings.ContainsAny(name, ".:/") {
		network, err := parseNetwork(name)
		return session.BanTarget{Network: network}, err
	}
	return c.operator.FindBanTarget(c.ctx, name)
}

// parseNetwork parses an address or a network. An IPv6 address stands for its /64 network, which belongs to one
// customer.
func parseNetwork(text string) (netip.Prefix, error) {
	invalid := usageErrorf("%q is not an address or network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48", text)
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, invalid
		}
		a = a.Unmap().WithZone("")
		return a.Prefix(min(a.BitLen(), 64))
	}
	p, err := netip.ParsePrefix(text)
	if err != nil || p.Addr().Is4In6() {
		return netip.Prefix{}, invalid
	}
	widest := minPrefixIPv6
	if p.Addr().Is4() {
		widest = minPrefixIPv4
	}
	if p.Bits() < widest {
		return netip.Prefix{}, usageErrorf("%v is too wide: the widest network is /%d (to keep everyone out, run ssh HOST lockdown on)", p, widest)
	}
	return p.Masked(), nil
}
