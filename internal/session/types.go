package session

import (
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match/live"
)

// Plain values of the packages below, which frontends do not import.
type (
	MatchUpdate = live.Update
	Player      = lobby.Player
	Snapshot    = lobby.Snapshot
	Challenge   = lobby.Challenge
	Presence    = lobby.Presence
	Waiting     = lobby.Waiting
	Running     = lobby.Running
	Outcome     = lobby.Outcome
	Line        = lobby.Line
	Hearing     = lobby.Hearing
	Settings    = lobby.Settings
	Stakes      = lobby.Stakes
	Occupancy   = lobby.Occupancy
	Takeover    = lobby.Takeover
	Key         = store.Key
	Account     = store.Player
	Registered  = store.Registered
	Ban         = store.Ban
	Act         = store.Act
	Fleet       = store.Fleet
	Summary     = store.Summary
	Record      = store.Match
	Standing    = store.Standing
	Board       = store.Category
	Kind        = lobby.Kind
	AccountKind = store.Kind
	GameResult  = store.Outcome
)

// The kinds of players, and the ways of hearing them.
const (
	Person  = lobby.Person
	Program = lobby.Program
	Bot     = lobby.Bot

	NoSeat   = lobby.NoSeat
	FreeSeat = lobby.FreeSeat
	UsedSeat = lobby.UsedSeat

	Rated  = lobby.Rated
	Casual = lobby.Casual

	Audible          = lobby.Audible
	MutedNow         = lobby.MutedNow
	MutedPermanently = lobby.MutedPermanently
)

// The kinds of accounts, the leaderboards, and how a game ended for its player.
const (
	PersonAccount  = store.Person
	ProgramAccount = store.Program
	BotAccount     = store.Bot

	Everybody = store.Everybody
	People    = store.People
	Machines  = store.Machines

	Lost  = store.Lost
	Won   = store.Won
	Drawn = store.Drawn
)

// TokenPrefix begins the token of every registered program.
const TokenPrefix = store.SecretPrefix

// Limits of what a player can enter.
const (
	MaxName         = lobby.MaxName
	MaxLine         = lobby.MaxLine
	MaxAnnouncement = lobby.MaxAnnouncement
	CodeLength      = lobby.CodeLength
	ResumeLength    = lobby.ResumeLength
	LinkLength      = lobby.LinkLength
	MinClock        = lobby.MinClock
	MaxClock        = lobby.MaxClock
	Grace           = lobby.DefaultGrace // see [lobby.Config]
)

// Checks of what a player has entered, and defaults.
var (
	CheckName       = lobby.CheckName
	CheckClock      = lobby.CheckClock
	CodeLetters     = lobby.CodeLetters
	GroupCode       = lobby.GroupCode
	ParseCode       = lobby.ParseCode
	CustomRules     = lobby.CustomRules
	DefaultSettings = lobby.DefaultSettings
)

// Errors that frontends tell apart.
var (
	ErrReplaced      = live.ErrReplaced
	ErrNoStore       = lobby.ErrNoStore
	ErrStore         = lobby.ErrStore
	ErrFleetName     = lobby.ErrFleetName
	ErrFleetAccount  = lobby.ErrFleetAccount
	ErrNoFleet       = lobby.ErrNoFleet
	ErrTwoFleets     = lobby.ErrTwoFleets
	ErrTooManyFleets = store.ErrTooManyFleets
	ErrLastKey       = store.ErrLastKey
	ErrNotFound      = store.ErrNotFound
)
