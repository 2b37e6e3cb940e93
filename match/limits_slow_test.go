//go:build slow

package match

func init() { allSizes = true }
