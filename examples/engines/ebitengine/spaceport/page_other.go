//go:build !js

package spaceport

import "encoding/json"

func call(_, _ string) (json.RawMessage, error) {
	return nil, &Error{"unsupported", "There is no page of a service around the game."}
}

// On does nothing in builds without a page.
func On(_ string, _ func(value json.RawMessage)) {}
