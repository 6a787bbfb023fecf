package main

// counted are the counters of the library's blocks, by file. A build that counts replaces this file.
var counted [][]uint32
