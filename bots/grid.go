package bots

import (
	"strconv"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// newGrid returns a strategy that fires at a grid's points, row by row, and then at
// the same grid shifted one cell at a time until it has covered the board, like the original
// grid with parameters. The parameters are the distance between points in a row, the
// distance between rows, and the shift of each row to the right of the row above. For
// example, 4,1,1 is every fourth cell, shifted by one in each row, and 2,1,1 is a
// chessboard.
func newGrid(c Config, args string) (shooter, error) {
	step, err := parseGridSteps(c.Rules.Size, args)
	if err != nil {
		return nil, err
	}
	var order []match.Cell
	for down := range step.y {
		for right := range step.x {
			for row := 0; down+row*step.y < c.Rules.Size; row++ {
				for x := (right + row*step.shift) % step.x; x < c.Rules.Size; x += step.x {
					order = append(order, match.NewCell(x, down+row*step.y))
				}
			}
		}
	}
	return &orderedSearch{base: base{rules: c.Rules, rng: c.Rand}, order: order}, nil
}

type steps struct{ x, y, shift int }

func parseGridSteps(size int, args string) (steps, error) {
	fields := strings.Split(args, ",")
	numbers := make([]int, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || n < 0 || n > size || n == 0 && i < 2 {
			numbers = nil
			break
		}
		numbers[i] = n
	}
	if len(numbers) != 3 {
		return steps{}, i18n.Errorf("write two steps from 1 to %d and an offset from 0 to %d, such as grid:4,1,1", size, size)
	}
	return steps{numbers[0], numbers[1], numbers[2]}, nil
}
