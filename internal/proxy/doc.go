// Package proxy takes connections that a load balancer has passed on, and tells
// where their clients really are.
//
// The balancer says so in a line or a block ahead of everything else: the PROXY
// protocol, version 1 or 2. Whoever reaches a port could say so, and by that
// pretend to be anywhere, so only balancers at addresses that the operator
// trusts are listened to, and these have to. To everybody else nothing changes:
// what looks like such a line is the beginning of what they send.
package proxy
