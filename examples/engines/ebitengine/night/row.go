// Package night has the rules of the game, without a screen.
package night

// Lanterns is the number of lanterns in a row.
const Lanterns = 5

// An untended flame lasts firstTicks at first, and less with each lantern that was lit, down to leastTicks.
const (
	firstTicks  = 420.0
	leastTicks  = 70.0
	fasterByLit = 6.0
)

// Row is one night. Flames go from 1 (just lit) to 0 (out).
type Row struct {
	Flames    [Lanterns]float64
	Lit       int
	IsBurning bool
}

// NewRow returns a night that begins when the first lantern is lit.
func NewRow() Row {
	var r Row
	for lane := range r.Flames {
		r.Flames[lane] = 1
	}
	return r
}

// Light makes a flame whole again. It counts only if less than half of the flame is left, so lighting
// lanterns all the time wins nothing.
func (r *Row) Light(lane int) {
	if lane < 0 || lane >= Lanterns {
		return
	}
	if r.IsBurning && r.Flames[lane] < 0.5 {
		r.Lit++
	}
	r.IsBurning = true
	r.Flames[lane] = 1
}

// Burn advances by one tick. Lanterns to the right burn faster, so that no two go out together.
func (r *Row) Burn() {
	if !r.IsBurning {
		return
	}
	ticks := max(leastTicks, firstTicks-fasterByLit*float64(r.Lit))
	for lane := range r.Flames {
		r.Flames[lane] -= (1 + 0.15*float64(lane)) / ticks
		if r.Flames[lane] <= 0 {
			r.Flames[lane] = 0
			r.IsBurning = false
		}
	}
}
