// Package lines plays by sentences: the same lobby and the same matches as on
// the screens, for sessions without a terminal, for terminals that can show no
// screen, and for those who have a screen read aloud.
//
// A [Session] reads lines from a console and answers in lines. Nothing is told
// by a position or a colour alone, what has changed comes first, and nothing is
// repeated unless somebody asks. What can be said is a table, in table.go.
//
// What somebody does belongs to their turn, or waits for what they have asked
// for before: such commands are kept, in their order, until they can be carried
// out. So a file of commands plays a match. Questions are answered at once.
//
// A session has one goroutine, its Run, and one for each match that it plays or
// watches, which waits for that match's updates. It knows nothing of SSH, and
// decides nothing that package lobby or package match decides.
package lines
