// Package ratelimit counts and paces what comes from network addresses. Both doors
// ask it before they serve anybody, so that no address takes all there is.
//
// What counts as one address is what one customer has: an IPv4 address, or an
// IPv6 network of 64 bits. Connections without an IP address count as one.
package ratelimit
