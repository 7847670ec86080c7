/**
 * Soft shapes are drawn once into small canvases, because a gradient for each lantern in each frame would be
 * slow.
 */
const cache = new Map();

/** A round glow of a colour (`r, g, b`), bright in the middle, 128 pixels across. */
export function glow(colour) {
  return cached(`glow ${colour}`, 128, (context) => {
    const gradient = context.createRadialGradient(64, 64, 0, 64, 64, 64);
    gradient.addColorStop(0, `rgba(${colour}, 0.9)`);
    gradient.addColorStop(0.18, `rgba(${colour}, 0.5)`);
    gradient.addColorStop(0.5, `rgba(${colour}, 0.14)`);
    gradient.addColorStop(1, `rgba(${colour}, 0)`);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 128, 128);
  });
}

/** One strip of northern lights, bright near its foot. */
export function curtain(colour) {
  return cached(`curtain ${colour}`, 128, (context) => {
    const gradient = context.createLinearGradient(0, 0, 0, 128);
    gradient.addColorStop(0, `rgba(${colour}, 0)`);
    gradient.addColorStop(0.55, `rgba(${colour}, 0.35)`);
    gradient.addColorStop(0.88, `rgba(${colour}, 0.9)`);
    gradient.addColorStop(1, `rgba(${colour}, 0)`);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 128, 128);
  });
}

/** The moon with its seas, 512 pixels across. */
export function moonDisc() {
  return cached('moon', 512, (context) => {
    const gradient = context.createRadialGradient(210, 200, 30, 256, 256, 250);
    gradient.addColorStop(0, '#fffdf2');
    gradient.addColorStop(0.7, '#f6e7c4');
    gradient.addColorStop(1, '#d8bd92');
    context.fillStyle = gradient;
    context.beginPath();
    context.arc(256, 256, 248, 0, 7);
    context.fill();
    context.clip();
    context.fillStyle = 'rgba(150, 120, 100, 0.16)';
    for (const [x, y, size] of seas) {
      context.beginPath();
      context.ellipse(x, y, size, size * 0.8, 0.5, 0, 7);
      context.fill();
    }
  });
}
const seas = [
  [180, 170, 74],
  [250, 130, 46],
  [320, 210, 60],
  [200, 300, 52],
  [310, 340, 84],
  [120, 250, 34],
  [390, 290, 28],
];

/** A cloud of overlapping puffs, 512 × 256 inside a 512 square. */
export function cloud(number, random) {
  return cached(`cloud ${number}`, 512, (context) => {
    for (let puff = 0; puff < 26; puff++) {
      const x = 90 + random() * 332;
      const size = 34 + random() * 60 * (1 - Math.abs(x - 256) / 300);
      const y = 300 - random() * 60;
      const gradient = context.createRadialGradient(x, y, 0, x, y, size);
      gradient.addColorStop(0, 'rgba(255, 255, 255, 0.16)');
      gradient.addColorStop(1, 'rgba(255, 255, 255, 0)');
      context.fillStyle = gradient;
      context.fillRect(x - size, y - size, size * 2, size * 2);
    }
  });
}

function cached(name, size, draw) {
  let canvas = cache.get(name);
  if (canvas === undefined) {
    canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = size;
    draw(canvas.getContext('2d'));
    cache.set(name, canvas);
  }
  return canvas;
}
