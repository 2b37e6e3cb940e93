package lines

import "time"

// countdown says when to remind the player of a deadline.
type countdown struct {
	deadline time.Time
	total    time.Duration // when the deadline was set
	reminded time.Duration // what was left at the last reminder; 0: none yet
}

// reminders are the times left at which the player is reminded, unless that is more than
// half of the total.
var reminders = []time.Duration{time.Minute, 10 * time.Second, 5 * time.Second}

// set sets the deadline. Zero: none.
func (c *countdown) set(deadline time.Time) {
	if !deadline.Equal(c.deadline) {
		*c = countdown{deadline: deadline, total: time.Until(deadline)}
	}
}

// next returns the time until the next reminder, and how much time is left then. It is
// false if there is none.
func (c *countdown) next(now time.Time) (until, left time.Duration, ok bool) {
	if c.deadline.IsZero() {
		return 0, 0, false
	}
	for _, r := range reminders {
		if 2*r <= c.total && (c.reminded == 0 || r < c.reminded) {
			return c.deadline.Sub(now) - r, r, true
		}
	}
	return 0, 0, false
}
