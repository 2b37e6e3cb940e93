//go:build unix

package e2e

import (
	"sync"
	"testing"
)

// TestMatchOfProgramsIsWatched pairs two programs of the base protocol. A person sees their
// match in the lobby, watches it to the end, and then finds its replay in the history.
func TestMatchOfProgramsIsWatched(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ann := h.come(t, "ann")
	first := h.program(t)
	first.hear("(3,[]).\n")
	second := h.program(t)
	second.hear("(4,[]).\n")
	first.hear("(5,[]).\n")
	second.hear("(5,[]).\n")
	ann.Press("w")
	listed := ann.WaitMatch(`(\d)  (program-\S+) \(program\) – (program-\S+)`)
	names := listed[1:]
	ann.Press(listed[1])
	ann.WaitText(names[1]+"'s waters", names[2]+"'s waters")

	// Both sides shoot at one cell after another. Second wastes a shot and loses.
	var programs sync.WaitGroup
	programs.Go(func() { first.play(fleet, "\n") })
	second.say("(1,[6,1]).\n")
	ann.WaitText("fired at B7")
	programs.Go(func() { second.play(fleet, "\r\n") })
	programs.Wait()
	ann.WaitText("last ship is sunk") // spectators see no fleet
	ann.Press("esc")
	ann.WaitText("Play now")
	ann.Press("g")
	ann.WaitText("No match has finished yet.") // of hers
	ann.Press("a")
	ann.WaitText("► ", names[1], names[2])
	ann.Press("enter")
	ann.WaitText("The battle begins.", names[1]+"'s fleet", names[2]+"'s fleet")
	ann.Press("end")
	ann.WaitText(names[1] + " won.")
}
