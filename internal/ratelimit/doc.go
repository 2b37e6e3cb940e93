// Package ratelimit counts and limits connections and actions per network address.
// It does not depend on what is counted. Package narrate has its errors' messages.
//
// An address stands for one customer: an IPv4 address or an IPv6 /64 network. All
// connections without an IP address count as one address.
package ratelimit
