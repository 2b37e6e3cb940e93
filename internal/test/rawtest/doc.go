// Package rawtest is a program at the other end of a line protocol, for tests:
// a TCP connection that sends exactly the bytes it is given and checks the
// bytes that come back one by one.
//
//	c := rawtest.Dial(t, addr)
//	c.Expect("(3,[]).\n(5,[]).\n")
//	c.Expect("(1,[4,7]).\n")
//	c.Send("(2,[4,7,1]).\r")
//	c.ExpectEOF()
//
// It knows no protocol: what the lines mean is the test's business.
package rawtest
