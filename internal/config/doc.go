// Package config is how an operator says what a program is to do: one table of
// options, from which come its flags, its variables in the environment, its
// file and its documentation.
//
// A flag wins over a variable, a variable over the file, the file over the
// default. Every value comes in as text and passes through the same check,
// wherever it is from, and what is wrong is said with the place that it is at:
// the flag, the variable, or the line of the file.
package config
