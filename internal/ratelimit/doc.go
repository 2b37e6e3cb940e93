// Package ratelimit counts and limits connections and actions per network address.
// It does not depend on the things that are counted; the messages of its errors are in
// package narrate.
//
// An address stands for one customer: an IPv4 address or an IPv6 /64 network. All
// connections without an IP address count as one address.
package ratelimit
