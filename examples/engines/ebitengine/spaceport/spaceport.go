// Package spaceport calls the Spaceport of the page that a web build runs in: players, scores, achievements and saves.
// Builds for anything else have it too: there every call fails with the code "unsupported".
package spaceport

import "encoding/json"

// Error is what a call failed with; Code is one of those in docs/player-errors.md.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Call calls a method by its name, as docs/players.md lists them, and waits for its answer, which is JSON. It must not be
// called in Update or Draw: start a goroutine.
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

// Ready is over within two seconds, whatever happens.
func Ready() { _, _ = Call("ready") }

// Loading says how far loading has come, from 0 to 1.
func Loading(fraction float64) { go func() { _, _ = Call("loading", fraction) }() }

// Playing says whether a round is under way.
func Playing(on bool) { go func() { _, _ = Call("playing", on) }() }

// Unlock unlocks an achievement, without waiting for it.
func Unlock(achievement string) { go func() { _, _ = Call("achievements.unlock", achievement) }() }

// Result is what a board answers to a score. Rank is nil while the score waits to be sent.
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

// Save keeps anything that has a JSON form in a slot of the player's.
func Save(slot string, data any) error {
	_, err := Call("saves.set", slot, data)
	return err
}

// Load reads a slot into data, which stays as it is where the slot is empty.
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
