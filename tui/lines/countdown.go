package lines

import "time"

// countdown determines when to remind the player that time is running out.
type countdown struct {
	deadline time.Time
	// total is the time that was left when the deadline was set.
	total time.Duration
	// lastReminder is the time that was left at the last reminder. It is 0 before the first one.
	lastReminder time.Duration
}

// reminders are the remaining times at which to remind the player. A time of more than
// half the total is skipped.
var reminders = []time.Duration{time.Minute, 10 * time.Second, 5 * time.Second}

// setDeadline sets the deadline. A zero deadline means none.
func (c *countdown) setDeadline(deadline time.Time) {
	if !deadline.Equal(c.deadline) {
		*c = countdown{deadline: deadline, total: time.Until(deadline)}
	}
}

// nextReminder returns the time until the next reminder, and the time left at that moment. It
// returns false if there is no further reminder.
func (c *countdown) nextReminder(now time.Time) (until, left time.Duration, ok bool) {
	if c.deadline.IsZero() {
		return 0, 0, false
	}
	for _, r := range reminders {
		if 2*r <= c.total && (c.lastReminder == 0 || r < c.lastReminder) {
			return c.deadline.Sub(now) - r, r, true
		}
	}
	return 0, 0, false
}
