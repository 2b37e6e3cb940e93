package session

import (
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/code"
	"broadside/lobby/profile"
	"broadside/match/live"
)

// Value types of the packages below, which frontends do not import.
type (
	MatchUpdate = live.Update
	Player      = lobby.Player
	Snapshot    = lobby.Snapshot
	Challenge   = lobby.Challenge
	Presence    = lobby.Presence
	Waiting     = lobby.Waiting
	Running     = lobby.Running
	Outcome     = lobby.Outcome
	Line        = chat.Line
	Hearing     = chat.Hearing
	Settings    = account.Settings
	Stakes      = lobby.Stakes
	Occupancy   = lobby.Occupancy
	SeatState   = lobby.SeatState
	Takeover    = lobby.Takeover
	Key         = store.Key
	Account     = store.Player
	Fleet       = store.Fleet
	Summary     = store.Summary
	Record      = store.Match
	Standing    = store.Standing
	Board       = store.Category
	Kind        = lobby.Kind
	Profile     = profile.Profile
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

	Audible          = chat.Audible
	MutedNow         = chat.MutedNow
	MutedPermanently = chat.MutedPermanently
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

// TokenPrefix is the prefix of the tokens of registered programs.
const TokenPrefix = store.SecretPrefix

// Limits for player input.
const (
	MinName         = account.MinName
	MaxName         = account.MaxName
	MaxLine         = chat.MaxLine
	MaxAnnouncement = lobby.MaxAnnouncement
	CodeLength      = code.PrivateLength
	ResumeLength    = code.ResumeLength
	LinkLength      = code.LinkLength
	MinClock        = account.MinClock
	MaxClock        = account.MaxClock
	NotifyBell      = account.NotifyBell // see [Settings]
	NotifyOff       = account.NotifyOff
	Grace           = lobby.DefaultGrace // see [lobby.Config]
	ReturnTime      = lobby.ReturnTime
)

// Checks and defaults for player input.
var (
	CheckName       = account.CheckName
	CheckClock      = account.CheckClock
	CodeLetters     = code.Letters
	GroupCode       = code.Group
	ParseCode       = lobby.ParseCode
	CustomRules     = account.CustomRules
	DefaultSettings = account.DefaultSettings
	FleetFor        = account.FleetFor
)

// Errors that frontends distinguish.
var (
	ErrReplaced      = live.ErrReplaced
	ErrNoStore       = account.ErrNoStore
	ErrStore         = account.ErrStore
	ErrToken         = account.ErrToken
	ErrFleetName     = account.ErrFleetName
	ErrFleetAccount  = account.ErrFleetAccount
	ErrNoFleet       = account.ErrNoFleet
	ErrTwoFleets     = account.ErrTwoFleets
	ErrTooManyFleets = store.ErrTooManyFleets
	ErrLastKey       = store.ErrLastKey
	ErrNotFound      = store.ErrNotFound
)
