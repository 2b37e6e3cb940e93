// Package access decides who may come in: bans of keys and networks, lockdown,
// and who is an operator. It knows neither doors nor the game; both doors ask a
// [Gate], and commands of operators change it.
//
// Bans are kept in memory beside the store, so that a door needs no disk to
// turn somebody away. They end by the clock.
package access
