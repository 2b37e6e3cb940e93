// Package board draws boards as lines of text: what a side knows of the
// enemy's waters, a side's own fleet, a fleet that is being placed, and maps of
// numbers.
//
// A [Board] says what each cell shows and which cells are parts of one ship; a
// [Form] says how large cells are and whether there are lines between them.
// Ships are drawn as hulls across those lines, so that two that touch stay
// apart. What is drawn has styles and not colours: see package look.
package board
