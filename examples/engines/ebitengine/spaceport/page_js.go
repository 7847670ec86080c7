package spaceport

import (
	"encoding/json"
	"syscall/js"
)

func call(method, args string) (json.RawMessage, error) {
	page := js.Global().Get("Spaceport")
	if page.IsUndefined() {
		return nil, &Error{"unsupported", "There is no page of a service around the game."}
	}
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	done := js.FuncOf(func(_ js.Value, given []js.Value) any {
		answered <- answer{text: given[0].String()}
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, given []js.Value) any {
		answered <- answer{err: &Error{textOf(given[0], "code"), textOf(given[0], "message")}}
		return nil
	})
	defer done.Release()
	defer failed.Release()
	page.Call("call", method, args).Call("then", done, failed)
	got := <-answered
	return json.RawMessage(got.text), got.err
}

func textOf(thrown js.Value, name string) string {
	if thrown.Type() != js.TypeObject {
		return thrown.String()
	}
	return thrown.Get(name).String()
}

// On calls hear for each event of this name, with its value as JSON. The events are "pause", "resume",
// "mute", "player", "online" and "update".
func On(event string, hear func(value json.RawMessage)) {
	page := js.Global().Get("Spaceport")
	if page.IsUndefined() {
		return
	}
	page.Call("on", event, js.FuncOf(func(_ js.Value, given []js.Value) any {
		text := "null"
		if len(given) > 0 && !given[0].IsUndefined() {
			text = js.Global().Get("JSON").Call("stringify", given[0]).String()
		}
		hear(json.RawMessage(text))
		return nil
	}))
}
