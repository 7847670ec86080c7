package night

import "testing"

func TestANightEndsWhenOneFlameGoesOut(t *testing.T) {
	row := NewRow()
	row.Burn()
	if row.Flames[Lanterns-1] != 1 {
		t.Fatal("it burns before the first is lit")
	}
	row.Light(0)
	for ticks := 0.0; row.IsBurning; ticks++ {
		if ticks > firstTicks {
			t.Fatal("it never ends")
		}
		row.Burn()
	}
	if row.Flames[Lanterns-1] != 0 || row.Flames[0] <= 0 || row.Lit != 0 {
		t.Fatalf("%+v", row)
	}
}

func TestOnlyAFlameThatIsLowCounts(t *testing.T) {
	row := NewRow()
	row.Light(2)
	row.Light(2)
	row.Light(-1)
	row.Light(Lanterns)
	if row.Lit != 0 {
		t.Fatalf("%d for nothing", row.Lit)
	}
	for row.Flames[2] >= 0.5 {
		row.Burn()
	}
	row.Light(2)
	if row.Lit != 1 || row.Flames[2] != 1 {
		t.Fatalf("%+v", row)
	}
}
