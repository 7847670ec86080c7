// Package spaceport calls the Spaceport of the page that a web build runs in: players, scores, achievements
// and saves. In other builds every call fails with the code "unsupported".
package spaceport

import "encoding/json"

// Error is the error of a failed call. Code is one of those in docs/player-errors.md.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Call calls a method by its name in docs/players.md, and waits for its answer, which is JSON. Do not call it
// in Update or Draw: start a goroutine.
func Call(method string, args ...any) (json.RawMessage, error) {
	if args == nil {
		args = []any{}
	}
	text, err := json.Marshal(args)
	if err != nil {
		return nil, &Error{"invalid", err.Error()}
	}
	return call(method, string(text))
}

// Ready waits until the page has answered, for at most two seconds. It never fails.
func Ready() { _, _ = Call("ready") }

// Loading tells the page how much has been loaded, from 0 to 1.
func Loading(fraction float64) { go func() { _, _ = Call("loading", fraction) }() }

// Playing tells the page whether a round is under way.
func Playing(on bool) { go func() { _, _ = Call("playing", on) }() }

// Unlock unlocks an achievement, without waiting for it.
func Unlock(achievement string) { go func() { _, _ = Call("achievements.unlock", achievement) }() }

// Result is the answer of a board to a score. Rank is nil while the score waits to be sent.
type Result struct {
	Rank *int    `json:"rank"`
	Best float64 `json:"best"`
}

// SubmitScore posts a score to a board.
func SubmitScore(board string, score float64) (Result, error) {
	var result Result
	answer, err := Call("scores.submit", board, score)
	if err == nil {
		err = json.Unmarshal(answer, &result)
	}
	return result, err
}

// Save keeps data, as JSON, in one of the player's slots.
func Save(slot string, data any) error {
	_, err := Call("saves.set", slot, data)
	return err
}

// Load reads a slot into data. An empty slot leaves data as it is.
func Load(slot string, data any) error {
	answer, err := Call("saves.get", slot)
	if err != nil {
		return err
	}
	var save *struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(answer, &save); err != nil || save == nil {
		return err
	}
	return json.Unmarshal(save.Data, data)
}
