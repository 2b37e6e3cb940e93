// Package proxy reads the addresses of clients behind load balancers from the PROXY protocol,
// version 1 or 2. It does not connect to other servers.
//
// Only trusted balancers may, and must, send a header, because any client could forge one.
// For all other clients, a header is ordinary data.
package proxy
