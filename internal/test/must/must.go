// Package must is for steps of tests that cannot fail unless the test is wrong.
package must

// Get returns a result. It panics if there is an error.
func Get[T any](result T, err error) T {
	Do(err)
	return result
}

// Do panics if there is an error.
func Do(err error) {
	if err != nil {
		panic(err)
	}
}
