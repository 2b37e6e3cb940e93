// Package config reads options from flags, environment variables and a file. One [Table]
// defines the options and generates their documentation; the options themselves belong to
// the packages that use them.
//
// A flag overrides a variable, a variable overrides the file, and the file overrides the
// default. All sources share one validation, and errors name the flag, the variable or the
// line of the file.
package config
