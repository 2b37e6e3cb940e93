// Package board draws boards as lines of text. It draws charts, fleets, fleets that are being
// placed, and maps of numbers.
//
// A [Board] says what each cell contains and which cells each ship covers. A [Form]
// defines the size of cells and whether there are grid lines. Ships are drawn as hulls
// across grid lines, so that touching ships stay distinct. The output has styles
// instead of colours: see package term.
package board
