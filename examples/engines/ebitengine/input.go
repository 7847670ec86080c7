package main

import (
	"spaceport.example/lanterns/night"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

var numbers = [night.Lanterns]ebiten.Key{
	ebiten.KeyDigit1, ebiten.KeyDigit2, ebiten.KeyDigit3, ebiten.KeyDigit4, ebiten.KeyDigit5,
}

func justTouched(into []ebiten.TouchID) []ebiten.TouchID {
	return inpututil.AppendJustPressedTouchIDs(into)
}

func justClicked() bool { return inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) }

// justNamed returns the lanterns whose numbers were pressed in this tick.
func justNamed() []int {
	var lanes []int
	for lane, key := range numbers {
		if inpututil.IsKeyJustPressed(key) {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}
