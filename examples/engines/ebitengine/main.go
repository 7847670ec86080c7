// Lanterns: a row of lanterns burns down. Touch one, or press its number, to light it again. The first that
// goes out ends the night.
package main

import (
	"encoding/json"
	"fmt"
	"image/color"
	"log"
	"sync/atomic"

	"spaceport.example/lanterns/night"
	"spaceport.example/lanterns/spaceport"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

const (
	width, height = 640, 360
	laneWidth     = width / night.Lanterns
)

var (
	dark = color.RGBA{0x10, 0x13, 0x1f, 0xff}
	post = color.RGBA{0x3a, 0x3f, 0x5f, 0xff}
)

// Progress is saved for the player.
type Progress struct {
	Nights int `json:"nights"`
}

// Game is run by the engine. Events of the page arrive in other goroutines, so the fields that they write are
// atomic.
type Game struct {
	row      night.Row
	progress Progress
	isPaused atomic.Bool
	said     atomic.Pointer[string]
	touches  []ebiten.TouchID
}

func newGame() *Game {
	game := &Game{row: night.NewRow()}
	game.say("Touch a lantern, or press 1 to 5, to begin.")
	spaceport.On("pause", func(json.RawMessage) { game.isPaused.Store(true) })
	spaceport.On("resume", func(json.RawMessage) { game.isPaused.Store(false) })
	return game
}

func (g *Game) say(text string) { g.said.Store(&text) }

func (g *Game) Update() error {
	if g.isPaused.Load() {
		return nil
	}
	wasBurning := g.row.IsBurning
	for _, lane := range g.touched() {
		g.row.Light(lane)
	}
	if g.row.IsBurning && !wasBurning {
		g.say("")
		spaceport.Playing(true)
	}
	g.row.Burn()
	if g.row.Lit == 10 && wasBurning {
		spaceport.Unlock("ten")
	}
	if wasBurning && !g.row.IsBurning {
		g.over(g.row.Lit)
	}
	return nil
}

// over tells the page that a night has ended, and starts the next one.
func (g *Game) over(lit int) {
	g.row = night.NewRow()
	g.progress.Nights++
	progress := g.progress
	g.say(fmt.Sprintf("The night %d ends: %d lanterns lit.", progress.Nights, lit))
	go func() {
		spaceport.Playing(false)
		result, err := spaceport.SubmitScore("lanterns", float64(lit))
		if err == nil {
			g.say(fmt.Sprintf("The night %d ends: %d lanterns lit, best %.0f.", progress.Nights, lit, result.Best))
		}
		_ = spaceport.Save("progress", progress)
	}()
}

// touched returns the lanterns that the player touched, clicked or named in this tick.
func (g *Game) touched() []int {
	var lanes []int
	g.touches = justTouched(g.touches[:0])
	for _, id := range g.touches {
		x, _ := ebiten.TouchPosition(id)
		lanes = append(lanes, x/laneWidth)
	}
	if justClicked() {
		x, _ := ebiten.CursorPosition()
		lanes = append(lanes, x/laneWidth)
	}
	return append(lanes, justNamed()...)
}

func (g *Game) Draw(screen *ebiten.Image) {
	screen.Fill(dark)
	for lane, left := range g.row.Flames {
		x := float32(lane*laneWidth + laneWidth/2)
		vector.DrawFilledRect(screen, x-3, height-140, 6, 140, post, true)
		glow := color.RGBA{uint8(255 * left), uint8(190 * left * left), uint8(90 * left * left), 0xff}
		vector.DrawFilledCircle(screen, x, height-150, float32(14+26*left), glow, true)
	}
	ebitenutil.DebugPrintAt(screen, fmt.Sprintf("%d", g.row.Lit), 16, 16)
	ebitenutil.DebugPrintAt(screen, *g.said.Load(), 16, 36)
}

func (g *Game) Layout(_, _ int) (int, int) { return width, height }

func main() {
	ebiten.SetWindowSize(width, height)
	ebiten.SetWindowTitle("Lanterns")
	spaceport.Ready()
	game := newGame()
	if err := spaceport.Load("progress", &game.progress); err != nil {
		log.Print(err)
	}
	spaceport.Loading(1)
	if err := ebiten.RunGame(game); err != nil {
		log.Fatal(err)
	}
}
