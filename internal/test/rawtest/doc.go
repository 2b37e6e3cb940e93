// Package rawtest tests servers of line protocols. It provides a TCP connection
// that sends the exact bytes it is given and checks each byte that it receives.
//
//	c := rawtest.Dial(t, addr)
//	c.Expect("(3,[]).\n(5,[]).\n")
//	c.Expect("(1,[4,7]).\n")
//	c.Send("(2,[4,7,1]).\r")
//	c.ExpectEOF()
//
// It does not interpret the lines.
package rawtest
