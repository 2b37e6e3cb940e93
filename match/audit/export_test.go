package audit

import (
	"slices"
)

// AuditBudget is the limit of one search, in steps.
const AuditBudget = auditBudget

// Clone returns an independent copy of the audit.
func (a *Audit) Clone() *Audit {
	b := *a
	b.shotFacts = slices.Clone(a.shotFacts)
	if a.witness != nil {
		w := *a.witness
		w.hulls = slices.Clone(w.hulls)
		b.witness = &w
	}
	return &b
}

// Steps returns the work of the audit's last full search.
func (a *Audit) Steps() int { return a.steps }
