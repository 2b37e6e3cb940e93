package audit

// Undecided reports whether the last search for a layout was given up.
func (a *Audit) Undecided() bool { return !a.failed && a.witness == nil }
