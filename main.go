// Command broadside hosts Battleship over SSH, for people and programs. Without a
// command it serves.
package main

import (
	"os"

	"broadside/internal/cli"
)

func main() { os.Exit(cli.Main()) }
