package lobby

// Rest waits until no goroutine and no timer of the lobby is left. The lobby
// stays open.
func (l *Lobby) Rest() { l.work.Wait() }

// DailyLayout is the fleet of a day.
var DailyLayout = dailyLayout

// CleanTalk is what remains of a line that somebody wants to say.
var CleanTalk = cleanTalk
