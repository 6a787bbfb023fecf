/**
 * A program in Go that checks histories with Porcupine, for a temporary folder. Its models are as
 * those of Porcupine's own tests: a register of integers with compare-and-set, and a store of texts
 * that is partitioned by key.
 */
export const MAIN_GO = `package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
)

type event struct {
	Id        int
	Client    int
	IsReturn  bool
	F         string
	Key       string
	Value     *string
	From      *string
	To        *string
	IsUnknown bool
	IsFalse   bool
}

type history struct {
	Name      string
	ModelName string
	Events    []event
}

type registerInput struct{ op, value, from, to int }
type registerOutput struct {
	value            int
	isFalse, unknown bool
}

const null = -1000000

func number(text *string) int {
	if text == nil {
		return null
	}
	value, err := strconv.Atoi(*text)
	if err != nil {
		panic(err)
	}
	return value
}

var registerModel = porcupine.Model{
	Init: func() interface{} { return null },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		st, in, out := state.(int), input.(registerInput), output.(registerOutput)
		switch in.op {
		case 0:
			return out.unknown || out.value == st, st
		case 1:
			return true, in.value
		}
		next := st
		if in.from == st {
			next = in.to
		}
		return out.unknown || (in.from == st) != out.isFalse, next
	},
	Hash: func(state interface{}) uint64 { return uint64(state.(int)) },
}

func registerEvents(events []event) []porcupine.Event {
	ops := map[string]int{"read": 0, "write": 1, "cas": 2}
	result := make([]porcupine.Event, len(events))
	for i, e := range events {
		if e.IsReturn {
			output := registerOutput{isFalse: e.IsFalse, unknown: e.IsUnknown}
			if e.Value != nil && *e.Value != "false" && *e.Value != "true" {
				output.value = number(e.Value)
			} else {
				output.value = null
			}
			result[i] = porcupine.Event{ClientId: e.Client, Kind: porcupine.ReturnEvent, Value: output, Id: e.Id}
		} else {
			input := registerInput{ops[e.F], number(e.Value), number(e.From), number(e.To)}
			result[i] = porcupine.Event{ClientId: e.Client, Kind: porcupine.CallEvent, Value: input, Id: e.Id}
		}
	}
	return result
}

type storeInput struct {
	op         int
	key, value string
}
type storeOutput struct {
	value   string
	unknown bool
}

var storeModel = porcupine.Model{
	PartitionEvent: func(events []porcupine.Event) [][]porcupine.Event {
		byKey := make(map[string][]porcupine.Event)
		keyOf := make(map[int]string)
		for _, e := range events {
			if e.Kind == porcupine.CallEvent {
				keyOf[e.Id] = e.Value.(storeInput).key
			}
			byKey[keyOf[e.Id]] = append(byKey[keyOf[e.Id]], e)
		}
		keys := make([]string, 0, len(byKey))
		for key := range byKey {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		result := make([][]porcupine.Event, 0, len(keys))
		for _, key := range keys {
			result = append(result, byKey[key])
		}
		return result
	},
	Init: func() interface{} { return "" },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		st, in, out := state.(string), input.(storeInput), output.(storeOutput)
		switch in.op {
		case 0:
			return out.unknown || out.value == st, st
		case 1:
			return true, in.value
		}
		return true, st + in.value
	},
	Hash: func(state interface{}) uint64 {
		hash := fnv.New64a()
		hash.Write([]byte(state.(string)))
		return hash.Sum64()
	},
}

func storeEvents(events []event) []porcupine.Event {
	ops := map[string]int{"get": 0, "put": 1, "append": 2}
	result := make([]porcupine.Event, len(events))
	for i, e := range events {
		value := ""
		if e.Value != nil {
			value = *e.Value
		}
		if e.IsReturn {
			output := storeOutput{value, e.IsUnknown}
			result[i] = porcupine.Event{ClientId: e.Client, Kind: porcupine.ReturnEvent, Value: output, Id: e.Id}
		} else {
			input := storeInput{ops[e.F], e.Key, value}
			result[i] = porcupine.Event{ClientId: e.Client, Kind: porcupine.CallEvent, Value: input, Id: e.Id}
		}
	}
	return result
}

const limit = 20 * time.Second

type times struct {
	Verdict   string    \`json:"verdict"\`
	Ms        float64 \`json:"ms"\`
	VerboseMs float64 \`json:"verboseMs"\`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	rounds, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	var histories []history
	if err := json.Unmarshal(text, &histories); err != nil {
		panic(err)
	}
	results := make(map[string]times)
	for _, h := range histories {
		model, events := storeModel, []porcupine.Event(nil)
		if h.ModelName == "cas-register" {
			model, events = registerModel, registerEvents(h.Events)
		} else {
			events = storeEvents(h.Events)
		}
		result := times{}
		check := func(verbose bool) (porcupine.CheckResult, float64) {
			began := time.Now()
			var verdict porcupine.CheckResult
			if verbose {
				verdict, _ = porcupine.CheckEventsVerbose(model, events, limit)
			} else {
				verdict = porcupine.CheckEventsTimeout(model, events, limit)
			}
			return verdict, float64(time.Since(began).Nanoseconds()) / 1e6
		}
		for round := 0; round < rounds; round++ {
			verdict, ms := check(false)
			_, verboseMs := check(true)
			if round == 0 || ms < result.Ms {
				result.Ms = ms
			}
			if round == 0 || verboseMs < result.VerboseMs {
				result.VerboseMs = verboseMs
			}
			result.Verdict = map[porcupine.CheckResult]string{
				porcupine.Ok: "ok", porcupine.Illegal: "illegal", porcupine.Unknown: "unknown",
			}[verdict]
			// More of what is slow makes no difference.
			if ms+verboseMs > 1000 {
				break
			}
		}
		results[h.Name] = result
	}
	out, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
}
`
