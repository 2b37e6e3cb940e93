// Package group ends programs together with the programs that they have
// started.
package group
