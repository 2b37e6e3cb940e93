// Package client implements the line protocol's messages, and clients that play with them.
// [Play] plays one game, [PlaySeries] a series with directives, and [PlayStream] games on
// standard input and output. docs/protocol.md specifies the protocol.
//
// Other programs may import this package: docs/library.md says which changes they can expect.
package client
