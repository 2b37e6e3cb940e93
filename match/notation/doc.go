// Package notation writes finished games in one short line of text each.
//
// A line is a Prolog term that ends with a full stop, so Prolog reads a file of games with
// read/1. docs/records.md describes it.
//
// Other programs may import this package. docs/library.md says which changes they can expect.
package notation
