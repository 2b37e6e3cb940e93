// Package ratelimit counts and limits connections, actions and guesses per network address.
// It does not know what it counts; the messages of its errors are in package phrase.
//
// An address is what one customer has: an IPv4 address, or an IPv6 /64 network. All
// connections without an IP address count as one address.
package ratelimit
