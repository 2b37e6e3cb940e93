package bridge

// game is one game on the program's side.
type game struct {
	*listener          // of the program's lines
	code      string   // the resume code of the seat; empty before the relay has sent it
	heard     int      // number of the relay's messages that the program has got since its role
	sent      []string // the program's messages
	waits     bool     // the program's next line is due
	started   bool     // the battle has begun
	attacks   bool     // the program attacks first
	decided   bool     // the last ship is sunk
	won       bool     // if decided
	over      bool     // neither side plays it any longer
	ended     bool     // the program has sent its last line
}
