package match

import "fmt"

// Sentence says in English what is wrong. It is a format for the arguments of a [Problem], and
// the key of its translations.
type Sentence string

// Problem reports why a command, a layout, rules or a text is wrong.
type Problem struct {
	Sentence Sentence
	// Args are the sentence's arguments. They are numbers, texts that are safe and short enough to be
	// shown, and values such as a [Class] or a [Cell].
	Args []any
}

// NewProblem returns a [Problem].
func NewProblem(sentence Sentence, args ...any) error { return &Problem{sentence, args} }

// Error returns the sentence in English.
func (p *Problem) Error() string { return fmt.Sprintf(string(p.Sentence), p.Args...) }

// Unwrap returns the error among the arguments, if there is one.
func (p *Problem) Unwrap() error {
	for _, arg := range p.Args {
		if err, ok := arg.(error); ok {
			return err
		}
	}
	return nil
}
