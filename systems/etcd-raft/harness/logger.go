package main

import "fmt"

// logger drops what the library logs, and turns what it gives up on into a panic with its message.
type logger struct{}

func (logger) Debug(...interface{})            {}
func (logger) Debugf(string, ...interface{})   {}
func (logger) Info(...interface{})             {}
func (logger) Infof(string, ...interface{})    {}
func (logger) Warning(...interface{})          {}
func (logger) Warningf(string, ...interface{}) {}
func (logger) Error(...interface{})            {}
func (logger) Errorf(string, ...interface{})   {}

func (logger) Fatal(words ...interface{}) { panic(fmt.Sprint(words...)) }
func (logger) Panic(words ...interface{}) { panic(fmt.Sprint(words...)) }

func (logger) Fatalf(format string, words ...interface{}) { panic(fmt.Sprintf(format, words...)) }
func (logger) Panicf(format string, words ...interface{}) { panic(fmt.Sprintf(format, words...)) }
